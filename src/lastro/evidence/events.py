"""Whether an event counts: SEFAZ registered it, and the note's own issuer (or a tax office) signed it."""

from __future__ import annotations

from collections.abc import Iterator

from lastro.evidence.context import Context
from lastro.evidence.papers import Reading
from lastro.evidence.signer import signature_findings
from lastro.facts import Finding
from lastro.findings import finding
from lastro.ids import AccessKey, is_cpf

_REGISTERED = {"135", "136", "155"}


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
    elif protocol.status not in _REGISTERED:
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
        issuer = AccessKey.parse(event.access_key).issuer
    except ValueError:
        found = f"{len(event.access_key)} caracteres"
        yield finding("N02", where="/evento/infEvento/chNFe", found=found, expected="44 caracteres")
        issuer = ""
    yield from signature_findings(
        reading, context, where="/evento/Signature", owners=_event_owners(reading, issuer)
    )


def _event_owners(reading: Reading, issuer: str) -> tuple[str, ...]:
    """Who must have signed: the issuer for its own events; a tax office's event is not measured by that."""
    event = reading.event
    if event is None or not issuer or not event.type.startswith("110"):
        return ()
    return (issuer.removeprefix("000") if issuer.startswith("000") and is_cpf(issuer[3:]) else issuer,)
