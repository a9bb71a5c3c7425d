"""Who registers and reports, by when, and what it costs not to (arts. 2º to 4º, 7º and 11)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import date, timedelta
from fractions import Fraction
from functools import cache
from importlib.resources import files

from lastro.lawkit import Law, rule
from lastro.units import Money

CODES = tuple(f"annex-{code:02d}" for code in range(1, 23))
PERSONS = ("natural_person", "individual", "company")


@cache
def activities() -> Mapping[str, Mapping[str, str]]:
    """The activities of the annex by code, each with its name and, where the law gives one, its level."""
    return tomllib.loads(files(__package__).joinpath("activities.toml").read_text("utf-8"))


@rule(
    provisions=("art3", "art8-p2", *CODES),
    label="Potencial de poluição ou grau de utilização",
    reading="codigos-sem-nivel",
)
def level(law: Law, *, code: str) -> str | None:
    """What the annex says of an activity; None where it lists the activity and gives no level."""
    return activities()[code].get("level")


@rule(provisions=("art3-p1", "art3-p2"), label="Último dia para se inscrever")
def registration_due(law: Law, *, active_since: date) -> date:
    """Thirty days after the public registration; who was active before the law had until a fixed day."""
    if active_since < law.norm.in_force_since:
        return date.fromisoformat(law.registration.transitional)
    return active_since + timedelta(days=int(law.registration.days))


@rule(provisions=("art1-pu", "art2-pu-I"), label="Inscrição por enviar ao sistema nacional")
def to_export(law: Law, *, updated_on: date, exported_on: date | None) -> bool:
    """The register supplies the national system: what changed since the last export goes to it."""
    return exported_on is None or updated_on > exported_on


@rule(
    provisions=("art2-pu-III",), label="Categoria no cadastro federal", reading="categorias-de-mesmo-numero"
)
def federal_category(law: Law, *, code: str) -> str | None:
    """The agency aligns its activities with the federal categories; two of them have none there."""
    return code if activities()[code].get("level") else None


@rule(
    provisions=("art4-p2",),
    label="Estabelecimentos por inscrever ou confirmar",
    reading="outros-estabelecimentos",
)
def sites_to_confirm(law: Law, *, sites: int, registered: int) -> int:
    """One establishment's duty reaches the owner's others in the state; each is registered or confirmed."""
    return sites - registered


@rule(
    provisions=("art4-I", "art4-II", "art4-III", "art4-IV", "art4-p1"),
    label="Porte", reading="porte-da-empresa-inteira",
)  # fmt: skip
def size(law: Law, *, person: str, revenue: Money, mei: bool, excluded: bool) -> str | None:
    """The size by the revenue of the year before; None where the law gives none and the agency decides.

    `excluded`: its legal form or partners keep it out of the statute of small firms, whatever its revenue.
    """
    if person == "natural_person":
        return person
    if person == "individual" and mei and revenue <= law.size.mei:
        return "individual"
    if revenue <= law.size.small:
        return None if excluded else "micro" if revenue <= law.size.micro else "small"
    if revenue <= law.size.medium:
        return "medium"
    return "large" if person == "company" else None


@rule(
    provisions=("art3-I", "art3-II", "art3-III", "art3-IV", "art3-V", "art3-VI"),
    label="Multa por não se inscrever", reading="upf-da-autuacao",
)  # fmt: skip
def registration_fine(law: Law, *, size: str, upf: Money) -> Money:
    """Not to be registered is fined by size, in UPF/MT."""
    return in_upf(getattr(law.registration.fine, size), upf)


@rule(provisions=("art11",), label="Entrega do relatório de atividades")
def report_due(law: Law, *, year: int) -> date:
    """The activities of a year are reported by the last day of March of the next."""
    due: date = law.report.due.of(year + 1)
    return due


@rule(
    provisions=("art11-p1-I", "art11-p1-II", "art11-p1-III", "art11-p1-IV", "art11-p1-V", "art11-p3"),
    label="Multa pelo relatório", reading="isento-duas-upf",
)  # fmt: skip
def report_fine(law: Law, *, size: str, upf: Money, exempt: bool) -> Money:
    """A report that lacks or is late is fined by size; an exempt legal person's always by two UPF/MT."""
    return in_upf(law.report.fine.exempt if exempt else getattr(law.report.fine, size), upf)


@rule(provisions=("art11-p2",), label="Multa reduzida pelo relatório espontâneo")
def reduced_report_fine(law: Law, *, fee: Money) -> Money:
    """Late but before any notice, the fine is a tenth of the fee of the first quarter of its due year."""
    return half_up(law.report.reduced.of_one * fee.cents)


@rule(provisions=("art7-I",), label="Isento: administração pública")
def public_body(law: Law, *, kind: str) -> bool:
    """Public bodies, autarchies and foundations of the three levels pay no fee."""
    return kind == "public"


@rule(provisions=("art7-II", "art7-II-a", "art7-II-b", "art7-II-c"), label="Isento: assistência social")
def social_body(law: Law, *, recognised: bool, distributes: bool, in_the_country: bool, books: bool) -> bool:
    """A recognised body of social assistance pays no fee while all three conditions are proved."""
    return recognised and not distributes and in_the_country and books


@rule(provisions=("art7-III",), label="Isento: agricultura de subsistência")
def subsistence(law: Law, *, declared: bool, refused: bool) -> bool:
    """Who farms for subsistence says so, and the agency may find otherwise."""
    return declared and not refused


def in_upf(units: Fraction, upf: Money) -> Money:
    """An amount that the law writes in UPF/MT, in reais."""
    return half_up(units * upf.cents)


def half_up(cents: Fraction) -> Money:
    """Whole cents, the half upwards."""
    return Money((cents + Fraction(1, 2)).__floor__())
