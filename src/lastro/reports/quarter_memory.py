"""The memory of a quarter's incentive, as a committee validates it: tonnes, coefficients, points, payments.

Comes in: the quarter's facts, what the norm made of them with its explanation, and the document they stand
in. Goes out: a data set; where nothing can be granted the amounts are not told, and the report is blocked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction

from lastro.facts import Basis
from lastro.findings import catalogue
from lastro.ids import masked
from lastro.lawkit import Regulation, Step
from lastro.lawkit.grants import Granted, Quarter, QuarterGranted
from lastro.quarters import quarter_end
from lastro.reports.cells import Block, Cell, DataSet, Row, Section, Source, rows_of
from lastro.reports.facts_source import FactsDocument, marks_of, ruled
from lastro.units import Mass, Money, total

KIND = "quarter-memory"


def dataset(
    regulation: Regulation, quarter: Quarter, made: QuarterGranted, *, trace: Step, document: FactsDocument
) -> DataSet:
    """The memory of one quarter, every number with where it comes from."""
    last: date = quarter_end(quarter.year, quarter.number)
    contents = regulation.documents[KIND](regulation.law(last), year=quarter.year)
    pen = _Memory(quarter, made, trace, document, contents.articles)
    return DataSet(
        kind=KIND, norm=regulation.norm.path, norm_title=regulation.norm.short_title, entity="",
        entity_name="", year=quarter.year, quarter=quarter.number, basis=Basis.OFFICIAL,
        sections=tuple(pen.sections()), blocks=tuple(pen.blocks()), marks=marks_of(regulation),
    )  # fmt: skip


class _Memory:
    """Writes the sections of one quarter."""

    def __init__(
        self, quarter: Quarter, made: QuarterGranted, trace: Step, document: FactsDocument,
        articles: Mapping[str, str],
    ) -> None:  # fmt: skip
        self.quarter, self.made, self.document, self.articles = quarter, made, document, articles
        self.trace = trace
        self.names = {one.cnpj: one.name for one in quarter.organisations}
        self.places = {one.cnpj: f"organisations[{n}]" for n, one in enumerate(quarter.organisations)}

    def sections(self) -> Iterator[Section]:
        yield self._funds()
        yield self._coefficients()
        yield self._acts()
        yield self._sold()
        yield self._collected()
        yield self._payments()
        yield self._left_out()

    def blocks(self) -> Iterator[Block]:
        """Why nothing can be granted; a coefficient that is missing has a code of its own."""
        for text in self.made.blocked:
            lacking = any(one.points is None for one in self.made.granted) and text.startswith("Coeficiente")
            yield Block("B01" if lacking else "T02", "payments", text)

    def _rule(self, part: str) -> tuple[Source, ...]:
        return ruled(self.articles[part], self.trace)

    def _funds(self) -> Section:
        one, at, rule = self.quarter, self.document.at, self._rule("funds")
        left = None if self.made.blocked else self.made.left
        granted = None if self.made.blocked else self.made.available - self.made.left
        reading = "unit_values" if one.by_tonne else "weights"
        pairs = [
            ("annual", Cell(one.annual, "brl", at("annual_brl"))),
            ("budget", Cell(one.budget, "brl", at("budget_brl"))),
            ("donations", Cell(one.donations, "brl", at("donations_brl"))),
            ("other_funds", Cell(one.other, "brl", at("other_brl"))),
            ("available", Cell(self.made.available, "brl", rule)),
            ("minimum", Cell(self.made.minimum, "brl", rule)),
            ("proofs_due", Cell(self.made.due, "date", self._rule("proofs"))),
            ("reading", Cell(reading, "label", at("reading"))),
            ("granted", self._amount(granted)),
            ("left", self._amount(left)),
        ]
        return Section("funds", ("value",), rows_of(pairs), self.articles["funds"])

    def _amount(self, value: Money | None) -> Cell:
        return Cell(value, "brl", self._rule("payments"), "" if value is not None else self._why())

    def _why(self) -> str:
        return next(iter(self.blocks())).code if self.made.blocked else ""

    def _coefficients(self) -> Section:
        rows = []
        for name, k in sorted(self.made.coefficients.items()):
            acts = tuple(
                source
                for n, act in enumerate(self.quarter.coefficients)
                if act.name == name
                for source in self.document.at(f"coefficients[{n}]")
            )
            unit = None if self.made.blocked else self.made.unit_values.get(name)
            cells = {
                "material": Cell(name, "material", acts),
                "k": Cell(k, "number", acts + self._rule("coefficients")),
                "unit_value": Cell(
                    unit, "number", self._rule("unit_values"), "" if unit is not None else self._why()
                ),
            }
            rows.append(Row(name, cells))
        columns = ("material", "k", "unit_value")
        return Section("coefficients", columns, tuple(rows), self.articles["coefficients"])

    def _acts(self) -> Section:
        rows = []
        for n, act in enumerate(self.quarter.coefficients):
            source = self.document.at(f"coefficients[{n}]")
            cells = {
                "material": Cell(act.name, "material", source),
                "k": Cell(act.value, "number", source),
                "act": Cell(act.act, "text", source),
                "date": Cell(act.decided_on, "date", source),
            }
            rows.append(Row(f"{act.name}.{act.decided_on.isoformat()}", cells))
        return Section("acts", ("material", "k", "act", "date"), tuple(rows), self.articles["acts"])

    def _sold(self) -> Section:
        """Each organisation's tonnes, the coefficient they meet, and the points they make."""
        rows = []
        for one in self.made.granted:
            for name, mass in sorted(one.sold.items()):
                points = one.by_material.get(name)
                sources = self._sales(one.cnpj, name)
                cells = {
                    "organisation": self._name(one.cnpj),
                    "material": Cell(name, "material", sources),
                    "mass": Cell(mass, "kg", sources),
                    "k": Cell(self._k(name), "number", self._rule("coefficients"), self._lacks(name)),
                    "points": Cell(
                        points, "number", self._rule("sold"), "" if points is not None else self._none(one)
                    ),
                }
                rows.append(Row(f"{one.cnpj}.{name}", cells))
        columns = ("organisation", "material", "mass", "k", "points")
        return Section("sold", columns, tuple(rows), self.articles["sold"])

    def _k(self, name: str) -> Fraction | None:
        k = self.made.coefficients
        return k.get(name, k.get(name.partition("/")[0]))

    def _lacks(self, name: str) -> str:
        return "B01" if self._k(name) is None else ""

    def _none(self, one: Granted) -> str:
        """Why an organisation has no points for what it sold."""
        return "B01" if one.points is None else "B02"

    def _sales(self, cnpj: str, name: str) -> tuple[Source, ...]:
        (sales,) = [one.sales for one in self.quarter.organisations if one.cnpj == cnpj]
        return tuple(
            source
            for n, sale in enumerate(sales)
            if sale.name == name
            for source in self.document.at(f"{self.places[cnpj]}.sales[{n}]")
        )

    def _name(self, cnpj: str) -> Cell:
        return Cell(self.names[cnpj], "text", self.document.at(self.places[cnpj]))

    def _collected(self) -> Section:
        """The total of each material on proofs that count, of whoever sold it."""
        sums: dict[str, list[Mass]] = {}
        for one in self.made.granted:
            for name, mass in one.sold.items():
                sums.setdefault(name, []).append(mass)
        rows = [
            Row(
                name,
                {
                    "material": Cell(name, "material", self._rule("sold")),
                    "mass": Cell(total(masses), "kg", self._rule("sold")),
                },
            )
            for name, masses in sorted(sums.items())
        ]
        return Section("collected", ("material", "mass"), tuple(rows), self.articles["sold"])

    def _payments(self) -> Section:
        rows = []
        for one in self.made.granted:
            lacking = "" if one.points is not None else "B01"
            cells = {
                "organisation": self._name(one.cnpj),
                "cnpj": Cell(masked(one.cnpj), "text", self.document.at(self.places[one.cnpj])),
                "points": Cell(one.points, "number", self._rule("sold"), lacking),
                "amount": self._amount(one.amount),
                "least_to_members": self._least(one.least_to_members),
            }
            rows.append(Row(one.cnpj, cells))
        columns = ("organisation", "cnpj", "points", "amount", "least_to_members")
        return Section("payments", columns, (*rows, self._sum()), self.articles["payments"])

    def _least(self, value: Money | None) -> Cell:
        return Cell(value, "brl", self._rule("members"), "" if value is not None else self._why())

    def _sum(self) -> Row:
        points = [one.points for one in self.made.granted]
        known = [one for one in points if one is not None]
        whole = sum(known, start=known[0] * 0) if known and len(known) == len(points) else None
        paid = None if self.made.blocked else self.made.available - self.made.left
        each = [one.least_to_members for one in self.made.granted]
        told = [one.cents for one in each if one is not None]
        least = Money(sum(told)) if len(told) == len(each) else None
        cells = {
            "organisation": Cell("total", "label"),
            "cnpj": Cell(None),
            "points": Cell(whole, "number", self._rule("sold"), "" if whole is not None else "B01"),
            "amount": self._amount(paid),
            "least_to_members": self._least(least),
        }
        return Row("total", cells)

    def _left_out(self) -> Section:
        """What stands against whom: organisations without a right, proofs that do not count, and why."""
        rows = []
        for one in self.made.granted:
            for n, seen in enumerate(one.findings):
                source = ruled(seen.article, self.trace)
                cells = {
                    "organisation": self._name(one.cnpj),
                    "code": Cell(seen.code, "text", source),
                    "why": Cell(catalogue()[seen.code].message["pt"], "text", source),
                    "found": Cell(seen.found, "text", source),
                    "expected": Cell(seen.expected, "text", source),
                    "article": Cell(seen.article, "text", source),
                }
                rows.append(Row(f"{one.cnpj}.{n + 1}", cells))
        notes = () if rows else ("Nada ficou fora da conta.",)
        columns = ("organisation", "code", "why", "found", "expected", "article")
        return Section("left_out", columns, tuple(rows), self.articles["left_out"], notes)
