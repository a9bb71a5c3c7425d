"""Mass and material of single lines, with their near misses."""

from __future__ import annotations

from typing import Any

import pytest

from lastro.evidence import Context, Source, admit, judge_source
from lastro.evidence.admit import known_municipality
from lastro.facts import Document, LineVerdict, Outcome, Severity, Verdict
from lastro.ids import Material
from lastro.units import Mass
from tests.evidence import vectors as v

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)


def document(note: v.Note) -> Document:
    (made,) = judge_source(Source("nota.xml", None, v.authorised(note)), CONTEXT)
    return made


def verdict(note: v.Note) -> Verdict:
    return admit(document(note))


def line(**item: Any) -> LineVerdict:
    return verdict(v.Note(items=[v.Item(**item)])).lines[0]


def codes(seen: LineVerdict) -> list[str]:
    return [f.code for f in seen.findings]


# ── units ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("unit", "quantity", "mass"),
    [
        ("KG", "1250.0000", "1250"), ("kg", "1250", "1250"), ("Kg.", "0.0001", "0.0001"),
        ("QUILO", "2.5", "2.5"), ("TON", "1.2500", "1250"), ("T", "0.0001", "0.1"), ("ton", "3", "3000"),
        ("GRAMAS", "500.0000", "0.5"), ("KILO", "2", "2"), ("kgs", "2", "2"), ("KG.", "2", "2"),
        ("Quilogramas", "2", "2"), ("tn", "2", "2000"), ("TO", "2", "2000"), ("tonel", "2", "2000"),
        ("TON.", "2", "2000"), ("Toneladas ", "2", "2000"),
    ],
)  # fmt: skip
def test_mass_units_are_read_exactly(unit: str, quantity: str, mass: str) -> None:
    assert line(unit=unit, quantity=quantity, value="0").mass == Mass.kg(mass)


@pytest.mark.parametrize("unit", ["UN", "FD", "BAG", "MT", "K", "M3", "CX", "CARGA", "", "KG/UN"])
def test_other_units_tell_no_mass(unit: str) -> None:
    seen = line(unit=unit)
    assert (codes(seen), seen.mass, seen.outcome) == (["M01"], None, Outcome.REVIEW)


def test_the_taxable_quantity_tells_it_where_the_commercial_does_not() -> None:
    seen = line(unit="FD", quantity="3", tax_unit="KG", tax_quantity="900.0000")
    assert (codes(seen), seen.mass) == ([], Mass.kg("900"))


def test_the_net_weight_tells_it_in_a_note_of_one_line() -> None:
    one = v.Note(items=[v.Item(unit="FD", quantity="3")], net=("400.500", "99.500"))
    assert verdict(one).lines[0].mass == Mass.kg("500")
    two = v.Note(items=[v.Item(unit="FD", quantity="3")] * 2, net=("500.000",))
    assert [s.mass for s in verdict(two).lines] == [None, None]
    zero = v.Note(items=[v.Item(unit="FD", quantity="3")], net=("0.000",))
    assert verdict(zero).lines[0].mass is None


@pytest.mark.parametrize("quantity", ["0", "0.0000", "-1", "", "1.2.3", "1,5", "1e3", "NaN", "١٢"])
def test_a_quantity_that_is_no_positive_number_is_m02(quantity: str) -> None:
    seen = line(quantity=quantity)
    assert (codes(seen), seen.mass, seen.outcome) == (["M02"], None, Outcome.REFUSED)


@pytest.mark.parametrize(
    ("unit", "quantity", "code"),
    [
        ("G", "100.0000", []), ("G", "100.1230", []), ("G", "100.1234", ["M04"]),
        ("KG", "1.123456", []), ("KG", "1.1234567", ["M04"]), ("KG", "1.1234560", []),
    ],
)  # fmt: skip
def test_a_mass_finer_than_a_milligram_is_m04_and_null(unit: str, quantity: str, code: list[str]) -> None:
    seen = line(unit=unit, quantity=quantity, value="0")
    assert [c for c in codes(seen) if c != "M10"] == code
    assert (seen.mass is None) is bool(code)
    assert seen.outcome is Outcome.REVIEW


@pytest.mark.parametrize(
    ("unit", "quantity", "value", "code"),
    [
        ("KG", "12500", "7500.00", []),
        ("TON", "12.5", "7500.00", []),
        ("KG", "12.5", "7500.00", ["M03"]),  # tonnes typed as kilograms
        ("TON", "12500", "7500.00", ["M03"]),  # kilograms typed as tonnes
        ("KG", "1000", "50.00", []),  # the lower end of the band, 0.05 a kilogram
        ("KG", "1000", "49.99", ["M10"]),
        ("KG", "1000", "8000.00", []),  # the upper end, 8 a kilogram
        ("KG", "1000", "8000.01", ["M10"]),
        ("KG", "1000", "0.00", ["M10"]),  # given away: said, and not judged
    ],
)
def test_a_slip_of_a_thousand_is_m03_and_a_mere_odd_price_m10(
    unit: str, quantity: str, value: str, code: list[str]
) -> None:
    assert codes(line(unit=unit, quantity=quantity, value=value)) == code


def test_a_price_that_cannot_be_judged_is_said_and_hurts_nobody() -> None:
    for seen in (line(value=""), line(value="0.00")):
        (said,) = seen.findings
        assert (said.code, said.severity, said.found) == ("M10", Severity.INFO, "sem preço na nota")
    early = v.Note(issued_at="2014-12-31T10:00:00-03:00", items=[v.Item(quantity="1", value="750.00")])
    (said,) = verdict(early).lines[0].findings
    assert (said.code, said.severity) == ("M10", Severity.INFO)
    assert "sem faixa de preço" in said.expected


@pytest.mark.parametrize(
    ("unit", "net", "value", "code"),
    [
        ("TON", "1250.000", "0.00", ["M03"]),  # the net weight is a thousandth of what is written
        ("TON", "1250.001", "0.00", ["M10"]),
        ("TON", "1250000.000", "0.00", ["M10"]),
        ("KG", "1250000.000", "", ["M03"]),
        ("KG", "1250000.000", "750.00", []),  # the price speaks for what is written
    ],
)
def test_the_net_weight_shows_a_slip_where_no_price_does(
    unit: str, net: str, value: str, code: list[str]
) -> None:
    seen = verdict(v.Note(items=[v.Item(unit=unit, quantity="1250", value=value)], net=(net,)))
    assert codes(seen.lines[0]) == code


@pytest.mark.parametrize(
    ("net", "lines", "said"),
    [((), 1, "sem pesoL"), (("0.000",), 1, "pesoL 0.000"), (("500.000",), 2, "pesoL de 2 itens juntos")],
)
def test_a_mass_that_cannot_be_told_says_what_the_net_weight_is(
    net: tuple[str, ...], lines: int, said: str
) -> None:
    seen = verdict(v.Note(items=[v.Item(unit="FD", quantity="3")] * lines, net=net)).lines[0]
    assert [f.found for f in seen.findings if f.code == "M01"] == [f"FD / FD; {said}"]


@pytest.mark.parametrize(
    ("quantity", "code"), [("1000000", []), ("1000000.0001", ["M03"]), ("9" * 15, ["M03"])]
)
def test_no_line_weighs_more_than_a_million_tonnes(quantity: str, code: list[str]) -> None:
    seen = line(unit="TON", quantity=quantity, value="0")
    assert [c for c in codes(seen) if c != "M10"] == code
    assert (seen.mass is None) is bool(code)


@pytest.mark.parametrize(
    ("tax_unit", "tax_quantity", "code"),
    [
        ("KG", "1250.0000", []), ("TON", "1.2500", []), ("TON", "1.25", []), ("KG", "1249.0000", ["M05"]),
        ("TON", "1.3", []), ("TON", "1.4", ["M05"]), ("UN", "3", []),
    ],
)  # fmt: skip
def test_two_quantities_that_disagree_are_m05(tax_unit: str, tax_quantity: str, code: list[str]) -> None:
    """A quantity says no more than its last digit: 1.3 t may be 1,250 kg, 1.4 t may not."""
    assert codes(line(tax_unit=tax_unit, tax_quantity=tax_quantity)) == code


@pytest.mark.parametrize(
    ("gross", "code"), [("1250.000", False), ("1249.999", False), ("1249.998", True), ("0.000", False)]
)
def test_lines_beyond_the_gross_weight_are_m12(gross: str, code: bool) -> None:
    seen = verdict(v.Note(net=("1250.000",), gross=(gross,)))
    assert ("M12" in {f.code for f in seen.findings}) is code


# ── material ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("ncm", "description", "material"),
    [
        ("47079000", "Aparas mistas", Material.PAPER), ("39159000", "Fardo de PET", Material.PLASTIC),
        ("70010000", "Cacos de vidro", Material.GLASS), ("72044900", "Sucata de ferro", Material.STEEL),
        ("76020000", "Latinhas", Material.ALUMINIUM), ("74040000", "Fios de cobre", Material.OTHER_METAL),
        ("47079000", "Embalagem longa vida", Material.CARTON), ("40040000", "Raspas", Material.TYRE),
        ("85491100", "Baterias", Material.BATTERY), ("85492900", "Sucata eletrônica", Material.ELECTRONICS),
    ],
)  # fmt: skip
def test_the_ncm_tells_the_material(ncm: str, description: str, material: Material) -> None:
    seen = line(ncm=ncm, description=description)
    assert seen.material is material
    assert not {"M06", "M07", "M08"} & set(codes(seen))


@pytest.mark.parametrize(
    "ncm", ["48191000", "39233000", "70109000", "39012000", "00000000", "47", "", "4707100A"]
)
def test_packaging_resin_and_no_ncm_are_m06_and_hurt_nobody(ncm: str) -> None:
    note = v.Note(items=[v.Item(ncm=ncm, unit="UN"), v.Item()])
    seen = verdict(note)
    assert codes(seen.lines[0]) == ["M06"]
    assert (seen.lines[0].counts, seen.outcome) == (False, Outcome.REVIEW)
    alone = verdict(v.Note(items=[v.Item(ncm=ncm)]))
    assert alone.outcome is Outcome.REFUSED


@pytest.mark.parametrize(
    ("ncm", "description", "code"),
    [
        ("39159000", "APARAS DE PAPELÃO", ["M07"]), ("47071000", "SUCATA DE COBRE", ["M07"]),
        ("70010000", "SUCATA DE FERRO", ["M07"]), ("76020000", "SUCATA NÃO FERROSA DE ALUMÍNIO", []),
        ("76020000", "PAPEL ALUMÍNIO", []), ("47071000", "MATERIAL RECICLÁVEL", []),
        ("47079000", "PAPEL E PLÁSTICO MISTOS", ["M08"]), ("72044900", "FERRO/ALUMÍNIO", ["M08"]),
        ("47071000", "PAPELÃO COM FITA PLÁSTICA", []), ("70010000", "VIDRO AMBAR", []),
        ("39159000", "EMBALAGEM CARTONADA LONGA VIDA", ["M07"]), ("39159000", "GARRAFAS PETALA", []),
    ],
)  # fmt: skip
def test_only_clear_contradictions_are_m07_and_m08(ncm: str, description: str, code: list[str]) -> None:
    assert [c for c in codes(line(ncm=ncm, description=description)) if c in ("M07", "M08")] == code


@pytest.mark.parametrize("description", ["LATAS DE AEROSSOL", "aerosol de alumínio", "Aerossóis vazios"])
def test_aerosols_count_nothing(description: str) -> None:
    seen = line(ncm="76020000", description=description)
    assert "M13" in codes(seen)
    assert seen.counts is False


@pytest.mark.parametrize(
    ("ncm", "description", "code"),
    [
        ("39159000", "BOMBONAS CONTAMINADAS", ["M13"]), ("76020000", "Resíduo perigoso", ["M13"]),
        ("39159000", "BOMBONAS NÃO CONTAMINADAS", []), ("76020000", "Sucata livre de perigosos", []),
        ("85491100", "Baterias, resíduo perigoso", []),  # a stream of its own
    ],
)  # fmt: skip
def test_hazardous_material_counts_nothing_in_the_general_stream(
    ncm: str, description: str, code: list[str]
) -> None:
    seen = line(ncm=ncm, description=description, value="3000.00")
    assert codes(seen) == code
    assert seen.outcome is (Outcome.REFUSED if code else Outcome.REVIEW)


# ── operation ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cfop", "code", "severity"),
    [
        ("5101", None, None), ("6102", None, None), ("5117", None, None), ("5113", None, None),
        ("5118", None, None), ("5160", None, None),
        ("5152", "M09", Severity.REFUSE), ("6202", "M09", Severity.REFUSE), ("5910", "M09", Severity.REFUSE),
        ("5901", "M09", Severity.REFUSE), ("5902", "M09", Severity.REFUSE), ("5124", "M09", Severity.REFUSE),
        ("5605", "M09", Severity.REFUSE), ("5353", "M09", Severity.REFUSE), ("5655", "M09", Severity.REVIEW),
        ("5501", "M09", Severity.REVIEW), ("6502", "M09", Severity.REVIEW), ("5551", "M09", Severity.REVIEW),
        ("5131", "M15", Severity.REVIEW), ("5132", None, None), ("1102", "M09", Severity.REVIEW),
        # The remittances of two pairs: their sale counts, and a person sees whether it is there.
        ("5923", "M15", Severity.REVIEW), ("5917", "M15", Severity.REVIEW),
        ("5949", "M09", Severity.REVIEW), ("6949", "M09", Severity.REVIEW), ("7102", "M09", Severity.REVIEW),
        ("5999", "M09", Severity.REVIEW), ("0000", "M09", Severity.REVIEW),
        ("5922", "M15", Severity.REVIEW), ("5120", "M15", Severity.REVIEW), ("5929", "M15", Severity.REVIEW),
    ],
)  # fmt: skip
def test_which_operations_are_sales(cfop: str, code: str | None, severity: Severity | None) -> None:
    seen = [(f.code, f.severity) for f in line(cfop=cfop).findings]
    assert seen == ([(code, severity)] if code else [])


@pytest.mark.parametrize(
    ("purpose", "code"), [("1", []), ("2", ["M15"]), ("3", ["M09"]), ("4", ["M09"]), ("6", ["M09"])]
)
def test_what_the_purpose_of_a_note_does(purpose: str, code: list[str]) -> None:
    assert codes(verdict(v.Note(purpose=purpose)).lines[0]) == code


def test_a_note_written_by_the_buyer_swaps_the_parties() -> None:
    note = v.Note(issuer=v.MILL, recipient=v.COOP, direction="0", items=[v.Item(cfop="1102")])
    made = document(note)
    assert made.invoice is not None
    assert (made.invoice.seller, made.invoice.buyer) == (v.COOP, v.MILL)
    assert codes(verdict(note).lines[0]) == []


@pytest.mark.parametrize(("direction", "cfop"), [("1", "1102"), ("0", "5102")])
def test_a_note_that_says_both_in_and_out_asks_a_person(direction: str, cfop: str) -> None:
    seen = verdict(v.Note(direction=direction, items=[v.Item(cfop=cfop)])).lines[0]
    assert [(f.code, f.severity) for f in seen.findings] == [("M09", Severity.REVIEW)]


def test_a_line_outside_the_total_asks_a_person() -> None:
    seen = line(in_total="0")
    assert [(f.code, f.severity) for f in seen.findings] == [("M09", Severity.REVIEW)]


@pytest.mark.parametrize(
    ("code", "known"),
    [
        ("5103403", True),
        ("5103404", False),
        ("9903403", False),
        ("510340", False),
        ("", False),
        ("2201919", True),
    ],
)
def test_municipality_codes(code: str, known: bool) -> None:
    assert known_municipality(code) is known


@pytest.mark.parametrize(
    ("purpose", "quantity", "codes_", "mass"),
    [
        ("2", "0.0000", ["M15"], Mass(0)), ("2", "0", ["M15"], Mass(0)),
        ("2", "1200", ["M15"], Mass.kg("1200")),
        ("2", "", ["M15", "M02"], None), ("2", "-1", ["M15", "M02"], None), ("3", "0", ["M09"], Mass(0)),
        ("5", "0", ["M09"], Mass(0)), ("6", "0", ["M09"], Mass(0)),
        ("1", "0", ["M02"], None), ("4", "0", ["M09", "M02"], None),
    ],
)  # fmt: skip
def test_a_note_that_corrects_a_value_alone_adds_nothing(
    purpose: str, quantity: str, codes_: list[str], mass: Mass | None
) -> None:
    seen = verdict(v.Note(purpose=purpose, items=[v.Item(quantity=quantity)])).lines[0]
    assert (codes(seen), seen.mass, seen.counts) == (codes_, mass, False)
