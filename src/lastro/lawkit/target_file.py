"""A table of targets as a person hands it over: .csv, .xlsx or .json, read whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from lastro.errors import LastroError
from lastro.facts import Basis, TargetRow
from lastro.ids import Material
from lastro.lawkit.glossary import label
from lastro.sheets import Cell, Head, Heading, Issue, Row, Sheet, find_heading, folded, read
from lastro.units import Share, how_many

HEADS = (
    Head("sector", ("setor",), required=True),
    Head("material", (), required=True),
    Head("year", ("ano",), required=True),
    Head("share", ("meta", "percentual", "meta quantitativa"), required=True),
    Head("source", ("fonte",), required=True),
    Head("basis", ("base",)),
)
MATERIALS = {
    "vidro": "glass", "vidros": "glass", "papel": "paper", "papeis": "paper", "papel_e_papelao": "paper",
    "papeis_e_papelao": "paper", "plastico": "plastic", "plasticos": "plastic", "metal": "metals",
    "metais": "metals", "aco": "steel", "aluminio": "aluminium", "outros_metais": "other_metal",
    "cartonada": "carton", "pneu": "tyre", "pneus": "tyre", "bateria": "battery", "baterias": "battery",
    "eletroeletronico": "electronics", "eletroeletronicos": "electronics", "oleo": "oil", "outro": "other",
}  # fmt: skip
BASES = {"official": Basis.OFFICIAL, "oficial": Basis.OFFICIAL, "illustrative": Basis.ILLUSTRATIVE,
         "ilustrativa": Basis.ILLUSTRATIVE, "ilustrativo": Basis.ILLUSTRATIVE, "test": Basis.TEST,
         "teste": Basis.TEST}  # fmt: skip
GENERAL_PACKAGING = "embalagens_em_geral"
YEARS = range(2000, 2101)
MOST_SHOWN = 20


class TableRefused(LastroError):
    """A table that is not taken, with everything there is to mend in it."""

    def __init__(self, name: str, issues: Sequence[Issue]) -> None:
        self.issues = tuple(issues)
        lines = [f"{name}: nada foi carregado; há {how_many(len(issues), 'correção', 'correções')} a fazer."]
        lines += [f"  {issue}" for issue in issues[:MOST_SHOWN]]
        if len(issues) > MOST_SHOWN:
            lines.append(f"  … e mais {len(issues) - MOST_SHOWN}.")
        super().__init__("\n".join(lines))


def read_targets(
    path: Path, *, groups: Sequence[str], loaded_on: date | None = None
) -> tuple[TargetRow, ...]:
    """Read a table of targets: sector, material, year, share ("25%"), source, and basis if not official.

    `groups` are the material groups of the norm. Raises TableRefused with every issue, row by row;
    LastroError when the file cannot be read at all. A share without its percent sign is refused.
    """
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise LastroError(f"{path}: não se abre ({wrong.strerror}).") from wrong
    rows: list[TargetRow] = []
    issues: list[Issue] = []
    for sheet in read(path.name, data):
        taken, wrong_rows = _sheet(sheet, groups, loaded_on)
        rows += taken
        issues += wrong_rows
    if not rows and not issues:
        issues = [Issue("", None, "", "", "ao menos uma linha de meta", "Preencha a tabela.")]
    if issues:
        raise TableRefused(path.name, issues)
    return tuple(rows)


def _sheet(
    sheet: Sheet, groups: Sequence[str], loaded_on: date | None
) -> tuple[list[TargetRow], list[Issue]]:
    heading = find_heading(sheet, HEADS)
    if heading is None or heading.missing or heading.twice:
        return [], [_no_heading(sheet, heading)]
    rows: list[TargetRow] = []
    issues: list[Issue] = []
    seen: dict[tuple[str, str, int, str], int] = {}
    for row in sheet.rows:
        if row.number <= heading.row.number or not row:
            continue
        reader = _RowReader(sheet, heading, row)
        taken = reader.target(groups, loaded_on)
        if not reader.issues:
            key = (taken.sector, taken.material, taken.year, taken.source)
            if key in seen:
                reader.twice(seen[key])
            seen.setdefault(key, row.number)
            rows.append(taken)
        issues += reader.issues
    return rows, issues


def _no_heading(sheet: Sheet, heading: Heading | None) -> Issue:
    if heading is not None and heading.twice:
        twice = ", ".join(cell.text for cell in heading.twice)
        return Issue(
            sheet.name, heading.row.number, "", twice, "cada coluna uma vez", "Apague a repetida.", "F07"
        )
    missing = heading.missing if heading else tuple(h.name for h in HEADS if h.required)
    return Issue(
        sheet.name, heading.row.number if heading else None, "", "", f"as colunas {', '.join(missing)}",
        "Cabeçalhos: setor, material, ano, meta, fonte (e base, se não for oficial).", "F07",
    )  # fmt: skip


class _RowReader:
    """Reads one row, and keeps what there is to mend in it."""

    def __init__(self, sheet: Sheet, heading: Heading, row: Row) -> None:
        self.sheet, self.heading, self.row = sheet, heading, row
        self.issues: list[Issue] = []

    def target(self, groups: Sequence[str], loaded_on: date | None) -> TargetRow:
        sector = folded(self._text("sector", "o setor da tabela"))
        return TargetRow(
            sector=sector,
            material=self._material(sector, groups),
            year=self._year(),
            share=self._share(),
            source=self._text("source", "o ato, a página e a data de onde a meta foi lida"),
            basis=self._basis(),
            loaded_on=loaded_on,
        )

    def twice(self, first: int) -> None:
        self._mend(
            "material", self._cell("material"), f"uma meta só: a linha {first} já a traz", "Apague uma."
        )

    def _cell(self, name: str) -> Cell:
        return self.heading.cell(self.row, name)

    def _mend(self, name: str, cell: Cell, expected: str, cure: str) -> None:
        self.issues.append(Issue(self.sheet.name, self.row.number, name, cell.text, expected, cure))

    def _text(self, name: str, expected: str) -> str:
        cell = self._cell(name)
        if not cell or cell.kind == "formula":
            self._mend(name, cell, expected, "Preencha a célula.")
        return cell.text

    def _material(self, sector: str, groups: Sequence[str]) -> str:
        cell = self._cell("material")
        asked = folded(cell.text)
        material = MATERIALS.get(asked, asked)
        known = set(groups) if sector == GENERAL_PACKAGING else {*groups, *(m.value for m in Material)}
        if material not in known:
            words = ", ".join(f"{label(one)} ({one})" for one in sorted(known))
            self._mend("material", cell, f"um de: {words}", "Use o grupo da norma.")
        return material

    def _year(self) -> int:
        cell = self._cell("year")
        year = int(cell.text) if cell.text.isascii() and cell.text.isdigit() and len(cell.text) == 4 else 0
        if year not in YEARS:
            self._mend("year", cell, f"um ano de {YEARS[0]} a {YEARS[-1]}", "Escreva o ano com 4 dígitos.")
        return year

    def _share(self) -> str:
        """The share as written, with a full stop as decimal mark; over zero, and at most the whole."""
        cell = self._cell("share")
        text = cell.text.replace(" ", "").replace(",", ".")
        try:
            share = Share.parse(text) if cell.kind == "text" else None
        except ValueError:
            share = None
        if share is None or not 0 < share.of_one <= 1:
            cure = "Escreva como texto, por exemplo 25%; sem meta, não escreva a linha."
            if cell.kind == "number":
                cure = "Um número não diz se é parte ou percentual: escreva como texto, por exemplo 25%."
            self._mend("share", cell, "um percentual maior que 0% e até 100%, com o sinal %", cure)
        return text

    def _basis(self) -> Basis:
        cell = self._cell("basis")
        basis = BASES.get(folded(cell.text)) if cell else Basis.OFFICIAL
        if basis is None:
            self._mend("basis", cell, "oficial, ilustrativa ou teste", "Deixe em branco se for oficial.")
        return basis or Basis.OFFICIAL
