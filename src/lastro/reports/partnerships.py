"""Formal partnerships as the entity writes them: a table with CNPJ, name, instrument, from and to."""

from __future__ import annotations

from datetime import date

from lastro.errors import LastroError
from lastro.registry.values import Wrong, value
from lastro.reports.standing import Partnership
from lastro.sheets import Head, Heading, Row, find_heading, read

HEADS = (
    Head("cnpj", ("parceiro", "cnpj do parceiro"), required=True),
    Head("name", ("nome", "razao social", "razão social"), required=True),
    Head("instrument", ("instrumento", "contrato", "convenio", "convênio"), required=True),
    Head("from", ("de", "desde", "inicio", "início"), required=True),
    Head("to", ("ate", "até", "fim")),
)
_KINDS = {"cnpj": "cnpj", "name": "text", "instrument": "text", "from": "date", "to": "date"}
_MOST_ERRORS = 20


def read_partnerships(name: str, data: bytes) -> tuple[Partnership, ...]:
    """Read a table of formal partnerships, whole or not at all. Raises LastroError with what is to mend.

    Source: Decreto MT 1.455/2025, art. 45.
    """
    sheet = read(name, data)[0]
    heading = find_heading(sheet, HEADS)
    if heading is None or heading.missing:
        lacking = ", ".join(heading.missing) if heading else ", ".join(h.name for h in HEADS if h.required)
        raise LastroError(f"{name}: faltam as colunas {lacking}.")
    found, wrong = [], list[str]()
    for row in sheet.rows:
        if row.number > heading.row.number and row:
            try:
                found.append(_partnership(row, heading))
            except Wrong as one:
                wrong.append(f"linha {row.number}: esperado {one.expected}. {one.cure}")
    if wrong:
        more = f"\n… e mais {len(wrong) - _MOST_ERRORS}" if len(wrong) > _MOST_ERRORS else ""
        raise LastroError("\n".join([f"{name}: nada foi lido.", *wrong[:_MOST_ERRORS]]) + more)
    return tuple(sorted(found, key=lambda p: (p.cnpj, p.start)))


def _partnership(row: Row, heading: Heading) -> Partnership:
    values = {}
    for head in HEADS:
        cell = heading.cell(row, head.name) if head.name in heading.places else None
        if cell:
            values[head.name] = value(_KINDS[head.name], cell)
        elif head.required:
            raise Wrong(f"a coluna {head.name} preenchida", "Preencha a célula.")
    end = values.get("to")
    return Partnership(
        values["cnpj"], values["name"], values["instrument"], date.fromisoformat(values["from"]),
        date.fromisoformat(end) if end else None,
    )  # fmt: skip
