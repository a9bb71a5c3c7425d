"""Files: what is no paper, no XML, too much, or handed in before."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from lastro.evidence import Source, judge_source
from lastro.evidence import judge as judging
from lastro.ids import Material
from lastro.obligations.declare import read_declaration
from lastro.registry.read import read as read_registry
from tests.codes import Codes, near_miss, triggers
from tests.codes.see import CONTEXT, of_bytes, of_files, of_note, of_paths
from tests.evidence import hostile
from tests.evidence import vectors as v
from tests.evidence.test_malware import EICAR, PE


def placed(folder: Path, name: str, data: bytes) -> Codes:
    """The codes of one file that stands in a folder."""
    (folder / name).write_bytes(data)
    return of_paths([folder])


@triggers("F01")
def a_program_among_the_notes(tmp_path: Path) -> Codes:
    return placed(tmp_path, "a.zip", hostile.packed([("nota.xml", v.authorised()), ("nota.exe", PE)]))


@triggers("F01")
def the_test_file_of_antivirus_makers(tmp_path: Path) -> Codes:
    return placed(tmp_path, "nota.xml", EICAR)


@near_miss("F01")
def a_note_that_quotes_the_test_file(tmp_path: Path) -> Codes:
    text = EICAR.decode().replace("&", "&amp;").replace("<", "&lt;")
    return placed(tmp_path, "nota.xml", v.authorised(v.Note(items=[v.Item(description=text)])))


@triggers("F02")
def an_empty_file() -> Codes:
    return of_bytes(b" \r\n")


@near_miss("F02")
def a_file_of_one_element() -> Codes:
    return of_bytes(b"<a/>")


@triggers("F03")
def a_zip_in_a_zip_in_a_zip(tmp_path: Path) -> Codes:
    inner = hostile.packed([("b.zip", hostile.packed([("nota.xml", v.authorised())]))])
    return placed(tmp_path, "a.zip", hostile.packed([("a.zip", inner)]))


@triggers("F03")
def more_elements_than_any_note_has() -> Codes:
    return of_bytes(b"<NFe>" + b"<a/>" * 130_000 + b"</NFe>")


@near_miss("F03")
def a_zip_in_a_zip(tmp_path: Path) -> Codes:
    return placed(tmp_path, "a.zip", hostile.packed([("a.zip", hostile.packed([("n.xml", v.authorised())]))]))


@near_miss("F03")
def a_note_of_990_lines() -> Codes:
    return of_note(v.Note(items=[v.Item()] * 990))


@triggers("F04")
def the_page_of_an_error() -> Codes:
    return of_bytes(b"<!DOCTYPE html><html><body>Erro 500</body></html>")


@near_miss("F04")
def a_note_with_a_mark_before_it() -> Codes:
    return of_bytes(b"\xef\xbb\xbf" + v.authorised())


@triggers("F05")
def an_entity_for_a_quantity() -> Codes:
    return of_bytes(b'<!DOCTYPE n [<!ENTITY q "9">]>' + v.authorised()[38:].replace(b"1250.0000", b"&q;", 1))


@near_miss("F05")
def an_entity_that_needs_no_declaration() -> Codes:
    return of_note(v.Note(items=[v.Item(description="Aparas &lt;ondulado&gt; &amp; kraft")]))


@triggers("F06")
def a_layout_that_is_not_known() -> Codes:
    signed = v.sign(v.Note().xml().replace('versao="4.00"', 'versao="9.00"', 1))
    return of_bytes(v.proc(signed, v.protocol(v.Note().access_key, v.digest_of(signed))))


@near_miss("F06")
def an_old_layout() -> Codes:
    signed = v.sign(v.Note().xml().replace('versao="4.00"', 'versao="3.10"', 1))
    return of_bytes(v.proc(signed, v.protocol(v.Note().access_key, v.digest_of(signed))))


def registered(**tables: object) -> Codes:
    """The codes that a registry file brings out, in what must be mended and in what is only odd."""
    reading = read_registry("cadastro.json", json.dumps(tables).encode())
    return {issue.code for issue in (*reading.issues, *reading.notes)}


PARTY = {"cnpj": v.COOP, "name": "Cooperativa Inventada", "municipality": "5103403", "uf": "MT"}


@triggers("F07")
def a_registry_without_the_column_of_names() -> Codes:
    return registered(parties=[{"cnpj": v.COOP}])


@near_miss("F07")
def a_registry_with_a_column_of_its_own() -> Codes:
    """An unknown column is noted under the same code; only its twin in Portuguese is none."""
    return registered(parties=[{"cnpj": v.COOP, "Razão Social": "Cooperativa Inventada"}])


@triggers("F08")
def a_table_that_no_registry_has() -> Codes:
    return registered(gente=[PARTY])


@near_miss("F08")
def a_table_under_its_portuguese_name() -> Codes:
    return registered(Cadastro=[PARTY])


TODAY = date(2026, 11, 30)


def declared(rows: str, *, company: str = v.MILL, materials: frozenset[Material] | None = None) -> Codes:
    """The codes that a declaration brings out."""
    data = f"ano;material;uf;massa_kg;estabelecimento\n{rows}\n".encode()
    found = read_declaration("d.csv", data, company=company, today=TODAY, registered=materials)
    return {issue.code for issue in found.issues}


@triggers("F09")
def a_declaration_for_another_companys_establishment() -> Codes:
    return declared(f"2025;vidro;MT;10;{v.COOP}")


@near_miss("F09")
def a_declaration_for_another_branch() -> Codes:
    return declared(f"2025;vidro;MT;10;{v.cnpj(v.MILL[:8] + '0002')}")


@triggers("F10")
def a_material_that_is_not_registered() -> Codes:
    return declared("2025;papel;MT;10;", materials=frozenset({Material.GLASS}))


@near_miss("F10")
def a_material_of_a_company_that_registered_none() -> Codes:
    return declared("2025;papel;MT;10;", materials=None)


@near_miss("F10")
def a_material_that_is_registered() -> Codes:
    return declared("2025;papel;MT;10;", materials=frozenset({Material.PAPER}))


@triggers("F11")
def the_same_bytes_under_another_name() -> Codes:
    return of_files({"a.xml": v.authorised(), "b.xml": v.authorised()}, of="b.xml")


@near_miss("F11")
def the_same_note_with_one_byte_more() -> Codes:
    return of_files({"a.xml": v.authorised(), "b.xml": v.authorised() + b"\n"}, of="b.xml")


@triggers("F12")
def a_reader_that_fails(monkeypatch: pytest.MonkeyPatch) -> Codes:
    def failing(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(judging, "authenticate", failing)
    made = judge_source(Source("nota.xml", None, v.sign(v.Note().xml())), CONTEXT)
    return {f.code for document in made for f in document.findings}


@near_miss("F12")
def a_certificate_that_is_no_certificate() -> Codes:
    data = v.authorised()
    start = data.index(b"<X509Certificate>") + 17
    return of_bytes(data[:start] + b"AAAA" + data[data.index(b"</X509Certificate>") :])
