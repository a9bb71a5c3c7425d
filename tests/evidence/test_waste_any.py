"""Whatever comes: no file ends the reading, and what was written comes back as it was."""

from __future__ import annotations

import datetime as dt
import io
import json
import zipfile
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.evidence import document_json, from_json, to_json
from lastro.evidence.admit import admit
from lastro.facts import Basis, Document, Kind
from lastro.ids import Material
from lastro.sample import waste
from lastro.sample.digits import cnpj
from lastro.sample.pdf import pdf_bytes
from lastro.waste import DestinationCertificate, Manifest, Residue
from tests.evidence import waste as w

FEW = settings(max_examples=60, deadline=None)

# ── any bytes, any JSON ──────────────────────────────────────────────────────────────────────────────

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)
NAMES = st.sampled_from(
    [*waste.manifest(w.TRIP), *waste.certificate_answer([w.CERTIFICATE]), *waste.envelope(None),
     *waste.manifest(w.TRIP)["listaManifestoResiduo"][0], "parCnpj", "simDescricao", "resCodigoIbama"]
)  # fmt: skip
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(NAMES | st.text(max_size=8), inner, max_size=8)
    ),
    max_leaves=25,
)


def answered(documents: tuple[Document, ...]) -> None:
    """Every document can be judged, told, kept and taken up again; none is a crash."""
    assert documents
    for document in documents:
        assert "F12" not in w.codes(document)
        told = document_json(document, admit(document))
        json.dumps(told, ensure_ascii=False)
        assert from_json(json.loads(json.dumps(to_json(document)))) == document
        assert all(line["mass_mg"] is None or line["mass_mg"] >= 0 for line in told["lines"])
        assert not any(line["counts"] for line in told["lines"])


@FEW
@given(ANY_JSON)
def test_any_json(value: Any) -> None:
    answered(w.documents(json.dumps(value).encode()))


@FEW
@given(st.dictionaries(NAMES, ANY_JSON, max_size=6))
def test_a_manifest_with_anything_in_its_fields(changes: dict[str, Any]) -> None:
    answered(w.documents(waste.json_bytes(waste.manifest(w.TRIP) | changes)))


@FEW
@given(st.sampled_from([b"{", b"[", b"%PDF-1.4\n", b"PK\x03\x04", b"\xff\xfe{\0"]), st.binary(max_size=300))
def test_any_bytes_behind_a_known_beginning(start: bytes, rest: bytes) -> None:
    answered(w.documents(start + rest))


PDF, XLSX = waste.certificate_pdf(w.CERTIFICATE), waste.report_bytes(waste.report_rows([w.TRIP]))


@FEW
@given(
    st.sampled_from([PDF, XLSX]),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=8),
)
def test_any_bytes_changed(data: bytes, changes: list[tuple[int, int]]) -> None:
    made = bytearray(data)
    for at, value in changes:
        made[at % len(made)] = value
    answered(w.documents(bytes(made)))


@FEW
@given(st.text(alphabet=st.characters(codec="cp1252", exclude_categories=["Cc", "Cs"]), max_size=60),
       st.integers(0, 20))  # fmt: skip
def test_any_words_on_a_printed_certificate(words: str, at: int) -> None:
    rows = waste.certificate_rows(w.CERTIFICATE)
    rows.insert(at, [(40, words)])
    answered(w.documents(pdf_bytes(rows)))


@FEW
@given(st.lists(st.lists(SCALARS, max_size=6), max_size=6))
def test_any_cells_under_the_heads_of_a_report(rows: list[list[Any]]) -> None:
    texts = [[str(cell)[:50] for cell in row] for row in rows]
    answered(w.documents(waste.report_bytes(texts)))


@FEW
@given(st.binary(max_size=400))
def test_any_sheet_in_a_workbook(sheet: bytes) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(XLSX)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            new.writestr(name, sheet if name == "xl/worksheets/sheet1.xml" else old.read(name))
    answered(w.documents(out.getvalue()))


# ── what was written comes back ──────────────────────────────────────────────────────────────────────

DAYS = st.dates(dt.date(2021, 1, 1), dt.date(2026, 11, 1))
PARTIES = st.integers(0, 999).map(lambda n: cnpj(f"ZZABC{n:03d}"))
WHOLE = st.integers(0, 10**7)
QUANTITIES = st.tuples(WHOLE, st.text("0123456789", min_size=1, max_size=6)).map(lambda p: f"{p[0]}.{p[1]}")
LOADS = st.builds(
    waste.Load,
    st.sampled_from(["150101", "150102", "191205"]),
    st.sampled_from(["Papel e cartão", "Embalagens (exceto 15 01)"]),
    QUANTITIES,
    QUANTITIES,
    st.sampled_from(["KG", "TON"]),
    st.sampled_from(["Reciclagem", "Triagem e Transbordo", "Aterro Sanitário - RSU"]),
)
NUMBERS = st.integers(10**11, 10**12 - 1).map(str)


def quantities(residues: tuple[Residue, ...]) -> list[tuple[str, str | None]]:
    return [(residue.code, residue.received) for residue in residues]


@FEW
@given(st.lists(LOADS, min_size=1, max_size=5), st.lists(NUMBERS, min_size=1, max_size=30, unique=True),
       PARTIES, DAYS, st.sampled_from(["sinir", "state"]))  # fmt: skip
def test_a_printed_certificate_is_read_as_it_was_written(
    loads: list[waste.Load], numbers: list[str], generator: str, day: dt.date, layout: str
) -> None:
    digits = 12 if layout == "sinir" else 10
    listed = tuple(dict.fromkeys(number[:digits] for number in numbers))
    paper = replace(
        w.CERTIFICATE,
        loads=tuple(loads),
        manifests=listed,
        generator=generator,
        first=day,
        last=day,
        declared=day,
    )
    document = w.one(waste.certificate_pdf(paper, layout=layout))
    made = document.destination
    assert document.findings == ()
    assert made is not None
    assert quantities(made.residues) == [(load.code, load.received) for load in loads]
    assert [r.treatment for r in made.residues] == [load.treatment for load in loads]
    assert (made.generator, made.manifests, made.period_from) == (generator, listed, day)


@FEW
@given(st.lists(LOADS, min_size=1, max_size=5), NUMBERS, PARTIES, DAYS)
def test_json_and_report_tell_one_manifest_the_same(
    loads: list[waste.Load], number: str, generator: str, day: dt.date
) -> None:
    trip = replace(w.TRIP, loads=tuple(loads), number=number, generator=generator, issued=day, shipped=None,
                   received=day)  # fmt: skip
    told, listed = w.of(trip).manifest, w.one(waste.report_bytes(waste.report_rows([trip]))).manifest
    assert told is not None
    assert listed is not None
    assert quantities(told.residues) == [(load.code, load.received) for load in loads]
    assert quantities(told.residues) == quantities(listed.residues)
    assert (told.number, told.generator, told.issued_on) == (
        listed.number,
        listed.generator,
        listed.issued_on,
    )


RESIDUES = st.builds(
    Residue, st.text(max_size=8), st.text(max_size=20), st.text(max_size=5), st.text(max_size=9),
    st.none() | st.text(max_size=9), st.none() | st.text(max_size=9), st.text(max_size=20), st.booleans(),
    st.booleans(),
)  # fmt: skip
SOME_DAY = st.none() | DAYS
WORD = st.text(max_size=12)
MANIFESTS = st.builds(
    Manifest, WORD, WORD, WORD, WORD, WORD, SOME_DAY, SOME_DAY, SOME_DAY, WORD, WORD, WORD, WORD, WORD,
    st.lists(RESIDUES, max_size=3).map(tuple), WORD, WORD, st.lists(WORD, max_size=3).map(tuple), WORD, WORD,
    SOME_DAY, st.booleans(), WORD,
)  # fmt: skip
CERTIFICATES = st.builds(
    DestinationCertificate, WORD, WORD, WORD, WORD, SOME_DAY, SOME_DAY, SOME_DAY,
    st.lists(RESIDUES, max_size=3).map(tuple), st.lists(WORD, max_size=3).map(tuple), WORD, WORD,
)  # fmt: skip


@FEW
@given(st.none() | MANIFESTS, st.none() | CERTIFICATES, WORD)
def test_any_facts_go_to_the_store_and_back(
    manifest: Manifest | None, certificate: DestinationCertificate | None, part: str
) -> None:
    document = Document(
        "a",
        None,
        "",
        Kind.MTR,
        "x",
        basis=Basis.OFFICIAL,
        manifest=manifest,
        destination=certificate,
        part=part,
    )
    assert from_json(json.loads(json.dumps(to_json(document)))) == document


@FEW
@given(MANIFESTS)
def test_any_facts_can_be_judged(manifest: Manifest) -> None:
    document = Document("a", None, "", Kind.MTR, "x", manifest=manifest)
    verdict = admit(document)
    assert len(verdict.lines) == len(manifest.residues)
    assert all(line.material is None or isinstance(line.material, Material) for line in verdict.lines)
    json.dumps(document_json(document, verdict))
