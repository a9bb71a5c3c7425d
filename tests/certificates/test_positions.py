"""A position that leans on mass whose evidence died says so (T04), and says of which note."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from lastro.desk import settle_companies
from lastro.facts import CompanyFacts, Retired
from lastro.ids import Material, Origin
from lastro.lawkit import library
from lastro.obligations import settle
from lastro.obligations.positions import Fallen, with_stale, without_fallen
from lastro.stores.postgres.certificates import Certificates
from lastro.units import Mass
from tests.certificates.worlds import NORM, ON, authorise, issue, prepare, retire
from tests.custody.test_settle import TODAY, A, cancellation, give, key, note
from tests.ledger.worlds import COMPANY, VERIFIER


def of(material: Material, mg: int, town: str = "5103403") -> Retired:
    return Retired(2026, material, "MT", town, Origin.PICKER_ENTITY, Mass(mg))


def test_only_the_group_that_leans_on_it_is_marked_and_its_numbers_stay():
    regulation = library.find(NORM)
    positions = settle(
        regulation,
        CompanyFacts("ZZ0CIA01", "large", "", (), ()),
        year=2026,
        targets=(),
        as_of=date(2027, 3, 15),
    )
    fallen = [Fallen(of(Material.STEEL, 2_000_000), f"nota {n}") for n in range(5)]
    told = with_stale(positions, fallen, regulation=regulation, article="art. 60")
    marked = {p.material: p for p in told}
    before = {p.material: p for p in positions}
    assert {m for m, p in marked.items() if any(n.code == "T04" for n in p.notes)} == {"metals"}
    metals = before["metals"]
    assert replace(marked["metals"], notes=(), trace=metals.trace) == replace(metals, notes=())
    assert marked["glass"] is before["glass"]
    text = marked["metals"].notes[-1].text
    assert text.startswith("10 kg do que foi baixado não contam")
    assert text.endswith("nota 0; nota 1; nota 2 e mais 2.")
    step = marked["metals"].trace.children[-1]
    assert (step.value, step.article) == (Mass(10_000_000), "art. 60")
    assert metals.trace.children == marked["metals"].trace.children[:-1]


def test_what_fell_is_taken_from_rows_of_its_own_kind_and_no_further():
    rows = [of(Material.GLASS, 5), of(Material.GLASS, 3, "5107909"), of(Material.GLASS, 4)]
    left = without_fallen(rows, [Fallen(of(Material.GLASS, 7), "a"), Fallen(of(Material.STEEL, 9), "b")])
    assert [row.mass.mg for row in left] == [0, 3, 2]
    assert [row.municipality for row in left] == [row.municipality for row in rows]
    assert without_fallen(rows, []) == tuple(rows)


def test_a_company_whose_certificate_was_used_before_the_note_died(store, tmp_path):
    give(store, A, note(1, mass=60_000), note(2, mass=60_000))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    book = Certificates(store)
    for move in (lambda b: prepare(b, entity=A), authorise, issue, retire):
        assert isinstance(move(book), dict)

    def glass():
        ((_, positions),) = settle_companies(
            store, NORM, year=2026, company=COMPANY[:8], data=tmp_path, today=ON
        )
        (one,) = [p for p in positions if p.material == "glass"]
        return one, [n for n in one.notes if n.code == "T04"]

    before, notes = glass()
    assert (before.achieved, notes) == (Mass(100_000), [])
    give(store, A, cancellation(2))
    after, (said,) = glass()
    assert after.achieved == Mass(60_000)
    assert sum(row.fact.mass.mg for row in store.retired(company=COMPANY)) == 100_000
    step = after.trace.children[-1]
    assert (step.value, "art. 60" in step.article) == (Mass(40_000), True)
    assert said.text.startswith("0,04 kg")
    assert key(2) in said.text
    assert "N10" in said.text
