"""Whether loads could have travelled as their notes say: what is too heavy, too far, too much, or goes round.

Nothing here refuses: each finding asks people (decision 9). What cannot be told from the papers is not
evaluated: without a plate no lorry, without coordinates no distance inside or between neighbouring states,
without a registered capacity no burst.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import combinations

from lastro.facts import Finding
from lastro.findings import finding
from lastro.ids import UF_BY_CODE, Material, company_of
from lastro.tables import box_of
from lastro.tables.road import road
from lastro.units import Mass, total

ROUND_DAYS = 30
"""Within so many days two firms that sell each other one material may be handing the same mass round."""

_UFS = frozenset(UF_BY_CODE.values())
_HOURS_A_DAY = 24


@dataclass(frozen=True)
class Trip:
    """One note as a load on the road: from a seller to a buyer, on the day written on it.

    `covered`: a manifest (MTR) goes with it. `by_road` is False where it names a wagon or a barge.
    """

    access_key: str
    issued_on: date
    seller: str
    buyer: str
    from_uf: str
    to_uf: str
    goods: tuple[tuple[Material, Mass], ...]
    plates: frozenset[str] = frozenset()
    carrier: str = ""
    by_road: bool = True
    covered: bool = False

    @property
    def mass(self) -> Mass:
        return total(mass for _, mass in self.goods)

    @property
    def month(self) -> tuple[str, int, int]:
        return self.seller, self.issued_on.year, self.issued_on.month


def doubtful(trips: Iterable[Trip], *, capacity: Mapping[str, Mass]) -> dict[str, tuple[Finding, ...]]:
    """What people are asked of each note, by access key; notes of which nothing is asked are left out.

    `capacity` is what a seller's registration says that it can handle in a month. Codes: G05 to G09.
    """
    known = sorted(set(trips), key=lambda trip: (trip.issued_on, trip.access_key))
    found: defaultdict[str, list[Finding]] = defaultdict(list)
    for trip in known:
        for seen in (_too_heavy(trip), _without_papers(trip)):
            if seen is not None:
                found[trip.access_key].append(seen)
    for key, seen in (*_too_far(known), *_too_much(known, capacity), *_both_ways(known)):
        if all(one.code != seen.code for one in found[key]):
            found[key].append(seen)
    return {key: tuple(sorted(seen, key=lambda one: one.code)) for key, seen in found.items()}


def _too_heavy(trip: Trip) -> Finding | None:
    """G05: more than any lorry may weigh, itself included, without a special permit."""
    heaviest = Mass.kg(str(road("heaviest")))
    if not trip.plates or not trip.by_road or trip.mass <= heaviest:
        return None
    said = f"{trip.mass} em um veículo"
    return finding("G05", where="/NFe/infNFe/transp", found=said, expected=f"até {heaviest}, com o veículo")


def _without_papers(trip: Trip) -> Finding | None:
    """G08: from one state to another with no lorry, carrier or manifest named."""
    if trip.from_uf == trip.to_uf or not {trip.from_uf, trip.to_uf} <= _UFS:
        return None
    if trip.plates or trip.carrier or not trip.by_road or trip.covered:
        return None
    said = f"de {trip.from_uf} a {trip.to_uf}, sem veículo, transportador nem MTR"
    return finding("G08", where="/NFe/infNFe/transp", found=said, expected="documento de transporte")


def _too_far(trips: Sequence[Trip]) -> Iterable[tuple[str, Finding]]:
    """G06: one lorry leaves two states on one day that are farther apart than it can go."""
    by_lorry: defaultdict[tuple[str, date], list[Trip]] = defaultdict(list)
    for trip in trips:
        for plate in trip.plates if trip.by_road else ():
            by_lorry[plate, trip.issued_on].append(trip)
    furthest = road("fastest") * _HOURS_A_DAY
    for (_, day), mine in sorted(by_lorry.items()):
        for one, other in combinations(mine, 2):
            apart = km_apart(one.from_uf, other.from_uf)
            if apart is not None and apart > furthest:
                for trip, twin in ((one, other), (other, one)):
                    said = f"{day}: também sai de {twin.from_uf} (nota {twin.access_key})"
                    want = f"até {furthest} km em um dia; são ao menos {apart}"
                    yield trip.access_key, finding("G06", where="placa", found=said, expected=want)


def km_apart(one: str, other: str) -> int | None:
    """At least so many kilometres lie between two states, whole and rounded down; None for an unknown one."""
    here, there = box_of(one), box_of(other)
    if here is None or there is None:
        return None
    up = max(Fraction(0), here.south - there.north, there.south - here.north)
    along = max(Fraction(0), here.west - there.east, there.west - here.east)
    return max(int(up * _KM_UP), int(along * _KM_ALONG))


_KM_UP, _KM_ALONG = 110, 91
"""A degree of latitude is over 110 km; one of longitude at the southern end of the country (34º), over 91."""


def _too_much(trips: Sequence[Trip], capacity: Mapping[str, Mass]) -> Iterable[tuple[str, Finding]]:
    """G07: in a month, the notes of a seller beyond what it can handle, in the order of day and key."""
    sums: defaultdict[tuple[str, int, int], int] = defaultdict(int)
    for trip in trips:
        most = capacity.get(trip.seller)
        if most is None:
            continue
        sums[trip.month] += trip.mass.mg
        if sums[trip.month] > most.mg:
            said = f"{Mass(sums[trip.month])} no mês até esta nota"
            want = f"até {most} por mês"
            yield trip.access_key, finding("G07", where="operador", found=said, expected=want)


def _both_ways(trips: Sequence[Trip]) -> Iterable[tuple[str, Finding]]:
    """G09: two firms sell each other the same material within days."""
    sales: defaultdict[tuple[str, str, Material], list[Trip]] = defaultdict(list)
    for trip in trips:
        for material in sorted({material for material, _ in trip.goods}):
            sales[company_of(trip.seller), company_of(trip.buyer), material].append(trip)
    for (seller, buyer, material), mine in sorted(sales.items()):
        back = sales.get((buyer, seller, material), ()) if seller != buyer else ()
        for trip in mine:
            for other in back:
                if abs(other.issued_on - trip.issued_on) <= timedelta(ROUND_DAYS):
                    said = f"nota {other.access_key}, de {other.issued_on}, no sentido contrário"
                    yield trip.access_key, finding("G09", where="partes", found=said)
                    break
