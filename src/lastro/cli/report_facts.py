"""The documents that are made from a file of facts, with no store: `lastro report document`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from lastro.errors import LastroError

if TYPE_CHECKING:
    from lastro.lawkit import Regulation
    from lastro.reports.cells import DataSet

Make = Callable[["Regulation", str, date], "DataSet"]


def made_from(regulation: Regulation, kind: str, file: Path, *, today: date) -> DataSet:
    """The document of a kind, made from the facts in a file.

    Raises LastroError where the norm asks for no such document, or the file has to be mended.
    """
    from lastro.cli.common import read_document

    if kind not in regulation.documents:
        there = ", ".join(sorted(regulation.documents)) or "nenhum"
        raise LastroError(f"{regulation.norm.short_title} não pede {kind!r}; documentos dela: {there}.")
    make = _MAKERS.get(kind, _form(kind))
    return read_document(file, lambda text: make(regulation, text, today))


def _memory(regulation: Regulation, text: str, today: date) -> DataSet:
    from lastro import incentives
    from lastro.reports import quarter_memory
    from lastro.reports.facts_source import FactsDocument

    quarter = incentives.parse(text)
    made, trace = incentives.granted(regulation, quarter)
    document = FactsDocument.of(text.encode())
    return quarter_memory.dataset(regulation, quarter, made, trace=trace, document=document)


def _fee(kind: str) -> Make:
    def make(regulation: Regulation, text: str, today: date) -> DataSet:
        from lastro import fees
        from lastro.quarters import quarter_end
        from lastro.reports import fee_statement
        from lastro.reports.facts_source import FactsDocument

        charged = fees.parse(text, today=today)
        if kind == fee_statement.CREDIT and charged.paid_on is None:
            # What was not paid gives no credit, whatever its delay costs meanwhile.
            charged = replace(charged, asked_on=quarter_end(charged.year, charged.quarter))
        made, trace = fees.assess(regulation, charged)
        document = FactsDocument.of(text.encode())
        return fee_statement.dataset(regulation, charged, made, kind=kind, trace=trace, document=document)

    return make


def _form(kind: str) -> Make:
    def make(regulation: Regulation, text: str, today: date) -> DataSet:
        from lastro.reports import form

        return form.parse(regulation, kind, text, today=today)

    return make


_MAKERS: dict[str, Make] = {
    "quarter-memory": _memory,
    "fee-assessment": _fee("fee-assessment"),
    "credit-statement": _fee("credit-statement"),
}
