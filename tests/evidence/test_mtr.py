"""The JSON of the MTR web service: what is read, what is told, and that nothing of it is guessed."""

from __future__ import annotations

import datetime as dt
import json
import tracemalloc
from typing import Any

import pytest

from lastro.evidence import Context, Source, document_json, from_json, judge_source, to_json
from lastro.evidence.admit import admit
from lastro.facts import Kind, Severity, Status
from lastro.sample import waste
from lastro.sample.digits import bad_cnpj, cnpj, cpf
from tests.evidence import waste as w


def raw(**changes: Any) -> bytes:
    """The usual manifest with some fields of its JSON otherwise."""
    return waste.json_bytes(waste.manifest(w.TRIP) | changes)


class TestRead:
    def test_a_manifest_is_read_whole(self) -> None:
        document = w.of(w.TRIP)
        made = document.manifest
        assert made is not None
        assert (document.kind, document.name, document.findings) == (Kind.MTR, "retornaManifesto", ())
        assert (made.number, made.system, made.kind, made.situation) == (
            "240001460711", "SINIR", "Normal", "Recebido",
        )  # fmt: skip
        assert (made.issued_on, made.shipped_on, made.received_on) == (
            dt.date(2026, 3, 2), dt.date(2026, 3, 2), dt.date(2026, 3, 3),
        )  # fmt: skip
        assert (made.generator, made.carrier, made.destination) == (w.GENERATOR, w.CARRIER, w.DESTINATION)
        assert (made.storage, made.plate, made.certificate) == ("", "ABC1D23", "3001234")
        (residue,) = made.residues
        assert (residue.code, residue.unit, residue.treatment) == ("150101", "TON", "Reciclagem")
        assert (residue.indicated, residue.received, residue.density) == ("1.50000", "1.45000", None)

    def test_of_people_nothing_is_kept(self) -> None:
        told = json.dumps(to_json(w.of(w.TRIP)), ensure_ascii=False)
        assert "Pessoa Inventada" in raw().decode()
        assert "Inventada" not in told

    @pytest.mark.parametrize("wrap", [waste.envelope, lambda m: [m], lambda m: waste.envelope([m])])
    def test_bare_wrapped_and_listed_are_one_manifest(self, wrap: Any) -> None:
        bare, other = w.of(w.TRIP), w.one(waste.json_bytes(wrap(waste.manifest(w.TRIP))))
        assert other.manifest == bare.manifest
        assert other.content_digest == bare.content_digest != ""

    def test_each_of_a_list_is_a_document_with_its_place(self) -> None:
        second = waste.manifest(w.replace(w.TRIP, number="240001460712"))
        found = w.documents(waste.json_bytes([waste.manifest(w.TRIP), second, {"outro": 1}]))
        assert [(d.kind, d.part) for d in found] == [
            (Kind.MTR, "[0]"), (Kind.MTR, "[1]"), (Kind.UNKNOWN, "[2]"),
        ]  # fmt: skip
        assert [d.manifest.number for d in found if d.manifest] == ["240001460711", "240001460712"]
        assert w.codes(found[2]) == ["F04"]

    def test_a_state_manifest_has_ten_digits_and_its_state(self) -> None:
        made = w.trip(number="2400014607", state="SP").manifest
        assert made is not None
        assert (made.number, made.system) == ("2400014607", "SP")

    def test_numbers_are_kept_as_they_were_written(self) -> None:
        document = w.loaded(indicated="1.1E1", received="0.100000000000000005551")
        assert document.manifest is not None
        (residue,) = document.manifest.residues
        assert (residue.indicated, residue.received) == ("11", "0.100000000000000005551")

    @pytest.mark.parametrize(
        ("written", "day"),
        [
            ("03/03/2026", dt.date(2026, 3, 3)),
            ("2026-03-03T23:59:59", dt.date(2026, 3, 3)),
            ("1772593199000", dt.date(2026, 3, 3)),  # one second before midnight in Brasília
            ("1772593200000", dt.date(2026, 3, 4)),
            ("1772496000000", dt.date(2026, 3, 3)),  # midnight of Greenwich: a day without an hour
        ],
    )
    def test_days_in_the_ways_they_are_written(self, written: str, day: dt.date) -> None:
        situation = {"simDescricao": "Recebido", "simDataRecebimento": written}
        made = w.one(raw(situacaoManifesto=situation)).manifest
        assert made is not None
        assert made.received_on == day

    def test_a_day_that_is_none_is_said_and_not_known(self) -> None:
        document = w.one(
            raw(situacaoManifesto={"simDescricao": "Recebido", "simDataRecebimento": "31/02/2026"})
        )
        assert document.manifest is not None
        assert document.manifest.received_on is None
        assert w.codes(document) == ["C10"]

    def test_notes_that_remarks_name(self) -> None:
        key = "35260812ABC34501DE35550010000001231123456780"
        grouped = " ".join(key[n : n + 4] for n in range(0, 44, 4))
        document = w.trip(remarks=f"Ref. NF-e nº 001.234, chave {grouped}; motorista Fulano 999")
        assert document.manifest is not None
        assert document.manifest.mentions == (key, "1234")

    def test_a_key_with_a_wrong_digit_is_not_a_key(self) -> None:
        made = w.trip(remarks="chave 35260812ABC34501DE35550010000001231123456781").manifest
        assert made is not None
        assert made.mentions == ()

    def test_the_fields_for_the_note(self) -> None:
        key = "35260812ABC34501DE35550010000001231123456780"
        made = w.one(raw(manChaveNotaFiscal=key, manNumeroNotaFiscal=waste._number("77"))).manifest
        assert made is not None
        assert made.mentions == (key, "77")

    def test_no_storage_is_written_in_several_ways(self) -> None:
        for nobody in (None, {}, {"parCodigo": None, "parCnpj": None}, {"parCnpj": "9" * 14}):
            made = w.one(raw(parceiroArmazenadorTemporario=nobody)).manifest
            assert made is not None
            assert made.storage == ""
        made = w.trip(storage=w.STORAGE, stored=dt.date(2026, 3, 2)).manifest
        assert made is not None
        assert (made.storage, made.stored_on) == (w.STORAGE, dt.date(2026, 3, 2))

    def test_the_generators_municipality(self) -> None:
        made = w.trip(city="Várzea Grande").manifest
        assert made is not None
        assert made.municipality == "5108402"
        unknown = w.trip(city="Cidade Que Não Há")
        assert [(f.code, f.severity) for f in unknown.findings] == [("G01", Severity.WARN)]

    def test_a_person_may_be_the_generator(self) -> None:
        document = w.trip(generator=cpf("123456789"))
        assert w.codes(document) == []


class TestNoManifest:
    @pytest.mark.parametrize(
        ("data", "code", "kind"),
        [
            (b"{}", "F04", Kind.UNKNOWN),
            (b"[]", "F04", Kind.UNKNOWN),
            (b"[1]", "F04", Kind.UNKNOWN),
            (b'{"manNumero": "240001460711"}', "N01", Kind.ANSWER),
            (b'{"mensagem": "x", "objetoResposta": null, "erro": true}', "N01", Kind.ANSWER),
            (b'{"mensagem": "x", "objetoResposta": "Bearer segredo", "erro": false}', "N01", Kind.ANSWER),
            (b'{"a": 1, "a": 2}', "F05", Kind.UNKNOWN),
            (b'{"a": NaN}', "F05", Kind.UNKNOWN),
            (b'{"a": Infinity}', "F05", Kind.UNKNOWN),
            (b'{"a": 1', "F05", Kind.UNKNOWN),
            (b"[" * 100_000, "F05", Kind.UNKNOWN),
            (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "F05", Kind.UNKNOWN),
            (b'{"a": ' + b"9" * 100_000 + b"}", "F05", Kind.UNKNOWN),
            (b'{"a": 1e999999999}', "F05", Kind.UNKNOWN),
            (b"[" + b"[]," * 400_000 + b"1]", "F03", Kind.UNKNOWN),
            (b'{"a": "' + b"x" * 9_000_000 + b'"}', "F03", Kind.UNKNOWN),
            (b"\xff\xfe{\0", "F05", Kind.UNKNOWN),
            (b"[" + b"{}," * 10_000 + b"{}]", "F03", Kind.UNKNOWN),
            (b"[" + b"[{}]," * 100_000 + b"1]", "F03", Kind.UNKNOWN),
        ],
        ids=lambda value: value[:24] if isinstance(value, bytes) else None,
    )
    def test_each_says_what_it_is(self, data: bytes, code: str, kind: Kind) -> None:
        document = w.one(data)
        assert (w.codes(document), document.kind) == ([code], kind)

    def test_a_token_is_never_repeated(self) -> None:
        document = w.one(b'{"mensagem": "segredo", "objetoResposta": "Bearer segredo", "erro": false}')
        assert "segredo" not in str(document)

    def test_a_manifest_in_utf16_and_in_latin1(self) -> None:
        text = raw().decode()
        for data in (text.encode("utf-16"), text.encode("cp1252"), b"\xef\xbb\xbf" + text.encode()):
            assert w.one(data).manifest is not None

    def test_memory_stays_small(self) -> None:
        data = waste.json_bytes([waste.manifest(w.TRIP)] * 1_500)
        tracemalloc.start()
        found = w.documents(data)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(found) == 1_500
        assert peak < 120_000_000


class TestChecks:
    @pytest.mark.parametrize(
        ("changes", "code", "severity"),
        [
            ({"number": "12345"}, "F07", Severity.REVIEW),
            ({"generator": ""}, "F07", Severity.REVIEW),
            ({"destination": ""}, "F07", Severity.REVIEW),
            ({"loads": ()}, "F07", Severity.REVIEW),
            ({"situation": ""}, "F07", Severity.REVIEW),
            ({"generator": bad_cnpj(w.GENERATOR)}, "P01", Severity.REFUSE),
            ({"carrier": bad_cnpj(w.CARRIER)}, "P01", Severity.REFUSE),
            ({"destination": w.GENERATOR[:8] + "0002" + "00"}, "P01", Severity.REFUSE),
            ({"situation": "Cancelado"}, "N10", Severity.REFUSE),
            ({"situation": "CANCELADO AUTOMATICO POR PRAZO"}, "N10", Severity.REFUSE),
            ({"situation": "Em análise"}, "N09", Severity.REVIEW),
            ({"situation": "Salvo"}, "C10", Severity.REVIEW),
            ({"shipped": dt.date(2026, 3, 1)}, "C10", Severity.REVIEW),
            ({"received": dt.date(2026, 3, 1)}, "C10", Severity.REVIEW),
            ({"received": dt.date(2026, 12, 1)}, "N13", Severity.REFUSE),
            ({"kind": "Provisório"}, "M15", Severity.REVIEW),
            ({"kind": "Exportação"}, "M09", Severity.REVIEW),
            ({"remarks": "MTR complementar ao MTR 240001460700"}, "M15", Severity.REVIEW),
            ({"amended": True}, "C09", Severity.REVIEW),
        ],
    )
    def test_what_is_amiss_is_said_once(self, changes: dict[str, Any], code: str, severity: Severity) -> None:
        document = w.trip(**changes)
        assert (code, severity) in [(f.code, f.severity) for f in document.findings]
        assert all(f.code in (code, "N12") for f in document.findings)

    @pytest.mark.parametrize(
        "changes",
        [
            {"number": "2400014607"},
            {"shipped": None},
            {"received": dt.date(2026, 11, 30)},
            {"kind": "Logística Reversa - Origem"},
            {"carrier": ""},
            {"situation": "RECEBIDO"},
            {"remarks": "carga complementar de papel"},
            {"storage": w.STORAGE, "stored": dt.date(2026, 3, 2)},
        ],
    )
    def test_near_misses_are_plain(self, changes: dict[str, Any]) -> None:
        assert w.codes(w.trip(**changes)) == []

    def test_one_company_on_both_ends_is_for_a_person(self) -> None:
        document = w.trip(destination=cnpj("ZZGER001", 2))
        assert [(f.code, f.severity) for f in document.findings] == [("N12", Severity.REVIEW)]

    def test_a_cancelled_manifest_says_so_in_its_status(self) -> None:
        assert w.trip(situation="Cancelado").status is Status.CANCELLED
        assert w.of(w.TRIP).status is Status.UNKNOWN

    def test_what_the_receiver_put_in_place_of_the_senders(self) -> None:
        load = waste.manifest(w.TRIP)["listaManifestoResiduo"][0]
        document = w.one(raw(listaManifestoResiduo=[load | {"resCodigoIbamaNovo": "150102"}]))
        assert document.manifest is not None
        (residue,) = document.manifest.residues
        assert (residue.code, residue.replaced) == ("150102", True)
        assert w.codes(document) == ["C09"]

    def test_a_person_s_number_is_not_repeated(self) -> None:
        right = cpf("123456789")
        wrong = right[:-1] + str((int(right[-1]) + 1) % 10)
        document = w.trip(generator=wrong)
        assert w.codes(document) == ["P01"]
        assert all(wrong not in f.found for f in document.findings)


class TestIssued:
    """The answer of emiteCDF: it links a generator, a certificate and manifests, and tells no mass."""

    def test_one_certificate_for_each_generator(self) -> None:
        other = w.replace(w.CERTIFICATE, number="3001235", generator=w.CARRIER, manifests=("240001460799",))
        papers = [w.replace(w.CERTIFICATE, number="3001234"), other]
        found = w.documents(waste.json_bytes(waste.envelope(waste.certificate_answer(papers))))
        assert [(d.kind, d.name, d.part, w.codes(d)) for d in found] == [
            (Kind.CDF, "emiteCDF", "[0]", []), (Kind.CDF, "emiteCDF", "[1]", []),
        ]  # fmt: skip
        first = found[0].destination
        assert first is not None
        assert (first.number, first.generator, first.destination) == ("3001234", w.GENERATOR, w.DESTINATION)
        assert (first.period_from, first.period_to) == (dt.date(2026, 3, 1), dt.date(2026, 3, 31))
        assert (first.manifests, first.residues) == (("240001460711", "240001460712"), ())

    def test_its_mass_is_not_known(self) -> None:
        document = w.one(waste.json_bytes(waste.certificate_answer([w.CERTIFICATE])))
        told = document_json(document, admit(document))
        assert told["certificate"]["received_mg"] is None

    def test_what_the_service_refused_is_not_on_it(self) -> None:
        answer = waste.certificate_answer([w.replace(w.CERTIFICATE, number="3001234")])
        answer["listaParceiroGerador"][0]["listaManifesto"][1]["restResponseValido"] = False
        document = w.one(waste.json_bytes(answer))
        assert document.destination is not None
        assert document.destination.manifests == ("240001460711",)
        assert w.codes(document) == ["C06"]
        answer["listaParceiroGerador"][0]["restResponseValido"] = False
        refused = w.one(waste.json_bytes(answer))
        assert (refused.kind, w.codes(refused)) == (Kind.ANSWER, ["N01"])


def test_the_day_is_an_argument() -> None:
    data = raw()
    before = judge_source(Source("a", None, data), Context(today=dt.date(2026, 3, 1)))[0]
    assert w.codes(before) == ["N13"]
    assert w.codes(judge_source(Source("a", None, data), Context(today=dt.date(2026, 3, 3)))[0]) == []


def test_facts_go_to_the_store_and_back() -> None:
    for document in (w.of(w.TRIP), w.one(waste.json_bytes(waste.certificate_answer([w.CERTIFICATE])))):
        assert from_json(json.loads(json.dumps(to_json(document)))) == document
