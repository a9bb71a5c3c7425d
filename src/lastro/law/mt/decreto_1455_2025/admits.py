"""What the decree has against one invoice line: window, origin, aerosols, re-entry."""

from __future__ import annotations

from typing import Any

from lastro.facts import Candidate, Objection
from lastro.ids import Origin
from lastro.lawkit import Law, Rule, rule
from lastro.lawkit.trace import shown

from . import rules


@rule(provisions=("art58",), label="Reinserção no ciclo produtivo")
def reenters(law: Law, *, reenters_production: bool | None) -> bool:
    """Only a note that proves re-entry in the production cycle counts; an unknown recipient is no proof."""
    return reenters_production is True


def vetting_years(law: Law) -> int:
    """How many years the vetting of an operator stands (art. 59: at least once a year)."""
    return int(law.vetting.validity)


def admits(law: Law, candidate: Candidate) -> tuple[Objection, ...]:
    """Every objection of the decree to a candidate, in article order; none is an empty tuple.

    Codes: M14 (arts. 27 and 28), M13 (art. 29), P07 (art. 58), N14 (art. 70). An unknown origin is not
    objected to here: the room that asks knows what else may tell it.
    """
    found = (
        _origin(law, candidate),
        _aerosol(law, candidate),
        _reentry(law, candidate),
        _window(law, candidate),
    )
    return tuple(one for one in found if one is not None)


def _origin(law: Law, candidate: Candidate) -> Objection | None:
    if candidate.origin is None:
        return None
    if rules.eligible_origin(
        law,
        origin=candidate.origin,
        destination_proved=candidate.destination_proved,
        upstream_known=candidate.upstream_counted is not None,
    ):
        return None
    recycler = candidate.origin is Origin.PRIVATE_RECYCLER
    return _objection(
        law, "M14", rules.eligible_origin,
        found=shown(candidate.origin) + (", sem prova completa" if recycler else ""),
        expected="certificado de destinação final e rastreio das notas anteriores da cadeia" if recycler
        else "uma das origens do art. 27, ou do art. 28 com prova",
    )  # fmt: skip


def _aerosol(law: Law, candidate: Candidate) -> Objection | None:
    if not candidate.aerosol:
        return None
    return _objection(
        law, "M13", rules.without_aerosols, found="embalagem de aerossol", expected="material sem aerossóis"
    )


def _reentry(law: Law, candidate: Candidate) -> Objection | None:
    if reenters(law, reenters_production=candidate.reenters_production):
        return None
    known = candidate.reenters_production is False
    return _objection(
        law, "P07", reenters,
        found="destinatário que não transforma o material" if known else "destinatário desconhecido",
        expected="quem transforma o material em insumo ou novo produto",
    )  # fmt: skip


def _window(law: Law, candidate: Candidate) -> Objection | None:
    year = candidate.target_year
    if year is None or rules.in_window(law, issued_on=candidate.issued_on, year=year):
        return None
    return _objection(
        law, "N14", rules.in_window, found=shown(candidate.issued_on), expected=f"emitida em {year}"
    )


def _objection(law: Law, code: str, by: Rule[..., Any], *, found: str, expected: str) -> Objection:
    return Objection(code, law.norm.cite(by.provisions), found, expected)
