"""Notes of one mass in one run: those that refer to each other, and a seller's and a buyer's of one load."""

from __future__ import annotations

from itertools import permutations

import pytest

from lastro.evidence import Context, Source, Together, admit, judge_source, to_json
from lastro.evidence.kin import Sale, pairs, spelled, told, twins
from lastro.facts import Document, Kin
from tests.evidence import vectors as v

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)
OWN = v.Note()
ENTRY = v.Note(
    number=7, issuer=v.MILL, recipient=v.COOP, direction="0", issued_at="2026-05-16T09:00:00-04:00",
    items=[v.Item(cfop="1102")],
)  # fmt: skip


def like(note: v.Note, **changes: object) -> v.Note:
    return v.Note(**{**vars(note), **changes})


def run(*notes: v.Note, events: tuple[bytes, ...] = ()) -> dict[str, Document]:
    """The notes of one run by their keys, as each is told after all were heard; the same in any order."""
    files = [v.authorised(note) for note in notes] + list(events)
    answers: list[dict[str, Document]] = []
    for order in permutations(files):
        documents = [made for n, data in enumerate(order) for made in judge_source(_source(n, data), CONTEXT)]
        heard = Together()
        for document in documents:
            heard.note(document, admit(document))
        answers.append({d.access_key: heard.apply(d) for d in documents if d.invoice})
        heard.close()
    assert all(_said(answer) == _said(answers[0]) for answer in answers)
    return answers[0]


def _source(number: int, data: bytes) -> Source:
    return Source(f"{number}.xml", None, data)


def _said(answer: dict[str, Document]) -> dict[str, object]:
    return {key: ([(f.code, f.found) for f in d.findings], d.family) for key, d in answer.items()}


def codes(document: Document) -> set[str]:
    return {f.code for f in document.findings} - {"N18"}


def test_of_the_sellers_note_and_the_buyers_the_buyers_asks_and_names_its_twin() -> None:
    seen = run(OWN, ENTRY)
    assert codes(seen[OWN.access_key]) == set()
    (asked,) = [f for f in seen[ENTRY.access_key].findings if f.code == "M15"]
    assert OWN.access_key in asked.found
    assert seen[OWN.access_key].family == (Kin(ENTRY.access_key, "twin", "M15"),)
    assert seen[ENTRY.access_key].family == (Kin(OWN.access_key, "twin", "M15"),)


@pytest.mark.parametrize(
    ("changes", "asks"),
    [
        ({"issued_at": "2026-05-21T23:00:00-04:00"}, True),  # seven days
        ({"issued_at": "2026-05-22T00:00:00-04:00"}, False),
        ({"items": [v.Item(cfop="1102", quantity="1187.5000")]}, True),  # a twentieth less
        ({"items": [v.Item(cfop="1102", quantity="1187.4999")]}, False),
        ({"items": [v.Item(cfop="1102", ncm="39151000", description="Fardos")]}, False),
        ({"issuer": v.BRANCH}, True),
        ({"recipient": v.OTHER}, False),
        ({"direction": "1", "items": [v.Item(cfop="5102")]}, False),  # the mill sells to the cooperative
        ({"items": [v.Item(cfop="1202")], "purpose": "4"}, False),  # a return tells no second mass
        ({"items": [v.Item(cfop="1102", ncm="48191000")]}, False),
    ],
)
def test_only_the_same_parties_days_material_and_mass_make_a_twin(
    changes: dict[str, object], asks: bool
) -> None:
    entry = like(ENTRY, **changes)
    assert ("M15" in codes(run(OWN, entry)[entry.access_key])) is asks


def test_a_cancelled_note_has_no_twin() -> None:
    seen = run(OWN, ENTRY, events=(v.event(OWN.access_key),))
    assert codes(seen[OWN.access_key]) == {"N10"}
    assert codes(seen[ENTRY.access_key]) == set()


def test_of_two_notes_that_refer_the_one_that_refers_counts() -> None:
    for later in (like(ENTRY, references=(OWN.access_key,)), v.Note(number=2, references=(OWN.access_key,))):
        seen = run(OWN, later)
        assert codes(seen[OWN.access_key]) == {"M15"}
        assert codes(seen[later.access_key]) == set()
        assert seen[later.access_key].family == (Kin(OWN.access_key, "refers_to", "M15"),)
        assert seen[OWN.access_key].family == (Kin(later.access_key, "referred_by", "M15"),)


def test_a_reference_of_others_or_of_a_cancelled_note_says_nothing() -> None:
    foreign = v.Note(number=2, issuer=v.MILL, recipient=v.OTHER, references=(OWN.access_key,))
    assert codes(run(OWN, foreign)[OWN.access_key]) == set()
    later = v.Note(number=2, references=(OWN.access_key,))
    assert codes(run(OWN, later, events=(v.event(later.access_key),))[OWN.access_key]) == set()
    back = v.Note(number=2, issuer=v.MILL, recipient=v.COOP, references=(OWN.access_key,))
    assert codes(run(OWN, back)[OWN.access_key]) == set()  # the mill sells something to the cooperative
    complement = v.Note(number=2, purpose="2", references=(OWN.access_key,))
    assert codes(run(OWN, complement)[OWN.access_key]) == set()


def test_the_three_notes_of_a_weight_set_right_are_one_mass() -> None:
    """Ajuste SINIEF 13/2024: the first note, the buyer's annulment of it, and the note that replaces it."""
    annulment = v.Note(
        number=8, issuer=v.MILL, recipient=v.COOP, operation="Anulação de operação - Ajuste SINIEF 13/24",
        references=(OWN.access_key,), items=[v.Item(cfop="5949")],
    )  # fmt: skip
    right = v.Note(
        number=3, references=(OWN.access_key, annulment.access_key), items=[v.Item(quantity="1210.0000")]
    )
    seen = run(OWN, annulment, right)
    assert codes(seen[OWN.access_key]) == {"N16", "M15"}
    assert codes(seen[right.access_key]) == set()
    assert {f.code for f in admit(seen[annulment.access_key]).lines[0].findings} == {"M09"}
    assert {(k.access_key, k.relation) for k in seen[OWN.access_key].family} == {
        (annulment.access_key, "referred_by"),
        (right.access_key, "referred_by"),
    }


@pytest.mark.parametrize(
    ("first", "then"),
    [("5922", "5116"), ("6922", "6117"), ("5917", "5114"), ("5923", "5119"), ("5120", "5118")],
)
def test_of_a_pair_by_cfop_one_counts_and_the_family_is_shown(first: str, then: str) -> None:
    billed = v.Note(items=[v.Item(cfop=first)])
    counted = v.Note(number=2, items=[v.Item(cfop=then)], references=(billed.access_key,))
    seen = run(billed, counted)
    line = {key: {f.code for f in admit(d).lines[0].findings} for key, d in seen.items()}
    assert line == {billed.access_key: {"M15"}, counted.access_key: set()}
    assert [codes(d) for d in seen.values()] == [set(), set()]
    assert seen[billed.access_key].family == (Kin(counted.access_key, "referred_by", "M15"),)


def test_the_family_is_no_part_of_what_is_kept() -> None:
    told_again = run(OWN, ENTRY)[OWN.access_key]
    assert told_again.family
    assert "family" not in to_json(told_again)


def test_twins_are_found_the_same_one_by_one_and_all_together() -> None:
    made = [
        Sale(v.COOP, v.MILL, by_buyer, OWN_DAY.fromordinal(OWN_DAY.toordinal() + day), {"paper": mass})
        for by_buyer in (False, True)
        for day in range(0, 20, 3)
        for mass in (1000, 1040, 1060)
    ]
    kept = [spelled(f"{n}", sale, weighs=True) for n, sale in enumerate(made)]
    name, said = kept[0][0], [rest for _, rest in kept]
    assert {one for one, _ in kept} == {name}
    assert [told(rest).sale for _, rest in kept] == made
    found = {(own.access_key, entry.access_key) for own, entry in pairs(said)}
    wanted = {
        (f"{i}", f"{j}")
        for i, one in enumerate(made)
        for j, other in enumerate(made)
        if not one.written_by_buyer and other.written_by_buyer and twins(one, other)
    }
    assert found == wanted
    assert wanted


def weighing(number: int, kg: int, day: int, **more: object) -> v.Note:
    """A note of its own day and mass."""
    said = {"number": number, "issued_at": f"2026-05-{day:02d}T10:00:00-04:00"}
    return v.Note(**{**said, "items": [v.Item(quantity=f"{kg}.0000", value=f"{kg * 6 // 10}.00")], **more})


def entered(number: int, kg: int, day: int, **more: object) -> v.Note:
    item = v.Item(cfop="1102", quantity=f"{kg}.0000", value=f"{kg * 6 // 10}.00")
    buyer = {"issuer": v.MILL, "recipient": v.COOP, "direction": "0", "items": [item]}
    return weighing(number, kg, day, **{**buyer, **more})


WEEK = [weighing(1, 2500, 6), weighing(2, 2600, 8)]


def test_the_buyers_note_of_a_weeks_deliveries_asks_and_names_them() -> None:
    summed = entered(3, 5000, 10)
    seen = run(*WEEK, summed)
    (asked,) = [f for f in seen[summed.access_key].findings if f.code == "M15"]
    keys = ", ".join(sorted(one.access_key for one in WEEK))
    assert asked.found == f"{keys}: notas do vendedor que somam esta, mesmas partes e material"
    assert [codes(seen[one.access_key]) for one in WEEK] == [set(), set()]
    assert seen[WEEK[0].access_key].family == (Kin(summed.access_key, "twin", "M15"),)
    assert {kin.access_key for kin in seen[summed.access_key].family} == {one.access_key for one in WEEK}


def test_two_entry_notes_of_one_delivery_ask() -> None:
    own, parts = weighing(1, 5100, 6), [entered(2, 2000, 7), entered(3, 3000, 8)]
    seen = run(own, *parts)
    assert [codes(seen[one.access_key]) for one in (own, *parts)] == [set(), {"M15"}, {"M15"}]


@pytest.mark.parametrize(
    "other",
    [
        entered(3, 4844, 10),
        entered(3, 5000, 16),
        entered(3, 5000, 10, recipient=v.OTHER),
        entered(3, 5000, 10, references=(WEEK[0].access_key,)),
    ],
    ids=["mass", "days", "parties", "reference"],
)
def test_what_is_no_sum_asks_nothing(other: v.Note) -> None:
    assert codes(run(*WEEK, other)[other.access_key]) == set()


def test_a_cancelled_delivery_is_no_part_of_a_sum() -> None:
    summed = entered(3, 5000, 10)
    seen = run(*WEEK, summed, events=(v.event(WEEK[0].access_key),))
    assert codes(seen[summed.access_key]) == set()


def test_several_notes_that_tell_one_anew_ask_where_they_tell_more_than_it_weighs() -> None:
    first = weighing(1, 5000, 6)
    one, other = (weighing(n, kg, n, references=(first.access_key,)) for n, kg in ((7, 4000), (8, 3900)))
    seen = run(first, one, other)
    assert [codes(seen[of.access_key]) for of in (first, one, other)] == [{"M15"}, {"M15"}, {"M15"}]
    (asked,) = [f for f in seen[one.access_key].findings if f.code == "M15"]
    said = f"com esta contam mais massa do que a nota {first.access_key}"
    assert asked.found == f"{other.access_key}: {said}"
    seen = run(first, one, other, events=(v.event(other.access_key),))
    assert codes(seen[one.access_key]) == set()
    parts = [weighing(n, kg, n, references=(first.access_key,)) for n, kg in ((7, 4000), (8, 1000))]
    seen = run(first, *parts)
    assert [codes(seen[of.access_key]) for of in parts] == [set(), set()]


OWN_DAY = v.TODAY
