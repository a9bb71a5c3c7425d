"""The table of residues of a printed certificate → its rows, where they can be told apart for certain."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from lastro.evidence import waste_values
from lastro.evidence.waste_fields import MOST_ITEMS, unsure
from lastro.facts import Finding
from lastro.tables import sinir
from lastro.waste import Residue


@dataclass(frozen=True)
class Aligned:
    """A text and the same text in capitals without accents, letter for letter, so that places agree."""

    text: str
    folded: str

    @classmethod
    def of(cls, text: str) -> Aligned:
        """The text with single blanks for all white space."""
        flat = " ".join(text.split())
        return cls(flat, "".join(_plain(char) for char in flat))

    def __getitem__(self, part: slice) -> Aligned:
        return Aligned(self.text[part], self.folded[part])


def _plain(char: str) -> str:
    """One capital letter without accent for one letter; ³ stays apart from 3 nowhere."""
    base = unicodedata.normalize("NFKD", char)[:1].upper()[:1]
    return base or char


_HEAD = re.compile(r"(?<!\S)(?:([0-9]{1,3})\. ?)?(?:\(\*\) ?)?([0-9]{6,8}) ?(?:\(\*\) ?)?[-–] ")
_UNITS = "QUILOGRAMAS?|KG|TONELADAS?|TON|T|METROS? CUBICOS?|M3|LITROS?|LT|L|UNIDADES?|UN"
_DATA = re.compile(rf"(?<![0-9.,])([0-9][0-9.,]*) ?({_UNITS})(?!\S)")
_GROUP = re.compile(r"(?<!\S)(CLASSE (?:I{1,3} ?[AB]?|[A-D])(?: \([A-Z]{2,4}\))?|GRUPO [A-E][0-9]?|OUTROS)$")
_HEADINGS = re.compile(
    r"[ :]*(?:ITEM )?RESIDUOS? (?:CODIGO/DESCRICAO )?CLASSE QUANTIDADE UNIDADE (?:TRATAMENTO|TECNOLOGIA)[ :]*"
)
_WORDS = re.compile(r"[A-Z][A-Z /()-]{2,59}")


def residues(table: Aligned, findings: list[Finding]) -> tuple[Residue, ...]:
    """The rows of the table in order. A row that cannot be read keeps no quantity, and says why."""
    heads = list(_HEAD.finditer(table.folded))
    if len(heads) > MOST_ITEMS:
        findings.append(unsure("F03", "resíduos", f"{len(heads)} linhas", f"até {MOST_ITEMS} linhas"))
        return ()
    before = table.folded[: heads[0].start()] if heads else table.folded
    if not _HEADINGS.fullmatch(before) and before.strip(" :"):
        findings.append(
            unsure("F06", "resíduos", before.strip()[:80], "Resíduo, Classe, Quantidade, Unidade, Tratamento")
        )
    _numbered(heads, findings)
    if not heads:
        return ()
    ends = [head.start() for head in heads[1:]] + [len(table.folded)]
    return tuple(
        _row(number, head, table[head.end() : end], findings)
        for number, (head, end) in enumerate(zip(heads, ends, strict=True), 1)
    )


def _numbered(heads: list[re.Match[str]], findings: list[Finding]) -> None:
    """Rows that are numbered are numbered 1, 2, 3 …: else one of them was lost."""
    numbers = [head[1] for head in heads]
    if any(numbers) and numbers != [str(n) for n in range(1, len(heads) + 1)]:
        found = ", ".join(number or "sem número" for number in numbers)[:80]
        findings.append(unsure("F07", "resíduos", f"linhas {found}", "linhas 1, 2, 3 …"))


def _row(number: int, head: re.Match[str], body: Aligned, findings: list[Finding]) -> Residue:
    where, code = f"resíduo {number}", waste_values.residue_code(head[2])
    data = list(_DATA.finditer(body.folded))
    group = _GROUP.search(body.folded[: data[0].start()].rstrip()) if len(data) == 1 else None
    if len(data) != 1 or group is None:
        found = f"{head[2]} - {body.text.strip()}"[:120]
        findings.append(unsure("F07", where, found, "classe, quantidade, unidade e tratamento em sua linha"))
        return Residue(code, body.text.strip()[:200], "", "", None, None, "", "*" in head[0])
    quantity, unit = body.text[data[0].start(1) : data[0].end(1)], data[0][2]
    treatment = _treatment(body[data[0].end() :], where, findings)
    description = body.text[: group.start()].strip()
    return Residue(
        code=code,
        description=description[:200],
        unit=unit,
        indicated="",
        received=waste_values.brazilian(quantity),
        density=None,
        treatment=treatment,
        hazardous=waste_values.hazardous(head[0], description, group[1]),
    )


def _treatment(rest: Aligned, where: str, findings: list[Finding]) -> str:
    """The treatment that ends a row; one that is not on the list is kept as written, if it is words alone."""
    text = rest.text.strip()
    if sinir.recycling(text) or (_WORDS.fullmatch(rest.folded.strip()) and not _runs_on(rest.folded)):
        return text
    findings.append(unsure("F07", where, text[:120] or "sem tratamento", "o tratamento, e nada depois dele"))
    return ""


def _runs_on(folded: str) -> bool:
    """Whether a known treatment is followed by other words: then something else ran into the row."""
    name = sinir.folded(folded)
    return any(name.startswith(f"{known} ") for known in _known())


def _known() -> Iterator[str]:
    yield from sinir.treatment_names()
