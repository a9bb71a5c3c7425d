"""What the paper of a real sale says, read back by another program, and how its words are made."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

from lastro import signing, tables
from lastro.certificates.fields import Fields, Place, lacks
from lastro.certificates.paper import in_full, place_name, shown_share
from lastro.certificates.port import BackedBy
from lastro.ids import Material, uf_of
from lastro.units import Mass, Share


def test_every_municipality_has_one_name_and_the_state_its_code_says() -> None:
    rows = tables.rows("municipalities")
    assert len(rows) == len({row["code"] for row in rows}) == 5571
    assert all(uf_of(row["code"]) == row["uf"] for row in rows)
    assert all(row["name"] and row["source"] and date.fromisoformat(row["date"]) for row in rows)
    assert sum(row["uf"] == "MT" for row in rows) == 142
    assert tables.municipality("5103403") == "Cuiabá/MT"
    assert place_name("5199999") == "município 5199999"


@pytest.mark.parametrize(
    ("day", "text"),
    [(date(2027, 3, 1), "1º de março de 2027"), (date(2028, 2, 29), "29 de fevereiro de 2028")],
)
def test_a_day_in_full(day: date, text: str) -> None:
    assert in_full(day) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [(Fraction(22, 100), "22%"), (Fraction(1, 3), "33,333333…%"), (Fraction(1, 8000), "0,0125%")],
)
def test_a_share_is_shown_exact_or_cut_and_marked(share: Fraction, text: str) -> None:
    assert shown_share(Share(share)) == text


def test_an_item_that_is_empty_is_lacking_and_all_are_named_in_order() -> None:
    assert [lack.item for lack in lacks(Fields())] == (
        ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII"]
    )
    lot = BackedBy(
        "k" * 44, 1, Material.GLASS, Mass(1), date(2026, 6, 1), "a", "b", "5103403", "operator", None
    )
    some = Fields(invoices=(lot,), places=(Place("5103403", False),))
    assert {"VIII", "XII"}.isdisjoint(lack.item for lack in lacks(some))


def test_the_thirteen_items_of_a_real_sale_are_read_back(ready, store, monkeypatch) -> None:
    from lastro.stores.postgres.certificates import Certificates
    from tests.certificates.test_verbs import issue
    from tests.papers.test_certificate import CERTIFICATE_ITEMS, flat, squeezed, words

    monkeypatch.setenv("LASTRO_PUBLIC_URL", "https://exemplo.invalid/")
    made = issue(ready)
    book = Certificates(store)
    pdf, found = book.paper("v1"), book.find("v1")
    assert pdf is not None
    assert found is not None
    text = squeezed(words(pdf))
    for item, label in CERTIFICATE_ITEMS.items():
        assert squeezed(item + label) in text
        for piece in flat(found.fields["fields"][item]):
            assert squeezed(piece) in text, piece
    assert made["number"] in text
    assert f"https://exemplo.invalid/c/{made['number']}" in text
    assert all(lot.access_key in text for lot in found.lots)
    assert "TESTE—SEMVALOR" in text
    assert "METASILUSTRATIVAS" in text
    assert signing.verify(pdf).reason == f"Emissão do certificado {made['number']}"


def test_places_are_grouped_by_who_tells_them() -> None:
    from lastro.certificates.paper import _places

    told = [Place("5103403", False), Place("5107925", False), Place("5107909", True)]
    assert _places(told) == "Cuiabá/MT, Sorriso/MT (do operador); Sinop/MT (município da nota fiscal)"
    assert _places(told[2:]) == "Sinop/MT (município da nota fiscal)"
