"""Invented manifests (MTR) and certificates of destination (CDF), as SINIR and the states give them.

JSON of the web service, the report in .xlsx, the answer of `emiteCDF`, and the printed certificate in the two
layouts. Quantities are the very characters that shall be shown.
"""

from __future__ import annotations

import datetime as dt
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import xlsxwriter

from lastro.sample.pdf import Row, pdf_bytes

_NUMBER = "\u2060número:"
_BRASILIA = dt.timezone(dt.timedelta(hours=-3))
_UNITS = {"KG": (2, "Quilograma"), "TON": (3, "Tonelada"), "UN": (1, "Unidade"),
          "M³": (20, "M³"), "Lt": (21, "Litro")}  # fmt: skip


@dataclass(frozen=True)
class Load:
    """One residue on the road: what the sender says of it, and what the receiver weighed (None: not yet)."""

    code: str
    description: str
    indicated: str
    received: str | None = None
    unit: str = "TON"
    treatment: str = "Reciclagem"
    group: str = "CLASSE II A"
    density: str | None = None


@dataclass(frozen=True)
class Trip:
    """One manifest. Days are of Brasília; parties are CNPJ or CPF without mask, "" where there is none."""

    number: str
    generator: str
    destination: str
    issued: dt.date
    loads: tuple[Load, ...]
    received: dt.date | None = None
    shipped: dt.date | None = None
    situation: str = "Recebido"
    kind: str = "Normal"
    carrier: str = ""
    storage: str = ""
    stored: dt.date | None = None
    plate: str = ""
    remarks: str = ""
    certificate: str = ""
    state: str = "MT"
    state_number: str = ""
    city: str = ""
    amended: bool = False


@dataclass(frozen=True)
class Paper:
    """One certificate: what a destination treated for a generator in a period. Loads bear `received`."""

    number: str
    generator: str
    destination: str
    first: dt.date
    last: dt.date
    declared: dt.date
    loads: tuple[Load, ...]
    manifests: tuple[str, ...]
    city: str = "Cuiabá"
    uf: str = "MT"


def _number(written: str | None) -> str | None:
    """A number that shall stand in the JSON without quotes, with just these digits."""
    return None if written is None else _NUMBER + written


def json_bytes(value: Any) -> bytes:
    """A value as the service writes it."""
    text = json.dumps(value, ensure_ascii=False)
    return re.sub(f'"{_NUMBER}([^"]*)"', r"\1", text).encode()


def instant(day: dt.date | None, hour: int = 9) -> str | None:
    """A day of Brasília as milliseconds since 1970, as the service writes instants."""
    if day is None:
        return None
    moment = dt.datetime(day.year, day.month, day.day, hour, tzinfo=_BRASILIA)
    return _number(str(int(moment.timestamp()) * 1000))


def envelope(inner: Any, *, error: bool = False, message: str | None = None) -> dict[str, Any]:
    """The wrapping of every answer of the service."""
    records = _number(str(len(inner) if isinstance(inner, list) else 0 if inner is None else 1))
    return {"mensagem": message, "objetoResposta": inner, "totalRecords": records, "erro": error}


def manifest(trip: Trip) -> dict[str, Any]:
    """A manifest as `retornaManifesto` gives it, without the envelope."""
    return {
        "manNumero": trip.number,
        "manNumeroEstadual": trip.state_number or None,
        "tipoManifesto": {"timCodigo": _number("1"), "timDescricao": trip.kind},
        "manData": instant(trip.issued),
        "manDataExpedicao": instant(trip.shipped, 10),
        "manResponsavel": "Pessoa Inventada",
        "manNomeMotorista": "Outra Pessoa Inventada",
        "manPlacaVeiculo": trip.plate or None,
        "manObservacao": trip.remarks or None,
        "manJustificativaCancelamento": None,
        "estado": {"estCodigo": _number("51"), "estAbreviacao": trip.state},
        "parceiroGerador": _partner(trip.generator, trip.city, trip.state),
        "parceiroTransportador": _partner(trip.carrier) if trip.carrier else None,
        "parceiroDestinador": _partner(trip.destination),
        "parceiroArmazenadorTemporario": _partner(trip.storage) if trip.storage else _NOBODY,
        "situacaoManifesto": {
            "simCodigo": _number("3"),
            "simDescricao": trip.situation,
            "simOrdem": _number("3"),
            "simDataRecebimento": trip.received.strftime("%d/%m/%Y") if trip.received else None,
        },
        "dataRecebimentoAT": trip.stored.strftime("%d/%m/%Y") if trip.stored else None,
        "cdfNumero": _number(trip.certificate) if trip.certificate else None,
        "temSolicitacaoAlteracaoRecebimento": trip.amended,
        "listaManifestoResiduo": [_residue(load) for load in trip.loads],
    }


_NOBODY = {"parCodigo": _NUMBER + "99999", "parDescricao": "", "parCnpj": "9" * 14}


def _partner(number: str, city: str = "", uf: str = "") -> dict[str, Any]:
    return {
        "parCodigo": _number("1234"),
        "parDescricao": "Empresa Inventada",
        "parCnpj": number,
        "parCidade": city or None,
        "parUf": uf if city else None,
    }


def _residue(load: Load) -> dict[str, Any]:
    code, name = _UNITS.get(load.unit, (0, load.unit))
    return {
        "residuo": {
            "resCodigo": _number("10"),
            "resCodigoIbama": load.code,
            "resDescricao": load.description,
        },
        "unidade": {"uniCodigo": _number(str(code)), "uniDescricao": name, "uniSigla": load.unit},
        "tratamento": {"traCodigo": _number("43"), "traDescricao": load.treatment},
        "tipoEstado": {"tieCodigo": _number("4"), "tieDescricao": "SÓLIDO"},
        "tipoAcondicionamento": {"tiaCodigo": _number("1"), "tiaDescricao": "Fardo"},
        "classe": {
            "claCodigo": _number("43"),
            "claDescricao": load.group,
            "claResolucao": "NBR 10.004",
        },
        "marQuantidade": _number(load.indicated),
        "marQuantidadeRecebida": _number(load.received),
        "marDensidade": _number(load.density),
        "marJustificativa": None,
    }


def certificate_answer(papers: Sequence[Paper]) -> dict[str, Any]:
    """What `emiteCDF` answers for papers of one destination and period: it links, and tells no mass."""
    first = papers[0]
    return {
        "restResponseValido": True,
        "restResponseMensagem": "",
        "codigoGerado": _number("555"),
        "cerDataInicial": instant(first.first, 0),
        "cerDataFinal": instant(first.last, 0),
        "nomeResponsavel": "Pessoa Inventada",
        "parceiroDestinador": "Empresa Inventada",
        "cnpjDestinador": first.destination,
        "listaParceiroGerador": [
            {
                "restResponseValido": True,
                "numeroCDF": _number(paper.number.partition("/")[0]),
                "cpfCnpj": paper.generator,
                "unidade": "1",
                "listaManifesto": [{"restResponseValido": True, "manNumero": n} for n in paper.manifests],
            }
            for paper in papers
        ],
    }


# ── the report ───────────────────────────────────────────────────────────────────────────────────────

REPORT_HEADS = (
    "Tipo Manifesto", "Responsável Emissão", "Tem MTR Complementar", "MTR Provisório Nº", "Nº MTR",
    "Data de Emissão", "Data Recebimento", "Situação", "Responsável Recebimento", "Justificativa",
    "Tratamento", "CDF Nº", "Resíduo Cód/Descrição", "Descr. interna", "Classe", "Unidade",
    "Quantidade Indicada no MTR", "Quantidade Recebida", "Gerador (Unidade)", "Gerador (CNPJ/CPF)",
    "Gerador (Nome)", "Observação Gerador", "Transportador (CNPJ/CPF)", "Nome Motorista", "Placa Veículo",
    "Destinador (CNPJ/CPF)", "Destinador (Nome)", "Observação Destinador",
)  # fmt: skip


def report_rows(trips: Sequence[Trip]) -> list[list[str]]:
    """The rows of a report: one for each residue, with the manifest told again in each."""
    rows = []
    for trip in trips:
        for load in trip.loads:
            name = _UNITS.get(load.unit, (0, load.unit))[1]
            rows.append([
                trip.kind, "Pessoa Inventada", "Não", "", trip.number, _day(trip.issued), _day(trip.received),
                trip.situation, "", "", load.treatment, trip.certificate, f"{load.code} - {load.description}",
                "", load.group, name, _comma(load.indicated), _comma(load.received), "1", trip.generator,
                "Empresa Inventada", trip.remarks, trip.carrier, "Pessoa Inventada", trip.plate,
                trip.destination, "Empresa Inventada", "",
            ])  # fmt: skip
    return rows


def report_bytes(rows: Sequence[Sequence[object]], heads: Sequence[str] = REPORT_HEADS) -> bytes:
    """A report as a workbook, with a title above its heads; the same bytes each time."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.set_properties({"created": dt.datetime(2026, 1, 1)})
    page = book.add_worksheet("Relatório")
    page.write(0, 0, "Relatório de MTR")
    for number, row in enumerate([heads, *rows]):
        for place, value in enumerate(row):
            if value != "":
                page.write(number + 2, place, value)
    book.close()
    return out.getvalue()


def _day(day: dt.date | None) -> str:
    return day.strftime("%d/%m/%Y") if day else ""


def _comma(written: str | None) -> str:
    return (written or "").replace(".", ",")


# ── the printed certificate ──────────────────────────────────────────────────────────────────────────


def certificate_rows(paper: Paper, *, layout: str = "sinir") -> list[Row]:
    """The rows of a printed certificate, as the layout "sinir" or "state" sets them."""
    assert layout in ("sinir", "state"), layout
    return _sinir(paper) if layout == "sinir" else _state(paper)


def certificate_pdf(paper: Paper, *, layout: str = "sinir") -> bytes:
    """A printed certificate."""
    return pdf_bytes(certificate_rows(paper, layout=layout))


def _sinir(paper: Paper) -> list[Row]:
    rows: list[Row] = [
        [(180, "CERTIFICADO DE DESTINAÇÃO FINAL")],
        [(400, f"CDF nº {paper.number}")],
        [(40, f"Período : {_day(paper.first)} a {_day(paper.last)}")],
        [(40, f"EMPRESA INVENTADA, CPF/CNPJ {paper.destination} certifica que recebeu")],
        [(40, "os resíduos abaixo discriminados, em sua unidade.")],
        [(40, "Identificação do Gerador")],
        [(40, "Razão Social :"), (140, "OUTRA EMPRESA INVENTADA")],
        [(40, "CNPJ/CPF :"), (140, paper.generator)],
        [(40, "Município :"), (140, paper.city), (300, f"UF {paper.uf}")],
        [(40, "Identificação dos Resíduos")],
        _heads("Tratamento"),
    ]
    for load in paper.loads:
        rows.append(_line(f"{load.code} - {load.description}", load))
    rows += [
        [(40, "Declaração")],
        [(40, "Declaramos que os resíduos foram destinados como acima.")],
        [(40, f"{paper.city}, {_day(paper.declared)}")],
        [(40, "Responsável")],
        [(40, "Manifestos Incluídos:")],
        *_listed(paper.manifests),
        [(40, "Sistema MTR do Sinir")],
    ]
    return rows


def _state(paper: Paper) -> list[Row]:
    rows: list[Row] = [
        [(40, f"Período: {_day(paper.first)} até {_day(paper.last)}")],
        [(40, f"Certificado de Destinação Final CDF nº {paper.number}")],
        [(40, f"EMPRESA INVENTADA, CPF/CNPJ {_masked(paper.destination)} certifica que recebeu")],
        [(40, "os resíduos abaixo discriminados.")],
        [(40, "Identificação do Gerador")],
        [(40, f"Razão Social: OUTRA EMPRESA INVENTADA CPF/CNPJ: {_masked(paper.generator)}")],
        [(40, f"Endereço: Rua Inventada, nº S/N Municipio: {paper.city} UF: {paper.uf}")],
        [(40, "Identificação dos Resíduos")],
        _heads("Tecnologia"),
    ]
    for number, load in enumerate(paper.loads, 1):
        rows.append(_line(f"{number}. {load.code} - {load.description}", load))
    rows += [
        [(40, "Declaração")],
        [(40, "Declaramos que os resíduos foram destinados conforme a lei.")],
        [(40, f"{paper.city}, {_day(paper.declared)}")],
        [(40, "MTRs incluidos")],
        *_listed(paper.manifests),
        [(40, "Nome do Responsável")],
    ]
    return rows


def _heads(last: str) -> Row:
    return [(40, "Resíduo"), (290, "Classe"), (360, "Quantidade"), (430, "Unidade"), (490, last)]


def _line(name: str, load: Load) -> Row:
    unit = _UNITS.get(load.unit, (0, load.unit))[1]
    group = load.group.replace("CLASSE", "Classe")
    return [(40, name), (290, group), (360, _comma(load.received)), (430, unit), (490, load.treatment)]


def _listed(manifests: Sequence[str]) -> list[Row]:
    lines = [manifests[n : n + 5] for n in range(0, len(manifests), 5)]
    ends = ["," if n + 1 < len(lines) else "" for n in range(len(lines))]
    return [[(40, ", ".join(line) + end)] for line, end in zip(lines, ends, strict=True)]


def _masked(number: str) -> str:
    if len(number) != 14:
        return number
    return f"{number[:2]}.{number[2:5]}.{number[5:8]}/{number[8:12]}-{number[12:]}"
