"""What a company can do now about what it lacks, and what its entities handed in for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse

from lastro.certificates.states import State
from lastro.lawkit.glossary import label
from lastro.units import Mass, how_many
from lastro.web import office
from lastro.web.readings import certificates, requests
from lastro.web.readings.company import Shown, Year


@dataclass(frozen=True)
class NextStep:
    """What to do next: in words, and the page where it is done."""

    words: str
    link: str = ""
    does: str = ""


def steps(establishment: str, found: Year) -> tuple[NextStep, ...]:
    """One thing for each lack, the first thing first."""
    return tuple(_steps(establishment, found))


def _steps(establishment: str, found: Year) -> Iterator[NextStep]:
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
    at_hand = _at_hand(establishment, found.year)
    for shown in found.positions:
        if shown.lacks is not None:
            yield _for_lack(establishment, found, shown, shown.lacks, at_hand)
    waiting = requests.open_of(establishment)
    if waiting:
        number = how_many(len(waiting), "pedido de órgão espera", "pedidos de órgãos esperam")
        yield NextStep(f"{number} a sua resposta.", reverse("requests"), "Responder")
    if found.scheme == "individual" and found.report_due is not None:
        yield NextStep(
            f"Entregue o relatório anual de {found.year} até {found.report_due:%d/%m/%Y}: a empresa cumpre "
            "por sistema individual.", reverse("company-papers"), "Ver os documentos",
        )  # fmt: skip


def _at_hand(establishment: str, year: int) -> list[certificates.Shown]:
    """The certificates of a year that the establishment holds and may use."""
    return [
        one
        for one in certificates.of_company(establishment)
        if one.state is State.ISSUED
        and not one.certificate.stale
        and one.certificate.holder == establishment
        and one.certificate.year == year
    ]


def _for_lack(
    establishment: str, found: Year, shown: Shown, lacks: Mass, at_hand: Sequence[certificates.Shown]
) -> NextStep:
    """How to cover what one material lacks: a certificate at hand, else the plan, else a plan first."""
    for one in at_hand:
        c = one.certificate
        if any(found.regulation.group(m) == shown.position.material for m in one.materials):
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
