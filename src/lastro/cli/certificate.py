"""`lastro certificate`: what a certificate is, and whether the one somebody holds is good."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import click

from lastro.certificates.answer import certificate_json
from lastro.certificates.port import Certificate
from lastro.certificates.states import LABELS, MOVE_LABELS, Move
from lastro.certifying import Check, check_file, check_name, moment, store_at_hand
from lastro.cli.certificate_life import VERBS
from lastro.cli.common import CNPJ, Settings, refused, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.facts import Refusal
from lastro.findings import catalogue
from lastro.ids import masked
from lastro.lawkit.glossary import capital, label
from lastro.stores.postgres import Store
from lastro.stores.postgres.certificates import Certificates, known


@click.group("certificate")
def command() -> None:
    """Certificados: mostra um, ou confere o que alguém tem em mãos."""


@command.command("show")
@click.argument("name", metavar="ID|NÚMERO")
@shared_options
def show(settings: Settings, name: str) -> int:
    """Mostra um certificado: estado, massa, notas e o que aconteceu com ele."""
    with Store.open(settings.data) as store:
        book = Certificates(store)
        check = check_name(name, book=book)
    if check.refusal is not None:
        return refused(check.refusal, settings)
    found = known(check.registered, name)
    if settings.as_json:
        say_json(certificate_json(found, settings.today))
    else:
        _tell(found, settings.today)
    return 0


@command.command("verify")
@click.argument("what", metavar="ARQUIVO|NÚMERO|ID|ENDEREÇO")
@click.option("--offline", is_flag=True, help="Não consulta o registro: só o arquivo ou o dígito do número.")
@shared_options
def verify(settings: Settings, what: str, offline: bool) -> int:
    """Confere um PDF (assinatura, bytes, registro) ou um número lido no papel ou no QR code."""
    with _book(settings, offline) as book:
        path = Path(what)
        if path.is_file():
            now = moment(settings.today, datetime.now(UTC))
            check = check_file(_bytes(path), name=what, data=settings.data, book=book, now=now)
        elif path.suffix.lower() == ".pdf":
            raise LastroError(f"{what}: não há esse arquivo.")
        else:
            check = check_name(what, book=book)
    if check.refusal is not None:
        return refused(check.refusal, settings)
    good = check.holds(settings.today)
    if settings.as_json:
        say_json({**check_json(check, settings.today), "holds": good})
    else:
        _tell_check(check, settings.today)
    return 0 if good else 1


@command.command("list")
@click.option("--entity", type=CNPJ, help="Só os desta entidade gestora.")
@click.option("--holder", type=CNPJ, help="Só os deste estabelecimento.")
@click.option("--year", type=int, help="Só os deste ano.")
@shared_options
def list_(settings: Settings, entity: str | None, holder: str | None, year: int | None) -> int:
    """Lista os certificados, cada um com o seu estado no dia."""
    with Store.open(settings.data) as store:
        found = Certificates(store).certificates(entity=entity, holder=holder, year=year)
    if settings.as_json:
        for one in found:
            say_json(certificate_json(one, settings.today))
        return 0
    table(
        ["certificado", "entidade", "estabelecimento", "ano", "massa", "estado"],
        [
            (
                *(one.number or one.id, masked(one.entity), masked(one.holder) if one.holder else "—"),
                *(one.year, one.mass),
                LABELS[one.state(settings.today)] + (" (K11)" if one.stale else ""),
            )
            for one in found
        ],
        right=(4,),
    )
    return 0


@command.command("refuse")
@click.argument("name", metavar="ID")
@click.option("--reason", required=True, help="Por que não se emite.")
@click.option("--by", default="linha de comando", help="Quem recusa.")
@shared_options
def refuse(settings: Settings, name: str, reason: str, by: str) -> int:
    """Recusa um certificado que não foi emitido: a massa volta aos mesmos lotes."""
    with Store.open(settings.data) as store:
        book = Certificates(store)
        found = known(book.find(name), name)
        request = f"refuse/{uuid4()}"
        answer = book.refuse(found.id, reason=reason, by=by, on=settings.today, request=request)
    if isinstance(answer, Refusal):
        return refused(answer, settings)
    if settings.as_json:
        say_json(answer)
    else:
        click.echo(f"Certificado {found.id} recusado: {found.mass} de volta aos lotes.")
    return 0


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as wrong:
        raise LastroError(f"{path}: não se pode ler ({wrong.strerror}).") from wrong


@contextmanager
def _book(settings: Settings, offline: bool) -> Iterator[Certificates | None]:
    if offline or not store_at_hand(settings.data):
        yield None
        return
    with Store.open(settings.data) as store:
        yield Certificates(store)


def check_json(check: Check, on: date) -> dict[str, Any]:
    """A check for a program: the signature of the file, and what the register says; None if not asked."""
    return {
        "asked": check.asked,
        "number": check.number or None,
        "signature": check.signature.as_json() if check.signature else None,
        "looked_up": check.looked_up,
        "same_file": check.same_file,
        "certificate": certificate_json(check.registered, on) if check.registered else None,
    }


def _tell(found: Certificate, on: date) -> None:
    click.echo(f"Certificado {found.number or found.id}: {LABELS[found.state(on)]}, no dia {on:%d/%m/%Y}")
    issued = next((d.on for d in found.moves if d.move == "issue"), None)
    basis = found.fields.get("basis")
    lines = [
        ("identificação", found.id),
        ("entidade gestora", masked(found.entity)),
        ("estabelecimento", masked(found.holder) if found.holder else "— (oferta)"),
        ("ano", found.year),
        ("massa", found.mass),
        ("investimento", found.investment),
        ("emitido em", f"{issued:%d/%m/%Y}" if issued else "—"),
        ("válido até", f"{found.valid_to:%d/%m/%Y}" if found.valid_to else "—"),
        *([("base", label(str(basis)))] if basis and basis != "official" else []),
    ]
    for name, value in lines:
        click.echo(f"  {name}: {value}")
    table(
        ["movimento", "por", "em", "motivo"],
        [
            ("preparo" if found.holder else "oferta", found.prepared_by, f"{found.prepared_on:%d/%m/%Y}", ""),
            *((MOVE_LABELS[Move(d.move)], d.by, f"{d.on:%d/%m/%Y}", d.reason) for d in found.moves),
        ],
    )
    table(
        ["chave de acesso", "item", "material", "município", "massa"],
        [
            (lot.access_key, lot.line, capital(label(lot.material)), lot.municipality, lot.mass)
            for lot in found.lots
        ],
        right=(4,),
    )
    _tell_dead(found)


def _tell_dead(found: Certificate) -> None:
    if found.dead:
        click.echo(f"Atenção (K11): {catalogue()['K11'].message['pt']}")
        for dead in found.dead:
            click.echo(f"  nota {dead.access_key}, item {dead.line}: {dead.reason}")


def _tell_check(check: Check, on: date) -> None:
    if check.signature is not None:
        click.echo(f"{check.signature.in_words}.")
        for reason in check.signature.reasons:
            click.echo(f"  {reason}")
        if check.signature.signer_name:
            click.echo(f"  assinado por: {check.signature.signer_name}")
    elif check.number:
        click.echo(f"O número {check.number} é bem formado: o dígito verificador confere.")
    if not check.looked_up:
        click.echo("O registro não foi consultado: o estado do certificado não se sabe aqui.")
    elif check.registered is None:
        click.echo("O registro não conhece este certificado.")
    else:
        if check.same_file is False:
            click.echo("O arquivo não é o que foi guardado na emissão.")
        _tell(check.registered, on)


for _verb in VERBS:
    command.add_command(_verb)
