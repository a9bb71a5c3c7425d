"""What papers beside a note make of it: proofs count, candidates ask, and no paper is leaned on twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.custody.destination import Destined, destinations
from lastro.custody.links import Goods
from lastro.facts import Severity
from lastro.ids import Material
from lastro.units import Mass
from tests.custody.waste_papers import (
    DAY,
    MIXED,
    OTHER,
    PAPER,
    cdf,
    key,
    mtr,
    mtr_number,
    note,
    residue,
)

KG = 1_000_000
LANDFILL = "Aterro Sanitário - RSU"


def one(notes, manifests=(), certificates=(), *, of: int = 1) -> Destined:
    return destinations(notes, manifests, certificates).get(key(of), Destined())


def left(destined: Destined, line: int = 1) -> list[tuple[str, int]]:
    return [(limit.finding.code, limit.mass.mg // KG) for limit in destined.limits.get(line, ())]


def asked(destined: Destined, line: int = 1) -> list[str]:
    return [doubt.code for doubt in destined.doubts.get(line, ())]


def told(destined: Destined) -> list[str]:
    return [seen.code for seen in destined.notices.get(0, ())]


def on_road(sent: int, arrived: int):
    day = DAY + timedelta(sent)
    return mtr(1, issued_on=day, shipped_on=day, received_on=DAY + timedelta(arrived))


def test_a_note_without_papers_is_left_as_it_is():
    assert destinations([note(1)], [], []) == {}


def test_what_was_received_is_what_counts():
    destined = one([note(1, named=(1,))], [mtr(1, residue("900"))])
    assert left(destined) == [("C08", 900)]
    (limit,) = destined.limits[1]
    assert limit.finding.severity is Severity.WARN
    assert (limit.finding.found, limit.finding.expected) == (
        f"900 kg recebidos (MTR {mtr_number(1)})",
        "1.000 kg da nota",
    )
    assert not destined.doubts
    assert [(p.kind, p.number, p.state) for p in destined.papers] == [("mtr", mtr_number(1), "received")]


def test_more_or_the_same_received_leaves_the_note_whole():
    for received in ("1000", "1000.000001", "1200"):
        assert left(one([note(1, named=(1,))], [mtr(1, residue(received))])) == []


def test_not_received_yet_is_not_zero():
    waiting = mtr(1, residue(None), situation="Salvo", received_on=None)
    destined = one([note(1, named=(1,))], [waiting])
    assert (left(destined), asked(destined), told(destined)) == ([], [], [])
    assert destined.papers[0].mass is None


def test_nothing_received_at_all_refuses_the_line():
    (limit,) = one([note(1, named=(1,))], [mtr(1, residue("0"))]).limits[1]
    assert (limit.mass, limit.finding.severity) == (Mass(0), Severity.REFUSE)


def test_notes_that_share_a_manifest_share_what_is_missing_pro_rata_to_the_milligram():
    found = destinations(
        [note(1, 600 * KG, named=(1,)), note(2, 400 * KG, named=(1,))], [mtr(1, residue("900.000001"))], []
    )
    masses = [found[key(n)].limits[1][0].mass.mg for n in (1, 2)]
    assert sum(masses) == 900 * KG + 1
    assert masses == [540 * KG + 1, 360 * KG]


def test_a_note_on_two_lorries_has_both_and_a_second_note_is_not_cut_without_need():
    lorries = [mtr(1, residue("500")), mtr(2, residue("700"))]
    found = destinations([note(1, named=(1, 2)), note(2, 200 * KG, named=(2,))], lorries, [])
    assert [left(found[key(n)]) for n in (1, 2)] == [[], []]


@pytest.mark.parametrize("by", ["note", "key", "number"])
def test_each_paper_may_name_the_other(by):
    ours = note(1, named=(1,) if by == "note" else ())
    theirs = {"note": (), "key": (key(1),), "number": ("1",)}[by]
    assert left(one([ours], [mtr(1, residue("900"), mentions=theirs)])) == [("C08", 900)]


def test_a_bare_number_of_long_ago_is_another_note():
    old = DAY - timedelta(days=61)
    paper = mtr(1, residue("900"), mentions=("1",), issued_on=old, shipped_on=old, received_on=old)
    assert destinations([note(1)], [paper], []) == {}


def test_the_state_number_names_the_same_manifest():
    paper = mtr(1, residue("900"), state_number="5126000001")
    named = replace(note(1), named=frozenset({"5126000001"}))
    again = mtr(9, residue("900"), number="5126000001")
    assert left(one([named], [paper, again])) == [("C08", 900)]
    assert asked(one([named], [paper, again])) == []


def test_a_manifest_that_is_named_and_not_there_is_told():
    assert told(one([note(1, named=(1,))])) == ["C05"]
    cancelled = one([note(1, named=(1,))], [mtr(1, situation="Cancelado")])
    assert [seen.found for seen in cancelled.notices[0]] == [f"MTR {mtr_number(1)}: cancelado"]


def test_a_manifest_that_is_named_and_there_is_not():
    assert told(one([note(1, named=(1,))], [mtr(1)])) == []


def test_a_manifest_of_other_companies_proves_nothing():
    destined = one([note(1, named=(1,))], [mtr(1, residue("1"), generator=OTHER)])
    assert left(destined) == []
    assert [seen.found for seen in destined.notices[0]] == [f"MTR {mtr_number(1)}: de outras empresas"]


def test_what_only_fits_is_a_candidate_that_people_are_asked_about():
    near = mtr(1, residue("950"))
    destined = one([note(1)], [near])
    (doubt,) = destined.doubts[1]
    assert (doubt.code, doubt.severity) == ("C05", Severity.REVIEW)
    assert doubt.found == f"talvez MTR {mtr_number(1)}"
    assert left(destined) == []


@pytest.mark.parametrize(
    "paper",
    [
        mtr(1, residue("890")),
        mtr(1, shipped_on=DAY - timedelta(4), received_on=DAY + timedelta(4)),
        mtr(1, residue(code=PAPER)),
        mtr(1, generator=OTHER),
        mtr(1, situation="Cancelado"),
        mtr(1, mentions=(key(2),)),
        mtr(1, plate="ZZZ0A01"),
    ],
)
def test_what_does_not_fit_is_no_candidate(paper):
    ours = note(1, plates=frozenset({"ZZZ0B02"}))
    assert asked(one([ours, note(2)], [paper])) == []


def test_a_manifest_that_its_certificate_does_not_list_is_not_certified():
    destined = one([note(1, named=(1,))], [mtr(1, certificate="77")], [cdf(77, residue("5000"), of=(2,))])
    assert left(destined) == [("C06", 0)]
    assert destined.limits[1][0].finding.severity is Severity.REFUSE


def test_a_manifest_that_some_living_certificate_lists_is():
    listed = cdf(77, residue("5000"), of=(1,))
    other = cdf(78, residue("5000"), of=(2,))
    assert left(one([note(1, named=(1,))], [mtr(1, certificate="77")], [listed])) == []
    assert left(one([note(1, named=(1,))], [mtr(1, certificate="78")], [listed, other])) == []
    assert left(one([note(1, named=(1,))], [mtr(1, certificate="79")], [other])) == []


def test_the_manifests_of_one_certificate_never_count_more_than_it_certifies():
    papers = [mtr(1), mtr(2)]
    found = destinations(
        [note(1, named=(1,)), note(2, named=(2,))], papers, [cdf(7, residue("1500"), of=(1, 2))]
    )
    assert [left(found[key(n)]) for n in (1, 2)] == [[("C07", 750)], [("C07", 750)]]
    alone = destinations([note(1, named=(1,))], papers, [cdf(7, residue("1500"), of=(1, 2))])
    assert left(alone[key(1)]) == [("C07", 750)], "the other manifest was received, whoever counts its note"


def test_a_certificate_that_certifies_enough_takes_nothing():
    papers = [mtr(1), mtr(2)]
    found = destinations(
        [note(1, named=(1,)), note(2, named=(2,))], papers, [cdf(7, residue("2000"), of=(1, 2))]
    )
    assert [left(found[key(n)]) for n in (1, 2)] == [[], []]


def test_a_certificate_that_lists_a_manifest_that_nobody_handed_in_still_limits_its_notes():
    found = destinations(
        [note(1, named=(1,)), note(2, 500 * KG, named=(1,))], [], [cdf(7, residue("1200"), of=(1,))]
    )
    assert [left(found[key(n)]) for n in (1, 2)] == [[("C07", 800)], [("C07", 400)]]
    assert told(found[key(1)]) == ["C05"]


def test_of_a_cancelled_and_a_reissued_certificate_only_the_living_counts():
    dead = cdf(7, residue("100"), of=(1,), situation="Cancelado")
    living = cdf(8, residue("900"), of=(1,))
    assert left(one([note(1, named=(1,))], [mtr(1)], [dead, living])) == [("C07", 900)]
    assert left(one([note(1, named=(1,))], [mtr(1)], [dead])) == []


def test_a_certificate_of_another_generator_certifies_nothing_here():
    foreign = cdf(7, residue("1"), of=(1,), generator=OTHER)
    assert left(one([note(1, named=(1,))], [mtr(1)], [foreign])) == []


@pytest.mark.parametrize("change", [{"amended": True}, {}])
def test_a_mass_that_changed_after_delivery_asks_people_and_the_smaller_holds(change):
    versions = [mtr(1, residue("900"), **change)]
    versions += [] if change else [mtr(1, residue("950"))]
    destined = one([note(1, named=(1,))], versions)
    assert (asked(destined), left(destined)) == (["C09"], [("C08", 900)])


def test_receipt_after_issue_and_another_reading_of_the_same_are_no_change():
    issued = mtr(1, residue(None), situation="Salvo", received_on=None)
    sheet = mtr(1, residue("1000.0", treatment=""))
    assert asked(one([note(1, named=(1,))], [issued, mtr(1), sheet])) == []


@pytest.mark.parametrize(
    ("paper", "certificate"),
    [
        (mtr(1, received_on=DAY - timedelta(1)), None),
        (on_road(11, 12), None),
        (on_road(-12, -11), None),
        (mtr(1), cdf(7, residue(), of=(1,), period_to=DAY - timedelta(1))),
        (mtr(1), cdf(7, residue(), of=(1,), period_from=DAY + timedelta(1))),
    ],
)  # fmt: skip
def test_dates_that_do_not_fit_ask_people(paper, certificate):
    assert asked(one([note(1, named=(1,))], [paper], [certificate] if certificate else [])) == ["C10"]


def test_dates_on_the_edge_fit():
    edge = mtr(
        1, issued_on=DAY + timedelta(10), shipped_on=DAY + timedelta(10), received_on=DAY + timedelta(10)
    )
    certificate = cdf(7, residue(), of=(1,), period_from=DAY + timedelta(10), period_to=DAY + timedelta(10))
    assert asked(one([note(1, named=(1,))], [edge], [certificate])) == []
    undated = mtr(1, issued_on=None, shipped_on=None, received_on=None)
    assert asked(one([note(1, named=(1,))], [undated])) == []


def test_another_residue_than_the_material_asks_people():
    assert asked(one([note(1, named=(1,))], [mtr(1, residue(code=PAPER))])) == ["C11"]
    other = cdf(7, residue("1000", code=PAPER), of=(1,))
    assert asked(one([note(1, named=(1,))], [mtr(1)], [other])) == ["C11"]


def test_a_mixed_residue_may_be_any_material_and_is_one_mass():
    goods = (Goods(1, Material.GLASS, Mass(600 * KG)), Goods(2, Material.PAPER, Mass(400 * KG)))
    destined = one([note(1, named=(1,), goods=goods)], [mtr(1, residue("500", code=MIXED))])
    assert asked(destined) == []
    assert (left(destined, 1), left(destined, 2)) == ([("C08", 300)], [("C08", 200)])


def test_each_material_of_a_manifest_has_its_own_mass():
    goods = (Goods(1, Material.GLASS, Mass(600 * KG)), Goods(2, Material.PAPER, Mass(400 * KG)))
    paper = mtr(1, residue("100", code=PAPER), residue("50", code=PAPER), residue("700"))
    destined = one([note(1, named=(1,), goods=goods)], [paper])
    assert (left(destined, 1), left(destined, 2)) == ([], [("C08", 150)])


def test_what_was_not_recycled_does_not_count_once_it_is_certified():
    buried = cdf(7, residue("1000", treatment=LANDFILL), of=(1,))
    destined = one([note(1, named=(1,))], [mtr(1, residue(treatment=LANDFILL))], [buried])
    assert left(destined) == [("C12", 0)]
    assert destined.limits[1][0].finding.severity is Severity.REFUSE
    part = cdf(7, residue("700"), residue("300", treatment=LANDFILL), of=(1,))
    assert left(one([note(1, named=(1,))], [mtr(1)], [part])) == [("C12", 700)]
    before = one([note(1, named=(1,))], [mtr(1, residue(treatment=LANDFILL))])
    assert (left(before), told(before)) == ([], ["C12"])


def test_recycling_says_nothing_and_a_treatment_that_may_be_asks_people():
    assert told(one([note(1, named=(1,))], [mtr(1)])) == []
    perhaps = cdf(7, residue("1000", treatment="Desmontagem de Veículos"), of=(1,))
    destined = one([note(1, named=(1,))], [mtr(1)], [perhaps])
    assert (left(destined), asked(destined)) == ([], ["C12"])


def test_a_complementary_manifest_repeats_the_load_and_adds_nothing():
    repeats = mtr(2, complements=mtr_number(1))
    found = destinations([note(1, named=(1,)), note(2, named=(2,))], [mtr(1), repeats], [])
    assert [left(found[key(n)]) for n in (1, 2)] == [[("C08", 500)], [("C08", 500)]]
    halves = [mtr(1, residue("600")), mtr(2, residue("400"), complements=mtr_number(1))]
    assert left(one([note(1, named=(1,))], halves)) == []


def test_consecutive_legs_of_one_mass_count_once():
    legs = [mtr(1, residue("990"), kind="Logística Reversa - Origem"), mtr(2, residue("980"))]
    destined = one([note(1, named=(1, 2))], legs)
    assert sorted(left(destined)) == [("C08", 980), ("C08", 990)]
    upstream = mtr(
        3, residue("5"), kind="Logística Reversa - Origem", generator=OTHER, destination=legs[0].generator
    )
    assert (left(one([note(1, named=(3,))], [upstream])), told(one([note(1, named=(3,))], [upstream]))) == (
        [],
        [],
    )


def test_a_volume_weighs_by_its_density_and_else_is_not_known():
    oil = {"unit": "LT", "density": "0.9"}
    assert left(one([note(1, named=(1,))], [mtr(1, residue("1000", **oil))])) == [("C08", 900)]
    assert left(one([note(1, named=(1,))], [mtr(1, residue("1000", unit="LT"))])) == []


# ── for any papers ───────────────────────────────────────────────────────────────────────────────────

MASSES = st.integers(0, 3_000)
NOTES = st.lists(
    st.builds(
        lambda n, kg, named: note(n, kg * KG + 1, named=tuple(named)),
        st.integers(1, 6),
        MASSES,
        st.sets(st.integers(1, 4), max_size=2),
    ),
    max_size=6,
    unique_by=lambda n: n.access_key,
)
MTRS = st.lists(
    st.builds(
        lambda n, kg, state: mtr(n, residue(None if kg is None else f"{kg}"), situation=state),
        st.integers(1, 4),
        st.none() | MASSES,
        st.sampled_from(["Salvo", "Recebido", "Recebido", "Cancelado"]),
    ),
    max_size=5,
)
CDFS = st.lists(
    st.builds(
        lambda n, kg, of, dead: cdf(n, residue(f"{kg}"), of=tuple(of), situation="Cancelado" if dead else ""),
        st.integers(1, 3),
        MASSES,
        st.sets(st.integers(1, 4), max_size=3),
        st.booleans(),
    ),
    max_size=4,
)


def counted(notes, found) -> dict[str, int]:
    """What each note counts: its own mass, or the smallest that a paper leaves of it."""
    limits = {k: [limit.mass.mg for limit in d.limits.get(1, ())] for k, d in found.items()}
    return {n.access_key: min([n.goods[0].mass.mg, *limits.get(n.access_key, [])]) for n in notes}


@settings(max_examples=150, deadline=None)
@given(NOTES, MTRS, CDFS, st.randoms(use_true_random=False))
def test_order_and_repetition_never_matter(notes, manifests, certificates, random):
    expected = destinations(notes, manifests, certificates)
    mixed = [[*papers, *papers[:2]] for papers in (notes, manifests, certificates)]
    for papers in mixed:
        random.shuffle(papers)
    assert destinations(*mixed) == expected


@settings(max_examples=150, deadline=None)
@given(NOTES, MTRS, CDFS)
def test_no_manifest_and_no_certificate_is_ever_leaned_on_for_more_than_it_says(
    notes, manifests, certificates
):
    got = counted(notes, destinations(notes, manifests, certificates))
    for n in range(1, 5):
        number, versions = mtr_number(n), [m for m in manifests if m.number == mtr_number(n)]
        said = [int(r) for m in versions if m.situation == "Recebido" for r in [m.residues[0].received] if r]
        if said and all(m.situation != "Cancelado" for m in versions):
            only = [x for x in notes if x.named == {number}]
            assert sum(got[x.access_key] for x in only) <= min(said) * KG
    for n in range(1, 4):
        same = [c for c in certificates if c.number == f"{n}"]
        if same and all(not c.situation for c in same):
            listed = {m for c in same for m in c.manifests}
            dead = {m.number for m in manifests if m.situation == "Cancelado"}
            only = [x for x in notes if x.named and x.named <= listed - dead]
            least = min(int(c.residues[0].received or 0) for c in same)
            assert sum(got[x.access_key] for x in only) <= least * KG


@settings(max_examples=100, deadline=None)
@given(NOTES, MTRS, CDFS)
def test_a_paper_of_others_changes_nothing_and_one_that_dies_leaves_what_was_before(
    notes, manifests, certificates
):
    expected = destinations(notes, manifests, certificates)
    foreign = [mtr(1, residue("1"), generator=OTHER), mtr(99, residue("1"), generator=OTHER)]
    others = [cdf(88, residue("1"), of=(1, 2, 3, 4), generator=OTHER)]
    with_others = destinations(notes, manifests + foreign, certificates + others)
    known = {m.number for m in manifests}
    if {mtr_number(1)} <= known:
        assert {k: (d.limits, d.doubts) for k, d in with_others.items()} == {
            k: (d.limits, d.doubts) for k, d in expected.items()
        }
    dying = cdf(55, residue("1"), of=(1, 2, 3, 4), situation="Cancelado")
    assert destinations(notes, manifests, [*certificates, dying]) == expected
