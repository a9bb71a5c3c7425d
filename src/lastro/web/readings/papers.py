"""The documents that norms ask of an entity: which there are, what is filed of each, what one lacks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro import certifying, delivery, papers, signing
from lastro.errors import LastroError, NotInForce, TextMissing
from lastro.filings import Filing, Kind, Subject
from lastro.ids import masked
from lastro.lawkit import Regulation, library
from lastro.lawkit.contents import Contents, Field, Part
from lastro.reports import form, words
from lastro.reports.cells import DataSet
from lastro.reports.desk import Heading
from lastro.reports.form_file import SUFFIX
from lastro.reports.paper import paper
from lastro.stores.postgres.filings import Filings
from lastro.web import office, typed

OFFERED = "managing_entity"
_KINDS = (Kind.DOCUMENT, Kind.CONTRACT)


@dataclass(frozen=True)
class Offer:
    """A document that a norm asks of an entity for a year."""

    regulation: Regulation
    kind: str
    contents: Contents

    @property
    def norm(self) -> str:
        return self.regulation.norm.path

    @property
    def title(self) -> str:
        return words.word("report", self.kind)

    @property
    def articles(self) -> str:
        """The provisions behind its parts, each told once."""
        found = "; ".join(dict.fromkeys(part.article for part in self.contents.parts))
        return found.replace(f"{self.regulation.norm.short_title}, ", "")


def offers(year: int, *, by: str = OFFERED) -> list[Offer]:
    """Every document that some norm asks of an entity, or of others, for a year, norm by norm."""
    return [
        found
        for regulation in library.every()
        for kind in sorted(regulation.documents)
        if (found := offer(regulation.norm.path, kind, year, by=by)) is not None
    ]


def offer(norm: str, kind: str, year: int, *, by: str = OFFERED) -> Offer | None:
    """One document of a norm, if the norm asks it of those (of anybody, if empty) and was in force then."""
    regulation = next((one for one in library.every() if one.norm.path == norm), None)
    if regulation is None or kind not in regulation.documents:
        return None
    try:
        contents = regulation.documents[kind](regulation.law(date(year, 12, 31)), year=year)
    except (NotInForce, TextMissing):
        return None
    if (by and contents.by != by) or not contents.parts:
        return None
    return Offer(regulation, kind, contents)


@dataclass(frozen=True)
class Filed:
    """A document as it is filed now: what it is, who it is about, until when, and what it lacks."""

    filing: Filing
    offer: Offer
    year: int
    about: str
    until: date | None
    days_left: int | None
    blocks: int

    @property
    def state(self) -> str:
        if self.filing.withdrawn:
            return "retirado"
        if self.until is not None and self.days_left is not None and self.days_left < 0:
            return "vencido"
        return f"falta em {self.blocks} pontos" if self.blocks else "completo"

    @property
    def signed(self) -> bool:
        return bool(self.filing.body.get("signed"))


def filed(entity: str) -> list[Filed]:
    """Everything that an entity filed and did not withdraw, the latest first."""
    filings = Filings(office.store(), sees=entity)
    found = [one for kind in _KINDS for one in filings.standing(kind, party=entity)]
    made = [_filed(one) for one in sorted(found, key=lambda f: -f.id)]
    return [one for one in made if one is not None]


def _filed(filing: Filing) -> Filed | None:
    """A filing of this desk; None for what another desk keeps under the same kind."""
    told, kind = filing.body.get("document"), filing.body.get("kind")
    if not isinstance(told, dict) or not isinstance(kind, str):
        return None
    year = int(told.get("year", filing.on.year))
    found = offer(filing.subject.norm, kind, year, by="")
    if found is None:
        return None
    until = _day(told, found.contents.until)
    left = (until - office.today()).days if until else None
    data = data_of(found, told)
    blocks = len(data.blocks) if data is not None else 1
    return Filed(filing, found, year, _about(told, found.contents), until, left, blocks)


def _day(told: Mapping[str, Any], place: str) -> date | None:
    part, _, name = place.partition(".")
    text = (told.get(part) or {}).get(name) if part and isinstance(told.get(part), dict) else None
    return date.fromisoformat(text) if text else None


def _about(told: Mapping[str, Any], contents: Contents) -> str:
    """What one of a series is about, in its own words: the name, the city, the version."""
    first = told.get(contents.parts[0].key)
    if not isinstance(first, dict):
        return ""
    said = [str(first[name]) for name in ("name", "object", "service", "version") if first.get(name)]
    if town := first.get("municipality"):
        from lastro.tables import municipality

        said.insert(0, municipality(str(town)) or str(town))
    return ": ".join(said[:2])


def data_of(found: Offer, told: Mapping[str, Any]) -> DataSet | None:
    """The document as data, from what was filed; None where the norm of today can't read it any more."""
    try:
        return form.parse(found.regulation, found.kind, text_of(told), today=office.today())
    except LastroError:
        return None


def text_of(told: Mapping[str, Any]) -> str:
    """What was told as the file that the command line takes."""
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def one(entity: str, number: int) -> Filed | None:
    """One version that the entity filed, whether it stands or not; None if it is none of its."""
    found = Filings(office.store(), sees=entity).one(number)
    if found is None or found.subject.party != entity or found.subject.kind not in _KINDS:
        return None
    return _filed(found)


def versions(entity: str, filing: Filing) -> list[Filing]:
    """Every version of the same document, the latest first."""
    return Filings(office.store(), sees=entity).versions(filing.subject)


def subject_of(found: Offer, *, entity: str, year: int, mark: str) -> Subject:
    """What a document is about: its norm, kind and year; one of a series by a mark of its own."""
    kind = Kind.CONTRACT if found.contents.contract else Kind.DOCUMENT
    if found.contents.series:
        return Subject(kind, entity, found.norm, name=f"{found.kind}/{mark}")
    return Subject(kind, entity, found.norm, period=str(year), name=found.kind)


# ── filling in ───────────────────────────────────────────────────────────────────────────────────────

_DECIMALS = ("kg", "brl", "share")


@dataclass(frozen=True)
class Box:
    """A field as a page asks for it."""

    name: str
    label: str
    unit: str
    needed: bool
    options: tuple[tuple[str, str], ...]
    value: str


@dataclass(frozen=True)
class Sheet:
    """A part as a page asks for it: one line, or as many as there are."""

    key: str
    title: str
    article: str
    many: bool
    lines: tuple[tuple[Box, ...], ...]


def label_of(part: Part, field: Field) -> str:
    """What a field is called."""
    return words.column(part.key, field.name) if part.many else words.word("row", field.name)


def sheets(
    contents: Contents, posted: Mapping[str, str] | None, told: Mapping[str, Any], more: int
) -> list[Sheet]:
    """The parts with what is known of each: what was typed last, else what is filed."""
    made = []
    for part in contents.parts:
        rows = _known_rows(part, posted, told)
        if part.many:
            rows += [{}] * max(part.least - len(rows), more)
        lines = tuple(
            tuple(_box(part, field, n, row) for field in part.fields) for n, row in enumerate(rows or [{}])
        )
        made.append(Sheet(part.key, words.word("section", part.key), part.article, part.many, lines))
    return made


def _known_rows(
    part: Part, posted: Mapping[str, str] | None, told: Mapping[str, Any]
) -> list[Mapping[str, str]]:
    if posted is not None:
        typed_rows = [row for _, row in _typed_rows(part, posted)]
        return [row for row in typed_rows if any(row.values())] if part.many else typed_rows
    found = told.get(part.key)
    listed = found if isinstance(found, list) else [found] if isinstance(found, dict) else []
    return [{field.name: _written(row, field) for field in part.fields} for row in listed]


def _typed_rows(part: Part, posted: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    numbers = {
        int(found[1]) for name in posted if (found := re.fullmatch(rf"{part.key}\.([0-9]{{1,4}})\.\w+", name))
    }
    for n in sorted(numbers or {0}):
        yield n, {f.name: posted.get(f"{part.key}.{n}.{f.name}", "").strip()[:2000] for f in part.fields}


def _written(row: Mapping[str, Any], field: Field) -> str:
    """What is filed, the way it would be typed."""
    value = row.get(field.name + SUFFIX.get(field.unit, ""))
    if value is None:
        return ""
    if isinstance(value, bool):
        return "sim" if value else "nao"
    if field.unit in _DECIMALS:
        return str(value).removesuffix("%").replace(".", ",")
    return str(value)


def _box(part: Part, field: Field, n: int, row: Mapping[str, str]) -> Box:
    options: tuple[tuple[str, str], ...] = ()
    if field.unit == "flag":
        options = (("sim", "sim"), ("nao", "não"))
    elif field.unit == "material":
        from lastro.ids import Material

        options = tuple((m.value, words.named(m.value)) for m in Material)
    elif field.words:
        options = tuple(
            (w, words.word("section", w) if field.unit == "section" else words.named(w)) for w in field.words
        )
    return Box(
        f"{part.key}.{n}.{field.name}", label_of(part, field), field.unit, field.needed and not field.instead,
        options, row.get(field.name, ""),
    )  # fmt: skip


def document_of(
    found: Offer, posted: Mapping[str, str], *, entity: str, year: int, facts: Any = None
) -> tuple[dict[str, Any], list[str]]:
    """What was typed as the document that the command line reads, and what cannot be read of it."""
    problems: list[str] = []
    told: dict[str, Any] = {
        "year": year, "entity": {"cnpj": entity, "name": office.name_of(entity) or masked(entity)}
    }  # fmt: skip
    for part in found.contents.parts:
        rows = []
        for n, row in _typed_rows(part, posted):
            if any(row.values()) or not part.many:
                rows.append(_read_row(part, n, row, problems))
        if part.many:
            told[part.key] = rows
        elif rows and rows[0]:
            told[part.key] = rows[0]
    if facts is not None:
        told["facts"] = facts
    return told, problems


def _read_row(part: Part, n: int, row: Mapping[str, str], problems: list[str]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for field in part.fields:
        text = row[field.name]
        if not text:
            continue
        try:
            made[field.name + SUFFIX.get(field.unit, "")] = _value(field, text)
        except ValueError:
            line = f", linha {n + 1}" if part.many else ""
            problems.append(
                f"{words.word('section', part.key)}{line}, {label_of(part, field)}: “{text[:80]}” não se lê; "
                "escreva o número como 1.355,90."
            )
    return made


def _value(field: Field, text: str) -> Any:
    if field.unit == "flag":
        return {"sim": True, "nao": False}.get(text, text)
    if field.unit in _DECIMALS:
        plain = typed.plain(text.removesuffix("%").strip())
        return f"{plain}%" if field.unit == "share" else plain
    if field.unit in ("count", "year"):
        return int(text) if re.fullmatch("[0-9]{1,12}", text) else text
    if field.unit == "degrees":
        return text.replace(",", ".")
    return text


def in_words(found: Offer, problem: str) -> str:
    """A place of the file in the words of the page: `budget[0].cost_brl` is a part, a line and a field."""
    place = re.match(r"(\w+)(?:\[(\d+)\])?\.(\w+)", problem)
    part = next((p for p in found.contents.parts if place and p.key == place[1]), None)
    if place is None or part is None:
        return problem
    field = next((f for f in part.fields if f.name + SUFFIX.get(f.unit, "") == place[3]), None)
    line = f", linha {int(place[2]) + 1}" if place[2] else ""
    said = label_of(part, field) if field else place[3]
    return f"{words.word('section', part.key)}{line}, {said}{problem[place.end() :]}"


# ── files ────────────────────────────────────────────────────────────────────────────────────────────


def files_of(shown: Filed) -> dict[str, bytes]:
    """The PDF, the sheets and the JSON of a version, made from what was filed."""
    data = data_of(shown.offer, shown.filing.body["document"])
    return {} if data is None else dict(delivery.files()(data, _heading(shown.filing)))


def _heading(filing: Filing) -> Heading:
    return Heading(filing.on)


def signed_pdf(shown: Filed) -> tuple[str, bytes]:
    """The paper of a version with the entity's signature over all of it. Raises LastroError."""
    data = data_of(shown.offer, shown.filing.body["document"])
    if data is None:
        raise LastroError("Este documento já não se lê pela norma de hoje; preencha-o de novo.")
    heading = _heading(shown.filing)
    pdf = papers.render(data.kind, paper(data, heading, lang="pt"))
    entity = shown.filing.subject.party
    signer = signing.chosen_signer(office.site().data, cnpj=entity, name=office.name_of(entity))
    at = certifying.moment(office.today(), None)
    made = signing.sign(pdf, signer=signer, at=at, reason=shown.offer.title, location="Cuiabá/MT")
    return f"{delivery.file_name(data, heading)}-assinado.pdf", made
