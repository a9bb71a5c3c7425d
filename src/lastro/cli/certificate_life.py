"""The verbs of a certificate's life beside its issue: offered, sold out of an offer, withdrawn, cancelled."""

from __future__ import annotations

from typing import Any

import click

from lastro.certificates import counter as room
from lastro.certificates.port import Answer, Part
from lastro.certifying import counter_of
from lastro.cli.common import CNPJ, PERSON, YEAR, Settings, refused, say_json, shared_options, table
from lastro.cli.issue import PREPARES, identity, money_of
from lastro.cli.retire import mass_of, materials_of
from lastro.facts import Refusal
from lastro.ids import masked
from lastro.stores.postgres import Store
from lastro.stores.postgres.certificates import Certificates, known


def _told(settings: Settings, answer: Answer, words: str) -> int:
    if isinstance(answer, Refusal):
        return refused(answer, settings)
    if settings.as_json:
        say_json(answer)
    else:
        click.echo(words)
    return 0


@click.command("offer")
@click.option("--entity", type=CNPJ, required=True, help="Entidade gestora que oferece.")
@click.option("--material", required=True, help="Material (glass, paper, …) ou grupo da norma (metals).")
@click.option("--kg", required=True, help="Massa em quilogramas, até o grama, com ponto decimal.")
@click.option("--year", type=YEAR, required=True, help="Ano das notas.")
@click.option("--norm", help="A norma; sem ela, a única que prevê certificados.")
@click.option("--id", "name", help="Identificação da oferta: repetida, devolve a primeira resposta.")
@click.option("--by", type=PERSON, default=PREPARES, help="Quem oferece.")
@shared_options
def offer(
    settings: Settings,
    entity: str,
    material: str,
    kg: str,
    year: int,
    norm: str | None,
    name: str | None,
    by: str,
) -> int:
    """Separa massa homologada para quem comprar; a oferta não tem titular nem número."""
    offered, mass = identity(name), mass_of(kg)
    with Store.open(settings.data) as store:
        counter = counter_of(store, data=settings.data, today=settings.today, norm=norm)
        answer = room.offer(
            counter, offered, entity=entity, materials=materials_of(material), mass=mass, year=year,
            by=by, on=settings.today,
        )  # fmt: skip
    return _told(settings, answer, f"Oferta {offered}: {mass}, ano {year}.")


@click.command("sell")
@click.argument("name", metavar="OFERTA")
@click.option("--to", "holder", type=CNPJ, required=True, help="Estabelecimento aderente que compra.")
@click.option("--kg", required=True, help="Massa em quilogramas; o resto segue oferecido.")
@click.option("--investment", help="Investimento realizado, em reais, como 3300.00.")
@click.option("--id", "sold", help="Identificação do certificado preparado.")
@click.option("--by", type=PERSON, default=PREPARES, help="Quem prepara.")
@shared_options
def sell(
    settings: Settings, name: str, holder: str, kg: str, investment: str | None, sold: str | None, by: str
) -> int:
    """Prepara um certificado de uma oferta, para quem compra; outra pessoa o autoriza depois."""
    mass, paid = mass_of(kg), money_of(investment)
    part = Part(identity(sold), mass, holder, *([paid] if paid is not None else []))
    with Store.open(settings.data) as store:
        found = known(Certificates(store).find(name), name)
        counter = counter_of(store, data=settings.data, today=settings.today, norm=found.norm)
        answer = room.sell(counter, found.id, sold=part, by=by, on=settings.today)
    rest = "" if found.mass == mass else f" O resto segue oferecido como {part.id}-resto."
    return _told(settings, answer, f"Certificado {part.id} preparado para {masked(holder)}: {mass}.{rest}")


@click.command("withdraw")
@click.argument("name", metavar="ID")
@click.option("--reason", required=True, help="Por que se retira.")
@click.option("--by", type=PERSON, default=PREPARES, help="Quem retira.")
@shared_options
def withdraw(settings: Settings, name: str, reason: str, by: str) -> int:
    """Retira o que se ofereceu ou preparou e não foi emitido: a massa volta aos mesmos lotes."""
    with Store.open(settings.data) as store:
        book = Certificates(store)
        found = known(book.find(name), name)
        answer = book.withdraw(found.id, reason=reason, by=by, on=settings.today)
    return _told(settings, answer, f"{found.id} retirado: {found.mass} de volta aos lotes.")


@click.command("cancel")
@click.argument("name", metavar="ID|NÚMERO")
@click.option("--reason", required=True, help="Por que o órgão cancela.")
@click.option("--by", type=PERSON, default="órgão ambiental", help="Quem cancela.")
@shared_options
def cancel(settings: Settings, name: str, reason: str, by: str) -> int:
    """O órgão cancela um certificado emitido, usado ou não: o que dele foi usado falta à meta da titular."""
    with Store.open(settings.data) as store:
        found = known(Certificates(store).find(name), name)
        counter = counter_of(store, data=settings.data, today=settings.today, norm=found.norm)
        answer = room.cancel(counter, found.id, reason=reason, by=by, on=settings.today)
    return _told(settings, answer, f"Certificado {found.number or found.id} cancelado: {found.mass}.")


@click.command("fallen")
@click.option("--entity", type=CNPJ, help="Só o que vem desta entidade gestora.")
@click.option("--company", type=CNPJ, help="Só o que alcança a empresa deste estabelecimento.")
@shared_options
def fallen(settings: Settings, entity: str | None, company: str | None) -> int:
    """Mostra o que se apoia em prova que caiu: lote, certificado, posição e relatório, com o prazo."""
    from lastro.cascade import cascade
    from lastro.ids import company_of

    with Store.open(settings.data) as store:
        found = cascade(
            store, data=settings.data, today=settings.today, entity=entity or "",
            company=company_of(company) if company else "",
        )  # fmt: skip
    if settings.as_json:
        for one in found:
            say_json(fall_json(one))
    elif not found:
        click.echo("Nada se apoia em prova que caiu.")
    else:
        table(["causa", "motivo", "certificados", "posições", "relatórios"], [_row(one) for one in found])
    return 1 if found else 0


def _row(fall: Any) -> tuple[str, ...]:
    return (
        fall.name,
        fall.reason,
        ", ".join(c.number or c.id for c in fall.certificates) or "—",
        "; ".join(
            f"{p.company} {p.material} {p.year}: faltam {'—' if p.deficit is None else p.deficit}"
            + (f", até {p.until:%d/%m/%Y} ({p.article})" if p.until else "")
            for p in fall.positions
        )
        or "—",
        ", ".join(f"{r.year} v{r.version}" for r in fall.reports) or "—",
    )


def fall_json(fall: Any) -> dict[str, Any]:
    """A fall for a program: its cause, and all that leans on it."""
    return {
        "cause": fall.cause,
        "name": fall.name,
        "reason": fall.reason,
        "entity": fall.entity,
        "certificates": [{"id": c.id, "number": c.number or None} for c in fall.certificates],
        "positions": [
            {
                "company": p.company, "year": p.year, "norm": p.norm, "material": p.material,
                "deficit_mg": None if p.deficit is None else p.deficit.mg,
                "until": p.until.isoformat() if p.until else None, "article": p.article or None,
            }
            for p in fall.positions
        ],
        "reports": [
            {"norm": r.norm, "entity": r.entity, "year": r.year, "version": r.version} for r in fall.reports
        ],
    }  # fmt: skip


VERBS = (offer, sell, withdraw, cancel, fallen)
