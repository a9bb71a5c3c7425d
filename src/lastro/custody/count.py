"""One key's lines, counted once (decision 2).

What stands is a function of the *set* of things known about a key: contents, claims, events and
decisions. The order in which they came plays no part, so entering again, in another order, or after
a crash ends the same.

Claims that fit in a line stand side by side. Claims that do not fit are contested, all of them,
whichever came first. Two different signed contents under one key contest every line of it. What
already left a lot (certified or retired) stands; only what is still there is taken back until two
people decide.

Other papers may say that less of a line counts than it weighs (a limit: the smallest one holds), or ask a
question that only two people answer (a doubt: nothing of the line stands until then). Both come from the set
of all papers known, so they too know no order.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from lastro.custody.similar import Sold
from lastro.facts import Beside, Collection, Finding, Kin
from lastro.ids import Material
from lastro.units import ZERO, Mass

BLOCKS = ("N10", "N16", "M15", "N11")
"""What another paper may say of a note, gravest first: cancelled, returned, told anew by another note,
corrected in its goods."""


class LotState(StrEnum):
    """What a line is, seen from everyone's claims together."""

    COUNTED = "counted"
    CONTESTED = "contested"
    DEAD = "dead"


@dataclass(frozen=True)
class ContentView:
    """One signed content under a key: what its lines weigh, and who sold what to whom when."""

    digest: str
    masses: Mapping[int, Mass]
    issued_on: date | None = None
    issuer: str = ""
    recipient: str = ""


@dataclass(frozen=True)
class ClaimView:
    """One claim that some verdict admits, with what its lot must carry."""

    entity: str
    line: int
    mass: Mass | None  # None: the whole line
    content: str
    material: Material
    collection: Collection
    norm: str
    year: int


@dataclass(frozen=True)
class Limit:
    """That no more than `mass` of a line counts, for whomever; the finding says by which paper."""

    mass: Mass
    finding: Finding


def question(doubt: Finding) -> str:
    """A doubt as it is kept beside a decision: another paper asks another question."""
    return f"{doubt.code} {doubt.found}"


@dataclass(frozen=True)
class Decided:
    """What two people decided on a contested line, over which claims, and over which contents and doubts."""

    line: int
    entity: str
    content: str
    claimants: frozenset[str]
    contents: frozenset[str]


@dataclass(frozen=True)
class KeyView:
    """Everything known about one access key.

    `contents` are all the authentic contents seen, admitted or not; `claims` only those that a verdict
    admits; `spent` is what each (line, claimant) already certified or retired; `blocked` is the code (of
    BLOCKS) by which another paper stops the note from counting, empty when none does. By line, `limits` are
    what other papers leave of it, `doubts` what they ask of people, and `notices` what they only make known
    (of line 0: of the whole note); `papers` are the manifests and certificates among them.
    `sold` are the lines that moved mass from a seller to a buyer.
    `family` are the other notes of the same mass, and `echo` says that one of them stands for it.
    `withdrawn` are the (line, entity) of which the entity said that it claims nothing; no claim is of these.
    """

    access_key: str
    contents: Mapping[str, ContentView]
    claims: tuple[ClaimView, ...]
    spent: Mapping[tuple[int, str], Mass]
    decisions: tuple[Decided, ...] = ()
    blocked: str = ""
    limits: Mapping[int, tuple[Limit, ...]] = field(default_factory=dict)
    doubts: Mapping[int, tuple[Finding, ...]] = field(default_factory=dict)
    notices: Mapping[int, tuple[Finding, ...]] = field(default_factory=dict)
    papers: tuple[Beside, ...] = ()
    sold: tuple[Sold, ...] = ()
    family: tuple[Kin, ...] = ()
    echo: bool = False
    withdrawn: frozenset[tuple[int, str]] = frozenset()

    def questions(self, line: int) -> frozenset[str]:
        """What a decision on a line is taken over: the contents of the key, and the doubts on the line."""
        return frozenset(self.contents) | {question(doubt) for doubt in self.doubts.get(line, ())}

    def limit(self, line: int) -> Limit | None:
        """The limit that holds for a line: the smallest, and of equal ones the first by code and words."""
        found = self.limits.get(line, ())
        return min(found, key=lambda one: (one.mass.mg, one.finding.code, one.finding.found), default=None)


@dataclass(frozen=True)
class LineCount:
    """How much of a line stands for each claimant, and the state of the line.

    A line that is counted, but for less than it weighs, has the code of the limit as its reason.
    """

    line: int
    state: LotState
    reason: str
    shares: Mapping[str, Mass]
    claims: Mapping[str, ClaimView]
    stale: frozenset[str] = frozenset()
    withdrawn: frozenset[str] = frozenset()
    """Who took its claim on the line back."""


@dataclass(frozen=True)
class Posting:
    """A change of what stands in a lot: positive masses enter, negative ones go back to the source."""

    line: int
    entity: str
    change_mg: int
    reason: str
    claim: ClaimView | None


def count_once(view: KeyView) -> tuple[LineCount, ...]:
    """Say for every line of a key how much stands for whom, and why the rest does not."""
    lines = {claim.line for claim in view.claims} | {line for line, _ in (*view.spent, *view.withdrawn)}
    return tuple(
        replace(_count_line(view, line), withdrawn=frozenset(who for at, who in view.withdrawn if at == line))
        for line in sorted(lines)
    )


def _count_line(view: KeyView, line: int) -> LineCount:
    claims = _strongest(view, line)
    spent = {who: mass for (at, who), mass in view.spent.items() if at == line and mass}
    if view.blocked:
        return _standing(line, LotState.DEAD, view.blocked, {}, claims, spent)
    if not claims:
        why = "withdrawn" if any(at == line for at, _ in view.withdrawn) else "verdict"
        return _standing(line, LotState.DEAD, why, {}, claims, spent)
    wanted, whole, shortened = _wanted(view, line, claims)
    alone = bool(shortened) and len({*wanted, *spent}) == 1
    if not _reasons(view, line) and (alone or _fit(wanted, spent, whole)):
        return _standing(line, LotState.COUNTED, shortened, wanted, claims, spent)
    chosen = _decision(view, line, frozenset(claims) | frozenset(spent))
    if chosen is None:
        reason = (*_reasons(view, line), "C02")[0]
        return _standing(line, LotState.CONTESTED, reason, {}, claims, spent)
    if chosen.entity not in wanted:
        return _standing(line, LotState.DEAD, "decided", {}, claims, spent)
    left = min(view.contents[chosen.content].masses.get(line, ZERO).mg, whole.mg)
    left -= sum(mass.mg for who, mass in spent.items() if who != chosen.entity)
    share = Mass(max(0, min(wanted[chosen.entity].mg, left)))
    return _standing(line, LotState.COUNTED, "decided", {chosen.entity: share}, claims, spent)


def _wanted(view: KeyView, line: int, claims: Mapping[str, ClaimView]) -> tuple[dict[str, Mass], Mass, str]:
    """What each claim asks for, how much of the line there is, and by which code that is less than all."""
    wanted = {who: _amount(view, claim) for who, claim in claims.items()}
    whole = max(view.contents[claim.content].masses[line] for claim in claims.values())
    limit = view.limit(line)
    if limit is None or limit.mass >= whole:
        return wanted, whole, ""
    return {who: min(mass, limit.mass) for who, mass in wanted.items()}, limit.mass, limit.finding.code


def _reasons(view: KeyView, line: int) -> list[str]:
    """Why a line waits for people, whoever claims it, by code."""
    two = ["N15"] if len(view.contents) > 1 else []
    return two + [doubt.code for doubt in view.doubts.get(line, ())]


def _fit(wanted: Mapping[str, Mass], spent: Mapping[str, Mass], whole: Mass) -> bool:
    """Whether all that is claimed, and all that was used, fits in what there is."""
    taken = sum(mass.mg for who, mass in spent.items() if who not in wanted)
    return taken + sum(max(mass.mg, spent.get(who, ZERO).mg) for who, mass in wanted.items()) <= whole.mg


def _strongest(view: KeyView, line: int) -> dict[str, ClaimView]:
    """Each entity's largest claim on a line: claiming again never adds up, and never takes away."""
    best: dict[str, ClaimView] = {}
    ranked = sorted(
        (claim for claim in view.claims if claim.line == line),
        key=lambda c: (-_amount(view, c).mg, c.content, c.norm, c.year),
    )
    for claim in ranked:
        best.setdefault(claim.entity, claim)
    return best


def _amount(view: KeyView, claim: ClaimView) -> Mass:
    whole = view.contents[claim.content].masses[claim.line]
    return whole if claim.mass is None else claim.mass


def _decision(view: KeyView, line: int, claimants: frozenset[str]) -> Decided | None:
    """The decision taken over exactly these claimants, contents and doubts; a new one reopens it."""
    contents = view.questions(line)
    for decided in reversed(view.decisions):
        if decided.line == line and decided.claimants == claimants and decided.contents == contents:
            return decided
    return None


def _standing(
    line: int,
    state: LotState,
    reason: str,
    shares: Mapping[str, Mass],
    claims: Mapping[str, ClaimView],
    spent: Mapping[str, Mass],
) -> LineCount:
    """What left a lot stands even where nothing else does; it is marked stale there."""
    everyone = {who: shares.get(who, ZERO) for who in {*shares, *spent}}
    stale = frozenset(who for who, mass in spent.items() if mass > everyone[who])
    standing = {who: max(mass, spent.get(who, ZERO)) for who, mass in everyone.items()}
    return LineCount(line, state, reason, standing, claims, stale)


_REASONS = {
    "N15": "contested",
    "C02": "contested",
    "C03": "contested",
    "N10": "cancelled",
    "N16": "cancelled",
    "decided": "decided",
}


def postings(counts: tuple[LineCount, ...], entered: Mapping[tuple[int, str], Mass]) -> tuple[Posting, ...]:
    """The entries that bring the ledger from what was entered to what stands."""
    out = []
    for count in counts:
        owners = {*count.shares, *(who for line, who in entered if line == count.line)}
        for who in sorted(owners):
            change = count.shares.get(who, ZERO).mg - entered.get((count.line, who), ZERO).mg
            if change:
                left = "withdrawn" if who in count.withdrawn else _REASONS.get(count.reason, "verdict")
                reason = "enter" if change > 0 else left
                out.append(Posting(count.line, who, change, reason, count.claims.get(who)))
    return tuple(out)
