"""Who decides in the Bolsa Reciclagem, and when what they decide stands (arts. 4º, 5º and 14, § 3º)."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from lastro.lawkit import Law, rule
from lastro.quarters import quarter_of, quarter_start
from lastro.units import Share

SEATS = ("semad", "feam", "cmrr", "pickers", "prosecutor")


@rule(provisions=("art5",), label="Assentos da instituição no Comitê Gestor", reading="comite-de-2020")
def seats(law: Law, *, institution: str) -> int:
    """How many seats an institution has; one that is not named has none."""
    return int(getattr(law.committee, institution)) if institution in SEATS else 0


@rule(provisions=("art5-p3",), label="Reunião com quórum")
def has_quorum(law: Law, *, present: int) -> bool:
    """The committee meets with more than half of its seats, filled or not."""
    return present * 2 > _all_seats(law)


@rule(provisions=("art4-II", "art5-p3"), label="Matéria aprovada", reading="abstencao-presente")
def approved(law: Law, *, present: int, in_favour: int, against: int) -> bool:
    """A matter passes with more votes for than against, in a meeting that has a quorum."""
    return present * 2 > _all_seats(law) and in_favour > against and in_favour + against <= present


@rule(provisions=("art5-p1", "art5-p4"), label="Reunião extraordinária convocada", reading="comite-de-2020")
def may_call(law: Law, *, institution: str, members: int) -> bool:
    """The coordinator calls an extraordinary meeting, or at least half of the members ask for it."""
    half: Share = law.committee.extraordinary
    return institution == law.committee.coordinator or Fraction(members) >= half.of_one * _all_seats(law)


@rule(
    provisions=("art14-p1", "art14-p3", "art18"),
    label="Início do coeficiente",
    reading="k-dois-trimestres-inteiros",
)
def coefficient_from(law: Law, *, decided_on: date) -> date:
    """A new coefficient stands from the quarter after two have ended, those after the quarter of its act."""
    skipped = int(law.k.quarters) - (1 if law.k.own_quarter_counts else 0)
    return quarter_start(decided_on.year, quarter_of(decided_on) + 1 + skipped)


def _all_seats(law: Law) -> int:
    return sum(int(getattr(law.committee, one)) for one in SEATS)
