"""A company's year: does it comply, by when, what does it lack, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from django.urls import reverse

from lastro.certificates.states import State
from lastro.desk import settle_companies
from lastro.errors import NotInForce, TextMissing
from lastro.ids import company_of
from lastro.lawkit import Regulation, library
from lastro.lawkit.glossary import capital, label
from lastro.obligations import Position, undeclared
from lastro.stores.postgres.view import RetiredFor
from lastro.units import Mass, how_many
from lastro.web import office
from lastro.web.readings import certificates, requests
from lastro.web.readings.dashboard import report_due, thousandths
from lastro.web.readings.deadlines import HandedIn, handed_in_for


@dataclass(frozen=True)
class Shown:
    """One position, with what is lacking or left over and how long its bars are."""

    position: Position
    name: str
    lacks: Mass | None
    surplus: Mass | None
    done: int
    owed: int


@dataclass(frozen=True)
class NextStep:
    """What to do next: in words, and the page where it is done."""

    words: str
    link: str = ""
    does: str = ""


@dataclass(frozen=True)
class Year:
    """What a company is told for a year under a norm."""

    regulation: Regulation
    year: int
    positions: tuple[Shown, ...]
    undeclared: tuple[str, ...]
    retired: tuple[RetiredFor, ...]
    report_due: date | None
    size: str
    scheme: str
    handed_in: tuple[HandedIn, ...] = ()
    steps: tuple[NextStep, ...] = ()
    base_year: int | None = None
    """The year whose placed mass the targets are reckoned on."""

    @property
    def complies(self) -> bool | None:
        """Whether every position is met; None when one can't be told and none is short."""
        found = {shown.position.met for shown in self.positions}
        if not found:
            return None
        return False if False in found else None if None in found else True

    @property
    def declared(self) -> bool:
        """Whether anything is known of what was placed, so that a target can be told."""
        return any(shown.position.base is not None for shown in self.positions)


def norms() -> list[Regulation]:
    """The norms in force that set targets."""
    return [r for r in library.every() if r.settles is not None and r.norm.status == "in_force"]


def under_any(establishment: str, regulations: list[Regulation], year: int) -> Year:
    """The company's year under the first norm of which something of it is known; else under the last."""
    for regulation in regulations:
        found = year_of(establishment, regulation, year)
        if any(shown.position.base is not None or shown.position.achieved.mg for shown in found.positions):
            break
    return found


def year_of(establishment: str, regulation: Regulation, year: int) -> Year:
    """Everything a company's page shows."""
    root, store = company_of(establishment), office.store()
    settled = settle_companies(
        store, regulation.norm.path, year=year, company=root, data=office.site().data, today=office.today()
    )
    known = office.registry()
    positions: tuple[Position, ...] = ()
    silent: tuple[str, ...] = ()
    for facts, found in settled:
        positions, silent = found, undeclared(regulation, facts, year=year)
    shown = tuple(_shown(p) for p in positions)
    made = Year(
        regulation=regulation,
        year=year,
        positions=shown,
        undeclared=silent,
        retired=tuple(store.retired(company=root, year=year)),
        report_due=report_due(regulation.norm.path, year),
        size=known.size(root, year) or "",
        scheme=known.scheme(root, year) or "",
        handed_in=handed_in_for(establishment, regulation.norm.path, year),
        base_year=_base_year(regulation, year),
    )
    return replace(made, steps=tuple(_steps(establishment, made)))


def _base_year(regulation: Regulation, year: int) -> int | None:
    """The year whose placed mass a norm reckons a year's targets on, where it has a rule that says so."""
    rule = regulation.rules.get("base_year")
    if rule is None or set(rule.inputs) != {"year"}:  # another norm's base year hangs on more than the year
        return None
    try:
        return int(rule(regulation.law(date(year, 12, 31)), year=year))
    except (NotInForce, TextMissing):
        return None


def _steps(establishment: str, found: Year) -> Iterator[NextStep]:
    """What the company can do now, one thing for each lack, the first thing first."""
    query = f"?ano={found.base_year}" if found.base_year else ""
    declare, of = f"{reverse('declaration')}{query}", f" em {found.base_year}" if found.base_year else ""
    if not found.declared:
        yield NextStep(
            f"Declare o que colocou no mercado{of}: sem isso a meta não se apura.", declare, "Declarar"
        )
    elif found.undeclared:
        names = ", ".join(label(group) for group in found.undeclared)
        yield NextStep(
            f"Confira se nada colocou no mercado{of} de: {names}. Se sim, declare 0.", declare, "Completar"
        )
    for shown in found.positions:
        if shown.lacks is not None:
            yield _for_lack(establishment, found, shown, shown.lacks)
    waiting = requests.open_of(establishment)
    if waiting:
        number = how_many(len(waiting), "pedido de órgão espera", "pedidos de órgãos esperam")
        yield NextStep(f"{number} a sua resposta.", reverse("requests"), "Responder")
    if found.scheme == "individual" and found.report_due is not None:
        yield NextStep(
            f"Entregue o relatório anual de {found.year} até {found.report_due:%d/%m/%Y}: a empresa cumpre "
            "por sistema individual.", reverse("company-papers"), "Ver os documentos",
        )  # fmt: skip


def _for_lack(establishment: str, found: Year, shown: Shown, lacks: Mass) -> NextStep:
    """How to cover what one material lacks: a certificate at hand, else the plan, else a plan first."""
    for one in certificates.of_company(establishment):
        c = one.certificate
        fits = any(found.regulation.group(m) == shown.position.material for m in one.materials)
        usable = one.state is State.ISSUED and not c.stale and c.holder == establishment
        if fits and usable and c.year == found.year:
            words = f"Em {shown.name.lower()} faltam {lacks}: o certificado {c.number} tem {c.mass}."
            return NextStep(words, reverse("company-use", args=[c.id]), "Usar o certificado")
    here = office.registry().memberships(establishment, office.today())
    if not here:
        words = f"Em {shown.name.lower()} faltam {lacks}: o estabelecimento não é aderente de nenhum plano."
        return NextStep(words, reverse("company-profile"), "Aderir a um plano")
    names = ", ".join(sorted({office.name_of(one.entity) for one in here}))
    words = (
        f"Em {shown.name.lower()} faltam {lacks}: fale com {names}, que prova a massa ou vende certificado."
    )
    return NextStep(words, reverse("company-profile"), "Ver o plano")


def _shown(position: Position) -> Shown:
    balance, owed = position.balance, position.obligation_mass
    most = max(position.achieved.mg, owed.mg if owed else 0, 1)
    short = balance is not None and balance.mg < 0
    return Shown(
        position=position,
        name=capital(label(position.material)),
        lacks=Mass(-balance.mg) if balance is not None and short else None,
        surplus=balance if balance is not None and not short else None,
        done=thousandths(position.achieved.mg, most),
        owed=thousandths(owed.mg, most) if owed else 0,
    )
