"""One JSON object of the MTR web service, read field by field; what is amiss is gathered on the way."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from lastro.evidence import waste_values
from lastro.facts import Finding, Severity
from lastro.findings import finding

MOST_ITEMS = 2_000
"""How many residues a manifest, or manifests a certificate, holds at most."""


class Fields:
    """The fields of one JSON object by name, and what was seen amiss while they were read."""

    def __init__(self, found: Mapping[str, Any], findings: list[Finding] | None = None) -> None:
        self._found = found
        self.findings: list[Finding] = [] if findings is None else findings

    def text(self, *names: str, most: int = 200) -> str:
        """The first of the named fields that holds a text or number."""
        for name in names:
            value = waste_values.text_of(self._found.get(name), most=most)
            if value:
                return value
        return ""

    def inside(self, name: str) -> Fields:
        """The object in a field; an empty one where there is none."""
        value = self._found.get(name)
        return Fields(value if isinstance(value, dict) else {}, self.findings)

    def items(self, name: str) -> list[Any]:
        """The list in a field; an empty one where there is none."""
        value = self._found.get(name)
        return value if isinstance(value, list) else []

    def true(self, name: str) -> bool:
        """Whether the field says true."""
        return self._found.get(name) is True

    def false(self, name: str) -> bool:
        """Whether the field says false; one that is not there does not."""
        return self._found.get(name) is False

    def quantity(self, name: str) -> str:
        """A quantity as a plain decimal, or as written and marked as not read; empty where there is none."""
        value = self._found.get(name)
        if not isinstance(value, str):
            return ""
        return waste_values.quantity_of(value, typed=waste_values.typed(value))

    def day(self, *names: str, where: str = "") -> date | None:
        """A day; one that cannot be read is a finding (C10), and not known."""
        written = self.text(*names)
        try:
            return waste_values.day_of(written)
        except ValueError:
            self.findings.append(
                finding("C10", where=where or names[0], found=written[:40], expected="uma data que exista")
            )
            return None

    def description(self, name: str) -> str:
        """A field that is a text, or an object that has one description among its fields."""
        value = self._found.get(name)
        if not isinstance(value, dict):
            return self.text(name)
        named = [key for key in value if key.endswith(("Descricao", "Sigla"))]
        return Fields(value).text(*named)

    def objects(self, name: str) -> list[Fields]:
        """The objects of a list. What is none of them (F07), or one too many (F03), is for a person."""
        every = self.items(name)
        objects = [one for one in every if isinstance(one, dict)]
        if len(objects) != len(every):
            found = f"{len(every) - len(objects)} itens que não são objetos"
            self.findings.append(unsure("F07", name, found, "uma lista de objetos"))
        if len(objects) > MOST_ITEMS:
            found, expected = f"{len(objects)} itens", f"até {MOST_ITEMS} itens"
            self.findings.append(unsure("F03", name, found, expected))
        return [Fields(one, self.findings) for one in objects[:MOST_ITEMS]]


def unsure(code: str, where: str, found: str, expected: str, *, article: str = "") -> Finding:
    """A finding for a person: what is written cannot be read for certain."""
    return finding(
        code, where=where, found=found, expected=expected, article=article, severity=Severity.REVIEW
    )
