"""A quarter's fee on paper: the assessment with its additions, and the statement of the credit it gives.

Comes in: an establishment's facts, what the norm made of them with its explanation, and the document they
stand in. Goes out: a data set. A part that cannot be told is no zero, and blocks. Neither is a document to
pay by: its number and its code of revenue are the treasury's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lastro.facts import Basis
from lastro.findings import catalogue
from lastro.ids import masked
from lastro.lawkit import Regulation, Step
from lastro.lawkit.fees import Assessment, Charged
from lastro.quarters import quarter_end
from lastro.reports.cells import Block, Cell, DataSet, Row, Section, Source, Value, rows_of
from lastro.reports.facts_source import FactsDocument, marks_of, ruled, told

ASSESSMENT, CREDIT = "fee-assessment", "credit-statement"
KINDS = (ASSESSMENT, CREDIT)
OWED = ("federal", "fee", "city_credit", "amount", "fine", "interest", "total")
BESIDE = ("forged_fine", "restored")
GIVEN = ("federal", "fee", "city_credit", "amount")
CREDITS = ("state_credit", "federal_offset")
_NOT_TO_PAY_BY = "Não é documento de arrecadação: o número e o código de receita são da Fazenda."
_UNPAID = "a taxa do trimestre não foi paga, e sem pagamento não há crédito"
_ESTIMATE = "A parte do Estado é o que lhe foi pago, até o seu limite; o abatimento federal é uma estimativa."


@dataclass(frozen=True)
class _Fee:
    """Writes the sections of one fee."""

    kind: str
    charged: Charged
    made: Assessment
    trace: Step
    document: FactsDocument
    articles: Mapping[str, str]

    def sections(self) -> Iterator[Section]:
        yield self._identification()
        if self.kind == ASSESSMENT:
            yield self._activities()
            beside = tuple(name for name in BESIDE if getattr(self.made, name) is not None)
            yield self._money("assessment", (*OWED, *beside), (_NOT_TO_PAY_BY,))
        else:
            yield self._money("assessment", GIVEN, ())
            yield self._money("credit", CREDITS, (_ESTIMATE,))
        yield self._findings()

    def blocks(self) -> Iterator[Block]:
        """What keeps the paper from being issued: a fee that cannot be told; a credit without a payment."""
        if self.made.total is None:
            seen = self.made.findings[-1] if self.made.findings else None
            text = f"{seen.found}; esperado: {seen.expected}" if seen else "a taxa não se pode calcular"
            yield Block(seen.code if seen else "T01", "assessment", text)
        elif self.made.at_least:
            seen = next(one for one in self.made.findings if one.code == "X06")
            yield Block(seen.code, "assessment", f"{seen.found}; o valor é ao menos o que se mostra")
        elif self.kind == CREDIT and self.charged.paid_on is None:
            yield Block("T02", "credit", _UNPAID)

    def _rule(self, part: str) -> tuple[Source, ...]:
        return ruled(self.articles[part], self.trace)

    def _identification(self) -> Section:
        one, at = self.charged, self.document.at
        pairs: list[tuple[str, Cell]] = [
            ("taxpayer", Cell(masked(one.cnpj), "text", at("document"))),
            ("person", Cell(one.person, "label", at("person"))),
            ("quarter", Cell(f"{one.quarter}/{one.year}", "text", at("quarter"))),
            ("size", told(self.made.size, "label", self._rule("size"), "X01")),
            ("due_on", Cell(self.made.due, "date", self._rule("due"))),
            ("paid_on", Cell(one.paid_on, "date", at("paid_on"))),
        ]
        if one.paid_on is None and self.kind == ASSESSMENT:
            pairs.append(("worked_out_for", Cell(one.asked_on, "date")))
        pairs.append(("days_late", Cell(self.made.days_late, "count", self._rule("due"))))
        return Section("taxpayer", ("value",), rows_of(pairs), self.articles["identification"])

    def _activities(self) -> Section:
        rows = []
        for n, one in enumerate(self.charged.activities):
            source = self.document.at(f"activities[{n}]")
            cells = {
                "activity": Cell(one.code, "text", source),
                "from": Cell(one.began, "date", source),
                "to": Cell(one.ended, "date", source),
            }
            rows.append(Row(f"{one.code}.{one.began.isoformat()}", cells))
        columns = ("activity", "from", "to")
        return Section("activities", columns, tuple(rows), self.articles["activities"])

    def _money(self, key: str, parts: Sequence[str], notes: tuple[str, ...]) -> Section:
        """One line for each part of the fee, with the provision that it comes from."""
        code = next(iter(self.blocks())).code if self.made.total is None else ""
        rows = []
        for part in parts:
            value: Value = getattr(self.made, part)
            source = self._rule(part)
            # An exempt establishment has no cell of the federal table: that is no gap.
            missing = code if value is None else ""
            if key == "credit" and self.charged.paid_on is None:
                value, missing = None, "T02"
            cells = {
                "part": Cell(part, "label", source),
                "amount": Cell(value, "brl", source, missing),
                "article": Cell(self.articles[part], "text", source),
            }
            rows.append(Row(part, cells))
        return Section(key, ("part", "amount", "article"), tuple(rows), "", notes)

    def _findings(self) -> Section:
        rows = []
        for n, seen in enumerate(self.made.findings, 1):
            source = ruled(seen.article, self.trace)
            cells = {
                "code": Cell(seen.code, "text", source),
                "why": Cell(catalogue()[seen.code].message["pt"], "text", source),
                "found": Cell(seen.found, "text", source),
                "expected": Cell(seen.expected, "text", source),
                "article": Cell(seen.article, "text", source),
            }
            rows.append(Row(f"{seen.code}.{n}", cells))
        columns = ("code", "why", "found", "expected", "article")
        notes = self.made.notes or (() if rows else ("Nada a observar.",))
        return Section("findings", columns, tuple(rows), self.articles["findings"], notes)


def dataset(
    regulation: Regulation,
    charged: Charged,
    made: Assessment,
    *,
    kind: str,
    trace: Step,
    document: FactsDocument,
) -> DataSet:
    """The assessment of a quarter's fee, or the statement of the credit that it gives."""
    law = regulation.law(quarter_end(charged.year, charged.quarter))
    articles = regulation.documents[kind](law, year=charged.year).articles
    pen = _Fee(kind, charged, made, trace, document, articles)
    return DataSet(
        kind=kind, norm=regulation.norm.path, norm_title=regulation.norm.short_title,
        entity=charged.cnpj, entity_name="", year=charged.year, quarter=charged.quarter,
        basis=Basis.OFFICIAL, sections=tuple(pen.sections()), blocks=tuple(pen.blocks()),
        marks=marks_of(regulation),
    )  # fmt: skip
