"""`lastro declare`: what a company placed on the market, from a sheet that is taken whole or sent back."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import click

from lastro.cli.common import CNPJ, Settings, say_json, shared_options, table
from lastro.errors import LastroError
from lastro.findings import catalogue, finding_json
from lastro.ids import company_of
from lastro.lawkit.glossary import label
from lastro.obligations.declare import Declared, read_declaration
from lastro.obligations.notices import notices
from lastro.obligations.returned import with_errors
from lastro.units import Mass, how_many, total

_SHOWN = 20


@click.command("declare")
@click.argument("file", metavar="ARQUIVO", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--company", required=True, type=CNPJ, help="CNPJ de um estabelecimento da empresa.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), help="Onde deixar a planilha devolvida."
)
@shared_options
def command(settings: Settings, file: Path, company: str, out: Path | None) -> int:
    """Declara a massa de embalagens que a empresa colocou no mercado (.xlsx, .csv ou .json)."""
    data = file.read_bytes()
    from lastro.stores.postgres import Store
    from lastro.stores.postgres import registry as kept

    with Store.open(settings.data) as store:
        known = kept.registry(store)
        declared = read_declaration(
            file.name, data, company=company, today=settings.today, registered=known.materials(company)
        )
        if declared.issues:
            return _send_back(settings, file, data, declared, out)
        added = kept.declare(
            store,
            company_of(company),
            declared.parts,
            source=file.name,
            sha256=hashlib.sha256(data).hexdigest(),
            on=settings.today,
        )
    totals, seen = _totals(declared), notices(declared, known, company=company)
    if settings.as_json:
        findings = [finding_json(one, lang=settings.lang) for one in seen]
        say_json({**_as_json(company, added, totals), "findings": findings})
    else:
        _say(company, added, totals)
        for one in seen:
            click.echo(f"Aviso {one.code}: {catalogue()[one.code].message[settings.lang]} {one.found}.")
    return 0


Totals = dict[tuple[int, str, str], tuple[Mass, Mass]]


def _totals(declared: Declared) -> Totals:
    """Mass and returnable mass by year, UF and material."""
    found: Totals = {}
    for p in declared.placements:
        key = (p.year, p.uf, p.material.value)
        mass, returnable = found.get(key, (Mass(0), Mass(0)))
        found[key] = (mass + p.mass, returnable + p.returnable)
    return dict(sorted(found.items()))


def _say(company: str, added: int, totals: Totals) -> None:
    state = "declaração guardada" if added else "esta declaração já estava guardada"
    rows: list[tuple[object, ...]] = [
        (year, uf, label(material), mass, returnable)
        for (year, uf, material), (mass, returnable) in totals.items()
    ]
    # Years and places are not added up: the mass of the country holds that of the state.
    if len(rows) > 1 and len({key[:2] for key in totals}) == 1:
        both = list(totals.values())
        rows.append(("", "", "total", total(m for m, _ in both), total(r for _, r in both)))
    title = f"Empresa {company_of(company)}: {state}."
    table(["Ano", "UF", "Material", "Massa", "Retornável"], rows, title=title, right=(3, 4))


def _as_json(company: str, added: int, totals: Totals) -> dict[str, Any]:
    return {
        "declared": True,
        "company": company_of(company),
        "declarations_added": added,
        "totals": [
            {
                "year": year,
                "uf": uf,
                "material": material,
                "mass_mg": mass.mg,
                "returnable_mg": returnable.mg,
            }
            for (year, uf, material), (mass, returnable) in totals.items()
        ],
        "issues": [],
    }


def _send_back(settings: Settings, file: Path, data: bytes, declared: Declared, out: Path | None) -> int:
    """Write the sheet again with its errors, beside the original; nothing is stored."""
    target = out or file.with_name(f"{file.stem}.erros{file.suffix}")
    if target.resolve() == file.resolve():
        raise LastroError("--out não pode ser o próprio arquivo: o original fica como está.")
    back = with_errors(
        file.name, data, declared.issues, sheet=declared.sheet, heading_row=declared.heading_row
    )
    try:
        target.write_bytes(back)
    except OSError as wrong:
        raise LastroError(f"Não se pôde escrever {target} ({wrong.strerror}); use --out.") from wrong
    if settings.as_json:
        issues = [issue.as_json() for issue in declared.issues]
        say_json(
            {"declared": False, "returned": str(target), "issues": issues, "issues_untold": declared.untold}
        )
        return 1
    number = len(declared.issues) + declared.untold
    click.echo(f"{file.name}: {how_many(number, 'erro', 'erros')}; nada foi guardado.")
    for issue in declared.issues[:_SHOWN]:
        click.echo(f"  {issue}")
    if number > _SHOWN:
        click.echo(f"  … e mais {number - _SHOWN}")
    click.echo(f"A planilha com a coluna “erros” está em {target}")
    return 1
