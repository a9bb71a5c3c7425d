"""The report of manifests that SINIR and the states give as a workbook (.xlsx): a row a residue → manifests.

Columns are found by their heads, wherever they stand. Rows of one number that follow each other are one
manifest; the same number further down is a second telling of it, which is said and never added.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import chain, groupby, islice
from operator import itemgetter

from lastro.errors import LastroError
from lastro.evidence import waste_values
from lastro.evidence.papers import Reading
from lastro.evidence.unfit import Unfit, at_most
from lastro.evidence.waste_fields import MOST_ITEMS, unsure
from lastro.facts import Finding, Kind
from lastro.findings import finding
from lastro.sheets import Cell, Head, Heading, Row, Sheet, find_heading, stream
from lastro.waste import Manifest, Residue

_HEADS = (
    Head("number", ("Nº MTR", "N° MTR", "Número MTR", "Número do MTR", "Número do Manifesto", "MTR"), True),
    Head("kind", ("Tipo Manifesto", "Tipo de Manifesto", "Tipo de MTR")),
    Head("complemented", ("Tem MTR Complementar",)),
    Head("provisional", ("MTR Provisório Nº", "MTR Provisório N°", "Número MTR Provisório")),
    Head("issued", ("Data de Emissão", "Data Emissão", "Emissão"), True),
    Head("shipped", ("Data de Expedição", "Data Expedição", "Data do Transporte", "Data Transporte")),
    Head("stored", ("Data Recebimento AT", "Data de Recebimento AT")),
    Head("received_on", ("Data Recebimento", "Data de Recebimento"), True),
    Head("situation", ("Situação", "Situação do MTR"), True),
    Head("treatment", ("Tratamento", "Tecnologia"), True),
    Head("certificate", ("CDF Nº", "CDF N°", "Nº CDF", "Número CDF", "Número do CDF")),
    Head("residue", ("Resíduo Cód/Descrição", "Resíduo Código/Descrição", "Resíduo"), True),
    Head("group", ("Classe",)),
    Head("unit", ("Unidade", "Unidade de Medida"), True),
    Head("indicated", ("Quantidade Indicada no MTR", "Quantidade Indicada", "Qtd Indicada"), True),
    Head("received", ("Quantidade Recebida", "Qtd Recebida"), True),
    Head("density", ("Densidade",)),
    Head("generator", ("Gerador (CNPJ/CPF)", "Gerador (CPF/CNPJ)", "CNPJ/CPF Gerador"), True),
    Head("carrier", ("Transportador (CNPJ/CPF)", "Transportador (CPF/CNPJ)", "CNPJ/CPF Transportador")),
    Head("storage", ("Armazenador Temporário (CNPJ/CPF)", "Armazenador Temporário (CPF/CNPJ)")),
    Head("destination", ("Destinador (CNPJ/CPF)", "Destinador (CPF/CNPJ)", "CNPJ/CPF Destinador"), True),
    Head("plate", ("Placa Veículo", "Placa do Veículo", "Placa")),
    Head("remarks", ("Observação Gerador", "Observação do Gerador", "Observação")),
    Head("remarks_in", ("Observação Destinador", "Observação do Destinador")),
)
_ENOUGH = ("number", "residue")
_SEARCHED = 30
_NAME = "relatorioMTR"
_EXPECTED = "relatório de MTR em .xlsx (uma linha por resíduo)"
_RESIDUE = re.compile(r"(?:\(\*\)\s*)?([0-9][0-9. ]{2,10}[0-9])\s*(?:\(\*\)\s*)?[-–]\s*(.*)", re.DOTALL)


def looks(data: bytes) -> bool:
    """Whether the bytes begin as a workbook's do."""
    return data.startswith(b"PK\x03\x04")


def read_sheet(data: bytes) -> list[Reading]:
    """Every manifest of a report; a workbook that is none gives one reading that says so."""
    try:
        made = at_most(_Report().readings(data))
        return made or [_unknown("F04", "planilha que não é relatório de MTR")]
    except Unfit as wrong:
        return [Reading(Kind.UNKNOWN, "", findings=(wrong.finding,))]
    except LastroError as wrong:
        code = "F03" if "grande demais" in str(wrong) or "passa de" in str(wrong) else "F05"
        return [_unknown(code, str(wrong).removeprefix("planilha: "))]


def _unknown(code: str, found: str, part: str = "") -> Reading:
    return Reading(
        Kind.UNKNOWN, "", findings=(finding(code, where=part, found=found, expected=_EXPECTED),), part=part
    )


@dataclass
class _Group:
    """The rows of one manifest that follow each other, as read so far."""

    number: str
    first: int
    last: int
    sheet: str
    head: dict[str, str]
    residues: list[Residue] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def part(self) -> str:
        rows = f"linha {self.first}" if self.first == self.last else f"linhas {self.first} a {self.last}"
        return f"{self.sheet}, {rows}"


class _Report:
    """A report read row by row."""

    def __init__(self) -> None:
        self._told: dict[str, tuple[str, str]] = {}

    def readings(self, data: bytes) -> Iterator[Reading]:
        """The manifests in the order of their rows."""
        for title, heading, rows in _tables(data):
            if heading.missing:
                missing = ", ".join(_spoken(name) for name in heading.missing)
                yield _unknown("F07", f"faltam as colunas: {missing}", title)
                continue
            yield from self._table(title, heading, rows)

    def _table(self, title: str, heading: Heading, rows: Iterator[Row]) -> Iterator[Reading]:
        group: _Group | None = None
        for row in rows:
            cells = {head.name: heading.cell(row, head.name) for head in _HEADS}
            number = waste_values.number_of(cells["number"].text)
            if not number:
                if cells["residue"]:
                    yield _unknown(
                        "F07", "linha de resíduo sem o número do MTR", f"{title}, linha {row.number}"
                    )
                continue
            if group is None or group.number != number:
                if group is not None:
                    yield self._manifest(group)
                group = _Group(number, row.number, row.number, title, _head(cells))
            _add(group, row, cells)
        if group is not None:
            yield self._manifest(group)

    def _manifest(self, group: _Group) -> Reading:
        made = _made(group)
        digest = waste_values.digest_of(made)
        earlier = self._told.setdefault(made.number, (digest, group.part))
        if earlier[1] != group.part:
            code = "F11" if earlier[0] == digest else "N15"
            group.findings.append(finding(code, where="Nº MTR", found=earlier[1], expected="um só relato"))
        findings = tuple(dict.fromkeys(group.findings))
        return Reading(Kind.MTR, _NAME, findings=findings, manifest=made, part=group.part)


def _tables(data: bytes) -> Iterator[tuple[str, Heading, Iterator[Row]]]:
    """Each sheet that has the heads of a report, with the rows below them."""
    for title, group in groupby(stream("planilha", data), key=itemgetter(0)):
        rows = (row for _, row in group)
        first = list(islice(rows, _SEARCHED))
        heading = find_heading(Sheet(title, tuple(first)), _HEADS)
        if heading is None or not all(name in heading.places for name in _ENOUGH):
            continue
        at = heading.row.number
        yield title, heading, chain((row for row in first if row.number > at), rows)


def _spoken(name: str) -> str:
    """A column by the first of the names that the systems give it."""
    return next(head.aliases[0] for head in _HEADS if head.name == name)


# ── from cells to facts ──────────────────────────────────────────────────────────────────────────────

_OF_ALL = ("kind", "situation", "issued", "received_on", "generator", "destination", "certificate")
"""What each row of a manifest has to repeat."""


def _head(cells: dict[str, Cell]) -> dict[str, str]:
    """What the first row tells of the whole manifest."""
    return {name: cell.text for name, cell in cells.items()}


def _add(group: _Group, row: Row, cells: dict[str, Cell]) -> None:
    """Take one more row of a manifest."""
    group.last = row.number
    differing = [_spoken(name) for name in _OF_ALL if cells[name].text != group.head[name]]
    if differing:
        found = f"linha {row.number} diz outra coisa em {', '.join(differing)}"
        group.findings.append(
            finding("N15", where="Nº MTR", found=found, expected=f"como na linha {group.first}")
        )
    if len(group.residues) >= MOST_ITEMS:
        group.findings.append(unsure("F03", "Nº MTR", f"mais de {MOST_ITEMS} resíduos", "menos linhas"))
        return
    group.residues.append(_residue(cells, group.findings, row.number))


def _residue(cells: dict[str, Cell], findings: list[Finding], row: int) -> Residue:
    written = " ".join(cells["residue"].text.split())[:300]
    found = _RESIDUE.fullmatch(written)
    if found is None:
        findings.append(unsure("F07", f"linha {row}", written or "vazio", "código e descrição do resíduo"))
    return Residue(
        code=waste_values.residue_code(found[1]) if found else "",
        description=(found[2] if found else written)[:200],
        unit=cells["unit"].text[:40],
        indicated=_quantity(cells["indicated"]),
        received=_quantity(cells["received"]) or None,
        density=_quantity(cells["density"]) or None,
        treatment=cells["treatment"].text[:200],
        hazardous=waste_values.hazardous(written, "", cells["group"].text),
    )


def _quantity(cell: Cell) -> str:
    """A quantity as a plain decimal; a formula or a date is no quantity, and is marked as not read."""
    if cell.kind in ("empty", "number", "text"):
        return waste_values.quantity_of(cell.text, typed=cell.kind == "number")
    return cell.text[:40] + waste_values.UNSURE


def _made(group: _Group) -> Manifest:
    head = group.head
    number = group.number
    return Manifest(
        number=number,
        state_number="",
        system="SINIR" if len(number) == waste_values.NATIONAL else "",
        kind=head["kind"][:60],
        situation=head["situation"][:60],
        issued_on=_day(group, "issued"),
        shipped_on=_day(group, "shipped"),
        received_on=_day(group, "received_on"),
        generator=waste_values.party_of(head["generator"]),
        carrier=waste_values.party_of(head["carrier"]),
        destination=waste_values.party_of(head["destination"]),
        storage=waste_values.party_of(head["storage"]),
        plate=waste_values.plate_of(head["plate"]),
        residues=tuple(group.residues),
        certificate=waste_values.certificate_number(head["certificate"][:40]),
        complements=waste_values.complements_in(head["remarks"]),
        mentions=waste_values.mentions_in(head["remarks"], head["remarks_in"]),
        provisional=waste_values.number_of(head["provisional"]),
        stored_on=_day(group, "stored"),
    )


def _day(group: _Group, name: str) -> date | None:
    written = group.head[name]
    try:
        return waste_values.day_of(written)
    except ValueError:
        group.findings.append(
            finding("C10", where=_spoken(name), found=written[:40], expected="uma data que exista")
        )
        return None
