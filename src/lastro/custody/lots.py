"""The lots file: what an entity says of single lines beside the notes themselves.

A row names a line by key and number, and may give its municipality of collection, its origin, the part of its
mass that this entity claims (empty: all of it), and the manifest (MTR) under which the load travelled.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lastro.errors import LastroError
from lastro.evidence import Source
from lastro.ids import AccessKey, Origin, uf_of
from lastro.sheets import Ambiguous, Cell, decimal, two_readings
from lastro.units import MG_PER_KG, Mass

_ALIASES = {
    "chave": "key",
    "item": "line",
    "linha": "line",
    "municipio": "municipality",
    "município": "municipality",
    "origem": "origin",
    "massa_kg": "mass_kg",
    "massa (kg)": "mass_kg",
    "massa": "mass_kg",
}
_COLUMNS = ("key", "line", "municipality", "origin", "mass_kg", "mtr")
_ORIGINS = {
    "municipal": Origin.MUNICIPAL,
    "prefeitura": Origin.MUNICIPAL,
    "concession": Origin.CONCESSION,
    "concessao": Origin.CONCESSION,
    "concessão": Origin.CONCESSION,
    "picker_entity": Origin.PICKER_ENTITY,
    "catadores": Origin.PICKER_ENTITY,
    "private_pev": Origin.PRIVATE_PEV,
    "pev": Origin.PRIVATE_PEV,
    "private_recycler": Origin.PRIVATE_RECYCLER,
    "recicladora": Origin.PRIVATE_RECYCLER,
    "pgrs": Origin.WASTE_PLAN,
    "dealer": Origin.DEALER,
    "sucateiro": Origin.DEALER,
    "industrial_scrap": Origin.INDUSTRIAL_SCRAP,
    "sobra_industrial": Origin.INDUSTRIAL_SCRAP,
}
_MOST_ERRORS = 20


BESIDE = "lote.csv"
"""A lots file of this name belongs to the notes it is handed in with."""


@dataclass(frozen=True)
class LotRow:
    """What the file says of one line; None where it says nothing."""

    municipality: str | None
    origin: Origin | None
    mass: Mass | None
    manifest: str | None = None

    def __str__(self) -> str:
        """As a digest of what is known spells it: a row that names no manifest reads as it always did."""
        told = f"LotRow(municipality={self.municipality!r}, origin={self.origin!r}, mass={self.mass!r}"
        return f"{told}, manifest={self.manifest!r})" if self.manifest else f"{told})"


Lots = Mapping[tuple[str, int], LotRow]


def read_lots(text: str) -> Lots:
    """Read a lots file (CSV, comma or semicolon). Raises LastroError naming every row that is wrong."""
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), delimiter=_delimiter(text))
    headings = [_ALIASES.get(h.strip().lower(), h.strip().lower()) for h in reader.fieldnames or ()]
    if "key" not in headings or "line" not in headings:
        raise LastroError(
            "O arquivo de lotes precisa de um cabeçalho com pelo menos as colunas chave e item "
            f"(colunas aceitas: {', '.join(_COLUMNS)}); o que veio foi: {', '.join(headings) or 'nada'}."
        )
    _judge_headings(headings)
    reader.fieldnames = headings
    rows: dict[tuple[str, int], LotRow] = {}
    wrong: list[str] = []
    for number, raw in enumerate(reader, start=2):
        try:
            if None in raw:
                raise ValueError("há mais células do que colunas; use ponto nos decimais, não vírgula")
            at, row = _row({k: (v or "").strip() for k, v in raw.items() if k in _COLUMNS})
            if at in rows and rows[at] != row:
                raise ValueError(f"a chave {at[0]}, item {at[1]}, aparece duas vezes com dados diferentes")
            rows[at] = row
        except ValueError as problem:
            wrong.append(f"linha {number}: {problem}")
    if wrong:
        shown = "\n  ".join(wrong[:_MOST_ERRORS])
        more = f"\n  … e mais {len(wrong) - _MOST_ERRORS}." if len(wrong) > _MOST_ERRORS else ""
        raise LastroError(f"O arquivo de lotes tem erros e nada foi lido dele:\n  {shown}{more}")
    return rows


def lots_of(files: Iterable[Source]) -> Lots:
    """What several lots files say, read as one. Raises LastroError that names the file to mend.

    Nothing is read of any of them where one cannot be read, or where two say different things of one item:
    what is not read would be claimed whole.
    """
    rows: dict[tuple[str, int], LotRow] = {}
    by: dict[tuple[str, int], str] = {}
    for source in files:
        name = f"{source.file}, {source.member}" if source.member else source.file
        if source.problem is not None:
            raise LastroError(f"{name}: o arquivo de lotes não se abre ({source.problem.found}).")
        try:
            said = read_lots(source.data.decode("utf-8-sig"))
        except UnicodeDecodeError as wrong:
            raise LastroError(f"{name}: não é um texto em UTF-8; salve-o de novo.") from wrong
        except LastroError as wrong:
            raise LastroError(f"{name}: {wrong}") from wrong
        for (key, line), row in said.items():
            if rows.setdefault((key, line), row) != row:
                first = by[key, line]
                raise LastroError(f"A chave {key}, item {line}, tem dados diferentes em {first} e em {name}.")
            by.setdefault((key, line), name)
    return rows


def of_no_item(lots: Lots, lines: Mapping[str, Iterable[int]]) -> list[str]:
    """In words, the rows that speak of no item that is there; `lines` are the items of each note known.

    A wrong number in a row is silent else: its part would be claimed of nothing, and the item it meant whole.
    """
    told = []
    for key, line in sorted(lots):
        known = sorted(set(lines.get(key, ())))
        if line in known:
            continue
        has = "a nota ainda não entrou" if not known else f"ela tem {_items(known)}"
        told.append(f"{BESIDE}: item {line} da nota {key}: {has}")
    return told


def _items(known: list[int]) -> str:
    if len(known) == 1:
        return f"só o item {known[0]}"
    return f"os itens {', '.join(map(str, known[:_MOST_ERRORS]))}{' …' if len(known) > _MOST_ERRORS else ''}"


def _judge_headings(headings: list[str]) -> None:
    """A column that is not known is not passed over: the part it limits would be claimed whole."""
    unknown = [repr(h) for h in headings if h and h not in _COLUMNS]
    if unknown:
        raise LastroError(
            f"O arquivo de lotes tem colunas que não conheço: {', '.join(unknown)}; apague-as ou corrija o "
            f"nome (colunas aceitas: {', '.join(_COLUMNS)}). Nada foi lido dele."
        )
    if twice := sorted({h for h in headings if h and headings.count(h) > 1}):
        raise LastroError(f"O arquivo de lotes tem mais de uma coluna {', '.join(twice)}; deixe uma só.")


def _delimiter(text: str) -> str:
    first = text.split("\n", 1)[0]
    return ";" if first.count(";") > first.count(",") else ","


def _row(raw: Mapping[str, str]) -> tuple[tuple[str, int], LotRow]:
    try:
        key = AccessKey.parse(raw.get("key", "")).text
    except ValueError:
        raise ValueError(f"{raw.get('key', '')!r} não é uma chave de acesso de 44 caracteres") from None
    line = raw.get("line", "")
    if not line.isascii() or not line.isdigit() or not 1 <= int(line) <= 990:
        raise ValueError(f"{line!r} não é o número de um item da nota (1 a 990)")
    municipality = raw.get("municipality", "")
    if municipality and uf_of(municipality) is None:
        raise ValueError(f"{municipality!r} não é um código de município do IBGE (7 dígitos)")
    origin = raw.get("origin", "").lower()
    if origin and origin not in _ORIGINS:
        raise ValueError(f"{origin!r} não é uma origem; use uma de {', '.join(sorted(_ORIGINS))}")
    manifest = re.sub(r"[.\s]", "", raw.get("mtr", ""))
    if manifest and not re.fullmatch(r"[0-9]{10}|[0-9]{12}", manifest):
        raise ValueError(f"{raw['mtr']!r} não é o número de um MTR (12 dígitos no SINIR, 10 nos estados)")
    mass = _mass(raw.get("mass_kg", ""))
    return (key, int(line)), LotRow(municipality or None, _ORIGINS.get(origin), mass, manifest or None)


def _mass(text: str) -> Mass | None:
    if not text:
        return None
    try:
        mass = Mass.of(decimal(Cell(text)) * MG_PER_KG)
    except Ambiguous:
        raise ValueError(f"{text!r} se lê de dois modos: {two_readings(text)}") from None
    except ValueError:
        raise ValueError(f"{text!r} não é uma massa em kg; escreva como 1355.90 ou 1355,90") from None
    if mass.mg <= 0:
        raise ValueError(f"a massa deve ser maior que zero, e veio {text!r}")
    return mass
