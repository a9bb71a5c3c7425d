"""How much, and what becomes of it: the money, its split, transfer and use (arts. 11 to 17, annex)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from fractions import Fraction

from lastro.lawkit import Law, rule
from lastro.units import Mass, Money, Share

TONNE_MG = Mass.parse("1 t").mg
USES = ("administration", "equipment", "training", "stock", "publicity")
NOTHING = Fraction(0)

CYCLE_MOVES = {
    ("open", "proofs_closed"): "semad",
    ("proofs_closed", "consolidated"): "semad",
    ("consolidated", "calculated"): "semad",
    ("calculated", "validated"): "committee",
    ("validated", "granted"): "committee",
    ("granted", "transferred"): "semad",
    ("transferred", "closed"): "semad",
}


@rule(provisions=("art11", "art19"), label="Trimestre do ciclo")
def cycle_quarter(law: Law, *, on: date) -> int:
    """The incentive is granted every quarter of the calendar, from the decree on."""
    return (on.month - 1) // int(law.cycle.months) + 1


@rule(provisions=("art11-I", "art11-II", "art11-III"), label="Recursos do trimestre")
def funds(law: Law, *, budget: Money, donations: Money, other: Money) -> Money:
    """Money comes from the budget with its credits, from donations, and from other origins."""
    return budget + donations + other


@rule(provisions=("art11-pu",), label="Mínimo do trimestre")
def quarter_minimum(law: Law, *, annual: Money) -> Money:
    """At least a quarter of what the year foresees is made available each quarter; cents round up."""
    least: Share = law.cycle.minimum
    return _ceiling(least.of_one * annual.cents)


@rule(provisions=("art12",), label="Último dia para os comprovantes", reading="pontos-facultativos-listados")
def proofs_due(law: Law, *, year: int, quarter: int, closed: tuple[date, ...]) -> date:
    """Proofs are due on the last business day of the month after the quarter; `closed` are days off."""
    after = quarter * int(law.cycle.months) + int(law.proofs.months_after)
    last = date(year + after // 12, after % 12 + 1, 1) - timedelta(days=1)
    while last.weekday() >= 5 or last in closed:
        last -= timedelta(days=1)
    return last


@rule(provisions=("art13", "art14", "annex-formula", "annex-T"), label="Pontos", reading="k-vezes-t")
def points(law: Law, *, sold: Mapping[str, Mass], k: Mapping[str, Fraction]) -> Fraction:
    """The tonnes of each material sold, times its coefficient; kilograms are not rounded on the way."""
    return sum((Fraction(mass.mg, TONNE_MG) * k[name] for name, mass in sold.items()), NOTHING)


@rule(provisions=("art14-p2",), label="Coeficiente composto")
def composed_coefficient(law: Law, *, sold: Mapping[str, Mass], k: Mapping[str, Fraction]) -> Fraction:
    """A material's coefficient may be made up of those of its subclasses, weighed by what was sold."""
    whole = sum(mass.mg for mass in sold.values())
    return sum((mass.mg * k[name] for name, mass in sold.items()), NOTHING) / whole if whole else NOTHING


@rule(provisions=("art15",), label="Parte de cada organização", reading="k-como-peso")
def split(law: Law, *, available: Money, points: Mapping[str, Fraction]) -> Mapping[str, Money]:
    """What is available is shared by points, to the last cent; without any point nobody is paid."""
    return _shared(available, points)


@rule(provisions=("art15",), label="Conta por tonelada", reading="k-como-peso")
def bill(law: Law, *, available: Money, points: Mapping[str, Fraction]) -> Mapping[str, Money]:
    """With k in reais per tonne, points are the bill; where money falls short, all are cut in proportion."""
    exact = {name: value * 100 for name, value in points.items()}
    whole = _half_up(sum(exact.values(), NOTHING))
    return _shared(min(whole, available), points)


@rule(provisions=("art15-p1",), label="Valor por tonelada")
def unit_value(law: Law, *, available: Money, points: Fraction, k: Fraction) -> Fraction:
    """The reais that a tonne of a material brought, which the committee validates before it grants."""
    return Fraction(available.cents, 100) / points * k if points else NOTHING


@rule(provisions=("art4-II", "art15-p1"), label="Passo do ciclo")
def cycle_step(law: Law, *, before: str, after: str, by: str) -> bool:
    """Nothing is granted before the committee validated the calculation, nor paid before it was granted."""
    return CYCLE_MOVES.get((before, after)) == by


@rule(provisions=("art15-p2",), label="Último dia da transferência", reading="tres-meses-no-mes")
def transfer_due(law: Law, *, granted_on: date) -> date:
    """The incentive is transferred within three months; a day that the month lacks is its last."""
    months = granted_on.year * 12 + granted_on.month - 1 + int(law.transfer.months)
    following = date((months + 1) // 12, (months + 1) % 12 + 1, 1)
    last = following - timedelta(days=1)
    return last.replace(day=min(granted_on.day, last.day))


@rule(provisions=("art15-p2",), label="Parcelas completas")
def instalments_complete(law: Law, *, amount: Money, instalments: tuple[Money, ...]) -> bool:
    """Instalments add up to what was granted."""
    return sum(one.cents for one in instalments) == amount.cents


@rule(provisions=("art16",), label="Mínimo a repassar aos catadores")
def least_to_members(law: Law, *, received: Money) -> Money:
    """At least nine tenths of each transfer are passed on to members; cents round up."""
    part: Share = law.transfer.to_members
    return _ceiling(part.of_one * received.cents)


@rule(provisions=("art16-I-V",), label="Uso permitido do restante")
def use_allowed(law: Law, *, use: str) -> bool:
    """The rest serves administration, equipment, training, stock of material or publicity; nothing else."""
    return use in USES


@rule(provisions=("art16-I-V", "art17"), label="Saldo do relatório anual")
def report_balance(law: Law, *, received: Money, passed_on: Money, used: Money) -> Money:
    """What was received is passed on, used or still there; a negative balance shows more use than money."""
    return received - passed_on - used


def _ceiling(cents: Fraction) -> Money:
    return Money(-(-cents.numerator // cents.denominator))


def _half_up(cents: Fraction) -> Money:
    return Money((cents + Fraction(1, 2)).__floor__())


def _shared(available: Money, points: Mapping[str, Fraction]) -> dict[str, Money]:
    """Largest remainder: whole cents first, the cents left over to the largest fractions, ties by name."""
    whole = sum(points.values(), NOTHING)
    if not whole:
        return dict.fromkeys(points, Money(0))
    exact = {name: available.cents * value / whole for name, value in points.items()}
    cents = {name: value.__floor__() for name, value in exact.items()}
    left = available.cents - sum(cents.values())
    for name in sorted(exact, key=lambda one: (cents[one] - exact[one], one))[:left]:
        cents[name] += 1
    return {name: Money(value) for name, value in cents.items()}
