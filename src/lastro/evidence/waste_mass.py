"""How much a residue weighs, in whole milligrams: what the receiver confirmed, never what the sender told.

Until the receiver has confirmed it the mass is not known. A volume is a mass only with its density; a count
is none. Finer than a milligram is not rounded (M04).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from lastro.evidence.weigh import Weighed
from lastro.facts import Severity
from lastro.findings import finding
from lastro.tables import sinir
from lastro.units import MG_PER_KG, Mass, decimal_text, exact
from lastro.waste import Residue

_MOST_MG = 10**15
"""A million tonnes: no load weighs that, and sums must fit in 64 bits."""

_DENSEST = 23
"""Kilograms a litre: nothing that is carted away is denser (osmium has 22.6); it is then in other units."""

_NOT_RECEIVED = {"open": "ainda não recebido", "cancelled": "cancelado sem recebimento"}


def received(residue: Residue, *, where: str = "", state: str = "received") -> Weighed:
    """Weigh what was received of a residue; `state` is where its manifest stands (`sinir.state_of`).

    Codes: M01 (no mass told, or not received yet), M02 (not positive, or not readable), M03, M04.
    """
    if state != "received":
        told = f" (indicados {residue.indicated} {residue.unit})" if residue.indicated else ""
        found = _NOT_RECEIVED.get(state, "situação desconhecida") + told
        return _unknown("M01", where, found, "a quantidade que o destinador recebeu")
    if residue.received is None:
        return _unknown("M01", where, "recebido sem quantidade", "a quantidade que o destinador recebeu")
    return _weighed(residue, residue.received, where)


def indicated(residue: Residue, *, where: str = "") -> Weighed:
    """Weigh what the sender indicated: to be shown beside what was received, never to be counted."""
    return _weighed(residue, residue.indicated, where)


def total_received(residues: Iterable[Residue], *, state: str = "received") -> Mass | None:
    """What was received of several residues together, each row once even where two rows name one residue.

    None where the mass of any of them is not known: a part would be taken for the whole.
    """
    masses = [received(residue, state=state).mass for residue in residues]
    if not masses or any(mass is None for mass in masses):
        return None
    return Mass(sum(mass.mg for mass in masses if mass is not None))


def _weighed(residue: Residue, written: str, where: str) -> Weighed:
    try:
        quantity = exact(written)
    except ValueError:
        return _unknown("M02", where, written or "vazio", "um número que se lê de um só modo", review=True)
    if quantity < 0:
        return _unknown("M02", where, written, "número maior que zero")
    per_unit = _mg_of_one(residue)
    if isinstance(per_unit, str):
        return _unknown("M01", where, per_unit, "KG, TON, ou volume com densidade")
    mg = quantity * per_unit
    if mg.denominator != 1:
        return _unknown("M04", where, f"{decimal_text(mg / MG_PER_KG)} kg", "miligramas inteiros")
    if mg > _MOST_MG:
        return _unknown("M03", where, f"{decimal_text(mg / MG_PER_KG)} kg", "a massa de uma carga")
    if mg == 0:
        # Nothing came, and that is known: a load turned away at the gate.
        return Weighed(Mass(0), _unknown("M02", where, written, "número maior que zero").findings)
    return Weighed(Mass(int(mg)), ())


def _mg_of_one(residue: Residue) -> Fraction | str:
    """How many milligrams one unit of the residue weighs, or why that cannot be told."""
    measure = sinir.measure_of(residue.unit)
    if measure is None:
        return f"unidade {residue.unit}" if residue.unit else "sem unidade"
    if measure.kind == "mass":
        return Fraction(measure.scale)
    if measure.kind != "litres":
        return f"unidade {residue.unit}"
    if residue.density is None:
        return f"{residue.unit} sem densidade"
    try:
        density = exact(residue.density)
    except ValueError:
        return f"{residue.unit} com densidade “{residue.density}”"
    if not 0 < density < _DENSEST:
        return f"{residue.unit} com densidade {residue.density}, que não é em t/m³"
    return density * measure.scale * MG_PER_KG


def _unknown(code: str, where: str, found: str, expected: str, *, review: bool = False) -> Weighed:
    severity = Severity.REVIEW if review else None
    return Weighed(None, (finding(code, where=where, found=found, expected=expected, severity=severity),))
