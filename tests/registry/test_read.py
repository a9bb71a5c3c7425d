"""A registry file is read whole or not at all, and everything that is wrong in it is told at once."""

import io
import json

import openpyxl
import pytest

from lastro.errors import LastroError
from lastro.ids import Material, cnpj_check_digits
from lastro.registry.columns import TABLES
from lastro.registry.read import MOST_ISSUES, read, registry_of


def cnpj(base: str) -> str:
    base = base.ljust(8, "0") + "0001"
    return base + cnpj_check_digits(base)


ENTITY, OTHER, COOP = cnpj("ZZENT001"), cnpj("ZZENT002"), cnpj("ZZCOOP01")
PAPERS = {"cnpj_ok": True, "registrations_ok": True, "licence_ok": True, "permit_ok": True}
VETTING = {"operator": COOP, "entity": ENTITY, "from": "2026-01-01", "to": "2026-12-31", **PAPERS}


def as_json(**tables) -> bytes:
    return json.dumps(tables).encode()


def workbook(**sheets) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_the_three_formats_say_the_same():
    heads = list(VETTING)
    from_json = read("cadastro.json", as_json(vettings=[VETTING]))
    from_xlsx = read("cadastro.xlsx", workbook(vettings=[heads, list(VETTING.values())]))
    text = ";".join(heads) + "\n" + ";".join(str(v).lower() if v is True else v for v in VETTING.values())
    from_csv = read("vettings.csv", text.encode())
    assert from_json.tables["vettings"] == [VETTING]
    assert from_xlsx.tables == from_json.tables
    assert from_csv.tables == from_json.tables
    assert [from_json.issues, from_xlsx.issues, from_csv.issues] == [[], [], []]


def test_portuguese_heads_and_values_and_brazilian_dates_are_read():
    text = (
        "Operador;Entidade;De;Até;Cartão CNPJ;Inscrições;Licença;Alvará\n"
        f"{COOP};{ENTITY};01/01/2026;31/12/2026;sim;Sim;não;S\n"
    )
    reading = read("Homologações.csv", text.encode("cp1252"))
    assert reading.issues == []
    assert reading.tables["vettings"] == [{**VETTING, "licence_ok": False}]


def test_heads_may_stand_lower_and_rows_may_be_empty():
    rows = [["Cadastro de 2026"], [], ["cnpj", "name"], [], [COOP, "Coop"], [None, None]]
    reading = read("a.xlsx", workbook(parties=rows))
    assert reading.issues == []
    assert [p["name"] for p in reading.tables["parties"]] == ["Coop"]


def test_all_that_is_wrong_is_told_with_its_place():
    wrong = [
        ["cnpj", "name", "municipality", "uf", "licence_valid_to"],
        [COOP[:-1] + str((int(COOP[-1]) + 1) % 10), "A", "5103403", "MT", "2026-12-31"],
        [ENTITY, "B", "99", "XX", "2026-02-30"],
        [COOP, "", "5103403", "MT", "=A1"],
    ]
    reading = read("a.xlsx", workbook(parties=wrong))
    places = [(i.row, i.column, i.code) for i in reading.issues]
    assert places == [
        (2, "A", "P01"),
        (3, "C", "G01"),
        (3, "D", ""),
        (3, "E", ""),
        (4, "B", "T02"),
        (4, "E", ""),
    ]
    assert all(i.expected and i.cure for i in reading.issues)
    with pytest.raises(LastroError, match=r"6 erro"):
        registry_of("a.xlsx", workbook(parties=wrong))


def test_a_registration_that_lost_its_zeros_is_told_so():
    reading = read("a.xlsx", workbook(parties=[["cnpj", "name"], [1234567000189, "A"]]))
    assert "zeros" in reading.issues[0].cure


def test_a_paper_left_empty_is_not_a_no():
    reading = read("a.json", as_json(vettings=[{**VETTING, "permit_ok": None}]))
    assert [(i.code, i.row) for i in reading.issues] == [("T02", 1)]


@pytest.mark.parametrize(("to", "wrong"), [("2025-12-31", 1), ("2026-01-01", 0), (None, 0)])
def test_a_period_runs_forward_and_may_be_one_day(to, wrong):
    assert len(read("a.json", as_json(vettings=[{**VETTING, "to": to}])).issues) == wrong


def test_unknown_columns_are_listed_and_slips_refused():
    own = read("a.json", as_json(parties=[{"cnpj": COOP, "name": "A", "cor preferida": "azul"}]))
    slip = read("a.json", as_json(parties=[{"cnpj": COOP, "name": "A", "closed_onn": "2026-01-01"}]))
    assert (len(own.issues), [n.found for n in own.notes]) == (0, ["cor preferida"])
    assert "closed_on" in slip.issues[0].cure


def test_unknown_table_missing_column_and_nothing_at_all():
    assert read("a.json", as_json(gente=[{"cnpj": COOP}])).issues[0].code == "F08"
    assert read("parties.csv", b"cnpj\n" + COOP.encode()).issues[0].column == "name"
    assert read("a.json", b"{}").issues[0].code == "F07"
    assert read("parties.csv", b"1;2;3\n").issues[0].code == "F07"


def test_one_key_twice_is_an_error_only_when_the_rows_differ():
    same = read("a.json", as_json(vettings=[VETTING, VETTING]))
    other = read("a.json", as_json(vettings=[VETTING, {**VETTING, "to": None}]))
    assert (len(same.issues), len(same.notes), len(same.tables["vettings"])) == (0, 1, 1)
    assert len(other.issues) == 1


def test_overlaps_are_read_and_reported_even_when_another_row_lies_between():
    rows = [
        VETTING,
        {**VETTING, "from": "2026-02-01", "to": "2026-02-28"},
        {**VETTING, "from": "2026-12-31", "to": "2027-06-30"},
        {**VETTING, "from": "2027-07-01", "to": None},
    ]
    reading = read("a.json", as_json(vettings=rows))
    assert reading.issues == []
    assert [(n.row, n.code) for n in reading.notes] == [(2, "P04"), (3, "P04")]


@pytest.mark.parametrize(("entity", "code"), [(OTHER, "P08"), (ENTITY, "")])
def test_a_member_of_two_entities_at_once_is_noted(entity, code):
    row = {"establishment": COOP, "entity": ENTITY, "term": "T1", "from": "2026-01-01", "to": "2026-12-31"}
    later = {**row, "entity": entity, "term": "T2", "from": "2026-12-31", "to": None}
    reading = read("a.json", as_json(members=[row, later]))
    assert (reading.issues, [(n.row, n.code) for n in reading.notes]) == ([], [(2, code)])
    reading = read("a.json", as_json(members=[row, {**later, "from": "2027-01-01"}]))
    assert (reading.issues, reading.notes) == ([], [])


def test_only_operators_have_an_origin_and_one_without_is_noted():
    row = {"cnpj": COOP, "role": "recycler", "origin": "municipal", "from": "2026-01-01"}
    assert len(read("a.json", as_json(roles=[row])).issues) == 1
    reading = read("a.json", as_json(roles=[{**row, "role": "operador", "origin": None}]))
    assert (len(reading.issues), reading.notes[0].code) == (0, "T02")


def test_merged_cells_are_told_where_they_hide_a_value():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "parties"
    for row in (["cnpj", "name"], [COOP, "Coop"], [ENTITY, None]):
        sheet.append(row)
    sheet.merge_cells("B2:B3")
    out = io.BytesIO()
    book.save(out)
    reading = read("a.xlsx", out.getvalue())
    assert [(i.row, "B2:B3" in i.cure) for i in reading.issues] == [(3, True)]


def test_issues_beyond_the_thousandth_are_counted():
    rows = [{"cnpj": "1", "name": "A"}] * (MOST_ISSUES + 5)
    reading = read("a.json", as_json(parties=rows))
    assert (len(reading.issues), reading.untold) == (MOST_ISSUES, 5)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.xlsx", b"not a workbook"),
        ("a.json", b'{"parties": [{"cnpj": "1", "cnpj": "2"}]}'),
        ("a.json", b'{"parties": 3}'),
        ("a.json", b"[" * 100_000),
        ("a.csv", b'"open'),
        ("a.csv", b"a\0b"),
        ("a.pdf", b"%PDF"),
        ("a.csv", b"  \n"),
    ],
)
def test_what_cannot_be_opened_is_refused_with_words(name, data):
    with pytest.raises(LastroError):
        read(name, data)


def test_every_required_column_is_in_its_tables_key_or_judged():
    for table in TABLES:
        names = [c.name for c in table.columns]
        assert set(table.key) <= set(names)
        assert len({n for c in table.columns for n in c.head.names}) == sum(
            len(c.head.names) for c in table.columns
        ), f"two columns of {table.name} share a name"


@pytest.mark.parametrize(
    ("row", "codes"),
    [
        ({"latitude": "-15.6014", "longitude": "-56.0979", "datum": "SIRGAS 2000"}, []),
        ({"latitude": "-15,6014", "longitude": "-56,0979", "datum": "sirgas2000"}, []),
        ({"latitude": "-15.6014", "longitude": "-56.0979"}, ["G03"]),
        ({"latitude": "-56.0979", "longitude": "-15.6014", "datum": "WGS84"}, ["G02"]),
        ({"latitude": "-15.6014", "longitude": "56.0979"}, ["G03", "G02"]),
        ({"latitude": "-18.1", "longitude": "-61.7", "datum": "WGS84"}, []),
        ({"latitude": "-18.1001", "longitude": "-61.7", "datum": "WGS84"}, ["G02"]),
        ({"latitude": "-23.5", "longitude": "-46.6", "datum": "WGS84", "municipality": "3550308"}, []),
        ({"latitude": "-23.5", "longitude": "-46.6", "datum": "WGS84", "municipality": None}, ["G02"]),
        ({"latitude": "-23.5", "longitude": "-46.6", "datum": "WGS84", "municipality": None, "uf": None}, []),
        ({}, []),
    ],
)
def test_coordinates_are_noted_where_they_say_no_datum_or_another_state(row, codes):
    party = {"cnpj": COOP, "name": "A", "municipality": "5103403", "uf": "MT", **row}
    reading = read("a.json", as_json(parties=[party]))
    assert (reading.issues, [n.code for n in reading.notes]) == ([], codes)


@pytest.mark.parametrize(
    "row",
    [
        {"latitude": "-15.6"},
        {"longitude": "-56.1"},
        {"latitude": "-95", "longitude": "-56"},
        {"latitude": "15°36'S", "longitude": "-56"},
        {"latitude": "-15", "longitude": "-56", "datum": "meu"},
        {"materials": "papel; metais"},
        {"materials": ";"},
    ],
)
def test_half_a_place_and_what_is_no_degree_or_material_are_wrong(row):
    reading = read("a.json", as_json(parties=[{"cnpj": COOP, "name": "A", **row}]))
    assert len(reading.issues) == 1


def test_the_materials_of_a_company_are_those_of_all_its_establishments():
    branch = COOP[:8] + "0002" + cnpj_check_digits(COOP[:8] + "0002")
    rows = [
        {"cnpj": COOP, "name": "A", "materials": "Papel; vidro"},
        {"cnpj": branch, "name": "A2", "materials": "aço"},
        {"cnpj": ENTITY, "name": "B"},
    ]
    known = registry_of("a.json", as_json(parties=rows))
    assert known.materials(COOP) == {Material.PAPER, Material.GLASS, Material.STEEL}
    assert known.materials(ENTITY) is None


def test_a_row_without_the_later_columns_is_the_row_it_was():
    (row,) = read("a.json", as_json(parties=[{"cnpj": COOP, "name": "A"}])).tables["parties"]
    assert not {"latitude", "longitude", "datum", "materials"} & set(row)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("250000", "250000"),
        ("250.000,5", "250000.5"),
        ("0", None),
        ("-1", None),
        ("muito", None),
        ("250.000", None),
        ("0,0000001", None),
        ("", ""),
    ],
)
def test_a_monthly_capacity_is_a_mass_above_zero_that_reads_one_way(written, kept):
    text = f"cnpj;nome;capacidade_kg_mes\n{COOP};Cooperativa Inventada;{written}\n"
    reading = read("parties.csv", text.encode())
    if kept is None:
        assert [issue.column for issue in reading.issues] == ["C"]
    else:
        assert reading.issues == []
        assert reading.tables["parties"][0].get("capacity_kg_month", "") == kept
