"""`lastro blackbox`: sealed declarations, for the company, the verifier and the entity."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import click

from lastro.blackbox import seal as boxes
from lastro.blackbox import totals
from lastro.cli import blackbox_files as files
from lastro.cli.common import CNPJ, YEAR, Settings, not_over, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.facts import Placement
from lastro.ids import bare, company_of, is_cnpj, masked
from lastro.lawkit import Regulation, library
from lastro.lawkit.glossary import label
from lastro.units import Mass, Money

FILE = click.Path(path_type=Path, dir_okay=False)
WHY = {totals.FEW: "não se diz: revelaria uma empresa (T12)", totals.UNKNOWN: "não se sabe (T01 ou T02)"}
_KINDS = {"placed": "colocada", "returnable": "retornável", "owed": "meta"}
_NORM = "br/minuta_metal_2022"
_SENDERS = {"gestora": "managing_entity", "representativa": "representative_entity"}


@click.group("blackbox")
def command() -> None:
    """Caixa-preta: a empresa lacra a sua massa; a entidade recebe somas, e ninguém vê a de outro."""


@command.command("keys")
@click.option("--name", type=CNPJ, required=True, help="CNPJ do verificador.")
@click.option("--out", type=FILE, required=True, help="Onde gravar a parte pública, para as empresas.")
@shared_options
def keys(settings: Settings, name: str, out: Path) -> int:
    """Faz as chaves do verificador, uma vez; a parte pública vai às empresas e à entidade."""
    made = files.make_keys(settings.data, name)
    files.write(out, made.public())
    click.echo(f"Chave pública em {out}. A secreta fica em {files.folder(settings.data)}: faça cópia dela.")
    return 0


@command.command("seal")
@click.argument("file", type=FILE, metavar="PLANILHA")
@click.option("--company", type=CNPJ, required=True, help="CNPJ de um estabelecimento da empresa.")
@click.option("--year", type=YEAR, required=True, help="Ano em que a massa foi colocada no mercado.")
@click.option("--to", "key", type=FILE, required=True, help="Chave pública do verificador.")
@click.option("--version", type=click.IntRange(1), default=1, help="A maior versão é a que vale.")
@click.option("--out", type=FILE, required=True, help="Onde gravar a declaração lacrada, para o verificador.")
@click.option("--keep", type=FILE, required=True, help="Onde guardar as suas linhas abertas, só para você.")
@click.option("--through", type=click.Choice(list(_SENDERS)), help="Por quem a fábrica de metal a envia.")
@shared_options
def seal(
    settings: Settings, file: Path, company: str, year: int, key: Path, version: int, out: Path, keep: Path,
    through: str | None,
) -> int:  # fmt: skip
    """Lacra a declaração da empresa à chave do verificador; a massa não sai deste computador aberta."""
    not_over(out, file, key, keep)
    not_over(keep, file, key)
    told, root = files.public_key(key), company_of(company)
    rows = [
        boxes.Row(root, one, os.urandom(32).hex())
        for one in files.placements(file, company=company, year=year, today=settings.today)
    ]
    sealed = tuple(boxes.seal(row, verifier=told.name, public=told.seals) for row in rows)
    files.write(out, totals.Sealed(root, year, version, sealed).to_json())
    files.write(keep, [row.plain().decode().strip() for row in rows])
    click.echo(f"{len(rows)} linhas lacradas em {out}, para {masked(told.name)}.")
    if through:
        _warn_of_sender(settings.today, through)
    click.echo(f"Guarde {keep}: com ele você confere que foi contada e prova o que declarou.")
    return 0


@command.command("open-totals")
@click.argument("sealed", type=FILE, nargs=-1, required=True, metavar="LACRADAS...")
@click.option("--name", type=CNPJ, required=True, help="CNPJ do verificador.")
@click.option("--year", type=YEAR, required=True, help="Ano das massas.")
@click.option("--groups", type=FILE, help="CSV empresa;grupo: quem se espera e como se soma.")
@click.option("--norm", help="Norma de cujas metas se soma o devido por empresa no ano seguinte.")
@click.option("--out", type=FILE, required=True, help="Onde gravar os totais assinados, para a entidade.")
@shared_options
def open_totals(
    settings: Settings,
    sealed: tuple[Path, ...],
    name: str,
    year: int,
    groups: Path | None,
    norm: str | None,
    out: Path,
) -> int:
    """O verificador abre as linhas, soma por grupo, guarda o que revelaria alguém e assina os totais."""
    for one in sealed:
        not_over(out, one)
    mine = files.keys_of(settings.data, name)
    declared = [found for one in sealed if (found := files.sealed(one)).year == year]
    rows = totals.open_all(declared, mine.seals, verifier=name)
    group = _groups(groups)
    owes = _owes(settings, norm, year + 1) if norm else None
    told = totals.sums(rows, group_of=lambda who: group.get(who, totals.ALL), owes=owes)
    missing = _missing(norm or _NORM, settings.today, group, [row.company for row in rows])
    said = totals.statement(rows, told, verifier=name, year=year, missing=missing)
    files.write(out, totals.sign(said, mine.signs))
    click.echo(f"{len(rows)} linhas de {len({row.company for row in rows})} empresas; totais em {out}.")
    return _show(settings, said)


@command.command("totals")
@click.argument("file", type=FILE, metavar="TOTAIS")
@click.option("--from", "key", type=FILE, required=True, help="Chave pública do verificador.")
@click.option(
    "--rate", "rates", multiple=True, metavar="MATERIAL=R$", help="Tarifa por tonelada, glass=90.50"
)
@shared_options
def totals_(settings: Settings, file: Path, key: Path, rates: tuple[str, ...]) -> int:
    """A entidade confere a assinatura e vê totais, metas e, com --rate, a cobrança de cada grupo."""
    said = totals.signed(files.read(file), public=files.public_key(key).signs)
    return _show(settings, said, _rates(rates))


@command.command("check")
@click.argument("file", type=FILE, metavar="TOTAIS")
@click.argument("kept", type=FILE, metavar="GUARDADO")
@click.option("--from", "key", type=FILE, required=True, help="Chave pública do verificador.")
@shared_options
def check(settings: Settings, file: Path, kept: Path, key: Path) -> int:
    """A empresa confere que cada linha sua entrou nos totais assinados, sem ver as de ninguém."""
    said = totals.signed(files.read(file), public=files.public_key(key).signs)
    mine = files.kept_rows(kept)
    out = totals.uncounted(mine, said)
    for row in out:
        what = f"{label(row.placement.material.value)}, {row.placement.uf}, {row.placement.year}"
        click.echo(f"Não contada: {what}. Mande de novo a declaração lacrada ao verificador.")
    click.echo(f"{len(mine) - len(out)} de {len(mine)} linhas suas estão nos totais.")
    return 1 if out else 0


@command.command("open-row")
@click.argument("sealed", type=FILE, metavar="LACRADA")
@click.argument("row", metavar="COMPROMISSO")
@click.option("--name", type=CNPJ, required=True, help="CNPJ do verificador.")
@click.option("--establishment", type=CNPJ, required=True, help="Estabelecimento que verá o registro.")
@click.option("--request", required=True, help="O pedido formal: de quem e de que número.")
@click.option("--reason", required=True, help="Por que se abre; a empresa lê.")
@click.option("--by", required=True, help="Quem abre.")
@shared_options
def open_row(
    settings: Settings, sealed: Path, row: str, name: str, establishment: str, request: str, reason: str,
    by: str,
) -> int:  # fmt: skip
    """Abre uma só linha por pedido formal; o registro que a empresa vê é gravado antes."""
    declared, mine = files.sealed(sealed), files.keys_of(settings.data, name)
    found = [box for box in declared.boxes if len(row) >= 8 and box.commitment.startswith(row)]
    if len(found) != 1 or company_of(establishment) != declared.company:
        raise LastroError(
            f"{sealed}: procura-se uma linha da empresa de {masked(establishment)} cujo compromisso comece "
            f"por {row!r} (ao menos oito letras); há {len(found)}."
        )
    if not request.strip() or not reason.strip():
        raise LastroError("Sem pedido formal e razão não se abre linha nenhuma.")
    opened = totals.open_all([totals.Sealed(declared.company, declared.year, 1, (found[0],))], mine.seals,
                             verifier=name)[0]  # fmt: skip
    body = {"what": f"uma linha lacrada ({found[0].commitment[:12]})", "request": request, "reason": reason}
    number = files.trace(settings, name, establishment, _reader(settings.today), body, by)
    p = opened.placement
    click.echo(f"Registro {number}, que a empresa vê. {label(p.material.value)}, {p.uf}, {p.year}: {p.mass}.")
    return 0


# ── what the verbs share ─────────────────────────────────────────────────────────────────────────────


def _warn_of_sender(today: date, through: str) -> None:
    """A maker of metal packaging hands in through its representative entity; another way is warned of."""
    regulation = library.find(_NORM)
    rule = regulation.rules["sent_by_the_right_one"]
    if not rule(regulation.law(today), metal_maker=True, sender=_SENDERS[through]):
        article = regulation.norm.cite(rule.provisions)
        click.echo(
            f"Aviso: a fábrica de metal envia pela entidade representativa, não pela gestora ({article})."
        )


def _groups(path: Path | None) -> dict[str, str]:
    """Which group each company is in, by root. Raises LastroError naming the line that can't be read."""
    if path is None:
        return {}
    found = {}
    for number, row in enumerate(csv.reader(files.text(path).splitlines(), delimiter=";"), 1):
        who = bare(row[0]) if row else ""
        if len(row) != 2 or not row[1].strip() or not (is_cnpj(who) or number == 1):
            raise LastroError(
                f"{path}, linha {number}: espera-se CNPJ;grupo, como ZZ.ABC.123/0001-45;bebidas."
            )
        if is_cnpj(who):
            found[company_of(who)] = row[1].strip()
    return found


def _missing(norm: str, today: date, group: Mapping[str, str], told: Sequence[str]) -> Sequence[str]:
    regulation = library.find(norm)
    rule = regulation.rules.get("not_updated") or library.find(_NORM).rules["not_updated"]
    missing: Sequence[str] = rule(regulation.law(today), adherents=tuple(group), sealed=tuple(told))
    return missing


def _reader(today: date) -> tuple[Regulation, str]:
    """The norm by which a verifier opens a row, and its article."""
    regulation = library.find(_NORM)
    rule = regulation.rules["row_reader"]
    assert rule(regulation.law(today), office="verifier"), "the norm lets the verifier open rows"
    return regulation, regulation.norm.cite(rule.provisions)


def _owes(settings: Settings, norm: str, year: int) -> Callable[[str, Sequence[Placement]], Any]:
    """What a company owes in a year under a norm, with the targets loaded here; None where unknown."""
    from lastro.obligations import settle
    from lastro.pipeline import company_facts
    from lastro.stores.postgres import Store
    from lastro.stores.postgres.registry import registry, targets

    regulation = library.find(norm)
    with Store.open(settings.data) as store:
        known, rows = registry(store), targets(store, norm, as_of=settings.today)

    def owes(company: str, placed: Sequence[Placement]) -> dict[str, Mass | None]:
        facts = company_facts({company: placed}, (), known, year=year)[0]
        found = settle(regulation, facts, year=year, targets=rows, as_of=settings.today, explain=False)
        return {one.material: one.obligation_mass for one in found}

    return owes


def _rates(told: Sequence[str]) -> dict[str, Money]:
    try:
        return {name: Money.brl(value) for name, _, value in (one.partition("=") for one in told)}
    except ValueError as wrong:
        raise LastroError("Uma tarifa escreve-se MATERIAL=REAIS, como glass=90.50.") from wrong


def _show(settings: Settings, said: Mapping[str, Any], rates: Mapping[str, Money] | None = None) -> int:
    told = [totals.Sum.of_json(one) for one in said["sums"]]
    paid = totals.fees(told, per_tonne=rates or {})
    if settings.as_json:
        fees = [{"what": k[1], "uf": k[2], "group": k[3], "brl": v and v.brl_text} for k, v in paid.items()]
        say_json({**said, "fees": fees})
        return 0
    rows: list[tuple[object, ...]] = [
        (_KINDS[one.kind], label(one.what), one.uf, one.group or "todas", one.companies,
         one.mass if one.mass is not None else WHY[one.why],
         paid.get(("fee", one.what, one.uf, one.group), "") if one.kind == "placed" else "")
        for one in told
    ]  # fmt: skip
    table(("massa", "material", "UF", "grupo", "empresas", "soma", "cobrança"), rows)
    for who in said["missing"]:
        click.echo(f"Não atualizada: {who} (art. 36, XII). O que falta não é zero.")
    return 0
