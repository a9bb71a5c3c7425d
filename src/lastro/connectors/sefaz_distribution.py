"""Documents of interest to an establishment: NFeDistribuicaoDFe (NT 2014.002), number after number.

SEFAZ numbers every document for each establishment (NSU) and hands out up to 50 at a time, from the number
one names on. Who asks again with nothing new, or asks too often, is locked out for an hour (656): so the last
number is kept, and after the end of the queue nothing is asked for an hour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from lastro.connectors import soap
from lastro.connectors.faults import Unanswered, Wait
from lastro.connectors.packets import Packet, opened
from lastro.connectors.patience import Clock, patiently
from lastro.connectors.sefaz_status import too_much
from lastro.connectors.transport import Line
from lastro.errors import LastroError
from lastro.evidence.elements import children
from lastro.evidence.fields import at, text
from lastro.evidence.read import NFE
from lastro.facts import Reached

_QUIET = timedelta(hours=1)
_NOTHING, _FOUND = "137", "138"
_SINGLE = 20
"""How many single numbers may be asked for in an hour (NT 2014.002)."""
_WIDEST_GAP = 50
"""A wider gap is a stretch that SEFAZ no longer keeps (three months), not a document that got lost."""


@dataclass(frozen=True)
class Batch:
    """One answer of the distribution."""

    found: bool
    last_nsu: int
    highest_nsu: int
    packets: tuple[Packet, ...]


Ask = Callable[[str], Batch]
"""Asks for what a distNSU or consNSU element names. Raises Unanswered, Wait or LastroError."""


@dataclass(frozen=True)
class Step:
    """Documents that came together, and how far one is once they stand. `said` is for a person."""

    packets: tuple[Packet, ...]
    reached: Reached
    said: str = ""


def asker(establishment: str, *, uf_code: str, line: Line, address: str, clock: Clock) -> Ask:
    """A way to ask on behalf of an establishment (14 characters) of a federative unit (IBGE code)."""

    def ask(wanted: str) -> Batch:
        inside = (
            f'<distDFeInt xmlns="{NFE}" versao="1.01"><tpAmb>1</tpAmb><cUFAutor>{uf_code}</cUFAutor>'
            f"<CNPJ>{establishment}</CNPJ>{wanted}</distDFeInt>"
        )

        def once() -> Batch:
            message, _ = soap.call(
                line,
                address=address,
                service="NFeDistribuicaoDFe",
                operation="nfeDistDFeInteresse",
                inside=inside,
            )
            return read_batch(message, clock=clock)

        return patiently(once, clock=clock)

    return ask


def read_batch(message: Any, *, clock: Clock) -> Batch:
    """The sense of a retDistDFeInt. Raises Wait after 656, Unanswered, or LastroError for a refusal."""
    status, reason = at(message, "cStat"), at(message, "xMotivo")
    if status == "656":
        raise too_much(reason, clock)
    if status in ("108", "109") or not status:
        raise Unanswered(f"A SEFAZ está parada ({status} {reason}).", again=True)
    if status not in (_NOTHING, _FOUND):
        raise LastroError(f"A SEFAZ recusou o pedido de documentos: {status} {reason[:200]}")
    if at(message, "tpAmb") != "1":
        raise Unanswered("A resposta é do ambiente de homologação.", again=False)
    packets = [
        opened(_number(one.get("NSU")), (one.get("schema") or "")[:60], text(one))
        for lot in children(message, "loteDistDFeInt")
        for one in children(lot, "docZip")
    ]
    return Batch(
        found=status == _FOUND,
        last_nsu=_number(at(message, "ultNSU")),
        highest_nsu=_number(at(message, "maxNSU")),
        packets=tuple(packets),
    )


def _number(written: str | None) -> int:
    """An NSU; -1 where none is written, which some answers do."""
    return int(written) if written and written.isascii() and written.isdigit() and len(written) <= 15 else -1


def pull(ask: Ask, *, start: Reached, clock: Clock, most: int = 100) -> Iterator[Step]:
    """Bring what is new, step after step, at most so many; then what is missing, one by one.

    Whoever takes a step keeps its documents and *then* its `reached`: interrupted anywhere, the next run goes
    on from there. Raises Wait where nothing may be asked yet; the lock-out of a 656 is a last step to keep.
    """
    if start.not_before is not None and clock.now() < start.not_before:
        raise Wait(
            f"A SEFAZ só aceita novo pedido deste estabelecimento a partir de "
            f"{start.not_before:%d/%m/%Y %H:%M} UTC (último NSU {start.last_nsu}).",
            until=start.not_before,
        )
    try:
        reached = replace(start, not_before=None)
        for _ in range(most):
            step = _next(ask(f"<distNSU><ultNSU>{reached.last_nsu:015d}</ultNSU></distNSU>"), reached, clock)
            reached = step.reached
            yield step
            if reached.not_before is not None:
                break
        for nsu in reached.missing[:_SINGLE]:
            step = _single(ask(f"<consNSU><NSU>{nsu:015d}</NSU></consNSU>"), nsu, reached)
            reached = step.reached
            yield step
    except Wait as locked:
        yield Step((), replace(reached, not_before=locked.until), said=str(locked))


def _next(batch: Batch, before: Reached, clock: Clock) -> Step:
    """What one answer brings on, and where one stands after it."""
    last = max(before.last_nsu, batch.last_nsu)
    ended = not batch.found or last >= batch.highest_nsu
    if batch.found and last == before.last_nsu and not ended:
        raise Unanswered("A SEFAZ responde sempre com os mesmos números; tente mais tarde.", again=False)
    packets = _once_each(packet for packet in batch.packets if not 0 <= packet.nsu <= before.last_nsu)
    missing = {*before.missing, *_gaps(packets, before.last_nsu)}
    missing |= {packet.nsu for packet in packets if packet.problem and packet.nsu >= 0}
    reached = Reached(
        last_nsu=last,
        highest_nsu=max(batch.highest_nsu, last),
        not_before=clock.now() + _QUIET if ended else None,
        missing=tuple(sorted(missing)),
    )
    said = [f"NSU {p.nsu} ({p.kind}): {p.problem}; será pedido de novo" for p in packets if p.problem]
    return Step(tuple(p for p in packets if not p.problem), reached, "; ".join(said))


def _once_each(packets: Iterator[Packet]) -> list[Packet]:
    """Each document once: the same number with the same bytes is the same; with others both are kept."""
    return list(dict.fromkeys(packets))


def _gaps(packets: list[Packet], last: int) -> set[int]:
    """Numbers that were passed over between documents that came, where the stretch is short."""
    numbers = sorted({packet.nsu for packet in packets if packet.nsu >= 0})
    found: set[int] = set()
    for low, high in zip([last if last else None, *numbers], numbers, strict=False):
        if low is not None and 1 < high - low <= _WIDEST_GAP:
            found.update(range(low + 1, high))
    return found


def _single(batch: Batch, nsu: int, before: Reached) -> Step:
    """What asking for one number gave. SEFAZ has nothing under it: no longer missing. Broken again: still."""
    came = [packet for packet in batch.packets if not packet.problem]
    broken = bool(batch.packets) and not came
    missing = before.missing if broken else tuple(n for n in before.missing if n != nsu)
    said = f"NSU {nsu}: {batch.packets[0].problem}; fica para a próxima vez" if broken else ""
    return Step(tuple(came), replace(before, missing=missing), said)
