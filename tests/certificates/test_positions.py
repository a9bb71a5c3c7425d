"""A position that leans on mass whose evidence died says so (T04), and says of which note."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from lastro.desk import settle_companies
from lastro.facts import CompanyFacts
from lastro.ids import Material
from lastro.lawkit import library
from lastro.obligations import settle
from lastro.obligations.positions import Fallen, with_stale
from lastro.stores.postgres.certificates import Certificates
from lastro.units import Mass
from tests.certificates.worlds import NORM, ON, authorise, issue, prepare, retire
from tests.custody.test_settle import TODAY, A, cancellation, give, key, note
from tests.ledger.worlds import COMPANY, VERIFIER


def test_only_the_group_that_leans_on_it_is_marked_and_its_numbers_stay():
    regulation = library.find(NORM)
    positions = settle(
        regulation,
        CompanyFacts("ZZ0CIA01", "large", "", (), ()),
        year=2026,
        targets=(),
        as_of=date(2027, 3, 15),
    )
    fallen = [Fallen(Material.STEEL, Mass(2_000_000), f"nota {n}") for n in range(5)]
    marked = {p.material: p for p in with_stale(positions, fallen, regulation=regulation)}
    before = {p.material: p for p in positions}
    assert {m for m, p in marked.items() if any(n.code == "T04" for n in p.notes)} == {"metals"}
    assert replace(marked["metals"], notes=()) == replace(before["metals"], notes=())
    assert marked["glass"] is before["glass"]
    text = marked["metals"].notes[-1].text
    assert text.startswith("10 kg do que foi baixado")
    assert text.endswith("nota 0; nota 1; nota 2 e mais 2.")


def test_a_company_whose_certificate_was_used_before_the_note_died(store, tmp_path):
    give(store, A, note(1, mass=60_000), note(2, mass=60_000))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    book = Certificates(store)
    for move in (lambda b: prepare(b, entity=A), authorise, issue, retire):
        assert isinstance(move(book), dict)

    def notes():
        ((_, positions),) = settle_companies(
            store, NORM, year=2026, company=COMPANY[:8], data=tmp_path, today=ON
        )
        return [n for p in positions if p.material == "glass" for n in p.notes if n.code == "T04"]

    assert notes() == []
    give(store, A, cancellation(2))
    (said,) = notes()
    assert said.text.startswith("0,04 kg")
    assert key(2) in said.text
    assert "N10" in said.text
