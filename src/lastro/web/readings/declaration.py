"""What a company placed on the market: a sheet or a form, taken whole or sent back; and its versions.

A sheet goes the way of `lastro declare`. What the pages add is why it was changed, and that the sheet that
went back can be fetched again.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from lastro.errors import LastroError
from lastro.facts import Placement
from lastro.filings import Filing, Kind, Subject
from lastro.findings import finding_json
from lastro.ids import UF_BY_CODE, Material, company_of, uf_of
from lastro.lawkit.glossary import capital, label
from lastro.obligations.declare import Declared, read_declaration
from lastro.obligations.notices import notices
from lastro.obligations.returned import with_errors
from lastro.sheets import Issue, bounded
from lastro.stores.postgres import registry as kept
from lastro.stores.postgres.filings import Filings
from lastro.units import Mass
from lastro.web import office, typed

MOST_BYTES = 20_000_000
AT_ONCE_BYTES = 300_000
"""A sheet up to this size is read while its sender waits; a larger one by a worker."""

KINDS = (".xlsx", ".csv", ".json")
REASON = "Esta declaração muda uma que já está guardada: diga por quê, para que a mudança se explique."
_MOST_KEPT = 500


@dataclass(frozen=True)
class Handed:
    """A sheet, or a form written as one, as it was handed in."""

    name: str
    data: bytes
    party: str
    year: int
    reason: str
    by: str
    how: str = "sheet"  # "sheet" | "form"


@dataclass(frozen=True)
class Line:
    """One row of what stands declared."""

    establishment: str
    placement: Placement


@dataclass(frozen=True)
class Version:
    """One declaration that was taken, with why it was made and the filing that holds its sheet, if seen."""

    said: kept.Said
    reason: str
    filing: Filing | None


def read(handed: Handed) -> Declared:
    """What a sheet says, judged with the registry. Raises LastroError if it can't be opened at all."""
    if PurePath(handed.name).suffix.lower() == ".xlsx":
        bounded(handed.name, handed.data)
    return read_declaration(
        handed.name,
        handed.data,
        company=handed.party,
        today=office.today(),
        registered=office.registry().materials(handed.party),
        year=handed.year,
    )


def needs_reason(party: str, year: int) -> bool:
    """Whether something was declared of the year before, so that another declaration changes it."""
    return bool(kept.declarations(office.store(), company_of(party), year))


def take(handed: Handed, declared: Declared | None = None) -> Filing:
    """Take a declaration whole, or keep the sheet that goes back; the filing says which, and what was seen.

    Raises LastroError for a file that is no sheet, or a change without a reason.
    """
    if needs_reason(handed.party, handed.year) and not handed.reason:
        raise LastroError(REASON)
    found = declared or read(handed)
    return _send_back(handed, found) if found.issues else _keep(handed, found)


def _keep(handed: Handed, found: Declared) -> Filing:
    store, digest = office.store(), hashlib.sha256(handed.data).hexdigest()
    subject = Subject(Kind.DECLARED, handed.party, period=str(handed.year))
    with store.transaction():
        added = kept.declare(
            store, company_of(handed.party), found.parts, source=handed.name, sha256=digest, on=office.today()
        )
        seen = notices(found, office.registry(), company=handed.party)
        body = {
            "accepted": True, "added": added, "how": handed.how, "reason": handed.reason, "sha256": digest,
            "rows": sum(len(rows) for rows in found.parts.values()), "totals": _totals(found),
            "findings": [finding_json(one) for one in seen],
        }  # fmt: skip
        return _file(subject, body, handed, (handed.name, handed.data))


def _send_back(handed: Handed, found: Declared) -> Filing:
    back = with_errors(
        handed.name, handed.data, found.issues, sheet=found.sheet, heading_row=found.heading_row
    )
    path = PurePath(handed.name)
    name = f"{path.stem}{'' if path.stem.endswith('.erros') else '.erros'}{path.suffix}"
    subject = Subject(Kind.RETURNED, handed.party, period=str(handed.year), name=KIND_NAME)
    body = {
        "accepted": False, "how": handed.how, "reason": handed.reason, "source": handed.name,
        "issues": [one.as_json() for one in found.issues[:_MOST_KEPT]],
        "count": len(found.issues) + found.untold,
    }  # fmt: skip
    return _file(subject, body, handed, (name, back))


KIND_NAME = "declaracao"
"""How sheets of declarations are told apart from others that were sent back."""


def _file(subject: Subject, body: Mapping[str, Any], handed: Handed, file: tuple[str, bytes]) -> Filing:
    mine = Filings(office.store(), sees=handed.party)
    before = mine.latest(subject)
    return mine.add(
        subject, body, by=handed.by, on=office.today(), after=before.version if before else 0, files=[file]
    )


def _totals(found: Declared) -> list[dict[str, Any]]:
    sums: dict[tuple[str, str], tuple[Mass, Mass]] = {}
    for p in found.placements:
        mass, returnable = sums.get((p.uf, p.material.value), (Mass(0), Mass(0)))
        sums[p.uf, p.material.value] = (mass + p.mass, returnable + p.returnable)
    return [
        {"uf": uf, "material": material, "mass_mg": mass.mg, "returnable_mg": returnable.mg}
        for (uf, material), (mass, returnable) in sorted(sums.items())
    ]


# ── what stands ──────────────────────────────────────────────────────────────────────────────────────


def lines(party: str, year: int) -> list[Line]:
    """What stands declared of the company for a year, row by row."""
    held = kept.standing(office.store(), company_of(party), year)
    return [
        Line(who or "", one)
        for who, rows in sorted(held.items(), key=lambda item: item[0] or "")
        for one in sorted(rows, key=lambda p: (p.uf, p.material.value))
    ]


def versions(party: str, year: int) -> list[Version]:
    """Every declaration of the year, the latest first, each with its reason."""
    mine = Filings(office.store(), sees=party)
    filed = mine.versions(Subject(Kind.DECLARED, party, period=str(year)))
    by_sheet = {str(one.body["sha256"]): one for one in reversed(filed) if one.body["added"]}
    return [
        Version(said, str(found.body["reason"]) if found else "", found)
        for said in kept.declarations(office.store(), company_of(party), year)
        for found in [by_sheet.get(said.sha256)]
    ]


def sent_back(party: str, year: int) -> Filing | None:
    """The sheet that went back last, if nothing was taken since."""
    mine = Filings(office.store(), sees=party)
    back = mine.latest(Subject(Kind.RETURNED, party, period=str(year), name=KIND_NAME))
    taken = mine.latest(Subject(Kind.DECLARED, party, period=str(year)))
    return back if back and (taken is None or taken.id < back.id) else None


def filed(party: str, number: int) -> Filing | None:
    """One of the party's own declarations or returned sheets, by its number."""
    found = Filings(office.store(), sees=party).one(number)
    if found is None or found.subject.party != party:
        return None
    ours = found.subject.kind is Kind.DECLARED or found.subject.name == KIND_NAME
    return found if ours and found.subject.kind in (Kind.DECLARED, Kind.RETURNED) else None


def file_of(party: str, filing: Filing) -> tuple[str, bytes] | None:
    """The sheet of a filing."""
    for name, _ in filing.files:
        body = Filings(office.store(), sees=party).file(filing.id, name)
        if body is not None:
            return name, body
    return None


# ── the form ─────────────────────────────────────────────────────────────────────────────────────────

MOST_LINES = 60
_FIELDS = ("material", "uf", "mass", "returnable")
_BY_COLUMN = {"B": "material", "C": "uf", "D": "mass", "E": "returnable"}


@dataclass(frozen=True)
class Typed:
    """One line of the form as it was typed, with what is wrong in each field."""

    material: str = ""
    uf: str = ""
    mass: str = ""
    returnable: str = ""
    wrong: Mapping[str, str] | None = None

    @property
    def said(self) -> bool:
        """Whether the line declares anything: a material alone does not."""
        return bool(self.mass or self.returnable)


def materials(party: str) -> list[tuple[str, str]]:
    """The materials that a company may declare: those of its registration, or all, with their words."""
    allowed = office.registry().materials(party) or frozenset(Material)
    return [(m.value, capital(label(m.value))) for m in Material if m in allowed]


def places() -> list[str]:
    """The states, and the whole country."""
    return [*sorted(UF_BY_CODE.values()), "BR"]


def form_lines(party: str, year: int) -> list[Typed] | None:
    """What stands, as lines to be changed; None where it does not fit a form (by establishment, or long)."""
    held = lines(party, year)
    if any(one.establishment for one in held) or len(held) > MOST_LINES - 5:
        return None
    uf = uf_of(office.registry().municipality(party) or "") or "MT"
    made = [
        Typed(
            p.material.value,
            p.uf,
            typed.as_typed(p.mass),
            typed.as_typed(p.returnable) if p.returnable.mg else "",
        )
        for p in (one.placement for one in held)
    ]
    said = {one.material for one in made}
    rest = [Typed(material, uf) for material, _ in materials(party) if material not in said]
    blank = [Typed(uf=uf) for _ in range(4)]
    return [*made, *rest[: MOST_LINES - len(made) - len(blank)], *blank]


def typed_lines(posted: Mapping[str, Sequence[str]]) -> list[Typed]:
    """The lines of a form that was sent: each field stands once a line."""
    columns = [list(posted.get(name, ()))[:MOST_LINES] for name in _FIELDS]
    return [Typed(*(text.strip()[:40] for text in row)) for row in zip(*columns, strict=False)]


def as_sheet(year: int, typed: Sequence[Typed]) -> bytes:
    """The lines that declare something, written as the sheet that they stand for."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=";", lineterminator="\r\n")
    writer.writerow(["ano", "material", "uf", "massa_kg", "retornavel_kg"])
    for one in typed:
        if one.said:
            writer.writerow([year, one.material, one.uf, one.mass, one.returnable])
    return out.getvalue().encode()


def with_problems(typed: Sequence[Typed], issues: Sequence[Issue]) -> list[Typed]:
    """The lines with what is wrong in them, each beside its field."""
    told = [n for n, one in enumerate(typed) if one.said]
    made = list(typed)
    for issue in issues:
        if issue.row is None or not 2 <= issue.row < len(told) + 2:
            continue
        n = told[issue.row - 2]
        field = _BY_COLUMN.get(issue.column, "mass")
        words = f"Esperado {issue.expected}. {issue.cure}"
        made[n] = replace(made[n], wrong={**(made[n].wrong or {}), field: words})
    return made
