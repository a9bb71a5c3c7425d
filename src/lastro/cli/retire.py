"""`lastro retire`: proved mass goes to an establishment's year, once (arts. 55 I and 56)."""

from __future__ import annotations

from uuid import uuid4

import click

from lastro.certificates import counter as room
from lastro.certificates.port import Answer
from lastro.certifying import check_name, counter_of
from lastro.cli.common import CNPJ, YEAR, Settings, refused, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.facts import Refusal
from lastro.ids import Material, masked
from lastro.lawkit import library
from lastro.lawkit.glossary import capital, label
from lastro.pipeline import retire_lots
from lastro.registry.columns import MATERIALS
from lastro.sheets import Ambiguous, Cell, decimal, folded, two_readings
from lastro.stores.postgres import Store
from lastro.stores.postgres.certificates import Certificates, known
from lastro.stores.postgres.registry import registry
from lastro.units import MG_PER_KG, MOST_MG, Mass


@click.command("retire")
@click.option("--from", "from_", type=click.Choice(["lots"]), help="De onde sai a massa.")
@click.option("--entity", type=CNPJ, help="Entidade gestora dona dos lotes.")
@click.option("--to", type=CNPJ, help="Estabelecimento que recebe.")
@click.option("--material", help="Material (glass, paper, …) ou grupo da norma (metals).")
@click.option("--kg", help="Massa em quilogramas, com ponto decimal.")
@click.option("--year", type=YEAR, help="Ano da meta.")
@click.option("--certificate", metavar="ID|NÚMERO", help="Certificado que se baixa, inteiro e uma vez.")
@click.option("--by", default="linha de comando", help="Quem baixa o certificado.")
@click.option("--id", "request", help="Identificação do pedido: repetido, devolve a primeira resposta.")
@shared_options
def command(
    settings: Settings,
    from_: str | None,
    entity: str | None,
    to: str | None,
    material: str | None,
    kg: str | None,
    year: int | None,
    certificate: str | None,
    by: str,
    request: str | None,
) -> int:
    """Baixa massa de lotes homologados, ou um certificado inteiro, para o ano de um estabelecimento."""
    if certificate is not None:
        given = [n for n, v in (("--from", from_), ("--material", material), ("--kg", kg)) if v is not None]
        if given:
            raise click.UsageError(f"um certificado se baixa inteiro: não use {', '.join(given)} com ele")
        answer, what = _certificate(settings, certificate, entity, to, year, by, request)
    else:
        answer, what = _lots(settings, from_, entity, to, material, kg, year, request)
    if isinstance(answer, Refusal):
        return refused(answer, settings)
    if settings.as_json:
        say_json(answer)
        return 0
    click.echo(f"{what} para {masked(answer['establishment'])}, ano {answer['year']}.")
    table(
        ["chave de acesso", "item", "material", "município", "massa"],
        [
            (x["access_key"], x["line"], capital(label(x["material"])), x["municipality"], Mass(x["mass_mg"]))
            for x in answer["lots"]
        ],
        right=(4,),
    )
    return 0


def _certificate(
    settings: Settings,
    name: str,
    entity: str | None,
    to: str | None,
    year: int | None,
    by: str,
    request: str | None,
) -> tuple[Answer, str]:
    """Use a certificate, whole; entity, establishment and year, where given, must be its own."""
    with Store.open(settings.data) as store:
        check = check_name(name, book=Certificates(store))
        if check.refusal is not None:
            return check.refusal, ""
        found = known(check.registered, name)
        counter = counter_of(store, data=settings.data, today=settings.today, norm=found.norm)
        answer = room.retire(
            counter,
            found.id,
            by=by,
            on=settings.today,
            entity=entity,
            holder=to,
            year=year,
            request=request or f"retire/{uuid4()}",
        )
    return answer, f"Certificado {found.number or found.id} baixado: {found.mass}"


def _lots(
    settings: Settings,
    from_: str | None,
    entity: str | None,
    to: str | None,
    material: str | None,
    kg: str | None,
    year: int | None,
    request: str | None,
) -> tuple[Answer, str]:
    """Retire homologated lots without a certificate."""
    wanted = {
        "--from": from_,
        "--entity": entity,
        "--to": to,
        "--material": material,
        "--kg": kg,
        "--year": year,
    }
    missing = [name for name, value in wanted.items() if value is None]
    if entity is None or to is None or material is None or kg is None or year is None or from_ is None:
        raise click.UsageError(f"faltam: {', '.join(missing)}")
    materials, mass = materials_of(material), mass_of(kg)
    with Store.open(settings.data) as store:
        answer = retire_lots(
            store,
            registry(store),
            entity=entity,
            establishment=to,
            materials=materials,
            mass=mass,
            year=year,
            request=request or f"retire/{uuid4()}",
            on=settings.today,
        )
    return answer, f"Baixados {mass}"


def materials_of(name: str) -> tuple[Material, ...]:
    """A material, in English or Portuguese, or all the materials of a group that some norm makes."""
    wanted = folded(name)
    for material in Material:
        if wanted in (material.value, folded(label(material.value))):
            return (material,)
    if wanted in MATERIALS:
        return (MATERIALS[wanted],)
    for regulation in library.every():
        for group in regulation.groups:
            if wanted in (group, folded(label(group))):
                return tuple(m for m in Material if regulation.group(m) == group)
    known = ", ".join(label(m.value) for m in Material)
    raise LastroError(f"{name!r} não é um material; use um de {known}, ou um grupo da norma, como metais.")


def mass_of(kg: str) -> Mass:
    """A mass typed as kilograms: 1355.90 or 1.355,90; what reads two ways, such as 1.000, is refused."""
    try:
        mass = Mass.of(decimal(Cell(kg.strip())) * MG_PER_KG)
    except Ambiguous:
        raise LastroError(f"{kg!r} se lê de dois modos: {two_readings(kg.strip())}.") from None
    except ValueError:
        raise LastroError(
            f"{kg!r} não é uma massa em kg; escreva como 1355.90 ou 1355,90, com até seis casas decimais."
        ) from None
    if not 0 < mass.mg <= MOST_MG:
        raise LastroError(f"A massa deve ser maior que zero e até {Mass(MOST_MG)}.")
    return mass
