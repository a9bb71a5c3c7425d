"""Results against targets that everybody may see: sums of several companies, and never what one of them did.

What may stand beside what is decided by lastro.disclosure, for all tables of a norm's year together: totals
first, then the parts of the public cut, then the places, then the cut that only offices see (T12). What is
not known is not zero, and is told apart from what is kept back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from lastro.disclosure import Atom, policy, publishable
from lastro.obligations import Position
from lastro.units import Mass, total

LEAST_COMPANIES = policy().fewest
"""How many companies stand at least behind a published sum."""

FEW, UNKNOWN = "few", "unknown"

K = TypeVar("K")


@dataclass(frozen=True)
class Part:
    """What one company adds to a sum; `mass` None where it cannot be told."""

    company: str
    mass: Mass | None


@dataclass(frozen=True)
class Sum:
    """A sum as everybody sees it: a mass, or why there is none."""

    mass: Mass | None
    why: str = ""


def sums(cells: Mapping[K, Iterable[Part]]) -> dict[K, Sum]:
    """The sums of one total: each cell's, as far as it may be published beside the total of all cells."""
    parts = {key: tuple(found) for key, found in cells.items()}
    atoms = {(key, n): _atom(p) for key, found in parts.items() for n, p in enumerate(found)}
    names = {key: [(key, n) for n in range(len(found))] for key, found in parts.items()}
    made = _told(
        [(("whole",), tuple(part for found in parts.values() for part in found), list(atoms))],
        [(("part", key), parts[key], names[key]) for key in parts],
        atoms=atoms,
    )
    return {key: made["part", key] for key in parts}


_Cell = tuple[Any, Sequence[Part], Collection[Any]]
"""Its name, what is summed in it, and the atoms that this is made of."""


def _told(*tables: Sequence[_Cell], atoms: Mapping[Any, Atom]) -> dict[Any, Sum]:
    """What is told of each cell of several tables; the first table has the right of way, then the fullest."""
    ordered = [cell for table in tables for cell in sorted(table, key=_fullest)]
    known = {name: inside for name, parts, inside in ordered if all(p.mass is not None for p in parts)}
    may = publishable(known, atoms)
    return {name: _sum(parts, few=name not in may) for name, parts, _ in ordered}


def _fullest(cell: _Cell) -> tuple[int, str]:
    name, parts, _ = cell
    return -len(_companies(parts)), str(name)


def _atom(part: Part) -> Atom:
    return Atom(part.company, part.mass.mg if part.mass is not None else 0)


def _companies(parts: Iterable[Part]) -> frozenset[str]:
    """Who adds something to a sum; one that adds nothing hides nobody."""
    return frozenset(part.company for part in parts if part.mass is None or part.mass.mg)


def _sum(parts: Sequence[Part], *, few: bool) -> Sum:
    known = [part.mass for part in parts if part.mass is not None]
    if len(_companies(parts)) < LEAST_COMPANIES:
        return Sum(None, FEW)
    if len(known) != len(parts):
        return Sum(None, UNKNOWN)
    return Sum(None, FEW) if few else Sum(total(known))


@dataclass(frozen=True)
class Line:
    """One line of the results: owed and proved in one material and one part of the whole."""

    material: str
    part: str
    owed: Sum
    proved: Sum


@dataclass(frozen=True)
class Retired:
    """A retired mass and where it was collected; `group` is what the norm settles its material in, or ""."""

    company: str
    material: str
    group: str
    town: str
    mass: Mass


@dataclass(frozen=True)
class Told:
    """Every table of a norm's year, as they may be shown side by side."""

    cuts: Mapping[str, tuple[Line, ...]]
    places: Mapping[tuple[str, str], Sum]
    """What was proved, by material and municipality."""


Cuts = Mapping[str, Callable[[str], str]]
"""By the name of a cut: which part of it a company is in."""


def results(
    positions: Iterable[Position], *, cuts: Cuts, inside: Cuts | None = None, retired: Iterable[Retired] = ()
) -> Told:
    """A norm's year: by each cut, by place, and by the cuts that only offices see beside all of these."""
    every, places = {**cuts, **(inside or {})}, dict[tuple[str, str], Sum]()
    lines: dict[str, list[Line]] = {name: [] for name in every}
    of: defaultdict[str, list[Position]] = defaultdict(list)
    at: defaultdict[str, list[Retired]] = defaultdict(list)
    for one in positions:
        of[one.material].append(one)
    for found in retired:
        at[found.group or found.material].append(found)
    for material in dict.fromkeys((*of, *sorted(at))):
        mine, here = of[material], at[material]
        owed = _by_company({n: Atom(p.company, _mg(p.obligation_mass)) for n, p in enumerate(mine)})
        asked = _tables(mine, owed, every, of=lambda p: p.obligation_mass)
        proved = _by_company(_proved(mine, here))
        done = _tables(mine, proved, every, of=lambda p: p.achieved)
        asks = _told(*asked.values(), atoms=owed.atoms)
        does = _told(
            *(done[name] for name in cuts), _towns(here), *(done[name] for name in inside or ()),
            atoms=proved.atoms,
        )  # fmt: skip
        for name in every:
            parts = sorted(part for (_, part), _, _ in asked[name])
            lines[name] += [Line(material, p, asks[name, p], does[name, p]) for p in parts]
        places.update({name[1:]: found for name, found in does.items() if name[0] is _TOWN})
    return Told({name: tuple(found) for name, found in lines.items()}, places)


_TOWN = object()
_REST = object()


@dataclass(frozen=True)
class _Atoms:
    """The atoms of one family of tables, and those of each company."""

    atoms: Mapping[Any, Atom]
    of: Mapping[str, Sequence[Any]]


def _by_company(atoms: Mapping[Any, Atom]) -> _Atoms:
    of: defaultdict[str, list[Any]] = defaultdict(list)
    for name, atom in atoms.items():
        of[atom.company].append(name)
    return _Atoms(atoms, of)


def _proved(mine: Sequence[Position], here: Sequence[Retired]) -> dict[Any, Atom]:
    """What each company proved, place by place, and beside it what stands in its position and in no place."""
    atoms: dict[Any, Atom] = {n: Atom(one.company, one.mass.mg) for n, one in enumerate(here)}
    placed: defaultdict[str, int] = defaultdict(int)
    achieved: defaultdict[str, int] = defaultdict(int)
    for one in here:
        placed[one.company] += one.mass.mg
    for position in mine:
        achieved[position.company] += _mg(position.achieved)
    for company, mg in achieved.items():
        if mg > placed[company] or company not in placed:
            atoms[_REST, company] = Atom(company, max(mg - placed[company], 0))
    return atoms


def _tables(
    mine: Sequence[Position], made: _Atoms, cuts: Cuts, *, of: Callable[[Position], Mass | None]
) -> dict[str, list[_Cell]]:
    tables: dict[str, list[_Cell]] = {}
    for name, part_of in cuts.items():
        parts: defaultdict[str, list[Part]] = defaultdict(list)
        for one in mine:
            parts[part_of(one.company)].append(Part(one.company, of(one)))
        tables[name] = [
            ((name, part), found, {a for company in {p.company for p in found} for a in made.of[company]})
            for part, found in parts.items()
        ]
    return tables


def _towns(here: Sequence[Retired]) -> list[_Cell]:
    cells: defaultdict[tuple[str, str], tuple[list[Part], list[int]]] = defaultdict(lambda: ([], []))
    for n, one in enumerate(here):
        parts, inside = cells[one.material, one.town]
        parts.append(Part(one.company, one.mass))
        inside.append(n)
    return [((_TOWN, *key), parts, inside) for key, (parts, inside) in cells.items()]


def _mg(mass: Mass | None) -> int:
    return 0 if mass is None else mass.mg
