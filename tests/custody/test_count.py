"""What stands is a function of the set of claims, never of their order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lastro.custody import ClaimView, ContentView, Decided, KeyView, Limit, count_once, postings
from lastro.custody.count import LotState, question
from lastro.facts import Collection
from lastro.findings import finding
from lastro.ids import Material
from lastro.units import Mass

KEY = "5" * 44
HERE = Collection("5103403", "operator")
ONE = ContentView("c1", {1: Mass(1000)})


def claim(entity: str, mass: int | None = None, *, line: int = 1, content: str = "c1") -> ClaimView:
    amount = None if mass is None else Mass(mass)
    return ClaimView(entity, line, amount, content, Material.GLASS, HERE, "mt/x", 2026)


def view(*claims: ClaimView, **more: object) -> KeyView:
    given_ = {"contents": {"c1": ONE}, "spent": {}, **more}
    return KeyView(KEY, claims=claims, **given_)  # type: ignore[arg-type]


def only(of: KeyView):
    (line,) = count_once(of)
    return line


def test_one_claim_stands_whole():
    line = only(view(claim("A")))
    assert (line.state, line.shares) == (LotState.COUNTED, {"A": Mass(1000)})


def test_parts_that_fit_exactly_stand_side_by_side():
    line = only(view(claim("A", 400), claim("B", 600)))
    assert line.shares == {"A": Mass(400), "B": Mass(600)}


def test_one_milligram_too_much_contests_all():
    line = only(view(claim("A", 400), claim("B", 601)))
    assert (line.state, line.reason, line.shares) == (LotState.CONTESTED, "C02", {})


def test_claiming_again_does_not_add_up():
    assert only(view(claim("A", 400), claim("A", 400), claim("A", 300))).shares == {"A": Mass(400)}


def test_what_is_retired_stands_and_is_stale_when_contested():
    line = only(view(claim("A"), claim("B"), spent={(1, "A"): Mass(300)}))
    assert (line.state, line.shares, line.stale) == (LotState.CONTESTED, {"A": Mass(300)}, {"A"})


def test_two_contents_contest_the_key_even_for_one_claimant():
    both = {"c1": ONE, "c2": ContentView("c2", {1: Mass(1000)})}
    line = only(view(claim("A"), contents=both))
    assert (line.state, line.reason) == (LotState.CONTESTED, "N15")


def test_a_decision_gives_the_line_to_one_and_a_newcomer_reopens_it():
    decided = Decided(1, "A", "c1", frozenset("AB"), frozenset({"c1"}))
    settled = only(view(claim("A"), claim("B"), decisions=(decided,)))
    assert settled.shares == {"A": Mass(1000)}
    again = only(view(claim("A"), claim("B"), claim("C"), decisions=(decided,)))
    assert again.state is LotState.CONTESTED


def test_the_winner_gets_only_what_others_did_not_use():
    decided = Decided(1, "B", "c1", frozenset("AB"), frozenset({"c1"}))
    line = only(view(claim("A"), claim("B"), decisions=(decided,), spent={(1, "A"): Mass(300)}))
    assert line.shares == {"A": Mass(300), "B": Mass(700)}


def test_a_cancelled_note_counts_nothing_but_what_left_it():
    line = only(view(claim("A"), blocked="N10", spent={(1, "A"): Mass(250)}))
    assert (line.state, line.shares, line.stale) == (LotState.DEAD, {"A": Mass(250)}, {"A"})


def limited(mg: int, code: str = "C08") -> Limit:
    return Limit(Mass(mg), finding(code, found=f"{mg}"))


def test_another_paper_leaves_less_of_a_line_than_it_weighs():
    line = only(view(claim("A"), limits={1: (limited(950), limited(900, "C07"))}))
    assert (line.state, line.reason, line.shares) == (LotState.COUNTED, "C07", {"A": Mass(900)})
    none = only(view(claim("A"), limits={1: (limited(1000),)}))
    assert (none.reason, none.shares) == ("", {"A": Mass(1000)})


def test_parts_that_a_limit_leaves_room_for_stand_and_else_are_contested():
    fits = only(view(claim("A", 400), claim("B", 500), limits={1: (limited(900),)}))
    assert fits.shares == {"A": Mass(400), "B": Mass(500)}
    over = only(view(claim("A", 400), claim("B", 501), limits={1: (limited(900),)}))
    assert (over.state, over.reason, over.shares) == (LotState.CONTESTED, "C02", {})


def test_what_was_used_beyond_a_limit_stands_and_is_stale():
    line = only(view(claim("A"), limits={1: (limited(900),)}, spent={(1, "A"): Mass(950)}))
    assert (line.state, line.shares, line.stale) == (LotState.COUNTED, {"A": Mass(950)}, {"A"})
    within = only(view(claim("A"), limits={1: (limited(900),)}, spent={(1, "A"): Mass(900)}))
    assert (within.shares, within.stale) == ({"A": Mass(900)}, frozenset())


def test_a_doubt_waits_for_a_decision_over_that_very_doubt():
    doubt, other = finding("C11", found="vidro no MTR 1"), finding("C11", found="vidro no MTR 2")
    asked = {1: (doubt,)}
    assert only(view(claim("A"), doubts=asked)).reason == "C11"
    decided = Decided(1, "A", "c1", frozenset("A"), frozenset({"c1", question(doubt)}))
    line = only(view(claim("A"), doubts=asked, limits={1: (limited(900),)}, decisions=(decided,)))
    assert (line.state, line.shares) == (LotState.COUNTED, {"A": Mass(900)})
    reopened = only(view(claim("A"), doubts={1: (doubt, other)}, decisions=(decided,)))
    assert (reopened.state, reopened.shares) == (LotState.CONTESTED, {})


def test_postings_go_from_what_was_entered_to_what_stands():
    counts = count_once(view(claim("A"), claim("B")))
    (back,) = postings(counts, {(1, "A"): Mass(1000)})
    assert (back.entity, back.change_mg, back.reason) == ("A", -1000, "contested")
    assert postings(counts, {}) == ()


CLAIMS = st.lists(
    st.builds(
        claim,
        st.sampled_from("ABC"),
        st.one_of(st.none(), st.integers(1, 1000)),
        line=st.sampled_from([1, 2]),
    ),
    max_size=6,
)
TWO = {"c1": ContentView("c1", {1: Mass(1000), 2: Mass(700)})}


@given(CLAIMS, st.randoms(use_true_random=False))
def test_order_and_repetition_never_matter(claims, random):
    claims = [c for c in claims if c.mass is None or c.mass <= TWO["c1"].masses[c.line]]
    mixed = claims + [random.choice(claims) for _ in range(3) if claims]
    random.shuffle(mixed)
    one = count_once(view(*claims, contents=TWO))
    two = count_once(view(*mixed, contents=TWO))
    assert [(c.line, c.state, dict(c.shares)) for c in one] == [
        (c.line, c.state, dict(c.shares)) for c in two
    ]


@given(CLAIMS, st.dictionaries(st.sampled_from("ABC"), st.integers(0, 300), max_size=3))
def test_a_line_never_stands_for_more_than_it_weighs(claims, spent):
    used = {(1, who): Mass(mg) for who, mg in spent.items()}
    for count in count_once(view(*claims, contents=TWO, spent=used)):
        whole = TWO["c1"].masses[count.line]
        if all(c.mass is None or c.mass <= whole for c in claims if c.line == count.line):
            assert sum(m.mg for m in count.shares.values()) <= whole.mg
