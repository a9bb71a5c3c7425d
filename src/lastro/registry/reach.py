"""What a managing entity may write in the registry that all share: its own members, terms and vettings.

Who recycles, who verifies and how large a company is change what others' mass is worth; that is not for an
entity to say. Of an establishment it writes what nobody has said yet, or what concerns its members alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from lastro.registry.answers import Registry
from lastro.registry.read import Placed
from lastro.sheets import Issue

OWN = ("members", "terms", "vettings")
"""The tables whose rows name the entity that they are of."""


def beyond(rows: Sequence[Placed], *, entity: str, known: Registry, on: date) -> list[Issue]:
    """What among these rows the entity may not write on a day, each with where it stands and what to do."""
    standing = {str(row["cnpj"]): row for row in known.tables["parties"]}
    members = {str(p.body["establishment"]) for p in rows if p.table == "members"}
    return [issue for placed in rows for issue in _judged(placed, entity, known, standing, members, on)]


def _judged(
    placed: Placed,
    entity: str,
    known: Registry,
    standing: Mapping[str, Mapping[str, Any]],
    members: set[str],
    on: date,
) -> Iterator[Issue]:
    def issue(column: str, found: str, expected: str, cure: str) -> Issue:
        return Issue(placed.sheet, placed.number, column, found, expected, cure, "P10")

    body = placed.body
    if placed.table in OWN:
        if body["entity"] != entity:
            yield issue("entity", str(body["entity"]), f"a sua entidade, {entity}", _OTHERS)
        return
    if placed.table != "parties":
        yield issue("", placed.table, f"só {', '.join(OWN)} e parties", _NOT_HERE)
        return
    cnpj = str(body["cnpj"])
    before = standing.get(cnpj)
    if before is not None and dict(before) != body and not _ours_alone(known, cnpj, entity, members, on):
        yield issue("cnpj", cnpj, "os dados que já constam", _SHARED)


_OTHERS = "Apague a linha: cada entidade cadastra só o que é seu."
_NOT_HERE = "Apague a linha: papéis, contratos de verificação e portes são cadastrados pela administração."
_SHARED = (
    "O estabelecimento já está no cadastro com outros dados e não é só seu aderente: apague a linha, ou peça "
    "a mudança à administração."
)


def _ours_alone(known: Registry, cnpj: str, entity: str, members: set[str], on: date) -> bool:
    """Whether an establishment is a member of this entity and of no other, and does nothing but that."""
    theirs = [m for m in known.memberships(cnpj) if m.establishment == cnpj]
    if any(m.entity != entity for m in theirs):
        return False
    plain = set(known.roles(cnpj, on)) <= {"company"} and not known.vettings(cnpj)
    return plain and bool(theirs or cnpj in members)
