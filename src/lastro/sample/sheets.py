"""The tables of the world as files: registry, declarations, targets, retirements, truth."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import xlsxwriter

from lastro.sample.market import TARGETS, Placed, Plan
from lastro.sample.people import Cast, Party, Span

_PORTUGUESE = {
    "paper": "papel",
    "plastic": "plástico",
    "glass": "vidro",
    "steel": "aço",
    "aluminium": "alumínio",
}
Row = dict[str, Any]


def csv_bytes(header: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A comma-separated table in UTF-8."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue().encode()


def xlsx_bytes(header: Sequence[str], rows: Iterable[Sequence[object]], sheet: str) -> bytes:
    """A workbook of one sheet, the same bytes each time."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.set_properties({"created": dt.datetime(2026, 1, 1)})
    page = book.add_worksheet(sheet)
    for number, row in enumerate([header, *rows]):
        page.write_row(number, 0, list(row))
    book.close()
    return out.getvalue()


def _party(party: Party) -> Row:
    handles = {"capacity_kg_month": party.capacity_kg_month} if party.capacity_kg_month else {}
    return {
        "cnpj": party.cnpj,
        "name": party.name,
        "address": f"{party.street}, {party.house}, Distrito Industrial, CEP {party.postcode}",
        "municipality": party.place.code if party.located else "",
        "uf": party.place.uf,
        "contact": "contato@exemplo.invalid",
        "licence_number": party.licence,
        "licence_issuer": "Órgão ambiental inventado",
        "licence_valid_to": party.licence_to,
        "closed_on": party.closed_on,
        **handles,
    }


def _role(party: Party, spans: Mapping[str, Span]) -> Row:
    span = spans.get(party.cnpj, Span("2020-01-01"))
    return {
        "cnpj": party.cnpj,
        "role": party.role,
        "origin": party.origin,
        "from": span.first,
        "to": span.last,
    }


def _vettings(cast: Cast) -> list[Row]:
    papers = ("cnpj_ok", "registrations_ok", "licence_ok", "permit_ok")
    return [
        {
            "operator": vetting.operator,
            "entity": vetting.entity,
            "from": vetting.span.first,
            "to": vetting.span.last,
            **dict(zip(papers, vetting.papers, strict=True)),
        }
        for vetting in cast.vettings
    ]


def _memberships(cast: Cast) -> tuple[list[Row], list[Row]]:
    terms, members = [], []
    for number, entity in enumerate(cast.entities):
        term = f"TCLR-MT-{number + 1:02d}/2025"
        terms.append(
            {
                "term": term,
                "entity": entity.cnpj,
                "sector": "embalagens_em_geral",
                "signed_on": "2025-07-15",
                "certificates_allowed": number < 2,
                "from": "2025-07-15",
                "to": "2029-12-31",
            }
        )
        for group in cast.companies[number :: len(cast.entities)]:
            bound = {"entity": entity.cnpj, "term": term, "from": "2025-08-01", "to": ""}
            members += [{"establishment": party.cnpj, **bound} for party in group]
    return terms, members


def registry(cast: Cast) -> bytes:
    """The registry file: parties, roles, vettings, terms, members, contracts, sizes."""
    everyone = cast.everyone()
    terms, members = _memberships(cast)
    contracts = [
        {"verifier": cast.verifiers[0 if n < 2 else 1].cnpj, "entity": e.cnpj, "from": "2025-01-01", "to": ""}
        for n, e in enumerate(cast.entities)
    ]
    classes = ("large", "medium", "large", "epp")
    sizes = [
        {"company": group[0].root, "year": year, "size": classes[number % 4]}
        for number, group in enumerate(cast.companies)
        for year in (2025, 2026)
    ]
    tables = {
        "parties": [_party(party) for party in everyone],
        "roles": [_role(party, cast.role_spans) for party in (*everyone, *cast.second_roles)],
        "vettings": _vettings(cast),
        "terms": terms,
        "members": members,
        "contracts": contracts,
        "sizes": sizes,
    }
    return (json.dumps(tables, ensure_ascii=False, indent=1) + "\n").encode()


def targets() -> bytes:
    """The illustrative targets of the demonstration."""
    source = "ilustrativa: inventada para a demonstração; não é a Tabela 1 do decreto"
    rows = [
        (
            "embalagens_em_geral",
            material,
            2026,
            f"{share.numerator * 100 // share.denominator}%",
            source,
            "illustrative",
        )
        for material, share in TARGETS.items()
    ]
    return csv_bytes(("sector", "material", "year", "share", "source", "basis"), rows)


_DECLARED = ("ano", "material", "uf", "massa_kg", "retornavel_kg", "estabelecimento")


def _declared(row: Placed) -> tuple[object, ...]:
    return row.year, _PORTUGUESE[row.material], row.uf, row.kg, row.returnable_kg, row.establishment


def declaration(number: int, plan: Plan) -> tuple[str, bytes]:
    """A company's declaration: its file's name and bytes; one is a workbook, one JSON, the rest CSV."""
    root = plan.company[0].root
    if number == 4:
        return f"{root}.xlsx", xlsx_bytes(_DECLARED, map(_declared, plan.placed), "declaracao")
    if number == 9:
        rows = [
            {
                "year": row.year,
                "material": row.material,
                "uf": row.uf,
                "mass_kg": str(row.kg),
                "returnable_kg": str(row.returnable_kg),
                "establishment": row.establishment,
            }
            for row in plan.placed
        ]
        return f"{root}.json", (json.dumps(rows, ensure_ascii=False, indent=1) + "\n").encode()
    return f"{root}.csv", csv_bytes(_DECLARED, map(_declared, plan.placed))


def broken_declaration(company: Party) -> bytes:
    """A sheet in which each row but the first has one mistake."""
    mine = company.cnpj
    rows = (
        (2025, "vidro", "MT", "12000", "0", mine),
        (2025, "vidro", "MT", "-350", "0", mine),
        (2025, "isopor azul", "MT", "900", "0", mine),
        ("", "papel", "MT", "4100", "0", mine),
        (2025, "plástico", "MX", "2500", "0", mine),
        (2025, "aço", "MT", "doze mil", "0", mine),
        (2025, "alumínio", "MT", "700", "900", mine),
        (2025, "papel", "MT", "", "0", mine),
        (2025, "papel", "MT", "1800", "0", mine[:-1] + str((int(mine[-1]) + 3) % 10)),
    )
    return csv_bytes(_DECLARED, rows)


def retirements(plans: Iterable[Plan]) -> bytes:
    """The demonstration's retirements, row by row."""
    rows = [
        (step.entity, step.establishment, step.material, step.kg, step.year, plan.outcome)
        for plan in plans
        for step in plan.retirements
    ]
    return csv_bytes(("entity", "establishment", "material", "kg", "year", "outcome"), rows)
