"""`lastro issue`: a certificate is prepared, authorised and issued (arts. 61 to 65)."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import click

from lastro.certificates import counter as room
from lastro.certificates.port import Answer
from lastro.certifying import counter_of, issue_paper
from lastro.cli.common import CNPJ, PERSON, YEAR, Settings, refused, say_json, shared_options
from lastro.cli.retire import mass_of, materials_of
from lastro.errors import LastroError
from lastro.facts import Basis, Refusal
from lastro.ids import masked, same_person
from lastro.lawkit.glossary import label
from lastro.stores.postgres import Store
from lastro.stores.postgres.certificates import Certificates, known
from lastro.units import MOST_CENTS, Money

PREPARES, AUTHORISES = "linha de comando, preparo", "linha de comando, autorização"


@click.command("issue")
@click.option("--entity", type=CNPJ, required=True, help="Entidade gestora que vende.")
@click.option("--to", "holder", type=CNPJ, required=True, help="Estabelecimento aderente que compra.")
@click.option("--material", required=True, help="Material (glass, paper, …) ou grupo da norma (metals).")
@click.option("--kg", required=True, help="Massa em quilogramas, até o grama, com ponto decimal.")
@click.option("--year", type=YEAR, required=True, help="Ano do passivo, que é o das notas.")
@click.option("--investment", help="Investimento realizado, em reais, como 3300.00.")
@click.option("--norm", help="A norma; sem ela, a única que prevê certificados.")
@click.option("--id", "name", help="Identificação do certificado: repetida, devolve a primeira resposta.")
@click.option("--prepared-by", type=PERSON, default=PREPARES, help="Quem prepara.")
@click.option("--authorised-by", type=PERSON, default=AUTHORISES, help="Quem autoriza: outra pessoa.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Onde gravar o PDF.")
@shared_options
def command(
    settings: Settings,
    entity: str,
    holder: str,
    material: str,
    kg: str,
    year: int,
    investment: str | None,
    norm: str | None,
    name: str | None,
    prepared_by: str,
    authorised_by: str,
    out: Path | None,
) -> int:
    """Prepara, autoriza e emite um certificado assinado para um estabelecimento aderente."""
    materials, mass, paid = materials_of(material), mass_of(kg), money_of(investment)
    name, today = identity(name), settings.today
    if same_person(prepared_by, authorised_by):  # before any mass is set apart
        return refused(Refusal("K02", found=authorised_by, expected="outra pessoa"), settings)
    with Store.open(settings.data) as store:
        counter = counter_of(store, data=settings.data, today=today, norm=norm)
        answer = room.prepare(
            counter, name, entity=entity, holder=holder, materials=materials, mass=mass, year=year,
            investment=paid, by=prepared_by, on=today,
        )  # fmt: skip
        prepared = not isinstance(answer, Refusal)
        if prepared:
            answer = _finish(store, settings, name, authorised_by)
        if isinstance(answer, Refusal):
            if prepared and not settings.as_json:
                click.echo(f"A massa segue reservada. Para devolvê-la: lastro certificate refuse {name}")
            return refused(answer, settings)
        file, basis = _kept(store, settings, name, out)
    if settings.as_json:
        say_json({**answer, "basis": basis, "file": str(file)})
        return 0
    click.echo(f"Certificado {answer['number']} emitido para {masked(holder)}: {mass}, ano {year}.")
    click.echo(f"  identificação: {answer['certificate']}")
    click.echo(f"  válido até: {answer['valid_to']}")
    click.echo(f"  arquivo: {file}")
    if basis != Basis.OFFICIAL:
        click.echo(f"  base: {label(basis)}")
    return 0


def _finish(store: Store, settings: Settings, name: str, authorised_by: str) -> Answer:
    """Authorise and issue what is prepared; what is issued already answers as it did."""
    book = Certificates(store)
    if known(book.find(name), name).done("authorise") is None:
        answer = book.authorise(name, by=authorised_by, on=settings.today)
        if isinstance(answer, Refusal):
            return answer
    return issue_paper(
        store, name, data=settings.data, today=settings.today, by=authorised_by,
        now=datetime.now(UTC), ask=lambda text: click.prompt(text, hide_input=True, err=True),
    )  # fmt: skip


def _kept(store: Store, settings: Settings, name: str, out: Path | None) -> tuple[Path, str]:
    """Write the signed PDF as a file; say where, and on what basis it stands."""
    book = Certificates(store)
    found, pdf = known(book.find(name), name), book.paper(name)
    assert pdf is not None, "an issued certificate has its paper"
    file = out or settings.data / "certificates" / f"{found.number}.pdf"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(pdf)
    except OSError as wrong:
        raise LastroError(f"{file}: o PDF não pôde ser gravado ({wrong.strerror}).") from wrong
    return file, str(found.fields.get("basis", ""))


def identity(given: str | None) -> str:
    """The id that was asked for, or a new one. Raises LastroError on one that cannot be."""
    import re

    if given is None:
        return f"c-{uuid4().hex[:20]}"
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", given) or given.lower().startswith("cre"):
        raise LastroError(
            f"{given!r} não serve de identificação: até 64 letras, algarismos, ponto, hífen ou sublinhado, "
            "sem começar por CRE."
        )
    return given


def money_of(given: str | None) -> Money | None:
    """An amount in reais as it was typed; None where nothing was. Raises LastroError on what is none."""
    if given is None:
        return None
    try:
        paid = Money.brl(given)
    except ValueError:
        raise LastroError(f"{given!r} não é um valor em reais; escreva como 3300.00.") from None
    if not 0 < paid.cents <= MOST_CENTS:
        raise LastroError(f"O investimento deve ser maior que zero e até {Money(MOST_CENTS)}.")
    return paid
