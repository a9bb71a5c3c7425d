"""Whether an event counts: SEFAZ registered it, and whoever may declare it signed it.

Known and of no weight here are, among others, EPEC (110140: the note was written in contingency and still
needs its own authorisation), proof of delivery (110130), awareness and confirmation by the recipient (210210,
210200), and what carriers' papers and tax offices add: 610110 to 610615, 630690, 790700, 990900, 990910.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lastro.evidence.context import Context
from lastro.evidence.papers import Reading
from lastro.evidence.series import office_may_sign, owner_named
from lastro.evidence.signer import signature_findings
from lastro.facts import Event, Finding, Severity
from lastro.findings import finding
from lastro.ids import AccessKey

_REGISTERED = {"135", "136", "155", "573"}
"""Registered, registered without the note at hand, registered late; 573: it had been registered before."""
_CANCELLED_ALREADY = {"101", "151", "218", "420"}
"""Answers to a request to cancel which say that the note is cancelled (MOC); 101 and 151 are the old ones."""
CANCELS = frozenset({"110111", "110112", "cancNFe"})
"""Cancellation, cancellation by substitution, and the request of layouts 1.07 and 2.00, no event yet."""
CORRECTS = "110110"
UNDOES = {
    "210220": "o destinatário declara que desconhece a operação",
    "210240": "o destinatário declara que a operação não se realizou",
    "110192": "o emitente declara que a entrega não se realizou",
}
"""Events after which the mass of a note is in doubt (NT 2012.002, NT 2023.005): a person decides.

A later event of the other sense (210200, 110193) is not weighed against them: which one holds SEFAZ tells.
"""
_BY_ANYONE = {"110150"}
"""An interested party is named by issuer, recipient or carrier (NT 2020.007)."""


def registered(event: Event) -> bool:
    """Whether SEFAZ's answer, as the file carries it, says that the event stands."""
    if event.type == "cancNFe":
        return event.status in _CANCELLED_ALREADY
    return event.status in _REGISTERED or (event.type in CANCELS and event.status in _CANCELLED_ALREADY)


def environment(reading: Reading) -> Iterator[Finding]:
    protocol = reading.protocol
    places = [
        ("/NFe/infNFe/ide/tpAmb", reading.environment),
        ("protNFe/tpAmb", protocol.environment if protocol else ""),
    ]
    for where, value in places:
        if value == "2":
            yield finding("N06", where=where, found="2 (homologação)", expected="1 (produção)")
            return


def event_findings(reading: Reading, context: Context) -> Iterator[Finding]:
    """An event counts when SEFAZ registered it and the note's own issuer (or a tax office) signed it."""
    event = reading.event
    assert event is not None, "an event's reading carries the event"
    yield from environment(reading)
    protocol = reading.protocol
    if protocol is None:
        yield finding(
            "N01", where="/evento", found="pedido de evento", expected="evento registrado (procEventoNFe)"
        )
    elif not registered(event):
        found = f"{protocol.status} {protocol.reason}".strip()
        yield finding("N09", where="/procEventoNFe/retEvento", found=found, expected="135, 136 ou 155")
    elif (protocol.access_key and protocol.access_key != event.access_key) or (
        protocol.digest and protocol.digest != event.type
    ):
        found = f"{protocol.digest} {protocol.access_key}"
        yield finding(
            "N08", where="/procEventoNFe/retEvento", found=found, expected=f"{event.type} {event.access_key}"
        )
    try:
        key = AccessKey.parse(event.access_key)
    except ValueError:
        found = f"{len(event.access_key)} caracteres"
        yield finding("N02", where="/evento/infEvento/chNFe", found=found, expected="44 caracteres")
        key = None
    owners = _owners(event, key)
    for seen in signature_findings(reading, context, where="/evento/Signature", owners=owners):
        # There another's signature is a doubt, and no refusal: else a true cancellation would go unheard.
        unnamed = seen.code == "S07" and key is not None and office_may_sign(key)
        yield replace(seen, severity=Severity.REVIEW) if unnamed else seen


def _owners(event: Event, key: AccessKey | None) -> tuple[str, ...]:
    """Who must have signed: the issuer for its own events, the author for what a recipient or carrier says.

    A tax office's event is not measured by that: which office it is the key does not tell. In the series of
    the office's site the office may have signed in the issuer's stead.
    """
    if event.type[:2] == "21" or event.type in _BY_ANYONE:
        return (event.author,) if event.author else ()
    own = event.type[:2] == "11" or event.type == "cancNFe"
    return (owner_named(key),) if own and key is not None else ()
