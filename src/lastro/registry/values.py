"""One cell of a registry file becomes a value, or a `Wrong` that says what was expected and the cure."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

from lastro.ids import UF_BY_CODE, bare, is_cnpj, is_cpf, uf_of
from lastro.registry.columns import CHOICES, MATERIALS
from lastro.sheets import Ambiguous, Cell, decimal, folded, two_readings
from lastro.units import MG_PER_KG, decimal_text, exact

_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})\Z")
_BRAZILIAN_DAY = re.compile(r"([0-9]{2})/([0-9]{2})/([0-9]{4})\Z")
_YES = {"true", "sim", "s", "1", "verdadeiro", "yes"}
_NO = {"false", "nao", "n", "0", "falso", "no"}
_LONGEST = 500
_ZEROS = "Formate a coluna como texto, para que a planilha não tire zeros à esquerda, e escreva de novo."


class Wrong(ValueError):
    """A value that can't be: what was expected, how to cure it, and a code of the catalogue, if one fits."""

    def __init__(self, expected: str, cure: str, code: str = "") -> None:
        super().__init__(expected)
        self.expected, self.cure, self.code = expected, cure, code


def value(kind: str, cell: Cell) -> Any:
    """The value of a written cell, in the form in which rows are kept. Raises Wrong."""
    if cell.kind == "formula":
        raise Wrong("um valor, e não uma fórmula", "Copie a coluna e cole só os valores.")
    if cell.kind == "other":
        raise Wrong("um valor simples", "Escreva o valor sem erro de fórmula, hora ou objeto.")
    return _KINDS[kind](cell)


def _who(cell: Cell) -> str:
    text = bare(cell.text)
    if is_cnpj(text) or is_cpf(text):
        return text
    raise _not_registered(cell, text, "um CNPJ (14 caracteres) ou CPF (11) com dígitos verificadores certos")


def _cnpj(cell: Cell) -> str:
    text = bare(cell.text)
    if is_cnpj(text):
        return text
    raise _not_registered(cell, text, "um CNPJ de 14 caracteres com dígitos verificadores certos")


def _not_registered(cell: Cell, text: str, expected: str) -> Wrong:
    short = cell.kind == "number" and len(text) < 14
    return Wrong(expected, _ZEROS if short else "Confira o número no cartão do CNPJ e corrija.", "P01")


def _root(cell: Cell) -> str:
    text = bare(cell.text)
    if is_cnpj(text) or re.fullmatch(r"[0-9A-Z]{8}", text):
        return text[:8]
    raise Wrong(
        "a raiz de um CNPJ (8 caracteres)",
        _ZEROS if cell.kind == "number" else "Escreva os 8 primeiros caracteres do CNPJ.",
    )


def _municipality(cell: Cell) -> str:
    if uf_of(cell.text):
        return cell.text
    raise Wrong("o código do IBGE, com 7 dígitos", "Escreva o código do município, e não o nome.", "G01")


def _uf(cell: Cell) -> str:
    text = cell.text.upper()
    if text in UF_BY_CODE.values():
        return text
    raise Wrong("a sigla de uma unidade da federação", "Escreva duas letras, como MT.")


def _date(cell: Cell) -> str:
    wrong = Wrong("uma data que exista", "Escreva como 2026-12-31 ou 31/12/2026.")
    iso, local = _DAY.match(cell.text), _BRAZILIAN_DAY.match(cell.text)
    if iso:
        year, month, number = iso.groups()
    elif local:
        number, month, year = local.groups()
    else:
        raise wrong
    try:
        return date(int(year), int(month), int(number)).isoformat()
    except ValueError:
        raise wrong from None


def _bool(cell: Cell) -> bool:
    text = folded(cell.text)
    if text in _YES:
        return True
    if text in _NO:
        return False
    raise Wrong("sim ou não", "Escreva sim ou não (ou true ou false).")


def _year(cell: Cell) -> int:
    if re.fullmatch(r"(19|20)[0-9]{2}", cell.text):
        return int(cell.text)
    raise Wrong("um ano de quatro dígitos", "Escreva como 2026.")


def _text(cell: Cell) -> str:
    if len(cell.text) > _LONGEST:
        raise Wrong(f"um texto de até {_LONGEST} caracteres", "Encurte o texto.")
    return cell.text


def _choice(name: str) -> Callable[[Cell], str]:
    words = {folded(word): meant for word, meant in CHOICES[name].items()}

    def chosen(cell: Cell) -> str:
        found = words.get(folded(cell.text))
        if found is None:
            raise Wrong("um de: " + ", ".join(dict.fromkeys(words.values())), "Escreva um desses nomes.")
        return found

    return chosen


def _degrees(most: int) -> Callable[[Cell], str]:
    def degrees(cell: Cell) -> str:
        try:
            found = exact(cell.text.replace(",", "."))
        except ValueError:
            found = None
        if found is None or abs(found) > most:
            cure = "Escreva graus decimais, como -15,601411; não graus, minutos e segundos."
            raise Wrong(f"graus de -{most} a {most}", cure)
        return cell.text.replace(",", ".")

    return degrees


def _materials(cell: Cell) -> list[str]:
    """Several materials in one cell, in the order of their names."""
    parts = [folded(part) for part in re.split(r"[;,/\n]", cell.text) if part.strip()]
    wrong = [part for part in parts if part not in MATERIALS]
    if wrong or not parts:
        cure = "Separe os materiais por ponto e vírgula, cada um com o seu nome: papel; plástico."
        raise Wrong("papel, plástico, vidro, aço, alumínio, outros metais …", cure)
    return sorted({MATERIALS[part].value for part in parts})


def _kilograms(cell: Cell) -> str:
    """A mass above zero, as a plain decimal of kilograms."""
    try:
        found = decimal(cell)
    except Ambiguous:
        raise Wrong("um número que se leia de um modo só", f"Aqui, {two_readings(cell.text)}.") from None
    except ValueError:
        found = Fraction(0)
    if found <= 0 or (found * MG_PER_KG).denominator != 1:
        raise Wrong("quilogramas, acima de zero", "Escreva como 250000 ou 250000,5; vazio, nada se sabe.")
    return decimal_text(found)


_KINDS: dict[str, Callable[[Cell], Any]] = {
    "who": _who,
    "cnpj": _cnpj,
    "root": _root,
    "municipality": _municipality,
    "uf": _uf,
    "date": _date,
    "bool": _bool,
    "year": _year,
    "text": _text,
    "latitude": _degrees(90),
    "longitude": _degrees(180),
    "materials": _materials,
    "kilograms": _kilograms,
    **{name: _choice(name) for name in CHOICES},
}
