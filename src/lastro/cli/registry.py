"""`lastro registry`: parties, roles, vettings, terms, members, contracts and sizes, loaded and asked."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path
from typing import Any

import click

from lastro.cli.common import DAY, Settings, say_json, shared_options, table
from lastro.ids import bare, is_cnpj, is_cpf, masked
from lastro.registry.read import Reading, read
from lastro.sheets import Issue
from lastro.units import how_many

_SHOWN = 50
_TABLES = {
    "parties": "partes",
    "roles": "papéis",
    "vettings": "homologações",
    "terms": "termos",
    "members": "membros",
    "contracts": "contratos",
    "sizes": "portes",
}


@click.group("registry")
def command() -> None:
    """Cadastro: quem é quem em cada dia."""


@command.command("load")
@click.argument("file", metavar="ARQUIVO", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@shared_options
def load(settings: Settings, file: Path) -> int:
    """Carrega ARQUIVO (.xlsx, .csv ou .json) no cadastro: inteiro, ou nada."""
    from lastro.desk import rejudge_all
    from lastro.stores.postgres import Store
    from lastro.stores.postgres import registry as kept

    data = file.read_bytes()
    reading = read(file.name, data)
    counts: dict[str, dict[str, int]] = {}
    version = None
    judged = 0
    if not reading.issues:
        digest = hashlib.sha256(data).hexdigest()
        with Store.open(settings.data) as store:
            counts = kept.load(store, reading.tables, source=file.name, sha256=digest, on=settings.today)
            version = kept.registry(store).version
            judged = rejudge_all(store, data=settings.data, today=settings.today)
    if settings.as_json:
        say_json({**_loaded_json(reading, counts, version), "judged_again": judged})
    else:
        _say_loaded(file.name, reading, counts)
        if judged:
            click.echo(f"{judged} documentos já recebidos foram julgados de novo com o que se sabe agora.")
    return 1 if reading.issues else 0


def _loaded_json(reading: Reading, counts: Any, version: str | None) -> dict[str, Any]:
    return {
        "loaded": not reading.issues,
        "tables": counts,
        "registry_version": version,
        "issues": [issue.as_json() for issue in reading.issues],
        "issues_untold": reading.untold,
        "notes": [issue.as_json() for issue in reading.notes],
    }


def _say_loaded(name: str, reading: Reading, counts: dict[str, dict[str, int]]) -> None:
    if reading.issues:
        number = len(reading.issues) + reading.untold
        click.echo(f"{name}: {how_many(number, 'erro', 'erros')}; nada foi carregado.")
        say_issues(reading.issues, untold=reading.untold)
    else:
        rows = [
            (_TABLES[name], count["new"], count["changed"], count["same"])
            for name, count in counts.items()
            if sum(count.values())
        ]
        table(["Tabela", "Novas", "Mudadas", "Iguais"], rows, title=f"{name}: carregado.", right=(1, 2, 3))
    if reading.notes:
        click.echo("Para saber (não impede):")
        say_issues(reading.notes)


def say_issues(issues: list[Issue], *, untold: int = 0) -> None:
    """Write issues for a person, one a line; beyond fifty they are only counted."""
    for issue in issues[:_SHOWN]:
        click.echo(f"  {issue}")
    rest = len(issues) - _SHOWN + untold if len(issues) > _SHOWN else untold
    if rest > 0:
        click.echo(f"  … e mais {rest} (todos até mil em --json)")


def _whom(ctx: click.Context, param: click.Parameter, value: str) -> str:
    text = bare(value)
    if not (is_cnpj(text) or is_cpf(text)):
        raise click.BadParameter(f"{value!r} não é um CNPJ nem um CPF válido (dígitos verificadores)")
    return text


@command.command("show")
@click.argument("cnpj", metavar="CNPJ", callback=_whom)
@click.option("--on", type=DAY, help="O dia de que se pergunta (padrão: hoje).")
@shared_options
def show(settings: Settings, cnpj: str, on: date | None) -> int:
    """Mostra o que o cadastro sabe de um CNPJ num dia."""
    from lastro.stores.postgres import Store
    from lastro.stores.postgres import registry as kept

    with Store.open(settings.data) as store:
        known = kept.registry(store).show(cnpj, on or settings.today)
    if settings.as_json:
        say_json(known)
    else:
        _say_party(known)
    return 0 if known["known"] else 1


_WORDS = {
    "managing_entity": "entidade gestora",
    "operator": "operador",
    "recycler": "reciclador",
    "verifier": "verificador de resultados",
    "company": "empresa",
    "dealer": "comerciante de recicláveis",
    "agency": "órgão ambiental",
    "municipal": "municipal (art. 27, I)",
    "concession": "concessão (art. 27, II)",
    "picker_entity": "entidade de catadores (art. 27, III)",
    "private_pev": "PEV privado (art. 27, IV)",
    "private_recycler": "reciclador privado (art. 28)",
    "pgrs": "plano de gerenciamento de resíduos (PGRS)",
    "industrial_scrap": "sucata industrial",
}
_PAPERS = {"cnpj": "CNPJ", "registrations": "inscrições", "licence": "licença", "permit": "alvará"}


def _say_party(known: dict[str, Any]) -> None:
    if not known["known"]:
        click.echo(f"{masked(known['cnpj'])}: não está no cadastro.")
        return
    licence = {True: "vale", False: "expirou", None: "validade não informada"}[known["licence_valid"]]
    rows = [
        ("CNPJ", masked(known["cnpj"])),
        ("Nome", known["name"] or "não informado"),
        ("No dia", _day(known["on"])),
        ("Município (IBGE)", known["municipality"] or "não informado"),
        ("Situação", f"baixada em {_day(known['closed_on'])}" if known["closed"] else "ativa"),
        (
            "Licença",
            f"{licence}, até {_day(known['licence_valid_to'])}" if known["licence_valid_to"] else licence,
        ),
        ("Papéis", ", ".join(_WORDS[r] for r in known["roles"]) or "nenhum neste dia"),
        ("Origem", _WORDS[known["origin"]] if known["origin"] else "não informada"),
    ]
    table(["", ""], rows)
    if known["vettings"]:
        table(["Homologada por", "De", "Até", "Vale no dia"], [_vetting_row(v) for v in known["vettings"]])
    if known["memberships"]:
        members = [
            (masked(m["entity"]), m["term"] or "—", _day(m["from"]), _day(m["to"]))
            for m in known["memberships"]
        ]
        table(["Membro de", "Termo", "De", "Até"], members)


def _vetting_row(vetting: dict[str, Any]) -> tuple[str, ...]:
    lacking = [_PAPERS[name] for name, there in vetting["papers"].items() if not there]
    answer = "sim" if vetting["counts"] else "não"
    if lacking:
        answer += " (falta: " + ", ".join(lacking) + ")"
    return masked(vetting["entity"]), _day(vetting["from"]), _day(vetting["to"]), answer


def _day(iso: str | None) -> str:
    return f"{date.fromisoformat(iso):%d/%m/%Y}" if iso else "sem fim"
