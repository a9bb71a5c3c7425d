"""A facts file: everything that `assess` needs to know, in one JSON document (contract §3).

The document is read whole or refused whole: each thing to mend is named by its place in the file. Numbers are
taken as they are written, so no binary fraction ever touches a mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lastro import jsonfile
from lastro.facts import Basis, CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import UF_BY_CODE, Material, Origin, company_of, uf_of
from lastro.jsonfile import Node, once_each
from lastro.obligations.options_file import TOWN, Options, election, once, town
from lastro.units import ZERO

SIZES = ("mei", "me", "epp", "medium", "large", "cooperative")
SCHEMES = ("structuring", "certificates", "individual", "collective")
ROOT = 8
"""The characters of a CNPJ that name the whole company."""
UFS = (*sorted(UF_BY_CODE.values()), "BR")


@dataclass(frozen=True)
class Facts:
    """What a facts file says: the norm and year asked, the rows of targets, and the companies."""

    norm: str
    year: int
    targets: tuple[TargetRow, ...]
    companies: tuple[CompanyFacts, ...]


def parse(text: str, *, options: Options | None = None) -> Facts:
    """Read a facts file. Raises JsonRefused naming every place that has to be mended.

    `options` are those of the norm asked (Regulation.options): any other is refused. None: not looked at.
    """
    return jsonfile.read_document(text, lambda top: _whole(top, options))


def _whole(top: Node, options: Options | None) -> Facts:
    made = facts_of(top, options=options)
    top.close()
    return made


def facts_of(top: Node, *, options: Options | None = None) -> Facts:
    """The facts that one object tells, alone in a file or within a larger document, which closes it."""
    norm = top.may("norm", jsonfile.text, "", "o caminho da norma, como mt/decreto_1455_2025")
    year = top.need("year", jsonfile.year, 0, "o ano da meta, como 2026")
    top.asked.add("tables")
    tables = Node(top.raw.get("tables") or {}, "tables", top.problems)
    targets = tables.each("targets", target_row)
    icms = tables.each("icms", _icms)
    once_each(tables, "targets", [(t.sector, t.material, t.year, t.source) for t in targets])
    once_each(tables, "icms", [row["year"] for row in icms])
    tables.close()
    companies = top.each("companies", lambda one: company_row(one, icms, options=options))
    if not companies:
        top.wrong("companies", None, "uma lista com ao menos uma empresa")
    once_each(top, "companies", [company.cnpj for company in companies])
    return Facts(norm, year, targets, _by_company(top, companies))


def target_row(row: Node) -> TargetRow:
    return TargetRow(
        sector=row.need("sector", jsonfile.text, "", "o setor, como embalagens_em_geral"),
        material=row.need("material", jsonfile.text, "", "o grupo de material da norma, como glass"),
        year=row.need("year", jsonfile.year, 0, "o ano da meta"),
        share=row.need("share", jsonfile.share, "", "um percentual maior que 0% e até 100%, como 25%"),
        source=row.need("source", jsonfile.text, "", "a fonte da meta"),
        basis=row.may("basis", Basis, Basis.OFFICIAL, "official, illustrative ou test"),
    )


def _icms(row: Node) -> dict[str, Any]:
    return {
        "year": row.need("year", jsonfile.year, 0, "o ano da arrecadação"),
        "share": row.need("share", jsonfile.share, "", "um percentual maior que 0% e até 100%, como 3.2%"),
        "source": row.need("source", jsonfile.text, "", "a fonte do percentual"),
        "basis": row.may("basis", Basis, Basis.OFFICIAL, "official, illustrative ou test").value,
    }


def _term_target(row: Node) -> dict[str, Any]:
    """A target of the term of commitment that the company adheres to."""
    return {
        "material": row.need("material", jsonfile.text, "", "o grupo de material da norma, como glass"),
        "year": row.need("year", jsonfile.year, 0, "o ano da meta"),
        "share": row.need("share", jsonfile.share, "", "um percentual maior que 0% e até 100%, como 25%"),
        "source": row.need("source", jsonfile.text, "", "o termo, com número e data"),
        "basis": row.may("basis", Basis, Basis.OFFICIAL, "official, illustrative ou test").value,
        "justified": bool(row.may("justified", jsonfile.flag, None, "true ou false")),
    }


def company_row(
    row: Node, icms: tuple[dict[str, Any], ...], *, options: Options | None = None
) -> CompanyFacts:
    """One company, with the options that the norm leaves to it."""
    extra: dict[str, Any] = {"icms": icms} if icms else {}
    terms = row.each("term_targets", _term_target)
    if terms:
        once_each(row, "term_targets", [(t["material"], t["year"]) for t in terms])
        extra["term_targets"] = terms
    for key in ("formal_partnerships", "returnables_report"):
        found = row.may(key, jsonfile.flag, None, "true ou false")
        if found is not None:
            extra[key] = found
    placed, retired = row.each("placed", _placement), row.each("retired", _retired)
    once_each(row, "placed", [(p.year, p.material, "BR" if p.national else p.uf) for p in placed])
    once_each(row, "retired", [_named(r) for r in retired])
    elections = row.each("elections", lambda one: election(one, options))
    once(row, elections, options)
    return CompanyFacts(
        cnpj=row.need("cnpj", jsonfile.cnpj, "", "um CNPJ válido (14 caracteres) ou a sua raiz (8)"),
        size=row.need("size", jsonfile.one_of(SIZES), "", f"um de {', '.join(SIZES)}"),
        scheme=row.need("scheme", jsonfile.one_of(SCHEMES), "", f"um de {', '.join(SCHEMES)}"),
        placed=placed,
        retired=retired,
        elections=elections,
        sector=row.may("sector", jsonfile.text, "embalagens_em_geral", "o setor"),
        extra=extra,
    )


def _named(row: Retired) -> tuple[object, ...]:
    """What a row of retired mass says: two deliveries that agree in all of it are added by whoever writes."""
    return row.year, row.material, row.municipality or row.uf, row.origin or "sem origem", row.mass


def _placement(row: Node) -> Placement:
    uf = row.need("uf", jsonfile.one_of(UFS), "", "a sigla de um estado, ou BR para a massa do país")
    made = Placement(
        year=row.need("year", jsonfile.year, 0, "o ano em que a massa foi colocada no mercado"),
        material=row.need("material", Material, Material.OTHER, f"um de {', '.join(Material)}"),
        uf=uf,
        mass=row.need("mass_kg", jsonfile.mass, ZERO, jsonfile.MASS),
        returnable=row.may("returnable_kg", jsonfile.mass, ZERO, jsonfile.MASS),
        national=row.may("national", jsonfile.flag, None, "true ou false") or uf == "BR",
        aerosol=row.may("aerosol_kg", jsonfile.mass, ZERO, jsonfile.MASS),
    )
    if made.returnable + made.aerosol > made.mass:
        row.wrong("returnable_kg", made.returnable, f"retornáveis e aerossóis dentro de {made.mass}")
    return made


def _retired(row: Node) -> Retired:
    made = Retired(
        year=row.need("year", jsonfile.year, 0, "o ano das notas"),
        material=row.need("material", Material, Material.OTHER, f"um de {', '.join(Material)}"),
        uf=row.need("uf", jsonfile.one_of(UFS[:-1]), "", "a sigla do estado em que foi coletada"),
        municipality=row.may("municipality", town, "", TOWN),
        origin=row.may("origin", _origin, None, f"um de {', '.join(Origin)}"),
        mass=row.need("mass_kg", jsonfile.mass, ZERO, jsonfile.MASS),
        aerosol=row.may("aerosol_kg", jsonfile.mass, ZERO, jsonfile.MASS),
        upstream_counted=row.may("upstream_counted_kg", jsonfile.mass, ZERO, jsonfile.MASS),
    )
    if made.municipality and made.uf and uf_of(made.municipality) != made.uf:
        row.wrong("municipality", made.municipality, f"um município de {made.uf}")
    if made.aerosol + made.upstream_counted > made.mass:  # parts of it that do not count: both at once, never
        row.wrong("mass_kg", made.mass, "ao menos a massa de aerossóis mais a já contada antes na cadeia")
    return made


def _origin(value: Any) -> Origin | None:
    return Origin(value)


def _not_both(top: Node, found: Sequence[CompanyFacts]) -> None:
    """The whole company's mass has its establishments' in it: told of both, it would be added up twice."""
    whole = {(one.cnpj, p.year, p.material) for one in found if len(one.cnpj) == ROOT for p in one.placed}
    for number, one in enumerate(found):
        for p in one.placed if len(one.cnpj) > ROOT else ():
            if (company_of(one.cnpj), p.year, p.material) in whole:
                top.wrong(
                    f"companies[{number}].placed", f"{p.material}, {p.year}, de um estabelecimento",
                    f"a massa da empresa inteira (raiz {company_of(one.cnpj)}) ou a dos estabelecimentos, "
                    "não as duas",
                )  # fmt: skip


def _by_company(top: Node, found: Sequence[CompanyFacts]) -> tuple[CompanyFacts, ...]:
    """Targets are settled per company (decision 4): entries of one root are one company's."""
    made: dict[str, CompanyFacts] = {}
    _not_both(top, found)
    for one in found:
        root = company_of(one.cnpj)
        first = made.setdefault(root, one)
        if first is one:
            continue
        same = (first.size, first.scheme, first.sector, first.elections, first.extra)
        if same != (one.size, one.scheme, one.sector, one.elections, one.extra):
            top.wrong("companies", root, "porte, sistema, setor e opções iguais em todas as entradas da raiz")
        made[root] = replace(
            first, cnpj=root, placed=first.placed + one.placed, retired=first.retired + one.retired
        )
    return tuple(made.values())
