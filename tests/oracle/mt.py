"""Decreto MT 1.455/2025 from its text alone: masses in whole milligrams, rates as fractions, missing as None.

Readings taken: arts. 49-50 bar the discount; the base is the one-way mass without aerosols; the share of
returnables is over all packaging by mass, whole steps only; the geographic target counts municipalities.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from tests.oracle.days import next_year


@dataclass(frozen=True)
class Note:
    """A fiscal note of recyclables: the day it was issued, its material and mass."""

    issued: date
    material: str
    mass: int
    aerosol: bool = False


@dataclass(frozen=True)
class Placed:
    """What a company put on the State's market in one year: one-way, returnable, and aerosol cans apart."""

    one_way: int
    returnable: int = 0
    aerosol: int = 0


def counted(notes: Iterable[Note], year: int) -> dict[str, int]:
    """Art. 70 and 29: only the notes issued in the year of the report, and no aerosol can."""
    total: dict[str, int] = {}
    for note in notes:
        if note.issued.year == year and not note.aerosol:
            total[note.material] = total.get(note.material, 0) + note.mass
    return total


def by_icms(national: int | None, share: Fraction | None) -> Fraction | None:
    """Art. 72: national mass times the State's part of the country's ICMS."""
    return None if national is None or share is None else national * share


def share_steps(returnable: int, total: int) -> int:
    """Art. 46, par. 1: whole blocks of five points that the returnables are of all packaging."""
    return 0 if total == 0 else 20 * returnable // total


def discount(rate: Fraction, returnable: int, total: int, *, certificates: bool, tyre_plan: bool) -> Fraction:
    """Arts. 46, 49, 50: one point of the rate for each block, at most half of the rate, none if barred."""
    if certificates or tyre_plan:
        return Fraction(0)
    return min(Fraction(share_steps(returnable, total), 100), rate / 2)


def rate_after(
    rate: Fraction, returnable: int, total: int, *, certificates: bool = False, tyre_plan: bool = False
) -> Fraction:
    """The rate that stands after the discount of art. 46."""
    return rate - discount(rate, returnable, total, certificates=certificates, tyre_plan=tyre_plan)


def target(rate: Fraction | None, base: int | None) -> Fraction | None:
    """Arts. 7 par. 5 and 69: rate times the mass placed the year before; unknown if one of them is."""
    return None if rate is None or base is None else rate * base


def attained(recovered: int | None, wanted: Fraction | None) -> bool | None:
    """Is a target met? Compared unrounded; unknown where something is unknown."""
    return None if recovered is None or wanted is None else recovered >= wanted


def each_material(recovered: Mapping[str, int], targets: Mapping[str, Fraction]) -> dict[str, bool]:
    """Art. 42: each material for itself, none pays for another."""
    return {name: recovered.get(name, 0) >= wanted for name, wanted in targets.items()}


def structuring(recovered: Mapping[str, int], targets: Mapping[str, Fraction], *, partnership: bool) -> bool:
    """Art. 44: half of the target whatever the material, half of it material by material.

    Without the formal partnerships of arts. 44-I and 45 there is no free half: every material answers whole.
    """
    if not partnership:
        return all(each_material(recovered, targets).values())
    bound = {name: wanted / 2 for name, wanted in targets.items()}
    if any(recovered.get(name, 0) < half for name, half in bound.items()):
        return False
    free = sum(recovered.values()) - sum(bound.values())
    return free >= sum(targets.values()) / 2


def from_recycler(sold: int, counted_before: int) -> int:
    """Art. 28: what a private recycler sold less what counted at an earlier step; never below nothing."""
    return max(sold - counted_before, 0)


def factor(population: int) -> Fraction:
    """Annex, 2: all of the rate from 100,000 people on, four fifths from 60,000 on, three fifths below."""
    if population >= 100_000:
        return Fraction(1)
    return Fraction(4, 5) if population >= 60_000 else Fraction(3, 5)


def towns_wanted(rate: Fraction, populations: Iterable[int]) -> dict[Fraction, int]:
    """Annex, 2: how many municipalities of each band must be served; a part of one is a whole one."""
    sizes: dict[Fraction, int] = {}
    for population in populations:
        sizes[factor(population)] = sizes.get(factor(population), 0) + 1
    return {band: -int(-(rate * band * size) // 1) for band, size in sizes.items()}


def collected_at(collection: str | None, issue: str) -> str:
    """Art. 71: the municipality of collection, or that of the note's issue where nobody knows it."""
    return collection if collection is not None else issue


@dataclass(frozen=True)
class Source:
    """One source of a rate: term of commitment, table, act, other law."""

    kind: str  # "term", "table", "act", "stricter_law"
    rate: Fraction
    justified: bool = False


def resolve(sources: Iterable[Source], *, adherent: bool) -> Fraction | None:
    """Arts. 39-41: the strictest source; a justified term stands for its adherents but for stricter law."""
    known = list(sources)
    if not any(one.justified or one.kind != "term" for one in known):
        return None  # a term without grounds is never below the table, and the table is not known
    own = [one.rate for one in known if one.kind == "term" and one.justified]
    if adherent and own:
        known = [one for one in known if one.kind == "stricter_law" or (one.kind == "term" and one.justified)]
    return max((one.rate for one in known), default=None)


def certificate_counts(*, year: int, notes: Iterable[date], issued: date, bought: date, used: date) -> bool:
    """Arts. 49, 65, 70: notes all of the year, bought by the end of the next, alive on the day of use."""
    if any(day.year != year for day in notes):
        return False
    return bought <= date(year + 1, 12, 31) and issued <= used <= next_year(issued)


def term_binds(signed: date) -> bool:
    """Art. 40: terms signed or amended after the publication of 26 May 2025 must carry the table's rates."""
    return signed > date(2025, 5, 26)


def report_due(year: int) -> date:
    """Arts. 21 and 67: the report of a year is due on 30 July of the next (the nominal day)."""
    return date(year + 1, 7, 30)


def compensation(mass: int, cents_per_tonne: int) -> Fraction:
    """Art. 24: what the municipality gets, in cents, unrounded: mass times the agreed price."""
    return Fraction(mass * cents_per_tonne, 10**9)


FOUR = ("municipal", "concession", "picker_entity", "private_pev")
SCHEMES = ("structuring", "certificates", "collective", "individual")


@dataclass(frozen=True)
class Proof:
    """Mass proved in the year of the target: where it was collected, from whom, what of it cannot count."""

    group: str
    state: str
    origin: str | None
    mass: int
    aerosol: int = 0
    upstream: int = 0


@dataclass(frozen=True)
class Market:
    """Packaging of one kind placed in a year: all of it, and of it the returnable and the aerosol cans."""

    mass: Fraction
    returnable: Fraction = Fraction(0)
    aerosol: Fraction = Fraction(0)

    @property
    def base(self) -> Fraction:
        """Arts. 6, 29 and 46: the one-way packaging that can be brought back as its own material."""
        return max(self.mass - self.returnable - self.aerosol, Fraction(0))


def owed(
    rates: Mapping[str, Fraction | None],
    market: Mapping[str, Market | None],
    *,
    discount_barred: bool,
    untold: Container[str] = (),
) -> dict[str, Fraction | None]:
    """What a company owes of each group; None where the rate or the mass is not known.

    The share of returnables is over everything it declared, of every group. Of an `untold` group the mass was
    declared for the country and its part here is not known: then neither is that share, if there are
    returnables at all and they could lower the rate.
    """
    known = [one for one in market.values() if one is not None]
    unsure = any(one is not None and name in untold for name, one in market.items())
    unsure = unsure and not discount_barred and any(one.returnable for one in known)
    whole = sum(one.mass for one in known)
    returnable = sum(one.returnable for one in known)
    steps = 0 if whole == 0 or discount_barred else int(20 * returnable / Fraction(whole))
    out: dict[str, Fraction | None] = {}
    for group, rate in rates.items():
        placed = market.get(group)
        if placed is None or group in untold or (placed.base and (rate is None or unsure)):
            out[group] = None
        elif rate is None or not placed.base:
            out[group] = Fraction(0)
        else:
            out[group] = (rate - min(Fraction(steps, 100), rate / 2)) * placed.base
    return out


def proved(proofs: Iterable[Proof], group: str, scheme: str) -> int:
    """Arts. 27-29: the four origins, a private recycler's where certificates are issued; no aerosols.

    What was collected elsewhere does not count here; an origin that nobody told is left to the admission.
    """
    here = [one for one in proofs if one.group == group and one.state == "MT"]
    total = sum(max(one.mass - one.aerosol, 0) for one in here if one.origin is None or one.origin in FOUR)
    if scheme == "certificates":
        for one in here:
            if one.origin == "private_recycler":
                total += max(from_recycler(one.mass, one.upstream) - one.aerosol, 0)
    return total


def verdicts(
    targets: Mapping[str, Fraction | None],
    got: Mapping[str, int],
    *,
    structured: bool,
    partnership: bool | None,
    regardless: bool = False,
) -> dict[str, bool | None]:
    """Arts. 42 to 44: each group by itself, or, in a structuring system, by its half and the pool of all.

    Where a target of the pool is not known, what depends on the pool is not known either. `regardless`: the
    system asks for art. 43, which with proved partnerships looks at the pool alone.
    """
    whole = [one for one in targets.values() if one is not None]
    half = Fraction(0) if regardless and partnership is True else Fraction(1, 2)
    out: dict[str, bool | None] = {}
    for group, wanted in targets.items():
        if wanted is None:
            out[group] = None
        elif got[group] >= wanted:
            out[group] = True
        elif not structured or partnership is False or got[group] < wanted * half:
            out[group] = False
        elif len(whole) < len(targets):
            out[group] = None
        else:
            out[group] = sum(got.values()) >= sum(whole)
    return out


def towns(
    rate: Fraction, base: Mapping[str, int | None], served: Container[str]
) -> list[tuple[int, int, int]]:
    """Annex, 2 and art. 71, band by band from the largest: served, all of the band, served that are wanted.

    Municipalities whose people nobody counted are in no band; a band without municipalities asks for nothing.
    """
    known = {code: people for code, people in base.items() if people is not None}
    wanted = towns_wanted(rate, known.values())
    out = []
    for band in sorted(wanted, reverse=True):
        mine = [code for code, people in known.items() if factor(people) == band]
        out.append((sum(code in served for code in mine), len(mine), wanted[band]))
    return out
