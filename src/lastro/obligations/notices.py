"""What a declaration shows of the company itself, beside its masses: warnings, which refuse nothing.

Comes in: the declared rows and what the registry knows. Goes out: findings P06 (an establishment that is not
on the company's list) and P09 (a small firm declared as fully obliged).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from lastro.facts import Finding
from lastro.findings import finding
from lastro.ids import company_of, masked
from lastro.obligations.declare import Declared

_SMALL = {"mei": "microempreendedor", "me": "microempresa", "epp": "empresa de pequeno porte"}


class Companies(Protocol):
    """What the registry answers of a company."""

    def listed(self, cnpj: str) -> bool | None: ...
    def size(self, company: str, year: int) -> str | None: ...


def notices(declared: Declared, registry: Companies, *, company: str) -> tuple[Finding, ...]:
    """The warnings on a declaration of a company, by establishment and year. Codes: P06, P09."""
    return (*_unlisted(declared, registry), *_small(declared, registry, company_of(company)))


def _unlisted(declared: Declared, registry: Companies) -> Iterator[Finding]:
    """P06: the row's establishment is not listed, though others of the company are."""
    for establishment in sorted({who for who, _ in declared.parts if who}):
        if registry.listed(establishment) is False:
            expected = "um estabelecimento do cadastro da empresa"
            yield finding("P06", where="establishment", found=masked(establishment), expected=expected)


def _small(declared: Declared, registry: Companies, root: str) -> Iterator[Finding]:
    """P09: a year's mass is declared in full by a firm whose registered size is a small one."""
    for year in sorted({placed.year for placed in declared.placements if placed.mass.mg}):
        size = registry.size(root, year)
        if size in _SMALL:
            expected = "conferir se a norma a obriga por inteiro"
            yield finding("P09", where=f"{year}", found=f"{_SMALL[size]} em {year}", expected=expected)
