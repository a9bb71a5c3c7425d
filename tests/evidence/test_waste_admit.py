"""What a manifest and a certificate are worth as proof: residue by residue, and by who takes part."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lastro.evidence import document_json
from lastro.evidence.admit import admit
from lastro.facts import Document, Outcome, Severity
from lastro.ids import Material
from lastro.lawkit import library
from lastro.sample import waste
from tests.evidence import waste as w

NORM = library.find("mt/decreto_1455_2025")
LAW = NORM.law(dt.date(2026, 12, 31))


class Known:
    """A registry in which everybody is in order, but for what a test says."""

    def __init__(self, **otherwise: Any) -> None:
        self._otherwise = otherwise

    def _says(self, name: str, cnpj: str, usual: Any) -> Any:
        return self._otherwise.get(name, {}).get(cnpj, usual)

    def licence_valid(self, cnpj: str, on: dt.date) -> bool | None:
        return self._says("licence_valid", cnpj, True)  # type: ignore[no-any-return]

    def is_recycler(self, cnpj: str, on: dt.date) -> bool | None:
        return self._says("is_recycler", cnpj, cnpj == w.DESTINATION)  # type: ignore[no-any-return]

    def closed(self, cnpj: str, on: dt.date) -> bool:
        return self._says("closed", cnpj, False)  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Callable[..., None]:
        """What a manifest is not asked about, nobody knows."""
        return lambda *_: None


def judged(document: Document, **otherwise: Any) -> Any:
    return admit(document, regulation=NORM, law=LAW, registry=Known(**otherwise), entity=None)


def certified(**changes: Any) -> Document:
    """The usual certificate with its first load otherwise."""
    loads = (replace(w.CERTIFICATE.loads[0], **changes), w.CERTIFICATE.loads[1])
    return w.one(waste.certificate_pdf(replace(w.CERTIFICATE, loads=loads)))


def seen(line: Any) -> list[tuple[str, Severity]]:
    return [(f.code, f.severity) for f in line.findings]


def test_a_plain_manifest_is_admitted_and_counts_nothing_by_itself() -> None:
    verdict = judged(w.of(w.TRIP))
    assert verdict.outcome is Outcome.ADMITTED
    (line,) = verdict.lines
    assert (line.material, line.counts, line.outcome) == (Material.PAPER, False, Outcome.ADMITTED)
    assert line.mass is not None
    assert line.mass.mg == 1_450_000_000, "what was received, not what was indicated"


def test_a_plain_certificate_is_admitted() -> None:
    verdict = judged(w.one(waste.certificate_pdf(w.CERTIFICATE)))
    assert verdict.outcome is Outcome.ADMITTED
    assert [line.counts for line in verdict.lines] == [False, False]


def test_without_a_norm_nothing_is_more_than_review() -> None:
    assert admit(w.of(w.TRIP)).outcome is Outcome.REVIEW


def test_not_yet_received_waits_for_a_person_and_has_no_mass() -> None:
    for situation in ("Salvo", "Armaz Temporário", "Armaz Temporário - Recebido"):
        verdict = judged(w.trip(situation=situation, received=None, loads=(replace(w.PAPER, received=None),)))
        assert verdict.outcome is Outcome.REVIEW
        assert (verdict.lines[0].mass, seen(verdict.lines[0])) == (None, [("M01", Severity.REVIEW)])


def test_a_cancelled_manifest_is_refused() -> None:
    verdict = judged(w.trip(situation="Cancelado", received=None))
    assert verdict.outcome is Outcome.REFUSED
    assert verdict.lines[0].mass is None


class TestTreatment:
    @pytest.mark.parametrize(
        ("treatment", "on_manifest", "on_certificate"),
        [
            ("Aterro Sanitário - RSU", Severity.WARN, Severity.REFUSE),
            ("Coprocessamento", Severity.WARN, Severity.REFUSE),
            ("Triagem e Transbordo", Severity.WARN, Severity.REFUSE),
            ("Recuperação Energética", Severity.WARN, Severity.REFUSE),
            ("Rerrefino", Severity.REVIEW, Severity.REVIEW),
            ("Outros", Severity.REVIEW, Severity.REVIEW),
            ("Moagem", Severity.REVIEW, Severity.REVIEW),
        ],
    )
    def test_what_is_no_recycling_weighs_more_once_it_is_final(
        self, treatment: str, on_manifest: Severity, on_certificate: Severity
    ) -> None:
        manifest = judged(w.loaded(treatment=treatment))
        assert seen(manifest.lines[0]) == [("C12", on_manifest)]
        certificate = judged(certified(treatment=treatment))
        assert seen(certificate.lines[0]) == [("C12", on_certificate)]
        assert seen(certificate.lines[1]) == []

    def test_one_residue_to_landfill_refuses_the_certificate(self) -> None:
        assert judged(certified(treatment="Aterro Sanitário - RSU")).outcome is Outcome.REFUSED

    @pytest.mark.parametrize("treatment", ["Reciclagem", "RECICLAGEM", " reciclagem "])
    def test_recycling_in_other_letters(self, treatment: str) -> None:
        assert seen(judged(w.loaded(treatment=treatment)).lines[0]) == []


class TestResidue:
    @pytest.mark.parametrize(
        ("code", "material"),
        [
            ("150101", Material.PAPER), ("200139", Material.PLASTIC), ("191205", Material.GLASS),
            ("191202", Material.STEEL), ("170402", Material.ALUMINIUM), ("150105", Material.CARTON),
            ("15 01 07", Material.GLASS), ("160124", Material.TYRE),
        ],
    )  # fmt: skip
    def test_materials_by_code(self, code: str, material: Material) -> None:
        (line,) = judged(w.loaded(code=code)).lines
        assert (line.material, seen(line)) == (material, [])

    @pytest.mark.parametrize("code", ["150104", "200140", "170407", "150106"])
    def test_a_code_of_several_materials_names_none(self, code: str) -> None:
        (line,) = judged(w.loaded(code=code)).lines
        assert (line.material, seen(line)) == (None, [])

    @pytest.mark.parametrize("code", ["200108", "", "Classe A", "010101"])
    def test_a_residue_that_is_no_material_counts_nothing(self, code: str) -> None:
        verdict = judged(w.loaded(code=code))
        assert ("M06", Severity.ZERO) in seen(verdict.lines[0])
        assert verdict.outcome is Outcome.REFUSED

    def test_hazardous_goes_its_own_way(self) -> None:
        for changes in ({"code": "150110(*)"}, {"group": "CLASSE I"}, {"description": "(*) Embalagens"}):
            assert ("M13", Severity.ZERO) in seen(judged(w.loaded(**changes)).lines[0])

    def test_what_is_hazardous_by_nature_is_no_stranger_in_its_stream(self) -> None:
        for code in ("160601(*)", "200135(*)", "130201(*)"):
            assert seen(judged(w.loaded(code=code, group="CLASSE I")).lines[0]) == []


class TestParties:
    @pytest.mark.parametrize(
        ("otherwise", "code", "outcome"),
        [
            ({"closed": {w.GENERATOR: True}}, "P02", Outcome.REVIEW),
            ({"closed": {w.DESTINATION: True}}, "P02", Outcome.REVIEW),
            ({"licence_valid": {w.DESTINATION: False}}, "P05", Outcome.REFUSED),
            ({"is_recycler": {w.DESTINATION: False}}, "P07", Outcome.REVIEW),
            ({"is_recycler": {w.DESTINATION: None}}, "P07", Outcome.REVIEW),
        ],
    )
    def test_what_the_registry_has_against_them(
        self, otherwise: dict[str, Any], code: str, outcome: Outcome
    ) -> None:
        for document in (w.of(w.TRIP), w.one(waste.certificate_pdf(w.CERTIFICATE))):
            verdict = judged(document, **otherwise)
            assert [f.code for f in verdict.findings] == [code]
            assert verdict.outcome is outcome

    def test_a_licence_that_is_not_known_is_no_objection(self) -> None:
        assert judged(w.of(w.TRIP), licence_valid={w.DESTINATION: None}).findings == ()


def test_an_answer_tells_both_quantities_and_the_place_in_the_file() -> None:
    first, second = w.documents(
        waste.json_bytes([waste.manifest(w.TRIP), waste.manifest(replace(w.TRIP, number="240001460712"))])
    )
    told = document_json(second, admit(second))
    assert (told["kind"], told["part"], told["issued_on"]) == ("mtr", "[1]", "2026-03-02")
    assert (told["issuer"], told["recipient"]) == (w.GENERATOR, w.DESTINATION)
    assert told["manifest"]["number"] == "240001460712"
    assert told["manifest"]["received_mg"] == 1_450_000_000
    (residue,) = told["manifest"]["residues"]
    assert (residue["indicated"], residue["received"]) == ("1.50000", "1.45000")
    assert first.content_digest != second.content_digest


def test_a_mask_leaves_codes_out() -> None:
    verdict = admit(w.loaded(treatment="Outros"), mask=frozenset({"C12"}))
    assert verdict.lines[0].findings == ()
