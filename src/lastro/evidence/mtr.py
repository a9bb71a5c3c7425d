"""The JSON of the MTR web service (SINIR, SIGOR and the states) → manifests, and certificates as issued.

Read are the bare manifest (`retornaManifesto`), the envelope `{mensagem, objetoResposta, totalRecords,
erro}`, lists of either, and the answer of `emiteCDF`. Several papers in one file are several readings, each
with its place in the list.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lastro.evidence import jsonread, waste_values
from lastro.evidence.papers import Reading
from lastro.evidence.unfit import Unfit, at_most
from lastro.evidence.waste_fields import Fields
from lastro.facts import Kind
from lastro.findings import finding
from lastro.waste import DestinationCertificate, Manifest, Residue

_EXPECTED = "JSON do MTR (retornaManifesto) ou do CDF emitido (emiteCDF)"
_NO_STORAGE = "99999"


def read_json(data: bytes) -> list[Reading]:
    """Every manifest and certificate in one JSON text; a text without any gives one reading that says why."""
    try:
        return at_most(_papers(jsonread.parse(data), "", deep=0))
    except Unfit as wrong:
        return [Reading(Kind.UNKNOWN, "", findings=(wrong.finding,))]


def _papers(found: Any, part: str, *, deep: int) -> Iterator[Reading]:
    if isinstance(found, list) and found and deep < 3:
        for n, one in enumerate(found):
            yield from _papers(one, f"{part}[{n}]", deep=deep + 1)
    elif not isinstance(found, dict):
        yield _foreign("lista vazia" if found == [] else "JSON sem objeto", part)
    elif "objetoResposta" in found and "manNumero" not in found:
        yield from _enveloped(found, part, deep=deep)
    elif "listaParceiroGerador" in found:
        yield from _certificates(found, part)
    elif "listaManifestoResiduo" in found or ("manNumero" in found and "situacaoManifesto" in found):
        yield _manifest(found, part)
    elif "manNumero" in found or "listaManifestoResiduos" in found:
        seen = finding("N01", where=part, found="resposta do serviço, não o manifesto", expected=_EXPECTED)
        yield Reading(Kind.ANSWER, "respostaMTR", findings=(seen,), part=part)
    else:
        yield _foreign("JSON que não é de MTR nem de CDF", part)


def _enveloped(envelope: Mapping[str, Any], part: str, *, deep: int) -> Iterator[Reading]:
    inner = envelope["objetoResposta"]
    if isinstance(inner, (dict, list)) and inner and deep < 3:
        yield from _papers(inner, part, deep=deep + 1)
        return
    # What the service says instead is not repeated: an answer of its log-in would be a token.
    found = "o serviço recusou o pedido" if envelope.get("erro") else "resposta sem manifesto"
    seen = finding("N01", where=part, found=found, expected=_EXPECTED)
    yield Reading(Kind.ANSWER, "respostaMTR", findings=(seen,), part=part)


def _foreign(found: str, part: str) -> Reading:
    seen = finding("F04", where=part, found=found, expected=_EXPECTED)
    return Reading(Kind.UNKNOWN, "", findings=(seen,), part=part)


# ── one manifest ─────────────────────────────────────────────────────────────────────────────────────


def _manifest(found: Mapping[str, Any], part: str) -> Reading:
    fields = Fields(found)
    remarks = fields.text("manObservacao", most=4_000), fields.text("remObservacao", most=4_000)
    situation = fields.inside("situacaoManifesto")
    number = waste_values.number_of(fields.text("manNumero"))
    made = Manifest(
        number=number,
        state_number=waste_values.number_of(fields.text("manNumeroEstadual")),
        system=_system(number, fields.inside("estado").text("estAbreviacao", most=2)),
        kind=fields.description("tipoManifesto"),
        situation=situation.text("simDescricao") or fields.text("situacaoManifesto"),
        issued_on=fields.day("manData"),
        shipped_on=fields.day("manDataExpedicao", "manDataTransporte"),
        received_on=situation.day("simDataRecebimento", where="situacaoManifesto/simDataRecebimento")
        or fields.day("dataRecebimento"),
        generator=_party(fields, "parceiroGerador"),
        carrier=_party(fields, "parceiroTransportador"),
        destination=_party(fields, "parceiroDestinador"),
        storage=_party(fields, "parceiroArmazenadorTemporario"),
        plate=waste_values.plate_of(fields.text("manPlacaVeiculo")),
        residues=tuple(_residue(one) for one in fields.objects("listaManifestoResiduo")),
        certificate=waste_values.certificate_number(
            fields.text("cdfNumero", "cdfCodigo", "cdfEmitidoNumero", most=40)
        ),
        complements=waste_values.complements_in(remarks[0]),
        mentions=_mentions(fields, remarks),
        complemented_by=fields.text("manCodigoMtrComplementar", most=40),
        provisional=waste_values.number_of(fields.text("mtrProvisorioNumero")),
        stored_on=fields.day("dataRecebimentoAT"),
        amended=fields.true("temSolicitacaoAlteracaoRecebimento")
        or bool(fields.items("listaManifestoResiduoVariacao")),
        municipality=_municipality(fields),
    )
    return Reading(
        Kind.MTR,
        "retornaManifesto",
        findings=tuple(fields.findings),
        manifest=made,
        part=part,
    )


def _system(number: str, state: str) -> str:
    if len(number) == waste_values.NATIONAL:
        return "SINIR"
    return state.upper() if state.isalpha() and len(state) == 2 else ""


def _party(fields: Fields, name: str) -> str:
    party = fields.inside(name)
    if party.text("parCodigo") == _NO_STORAGE:
        return ""
    return waste_values.party_of(party.text("parCnpj", "parCnpjCpf"))


def _residue(fields: Fields) -> Residue:
    residue, treatment = fields.inside("residuo"), fields.inside("tratamento")
    code = residue.text("resCodigoIbama", most=40) or fields.text("resCodigoIbama", most=40)
    description = residue.text("resDescricao")
    received = fields.quantity("marQuantidadeRecebida")
    new = fields.text("resCodigoIbamaNovo", most=40), fields.text("traCodigoNovo", most=40)
    unit = fields.inside("unidade")
    return Residue(
        code=waste_values.residue_code(new[0] or code),
        description=description,
        unit=unit.text("uniSigla", "uniDescricao", most=40) or _UNIT_CODES.get(unit.text("uniCodigo"), ""),
        indicated=fields.quantity("marQuantidade"),
        received=received or None,
        density=fields.quantity("marDensidade") or None,
        treatment=treatment.text("traDescricao") if not new[1].strip("0") else "",
        hazardous=waste_values.hazardous(code, description, fields.inside("classe").text("claDescricao")),
        replaced=any(one.strip("0") for one in new),
    )


_UNIT_CODES = {"1": "UN", "2": "KG", "3": "TON", "20": "M³", "21": "Lt"}
"""The units by the code of the service's own list (retornaListaUnidade), where only the code is told."""


def _mentions(fields: Fields, remarks: tuple[str, str]) -> tuple[str, ...]:
    keys = fields.text("manChaveNotaFiscal", most=60)
    numbers = fields.text("manNumeroNotaFiscal", "maeNotaFiscal", most=40)
    return waste_values.mentions_in(keys, f"NF {numbers}" if numbers else "", *remarks)


def _municipality(fields: Fields) -> str:
    """The generator's municipality as a code; a place that is not there is a finding (G01)."""
    party = fields.inside("parceiroGerador")
    name, uf = party.text("parCidade"), party.text("parUf", most=2)
    if not name or not uf:
        return ""
    code = waste_values.municipality_of(name, uf)
    if code is None:
        fields.findings.append(
            finding(
                "G01", where="parceiroGerador/parCidade", found=f"{name}/{uf}", expected="município do IBGE"
            )
        )
    return code or ""


# ── certificates as the service answers when it issues them ──────────────────────────────────────────


def _certificates(found: Mapping[str, Any], part: str) -> list[Reading]:
    """One certificate for each generator of the answer. It tells no mass: that stands in the paper alone."""
    fields = Fields(found)
    generators = fields.objects("listaParceiroGerador")
    several = len(generators) > 1
    made = [_issued(fields, one, f"{part}[{n}]" if several else part) for n, one in enumerate(generators)]
    return made or [_foreign("CDF sem gerador", part)]


def _issued(answer: Fields, generator: Fields, part: str) -> Reading:
    """The certificate of one generator; what the service refused of it is not part of it."""
    if generator.false("restResponseValido"):
        seen = finding("N01", where=part, found="o serviço não emitiu este CDF", expected="CDF emitido")
        return Reading(Kind.ANSWER, "emiteCDF", findings=(seen,), part=part)
    seen_here = []
    numbers: dict[str, None] = {}
    for manifest in generator.objects("listaManifesto"):
        number = waste_values.number_of(manifest.text("manNumero"))
        if manifest.false("restResponseValido"):
            found = f"o serviço recusou o MTR {number}"
            seen_here.append(
                finding("C06", where="listaManifesto", found=found, expected="MTR aceito no CDF")
            )
        else:
            numbers[number] = None
    certificate = DestinationCertificate(
        number=waste_values.certificate_number(generator.text("numeroCDF", most=40)),
        system=_system(next(iter(numbers), ""), ""),
        destination=waste_values.party_of(answer.text("cnpjDestinador")),
        generator=waste_values.party_of(generator.text("cpfCnpj")),
        period_from=answer.day("cerDataInicial"),
        period_to=answer.day("cerDataFinal"),
        declared_on=None,
        residues=(),
        manifests=tuple(numbers),
    )
    findings = tuple(dict.fromkeys((*answer.findings, *seen_here)))
    return Reading(Kind.CDF, "emiteCDF", findings=findings, destination=certificate, part=part)
