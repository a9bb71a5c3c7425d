"""What SEFAZ said of a note, then and later (N07 to N10)."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from lastro.sample.bench import Bench
from lastro.sample.events import Event, event_file
from lastro.sample.faults import Fault
from lastro.sample.plants.registry import mutation
from lastro.sample.seal import NFE, Dress, Sealed


@mutation
def no_protocol(bench: Bench, fault: Fault) -> None:
    """A signed note that nobody authorised, as far as the file tells."""
    entity = bench.entity()
    note = bench.draft(entity)
    sealed = bench.seal(note)
    way = fault.params["way"]
    if way == "bare":
        text, suffix = sealed.bare(), "nfe"
    elif way == "wrapper_only":
        text, suffix = replace(sealed, protocol=None).text(), "procNFe"
    else:
        lot = f"<idLote>{bench.rnd.randrange(10**12):015d}</idLote><indSinc>1</indSinc>"
        inner = f'<enviNFe versao="4.00" xmlns="{NFE}">{lot}{sealed.envelope()}</enviNFe>'
        text, suffix = sealed.dress.declaration + inner, "env-lot"
    bench.put(fault, entity, note, text.encode(), name=f"{note.key}-{suffix}.xml")


@mutation
def prefixed_protocol(bench: Bench, fault: Fault) -> None:
    """The answer of SEFAZ is there, under a prefix that the note itself does not use."""
    entity = bench.entity()
    note = bench.draft(entity)
    sealed = bench.seal(note)
    assert sealed.protocol is not None
    other = sealed.protocol.xml(Dress(prefix="p"))
    other = other.replace("<p:protNFe", f'<p:protNFe xmlns:p="{NFE}"', 1)
    text = sealed.text().replace(sealed.protocol.xml(sealed.dress), other)
    bench.put(fault, entity, note, text.encode())


@mutation
def foreign_protocol(bench: Bench, fault: Fault) -> None:
    """The protocol answers another note, or another version of this one."""
    entity = bench.entity()
    note = bench.draft(entity)
    sealed, other = bench.seal(note), bench.seal(bench.draft(entity))
    assert sealed.protocol is not None
    assert other.protocol is not None
    way = fault.params["way"]
    if way == "whole":
        swapped = other.protocol
    elif way == "digest":
        swapped = replace(sealed.protocol, digest=other.protocol.digest)
    else:
        swapped = replace(sealed.protocol, key=other.protocol.key)
    bench.put(fault, entity, note, replace(sealed, protocol=swapped).data())


@mutation
def virtual_office(bench: Bench, fault: Fault) -> None:
    """Authorised by the virtual office that stood in for the state's own (contingency)."""
    entity = bench.entity()
    bench.note(fault, entity, replace(bench.draft(entity), emission=7))


def _with_status(sealed: Sealed, status: int, reason: str) -> Sealed:
    assert sealed.protocol is not None
    return replace(sealed, protocol=replace(sealed.protocol, status=status, reason=reason))


@mutation
def answered(bench: Bench, fault: Fault) -> None:
    """SEFAZ answered with a given status."""
    entity = bench.entity()
    note = bench.draft(entity)
    delay = dt.timedelta(hours=int(fault.params.get("hours", 0)))
    note = replace(note, authorised=note.authorised + delay)
    sealed = _with_status(bench.seal(note), fault.params["status"], fault.params["reason"])
    bench.put(fault, entity, note, sealed.data())


@mutation
def followed_by(bench: Bench, fault: Fault) -> None:
    """The note is fine; a separate event says what became of it."""
    entity = bench.entity()
    note = bench.draft(entity)
    params = fault.params
    bench.note(fault, entity, note)
    happened = Event(
        note=note,
        kind=params["event"],
        when=note.authorised + dt.timedelta(hours=params["hours"]),
        text=params["text"],
        status=params.get("status", 135),
        reason=params.get("reason", "Evento registrado e vinculado a NF-e"),
        sequence=params.get("sequence", 1),
        replaced_by=_replacement(bench, fault) if params["event"] == 110112 else "",
    )
    data = event_file(happened, bench.wallet.signer(note.issuer, happened.when))
    name = f"{note.key}-{happened.kind}-{happened.sequence:02d}-procEventoNFe.xml"
    item = bench.put(fault, entity, note, data, name=name, role="event", codes=(), verdict="")
    item.tolerate = ("N01",)


def _replacement(bench: Bench, fault: Fault) -> str:
    """The key of the note that came instead, which is in nobody's folder."""
    return bench.draft(bench.entity()).key
