"""What comparing notes makes of a line: a question for two people (C03), or less mass that counts (C04)."""

from __future__ import annotations

from collections.abc import Collection as Some

from lastro.custody.count import Limit
from lastro.custody.port import Kept
from lastro.facts import Finding, Severity
from lastro.findings import finding
from lastro.units import Mass


def doubts(kept: Kept, *, known: Some[str] = ()) -> tuple[Finding, ...]:
    """One question for each note that looks like this line's, but for keys `known` to tell the same mass.

    Of a note of which a line looks like this one nothing is asked as a whole besides.
    """
    lines = {twin.access_key for twin in kept.twins if twin.line}
    alike = tuple(
        finding("C03", where=f"item {kept.sold.line}", found=twin.said, expected="uma nota para cada carga")
        for twin in kept.twins
        if kept.sold.claimed and twin.access_key not in known and (twin.line or twin.access_key not in lines)
    )
    return (*alike, *_bought(kept), *_early(kept))


_EARLY = {
    True: ("vendidos antes da compra", "compra de data anterior, que conte por si"),
    False: ("vêm de compra que espera decisão", "a compra decidida como carga própria"),
}
"""Of purchases dated after the sale, and of those that wait: what is asked, and what would answer it."""


def _early(kept: Kept) -> tuple[Finding, ...]:
    """Of mass sold before the purchase that would explain it, or bought by a note that waits, people are
    asked: the dealer had none of it on that day."""
    asked = []
    for late, (said, expected) in _EARLY.items():
        keys = sorted({one.access_key for one in kept.upstream.early if one.late is late})
        if keys:
            found = f"{kept.upstream.explained(late=late)} {said} ({', '.join(keys)}); no dia, não os tinha"
            asked.append(finding("C04", where=f"item {kept.sold.line}", found=found, expected=expected))
    return tuple(asked)


def _bought(kept: Kept) -> tuple[Finding, ...]:
    """Who collects and also buys may sell its own: of bought mass that was counted then, people are asked."""
    counted = kept.upstream.counted
    if not counted or not kept.sold.collects:
        return ()
    found = f"o vendedor coleta e também compra: {counted} do que comprou antes já contam"
    expected = "massa que o próprio vendedor coletou"
    return (finding("C04", where=f"item {kept.sold.line}", found=found, expected=expected),)


def limits(kept: Kept) -> tuple[Limit, ...]:
    """That what was counted at an earlier sale counts no more; where nothing is left, a person is asked."""
    counted = kept.upstream.counted
    if not counted or kept.sold.collects:
        return ()
    left = Mass(kept.sold.credited_mg - counted.mg)
    seen = finding(
        "C04",
        where=f"item {kept.sold.line}",
        found=f"{counted} contados em venda anterior da mesma massa",
        expected=f"contam {left} de {Mass(kept.sold.credited_mg)}",
        severity=Severity.WARN if left else Severity.REVIEW,
    )
    return (Limit(left, seen),)
