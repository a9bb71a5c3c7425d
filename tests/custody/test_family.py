"""Notes of one mass in a real store: counted once, in any order, whoever hands them in."""

from __future__ import annotations

import hashlib
import json
import random
import threading
from collections.abc import Iterator
from datetime import date
from functools import cache
from itertools import permutations

import pytest

from lastro.cli import main
from lastro.custody.answers import answer
from lastro.custody.count import count_once
from lastro.custody.decide import decide
from lastro.custody.family import Member, family_of
from lastro.custody.port import Bears, For, Handed
from lastro.custody.settle import hand_in
from lastro.errors import LastroError
from lastro.evidence import Context, Source, admit, judge_source, to_json
from lastro.evidence.bearing import authentic, bearings
from lastro.evidence.kin import Sale
from lastro.evidence.record import verdict_from_json, verdict_to_json
from lastro.facts import Kin
from lastro.ids import Origin, cnpj_check_digits, masked
from lastro.lawkit import library
from lastro.stores.postgres.auditing import comparison_checks, custody_checks
from lastro.stores.postgres.custody import PostgresCustody, custody
from tests.custody.test_settle import NORM, TODAY
from tests.evidence import vectors as v
from tests.evidence.test_admit import LAW, Known
from tests.evidence.test_kin import ENTRY, OWN, like

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)
A, B = (f"ZZ{name:0>6}0001" + cnpj_check_digits(f"ZZ{name:0>6}0001") for name in ("A", "B"))
MASS = 1_250_000_000


class Everyone(Known):
    """A registry in which every company is vetted, collects from pickers, and brings material back."""

    def vettings_at(self, operator: str, entity: str, on: date) -> int:
        return 1

    def is_recycler(self, cnpj: str, on: date) -> bool | None:
        return True

    def origin(self, operator: str, on: date) -> Origin | None:
        return Origin.PICKER_ENTITY


@cache
def handed(data: bytes) -> tuple[Handed, bytes]:
    """A paper as some entity hands it in, judged under the norm of the sample."""
    (document,) = judge_source(Source("nota.xml", None, data), CONTEXT)
    verdict = admit(
        document, regulation=library.find(NORM), law=LAW, registry=Everyone(), entity=v.ENTITY, year=2026
    )
    invoice = document.invoice
    return (
        Handed(
            sha256=hashlib.sha256(data).hexdigest(),
            ordinal=0,
            access_key=document.access_key,
            content_digest=document.content_digest,
            kind=document.kind.value,
            document=to_json(document),
            authentic=authentic(document),
            outcome=verdict.outcome.value,
            verdict=verdict_to_json(verdict, document),
            known="k",
            issued_on=invoice.issued_on if invoice else None,
            issuer=invoice.issuer if invoice else "",
            recipient=invoice.recipient if invoice else "",
            bears=tuple(Bears(b.access_key, b.code, b.parties) for b in bearings(document)),
        ),
        data,
    )


def give(store, whom: str, *papers: bytes) -> None:
    made = [handed(data) for data in papers]
    claims = [(h.access_key, line["line"], None) for h, _ in made for line in h.verdict["lines"]]
    files = {h.sha256: data for h, data in made}
    with store.transaction() as db:
        hand_in(
            PostgresCustody(db),
            [h for h, _ in made],
            whom=For(whom, NORM, 2026),
            files=files,
            claims=claims,
            on=TODAY,
        )


def note(of: v.Note) -> bytes:
    return v.authorised(of)


def counted(store) -> dict[tuple[str, str], int]:
    return {(lot.lot.access_key, lot.lot.claimant): lot.mass.mg for lot in store.lots() if lot.mass}


def states(store) -> dict[str, tuple[str, str]]:
    with custody(store) as memory:
        return {row.access_key: (row.state, row.reason) for row in memory.standing()}


def sound(store) -> bool:
    checks = custody_checks(store) + comparison_checks(store)
    return not [check for check in checks if check.failed]


RIGHT = v.Note(number=3, references=(OWN.access_key,), items=[v.Item(quantity="1210.0000")])
TOLD = like(ENTRY, references=(OWN.access_key,), number=9)


@pytest.mark.parametrize("order", list(permutations(range(2))))
def test_the_note_that_refers_counts_in_the_place_of_the_other(store, order: tuple[int, ...]) -> None:
    for at in order:
        give(store, A, (note(OWN), note(RIGHT))[at])
    assert counted(store) == {(RIGHT.access_key, A): 1_210_000_000}
    assert states(store)[OWN.access_key] == ("dead", "M15")
    with custody(store) as memory:
        view = memory.key_views([OWN.access_key])[OWN.access_key]
    assert view.family == (Kin(RIGHT.access_key, "referred_by", "M15"),)
    assert sound(store)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_cancelled_note_gives_back_what_it_told_anew(store, order: tuple[int, ...]) -> None:
    papers = (note(OWN), note(RIGHT), v.event(RIGHT.access_key))
    for at in order:
        give(store, A, papers[at])
    assert counted(store) == {(OWN.access_key, A): MASS}
    assert sound(store)


RETOLD = [
    v.Note(number=n, references=(OWN.access_key,), items=[v.Item(quantity=f"{kg}.0000", value=f"{kg}.00")])
    for n, kg in ((61, 700), (62, 540), (63, 600))
]
"""Notes that tell 1,250 kg anew: the first two of them a part each, with the third more than there is."""


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_several_notes_that_tell_one_anew_count_no_more_than_it_weighs(store, order: tuple[int, ...]) -> None:
    for at in order:
        give(store, A, note((OWN, *RETOLD)[at]))
    assert counted(store) == {}
    assert {states(store)[one.access_key] for one in RETOLD} == {("contested", "M15")}
    assert RETOLD[1].access_key in told(store, RETOLD[0], A)["M15"]
    give(store, B, v.event(RETOLD[2].access_key))
    assert counted(store) == {
        (one.access_key, A): int(kg) * 10**6 for one, kg in zip(RETOLD, (700, 540), strict=False)
    }
    assert sound(store)


def test_two_people_say_that_the_notes_are_loads_of_their_own(store) -> None:
    give(store, A, note(OWN), *(note(one) for one in RETOLD))
    for by in ("ana", "rui"):
        with custody(store) as memory:
            decide(memory, RETOLD[2].access_key, 1, entity=A, content="", reason="outra", by=by, on=TODAY)
    assert counted(store) == {(RETOLD[2].access_key, A): 600 * 10**6}
    assert sound(store)


CORRECTION = "<descEvento>Carta de Correção</descEvento><xCorrecao>A quantidade correta é 700 kg</xCorrecao>"


def test_where_nothing_can_be_decided_it_is_said_what_changes_it(store) -> None:
    complement = v.Note(number=90, purpose="2")
    fixed, gone = sale(91, 800, 5), sale(92, 900, 6)
    give(store, A, note(OWN), note(RIGHT), note(complement), note(fixed), note(gone))
    correction = v.event(fixed.access_key, kind="110110", detail=CORRECTION)
    give(store, A, correction, v.event(gone.access_key))
    for of, why in (
        (OWN, f"cancelamento da outra. Diz isso a nota {RIGHT.access_key}"),
        (complement, "lastro verify"),
        (fixed, "Conta a nota que a substituir"),
        (gone, "a nota foi cancelada"),
    ):
        with custody(store) as memory, pytest.raises(LastroError, match=why):
            decide(memory, of.access_key, 1, entity=A, content="", reason="x", by="ana", on=TODAY)


@pytest.mark.parametrize("order", list(permutations(range(2))))
def test_the_buyers_note_of_a_load_waits_where_the_sellers_counts(store, order: tuple[int, ...]) -> None:
    for at in order:
        give(store, A, (note(OWN), note(ENTRY))[at])
    assert counted(store) == {(OWN.access_key, A): MASS}
    assert states(store)[ENTRY.access_key] == ("contested", "M15")
    for by, expected in (("ana", 1), ("rui", 2)):
        with custody(store) as memory:
            decide(
                memory, ENTRY.access_key, 1, entity=A, content="", reason="são duas cargas", by=by, on=TODAY
            )
        assert len(counted(store)) == expected
    assert sound(store)


@pytest.mark.parametrize("order", list(permutations(range(2))))
def test_the_entry_note_of_another_branch_is_of_the_same_load(store, order: tuple[int, ...]) -> None:
    branch = like(ENTRY, issuer=v.BRANCH, items=[v.Item(cfop="1102", quantity="1212.5000")])
    for at in order:
        give(store, A, (note(OWN), note(branch))[at])
    assert counted(store) == {(OWN.access_key, A): MASS}
    assert states(store)[branch.access_key] == ("contested", "M15")
    give(store, A, v.event(OWN.access_key))
    assert counted(store) == {(branch.access_key, A): 1_212_500_000}
    assert sound(store)


def sale(number: int, kg: int, day: int, *, cfop: str = "5102", **more: object) -> v.Note:
    """A note of its own day and mass, so that no two look alike."""
    item = v.Item(cfop=cfop, quantity=f"{kg}.0000", value=f"{kg * 6 // 10}.00")
    return v.Note(
        **{"number": number, "issued_at": f"2026-07-{day:02d}T10:00:00-04:00", "items": [item]} | more
    )


WEEK = [sale(1, 2500, 6), sale(2, 2600, 8)]
"""Two deliveries of a week, each with a note of the seller."""


def entry(number: int, kg: int, day: int) -> v.Note:
    return sale(number, kg, day, cfop="1102", issuer=v.MILL, recipient=v.COOP, direction="0")


SUMMED = entry(3, 5000, 10)
"""The buyer's one entry note of the week, a fiftieth less."""


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_buyers_note_of_a_weeks_deliveries_waits(store, order: tuple[int, ...]) -> None:
    for at in order:
        give(store, A, note((*WEEK, SUMMED)[at]))
    own = {(one.access_key, A): kg * 10**6 for one, kg in zip(WEEK, (2500, 2600), strict=True)}
    assert counted(store) == own
    assert states(store)[SUMMED.access_key] == ("contested", "M15")
    assert all(one.access_key in told(store, SUMMED, A)["M15"] for one in WEEK)
    assert "notas do vendedor que somam esta" in told(store, SUMMED, A)["M15"]
    assert sound(store)
    for by in ("ana", "rui"):
        with custody(store) as memory:
            decide(memory, SUMMED.access_key, 1, entity=A, content="", reason="outra", by=by, on=TODAY)
    assert counted(store) == {**own, (SUMMED.access_key, A): 5000 * 10**6}
    assert sound(store)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_two_entry_notes_of_one_delivery_wait(store, order: tuple[int, ...]) -> None:
    own, parts = sale(1, 5100, 6), [entry(2, 2000, 7), entry(3, 3000, 8)]
    for at in order:
        give(store, A, note((own, *parts)[at]))
    assert counted(store) == {(own.access_key, A): 5100 * 10**6}
    assert {states(store)[one.access_key] for one in parts} == {("contested", "M15")}
    said = f"{own.access_key}: nota do vendedor da massa que esta e {parts[1].access_key} somam"
    assert told(store, parts[0], A)["M15"].startswith(said)
    assert sound(store)
    give(store, B, v.event(own.access_key))
    assert set(counted(store)) == {(one.access_key, A) for one in parts}
    assert sound(store)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_what_one_claims_by_deliveries_and_another_by_their_sum_is_contested(
    store, order: tuple[int, ...]
) -> None:
    acts = [(A, note(WEEK[0])), (A, note(WEEK[1])), (B, note(SUMMED))]
    for at in order:
        give(store, *acts[at])
    assert counted(store) == {}
    assert {states(store)[one.access_key] for one in WEEK} == {("contested", "C02")}
    assert states(store)[SUMMED.access_key] == ("contested", "M15")
    assert told(store, WEEK[0], A)["C02"] == f"{masked(B)} reivindica a mesma massa por {SUMMED.access_key}"
    assert sound(store)


@pytest.mark.parametrize(
    "other",
    [
        entry(3, 4844, 10),  # more than a twentieth less than 5,100 kg
        entry(3, 5000, 16),  # more than seven days after one of them
        like(SUMMED, recipient=v.OTHER),
        like(SUMMED, references=(WEEK[0].access_key,)),
        sale(3, 5000, 10),  # written by the seller too
    ],
    ids=["mass", "days", "parties", "reference", "writer"],
)
def test_what_is_no_sum_of_deliveries_asks_nothing(store, other: v.Note) -> None:
    give(store, A, *(note(one) for one in (*WEEK, other)))
    asked = [one for one in states(store).values() if one[1] == "M15" and one[0] == "contested"]
    assert asked == []
    assert sound(store)


def test_a_dealer_sells_on_once_what_deliveries_and_their_sum_tell(store) -> None:
    on = sale(9, 5100, 20, issuer=v.MILL, recipient=v.OTHER)
    give(store, A, *(note(one) for one in (*WEEK, SUMMED)))
    give(store, B, note(on))
    assert states(store)[on.access_key] == ("counted", "C04")
    assert sum(counted(store).values()) == 5100 * 10**6
    assert sound(store)


def test_the_buyers_note_alone_counts_and_again_when_the_sellers_is_cancelled(store) -> None:
    give(store, A, note(ENTRY))
    assert counted(store) == {(ENTRY.access_key, A): MASS}
    give(store, A, note(OWN))
    assert counted(store) == {(OWN.access_key, A): MASS}
    give(store, B, v.event(OWN.access_key))
    assert counted(store) == {(ENTRY.access_key, A): MASS}
    assert sound(store)


@pytest.mark.parametrize("later", [RIGHT, TOLD, ENTRY], ids=["replaced", "told by the buyer", "twin"])
@pytest.mark.parametrize("order", list(permutations(range(2))))
def test_two_entities_with_two_notes_of_one_mass_contest_it(
    store, later: v.Note, order: tuple[int, ...]
) -> None:
    acts = ((A, note(OWN)), (B, note(later)))
    for at in order:
        give(store, *acts[at])
    assert counted(store) == {}
    kept = OWN if later is ENTRY else later
    owner = A if later is ENTRY else B
    assert states(store)[kept.access_key] == ("contested", "C02")
    for by in ("ana", "rui"):
        with custody(store) as memory:
            decide(memory, kept.access_key, 1, entity=owner, content="", reason="é dela", by=by, on=TODAY)
    assert set(counted(store)) == {(kept.access_key, owner)}
    assert sound(store)


def acts() -> Iterator[tuple[str, bytes]]:
    """Families of every kind, each paper with who hands it in."""
    yield from ((A, note(OWN)), (A, note(ENTRY)))
    first = sale(20, 3000, 1)
    annulment = sale(
        8, 3000, 2, cfop="5202", issuer=v.MILL, recipient=v.COOP, references=(first.access_key,),
        operation="Anulação de operação - Ajuste SINIEF 13/24",
    )  # fmt: skip
    right = sale(21, 2900, 3, references=(first.access_key, annulment.access_key))
    billed = sale(30, 5000, 10, cfop="5922")
    parts = [
        sale(n, kg, n - 20, cfop="5116", references=(billed.access_key,))
        for n, kg in ((31, 2600), (32, 2300))
    ]
    yield from ((A, note(one)) for one in (first, annulment, right, billed, *parts))
    other = sale(40, 7000, 20)
    told = sale(
        41,
        6900,
        21,
        cfop="1102",
        issuer=v.MILL,
        recipient=v.COOP,
        direction="0",
        references=(other.access_key,),
    )
    yield from ((A, note(other)), (B, note(told)))
    back = sale(51, 4000, 25)
    gone = sale(50, 4100, 26, references=(back.access_key,))
    yield from ((B, note(back)), (B, note(gone)), (A, v.event(gone.access_key)))


@pytest.mark.parametrize("seed", range(5))
def test_no_order_changes_what_families_count(store, seed: int) -> None:
    todo = list(acts())
    todo += [(A, note(one)) for one in (like(WEEK[0], number=61), like(WEEK[1], number=62), SUMMED)]
    random.Random(seed).shuffle(todo)
    for whom, data in todo + todo[:3]:
        give(store, whom, data)
    numbers = {(int(key[25:34]), who): mg // 10**6 for (key, who), mg in counted(store).items()}
    # Beside 1 waits the buyer's note 7; 51 came back when 50 was cancelled; two claim the mass of 40 and 41;
    # 3 sums 61 and 62 up.
    left = [(1, A, 1250), (21, A, 2900), (31, A, 2600), (32, A, 2300), (51, B, 4000), (61, A, 2500)]
    assert numbers == {(number, who): kg for number, who, kg in (*left, (62, A, 2600))}
    assert sound(store)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_what_two_notes_tell_moved_once_and_a_dealer_sells_it_on_once(store, order: tuple[int, ...]) -> None:
    """Else the second note of the load would be stock of the dealer that nobody counted yet."""
    on = v.Note(number=70, issuer=v.MILL, recipient=v.OTHER, issued_at="2026-05-30T10:00:00-04:00")
    for at in order:
        give(store, *((A, note(OWN)), (A, note(ENTRY)), (B, note(on)))[at])
    assert counted(store) == {(OWN.access_key, A): MASS}
    assert states(store)[on.access_key] == ("counted", "C04")
    for by in ("ana", "rui"):
        with custody(store) as memory:
            decide(memory, ENTRY.access_key, 1, entity=A, content="", reason="outra", by=by, on=TODAY)
    assert counted(store) == {(of.access_key, A): MASS for of in (OWN, ENTRY)}
    assert sound(store)


def test_twins_that_come_at_once_are_seen(store) -> None:
    """Two hand in the two notes of one load in the same moment: one waits for the other and sees it."""
    barrier, wrong = threading.Barrier(2), []

    def one(whom: str, data: bytes) -> None:
        try:
            barrier.wait()
            give(store, whom, data)
        except Exception as problem:
            wrong.append(problem)

    threads = [threading.Thread(target=one, args=(A, note(of))) for of in (OWN, ENTRY)]
    handed(note(OWN)), handed(note(ENTRY))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert counted(store) == {(OWN.access_key, A): MASS}
    assert sound(store)


def test_two_notes_that_refer_to_each_other_ask_and_none_falls_silently(store) -> None:
    """No honest note knows the key of a later one, so neither is the later word."""
    back = v.Note(number=72, items=[v.Item(quantity="1210.0000", value="999.00")])
    forth = v.Note(number=71, references=(back.access_key,))
    back = like(back, references=(forth.access_key,))
    assert forth.references == (back.access_key,)
    for order in ((forth, back), (back, forth)):
        for one in order:
            give(store, A, note(one))
        assert counted(store) == {}
        assert {states(store)[one.access_key] for one in order} == {("contested", "M15")}
    for by in ("ana", "rui"):
        with custody(store) as memory:
            decide(memory, back.access_key, 1, entity=A, content="", reason="a pesada", by=by, on=TODAY)
    assert counted(store) == {(back.access_key, A): 1_210_000_000}
    give(store, A, v.event(back.access_key))
    assert counted(store) == {(forth.access_key, A): MASS}
    assert sound(store)


BACK = v.Note(number=72, items=[v.Item(quantity="1210.0000", value="999.00")])
FORTH = v.Note(number=71, references=(BACK.access_key,))
MUTUAL = [like(BACK, references=(FORTH.access_key,)), FORTH]


@pytest.mark.parametrize("waiting", [[OWN, *RETOLD], MUTUAL], ids=["retold", "mutual"])
@pytest.mark.parametrize("resale_first", [False, True])
def test_a_dealer_sells_on_nothing_of_notes_that_wait(
    store, waiting: list[v.Note], resale_first: bool
) -> None:
    on = sale(70, 1200, 20, issuer=v.MILL, recipient=v.OTHER)
    acts = [(A, note(one)) for one in waiting] + [(B, note(on))]
    for act in acts[::-1] if resale_first else acts:
        give(store, *act)
    assert counted(store) == {}
    assert states(store)[on.access_key] == ("contested", "C04")
    assert "espera decisão" in told(store, on, B)["C04"]
    assert sound(store)
    chosen = waiting[-1]
    for by in ("ana", "rui"):
        with custody(store) as memory:
            decide(memory, chosen.access_key, 1, entity=A, content="", reason="a pesada", by=by, on=TODAY)
    # What is decided to be a load of its own was counted, so that much of the resale is counted upstream.
    mine = handed(note(chosen))[0].verdict["lines"][0]["mass_mg"]
    assert counted(store) == {(chosen.access_key, A): mine}
    assert sound(store)


SPLIT = v.Note(number=81, items=[v.Item(quantity="750.0000"), v.Item(quantity="500.0000")])
OTHERWISE = v.Note(number=82, items=[v.Item(quantity="800.0000"), v.Item(quantity="450.0000")])
DEARER = v.Note(number=83, items=[v.Item(value="999.00")])


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_load_on_other_lines_or_at_another_price_in_one_minute_waits(store, order: tuple[int, ...]) -> None:
    three = (SPLIT, OTHERWISE, DEARER)
    for at in order:
        give(store, A, note(three[at]))
    assert counted(store) == {}
    assert {states(store)[one.access_key] for one in three} == {("contested", "C03")}
    give(store, A, v.event(OTHERWISE.access_key), v.event(DEARER.access_key))
    assert set(counted(store)) == {(SPLIT.access_key, A)}
    assert sum(lot.mass.mg for lot in store.lots()) == MASS
    assert sound(store)


def told(store, of: v.Note, entity: str) -> dict[str, str]:
    """What the answer on a note says to an entity, beside what the note says by itself."""
    own = verdict_from_json(handed(note(of))[0].verdict)
    with custody(store) as memory:
        view = memory.key_views([of.access_key])[of.access_key]
    said = answer(
        own, entity=entity, authentic=True, counts=count_once(view), blocked=view.blocked, view=view
    )
    every = (*said.findings, *(f for line in said.lines for f in line.findings))
    return {f.code: f.found for f in every if f.code != "N18"}


def test_the_answer_names_the_note_that_counts_and_who_claims_it(store) -> None:
    give(store, A, note(OWN))
    give(store, B, note(RIGHT))
    assert RIGHT.access_key in told(store, OWN, A)["M15"]
    assert told(store, RIGHT, B) == {
        "C02": f"{masked(A)} reivindica a mesma massa pela nota {OWN.access_key}"
    }


def test_the_answer_on_the_buyers_note_names_the_sellers_until_it_is_decided(store) -> None:
    give(store, A, note(OWN), note(ENTRY))
    assert told(store, OWN, A) == {}
    assert list(told(store, ENTRY, A)) == ["M15"]
    assert OWN.access_key in told(store, ENTRY, A)["M15"]
    for by in ("ana", "rui"):
        with custody(store) as memory:
            decide(memory, ENTRY.access_key, 1, entity=A, content="", reason="outra", by=by, on=TODAY)
    assert told(store, ENTRY, A) == {}


def test_a_sale_back_tells_no_sale_anew(store) -> None:
    back = v.Note(number=2, issuer=v.MILL, recipient=v.COOP, references=(OWN.access_key,))
    give(store, A, note(OWN), note(back))
    assert states(store)[OWN.access_key] == ("contested", "G09")  # asked for its own reason, and not stopped
    with custody(store) as memory:
        assert memory.key_views([OWN.access_key])[OWN.access_key].blocked == ""


def test_a_bill_is_not_told_twice_that_its_delivery_counts(store) -> None:
    billed = v.Note(items=[v.Item(cfop="5922")])
    give(
        store,
        A,
        note(billed),
        note(v.Note(number=2, references=(billed.access_key,), items=[v.Item(cfop="5116")])),
    )
    assert list(told(store, billed, A)) == ["M15"]
    assert "entrega futura" in told(store, billed, A)["M15"]


def test_the_lots_show_the_other_notes_of_their_mass(store, data, capsys) -> None:
    give(store, A, note(OWN), note(ENTRY), note(sale(60, 900, 28)))
    told = {}
    for options in (["--json"], []):
        with pytest.raises(SystemExit) as ended:
            main(["lots", *options, "--data", str(data), "--today", "2026-12-31"])
        assert ended.value.code == 0
        told[bool(options)] = capsys.readouterr().out
    lots = {lot["access_key"]: lot["family"] for lot in map(json.loads, told[True].splitlines())}
    assert lots == {
        OWN.access_key: [{"access_key": ENTRY.access_key, "relation": "twin", "code": "M15"}],
        sale(60, 900, 28).access_key: [],
    }
    assert "pode ser a mesma carga que" in told[False]
    assert ENTRY.access_key in told[False]


# ── without a store ──────────────────────────────────────────────────────────────────────────────────


def member(key: str, *, by_buyer: bool, **more: object) -> Member:
    sale = Sale(v.COOP, v.MILL, by_buyer, v.TODAY, {"paper": 1000})
    return Member(key, sale, **{"claimants": frozenset("A"), **more})


def test_a_twin_that_counts_for_nobody_or_is_blocked_asks_nothing() -> None:
    entry = member("E", by_buyer=True)
    assert [f.code for f in family_of(entry, [member("O", by_buyer=False)]).doubts] == ["M15"]
    for other in (
        member("O", by_buyer=False, claimants=frozenset()),
        member("O", by_buyer=False, blocked=frozenset({"N10"})),
        member("O", by_buyer=False, references=("E",)),
    ):
        assert family_of(entry, [other]).doubts == ()


def test_of_two_that_may_be_one_load_exactly_one_moved() -> None:
    for mine, theirs in ((0, 0), (0, 1), (1, 0), (1, 1)):
        own = member("O", by_buyer=False, claimants=frozenset("A" * mine))
        entry = member("E", by_buyer=True, claimants=frozenset("A" * theirs))
        assert family_of(own, [entry]).echo is not family_of(entry, [own]).echo
    gone = member("O", by_buyer=False, blocked=frozenset({"N16"}))
    assert not family_of(member("E", by_buyer=True), [gone]).echo


def test_the_same_claimant_contests_nothing_with_its_own_two_notes() -> None:
    own = member("N", by_buyer=False, references=("O",), undoes={"O": "M15"})
    assert family_of(own, [member("O", by_buyer=False)]).doubts == ()
    both = member("O", by_buyer=False, claimants=frozenset("AB"))
    assert [f.code for f in family_of(own, [both]).doubts] == ["C02"]
    dead = member("O", by_buyer=False, claimants=frozenset("B"), blocked=frozenset({"N10", "M15"}))
    assert family_of(own, [dead]).doubts == ()
