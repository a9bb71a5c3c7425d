"""A note of which a part came back: what was returned does not count, the rest does.

For: a buyer that sends back some bales of a load. The return names the note and weighs what came back; so
much less of the note counts, and the return is told on the lines it touches. Where the rest cannot be told (a
line without a mass, a material that was not sold, more than was sold, several notes returned by one) the
whole note waits, as it does where all of it came back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lastro.custody.count import Limit
from lastro.facts import Severity
from lastro.findings import finding
from lastro.units import Mass


@dataclass(frozen=True)
class Goods:
    """One line of a note: its material, None where it is no waste; its mass, None where it cannot be told."""

    line: int
    material: str | None
    mass: Mass | None


@dataclass(frozen=True)
class Return:
    """What one note brings back, and how many notes it says it brings it back of."""

    access_key: str
    goods: tuple[Goods, ...]
    notes: int = 1


def left_of(sold: Sequence[Goods], returns: Iterable[Return]) -> dict[int, tuple[Limit, ...]] | None:
    """What returns leave of each line that they touch; None where nothing is left, or it cannot be told.

    A return says what came back, seldom of which line: of several lines of one material the last give first,
    so that what is left in all is right, and the same in any order of the papers.
    """
    back: defaultdict[str, int] = defaultdict(int)
    by: defaultdict[str, list[str]] = defaultdict(list)
    for one in sorted(returns, key=lambda one: one.access_key):
        told = _masses(one.goods)
        if one.notes != 1 or not told:
            return None
        for material, mg in told.items():
            back[material] += mg
            by[material].append(one.access_key)
    whole = _masses(sold)
    if whole is None or any(mg > whole.get(material, 0) for material, mg in back.items()):
        return None
    if sum(back.values()) == sum(whole.values()):
        return None
    return dict(_limits(sold, back, by))


def _masses(goods: Iterable[Goods]) -> dict[str, int] | None:
    """Milligrams by material, of lines that are waste; None where one of them has no mass."""
    found: defaultdict[str, int] = defaultdict(int)
    for one in goods:
        if one.material is None:
            continue
        if one.mass is None:
            return None
        found[one.material] += one.mass.mg
    return dict(found)


def _limits(
    sold: Sequence[Goods], back: Mapping[str, int], by: Mapping[str, Sequence[str]]
) -> Iterable[tuple[int, tuple[Limit, ...]]]:
    left = dict(back)
    for one in sorted(sold, key=lambda goods: -goods.line):
        taken = min(left.get(one.material or "", 0), one.mass.mg if one.mass else 0)
        if one.material is None or one.mass is None or not taken:
            continue
        left[one.material] -= taken
        seen = finding(
            "N16",
            where=f"item {one.line}",
            found=f"{Mass(taken)} devolvidos pela nota {', '.join(by[one.material])}",
            expected=f"o resto, {Mass(one.mass.mg - taken)}, segue contando",
            severity=Severity.WARN,
        )
        yield one.line, (Limit(Mass(one.mass.mg - taken), seen),)
