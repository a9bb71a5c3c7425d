"""Where tags meet: the boxes opened by a verifier, and whether the masses fit in the line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from lastro.hub.batch import Held, Opened, Unreadable, bound, open_entry, open_key
from lastro.hub.lines import Line, LineSecret, Said
from lastro.hub.people import Roster
from lastro.units import ZERO, Mass, total


class Fit(StrEnum):
    """How the claims on one line stand to each other."""

    ALONE = "alone"
    FITS = "fits"
    EXCEEDS = "exceeds"
    CONTENTS = "contents"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Seen:
    """One entry as a verifier saw it: opened, or the reason why it is nobody's honest word."""

    held: Held
    opened: Opened | None
    fault: str = ""


@dataclass(frozen=True)
class Judged:
    """What the claims on a line come to. `asked` is the mass each claimant that did not withdraw asks for."""

    fit: Fit
    line_mass: Mass | None
    asked: dict[str, Mass]
    faults: tuple[str, ...] = ()

    @property
    def contested(self) -> bool:
        """Whether nothing of the line stands for anyone until two people decide (decision 2)."""
        return self.fit in (Fit.EXCEEDS, Fit.CONTENTS, Fit.UNREADABLE)


def open_all(
    roster: Roster, held: Iterable[Held], secret: LineSecret, *, verifier: str, key: bytes
) -> list[Seen]:
    """Open the entries under one tag, as a verifier whom a claimant of the line handed its secret."""
    return [_open(roster, one, secret, verifier=verifier, key=key) for one in held]


def _open(roster: Roster, held: Held, secret: LineSecret, *, verifier: str, key: bytes) -> Seen:
    if not held.sound(roster):
        return Seen(held, None, "a entrada não está num lote assinado")
    try:
        batch_key = _batch_key(held.header.keys.get(verifier, ""), key, held.header.batch)
        opened = open_entry(held.entry, secret, batch_key=batch_key)
    except Unreadable:
        return Seen(held, None, "o pacote não se abre com as chaves que abrem os outros")
    return Seen(held, opened, fault_of(roster, held, opened))


_batch_key = lru_cache(maxsize=1 << 12)(open_key)
"""Many entries come out of one batch, whose key is opened once."""


def fault_of(roster: Roster, held: Held, opened: Opened) -> str:
    """Why an opened claim is not its claimant's word; empty where it is."""
    if not bound(roster, opened.claim, held.header.voucher.pseudonym):
        return f"{opened.claim.entity} não assinou por este pseudônimo"
    return ""


def judge(line: Line, seen: Sequence[Seen]) -> Judged:
    """Whether the claims on a line fit in it: whole milligrams, nothing rounded.

    A claimant that withdrew claims nothing, whatever else it said and when; of several claims of one
    claimant the greatest counts. So the answer is a function of the set of claims (decision 2).
    """
    assert line.line > 0, "lines are counted from one"
    honest = [one.opened.claim for one in seen if one.opened is not None and not one.fault]
    faults = tuple(sorted(one.fault for one in seen if one.fault))
    gone = {claim.entity for claim in honest if claim.said is Said.WITHDRAWS}
    standing = [claim for claim in honest if claim.entity not in gone]
    asked: dict[str, Mass] = {}
    for claim in standing:
        asked[claim.entity] = max(asked.get(claim.entity, ZERO), claim.asked, key=lambda mass: mass.mg)
    masses = {claim.line_mass for claim in standing}
    line_mass = next(iter(masses)) if len(masses) == 1 else None
    if faults:
        fit = Fit.UNREADABLE
    elif len(asked) <= 1:
        fit = Fit.ALONE
    elif len({claim.content for claim in standing}) > 1 or line_mass is None:
        fit = Fit.CONTENTS
    else:
        fit = Fit.FITS if total(asked.values()).mg <= line_mass.mg else Fit.EXCEEDS
    return Judged(fit, line_mass, dict(sorted(asked.items())), faults)
