"""What more than one norm asks of the lines of a report: sums that agree, plans carried out, balances."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from lastro.lawkit.contents import Check, Rows, Told
from lastro.units import ZERO, ExactMass, Mass, Share, total

Lines = Sequence[Mapping[str, Told]]
WHOLE = Share(Fraction(1))


def mass_of(lines: Lines, name: str = "mass") -> Mass | None:
    """The sum of a column of masses; None where a line does not tell it, since missing is not zero."""
    told = [one[name] for one in lines]
    known = [one for one in told if isinstance(one, Mass)]
    return total(known) if len(known) == len(told) else None


def recyclers_agree(rows: Rows, article: str) -> tuple[Check, ...]:
    """What each recycler received is what its certificates of destination say, and none is left out."""
    found = []
    for n, one in enumerate(rows["recyclers"], 1):
        proved, told = (
            mass_of([row for row in rows["destined"] if row["recycler"] == one["cnpj"]]),
            one["mass"],
        )
        met = None if proved is None or told is None else proved == told
        found.append(Check(f"by_recycler.{n}", told, proved, "kg", met, article, "T06", stops=True))
    listed = {one["cnpj"] for one in rows["recyclers"]}
    strange = [one for one in rows["destined"] if one["recycler"] not in listed]
    if strange and listed:
        left = mass_of(strange)
        found.append(Check("unlisted_recycler", left, ZERO, "kg", False, article, "T06", stops=True))
    return tuple(found)


def plans_done(lines: Lines, article: str) -> Check:
    """How much of what the plans foresaw was done."""
    done = [one["done"] for one in lines]
    if not done or None in done:
        return Check("plans_done", None, WHOLE, "share", None, article)
    return Check(
        "plans_done", Share(Fraction(done.count(True), len(done))), WHOLE, "share", all(done), article
    )


def system_balances(
    lines: Lines, article: str, balance: Callable[[ExactMass, ExactMass], ExactMass]
) -> tuple[Check, ...]:
    """What each system attained less its target, where whoever has too much makes good who has too little."""
    found = []
    for n, one in enumerate(lines, 1):
        attained, target = one["destined"], one["owed"]
        if isinstance(attained, Mass) and isinstance(target, Mass):
            left = balance(attained.exact, target.exact)
            found.append(Check(f"system_balance.{n}", Mass.of(left.mg), None, "kg", left >= ZERO, article))
        else:
            found.append(Check(f"system_balance.{n}", None, None, "kg", None, article))
    return tuple(found)


def present(
    lines: Lines, name: str, wanted: Mapping[str, str], *, stops: bool = True, code: str = "T02"
) -> tuple[Check, ...]:
    """Each word that a column has to hold at least once, with the article that asks for it."""
    there = {one[name] for one in lines}
    return tuple(
        Check(word, word in there, True, "flag", word in there, article, code, stops)
        for word, article in wanted.items()
    )
