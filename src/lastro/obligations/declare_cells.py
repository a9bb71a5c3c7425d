"""One cell of a declaration becomes a year, a material, a UF or a mass; or a `Wrong` that says why not."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from lastro.ids import UF_BY_CODE, Material, bare, company_of, is_cnpj
from lastro.lawkit.glossary import label
from lastro.registry.columns import MATERIALS
from lastro.sheets import Ambiguous, Cell, decimal, folded, two_readings
from lastro.units import MG_PER_KG, Mass

FIRST_YEAR = 2010
MOST_KG = 10**11


class Wrong(ValueError):
    """A cell that can't be: what was expected, how to cure it, and the code of the catalogue, if one fits."""

    def __init__(self, expected: str, cure: str, code: str = "") -> None:
        super().__init__(expected)
        self.expected, self.cure, self.code = expected, cure, code


def value(
    name: str, cell: Cell, *, company: str, today: date, registered: frozenset[Material] | None = None
) -> Any:
    """What the cell of a column says; `registered` are the only materials it may name. Raises Wrong."""
    if cell.kind == "formula":
        raise Wrong("um valor, e não uma fórmula", "Copie a coluna e cole só os valores.")
    if cell.kind in ("other", "date", "bool"):
        raise Wrong("um texto ou um número", "Formate a célula como texto ou número e escreva de novo.")
    if name == "year":
        return _year(cell, today)
    if name == "material":
        return _registered(_material(cell), registered)
    if name == "uf":
        return _uf(cell)
    if name == "establishment":
        return _establishment(cell, company)
    return _mass(cell)


def _year(cell: Cell, today: date) -> int:
    if not re.fullmatch(r"[0-9]{4}", cell.text):
        raise Wrong("um ano de quatro dígitos", "Escreva como 2025; apague linhas de total e notas.")
    year = int(cell.text)
    if not FIRST_YEAR <= year <= today.year:
        raise Wrong(f"um ano de {FIRST_YEAR} a {today.year}", "É o ano em que a embalagem foi ao mercado.")
    return year


def _material(cell: Cell) -> Material:
    found = MATERIALS.get(folded(cell.text))
    if found is not None:
        return found
    if folded(cell.text) in ("metal", "metais"):
        cure = "Separe os metais: aço, alumínio e outros metais, uma linha para cada."
    else:
        cure = "Escreva um desses nomes, uma linha para cada material."
    raise Wrong("papel, plástico, vidro, aço, alumínio, outros metais, cartonada …", cure)


def _registered(material: Material, registered: frozenset[Material] | None) -> Material:
    if registered is None or material in registered:
        return material
    names = ", ".join(sorted(label(m.value) for m in registered))
    cure = "Corrija a linha, ou peça que o material entre no cadastro da empresa (coluna materials)."
    raise Wrong(f"um material do cadastro: {names}", cure, "F10")


def _uf(cell: Cell) -> str:
    text = cell.text.upper()
    if text == "BR" or text in UF_BY_CODE.values():
        return text
    raise Wrong("a sigla de uma UF, ou BR para o país inteiro", "Escreva duas letras, como MT.")


def _establishment(cell: Cell, company: str) -> str:
    text = bare(cell.text)
    if not is_cnpj(text):
        raise Wrong("um CNPJ com dígitos verificadores certos", "Confira o número e corrija.", "P01")
    if company_of(text) != company:
        raise Wrong(f"um estabelecimento da empresa {company}", "Cada empresa declara o que é seu.", "F09")
    return text


def _mass(cell: Cell) -> Mass:
    try:
        kilograms = decimal(cell)
    except Ambiguous:
        raise Wrong("um número que se leia de um modo só", f"{_capital(two_readings(cell.text))}.") from None
    except ValueError:
        cure = "Escreva só o número, como 1355,90 ou 1.355,90, sem unidade."
        raise Wrong("uma massa em quilogramas", cure) from None
    if kilograms < 0:
        raise Wrong("zero ou mais", "Massa negativa não existe: corrija o sinal.", "M02")
    if kilograms > MOST_KG:
        raise Wrong(f"até {MOST_KG} kg", "Confira a unidade: a coluna é em quilogramas.", "M03")
    try:
        return Mass.of(kilograms * MG_PER_KG)
    except ValueError:
        raise Wrong("no máximo seis casas decimais", "Nada se conta abaixo do miligrama.", "M04") from None


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
