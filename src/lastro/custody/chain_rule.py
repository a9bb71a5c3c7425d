"""The rule by which mass walks from sale to sale, written once and run in two ways.

`plain()` runs it as it stands; `compiled()` has it made into machine code, where numba is installed, for
millions of sales. Both give the same whole milligrams: the only product of two masses is taken in pieces
that 64 bits hold.

A party's stock of a material is two numbers: `clean`, counted for nobody yet, and `spent`, counted at an
earlier sale. Where mass begins (a collector, or whoever nobody is seen to sell to) there is no stock. Who
collects and also buys (begins 2) has a stock, and beside it clean mass of its own without end.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

MOST = 1 << 60
"""All masses of one walk together stay below this many milligrams (a thousand million tonnes), so that no
sum and no piece of a product leaves 64 bits."""


class Rule(NamedTuple):
    """The two loops: `walk` follows each sale (level 2), `weigh` only balances each party (level 1)."""

    walk: Callable[..., None]
    weigh: Callable[..., None]


def exact_part(a: int, b: int, c: int) -> int:
    """The floor of a·b/c."""
    return a * b // c


def part_in_pieces(a: int, b: int, c: int) -> int:
    """The floor of a·b/c, for 0 <= b <= c < 2^61 and 0 <= a < 2^62, with nothing over 63 bits on the way.

    Long division: `a` is taken in pieces from the left; what the pieces so far make, times b, is q·c + r.
    """
    if a == 0 or b == 0:
        return 0
    if a <= 4611686018427387904 // b:
        return a * b // c
    width = 21 if c < 2199023255552 else 11 if c < 2251799813685248 else 1
    shift = 0
    while (a >> shift) >> width:
        shift += width
    mask = (1 << width) - 1
    q, r = 0, 0
    while shift >= 0:
        r = (r << width) + b * ((a >> shift) & mask)
        q = (q << width) + r // c
        r = r % c
        shift -= width
    return q


def _walk_with(part: Callable[[int, int, int], int]) -> Callable[..., None]:
    def walk(order, sales, begins, yields, clean, spent, twice, beyond):  # type: ignore[no-untyped-def]
        seller, buyer, material, mass, credited = sales
        kinds = len(yields)
        for at in range(len(order)):
            i = order[at]
            m = material[i]
            counted = credited[i]
            fresh = mass[i] - counted
            s = seller[i] * kinds + m
            if seller[i] >= 0 and begins[s] != 1:
                if counted > 0:
                    # A credited sale takes clean mass first; what it must take of spent was counted before.
                    first = min(clean[s], counted)
                    clean[s] -= first
                    again = min(spent[s], counted - first)
                    spent[s] -= again
                    if first < counted:
                        twice[i] = again
                        if not begins[s]:
                            beyond[i] = counted - first - again
                # An uncredited sale hands on clean and spent as they stand in the stock.
                stock = clean[s] + spent[s]
                moved = min(fresh, stock)
                own = fresh - moved if begins[s] else 0
                fresh = own
                if moved > 0:
                    fresh = part(clean[s], moved, stock)
                    clean[s] -= fresh
                    spent[s] -= moved - fresh
                    counted += moved - fresh
                    fresh += own
            b = buyer[i] * kinds + m
            if buyer[i] >= 0 and begins[b] != 1:
                kept, of = yields[m][0], yields[m][1]
                if kept != of and seller[i] >= 0:
                    fresh = part(fresh, kept, of)
                    counted = part(counted, kept, of)
                clean[b] += fresh
                spent[b] += counted

    return walk


def _weigh(order, sales, begins, kinds, balance, worst):  # type: ignore[no-untyped-def]
    seller, buyer, material, mass, credited = sales
    for at in range(len(order)):
        i = order[at]
        s = seller[i] * kinds + material[i]
        if seller[i] >= 0 and not begins[s]:
            balance[s] -= credited[i]
            worst[s] = min(worst[s], balance[s])
        if buyer[i] >= 0:
            balance[buyer[i] * kinds + material[i]] += mass[i] - credited[i]


@cache
def plain() -> Rule:
    """The rule as Python runs it, on lists of whole numbers of any size."""
    return Rule(_walk_with(exact_part), _weigh)


def can_compile() -> bool:
    """Whether numba is there (the extra `speed`)."""
    return find_spec("numba") is not None


@cache
def compiled() -> Rule:
    """The same rule in machine code, on arrays of 64-bit whole numbers. The first call takes a moment."""
    import numba

    njit: Any = numba.njit(nogil=True, error_model="numpy")
    return Rule(njit(_walk_with(njit(part_in_pieces))), njit(_weigh))
