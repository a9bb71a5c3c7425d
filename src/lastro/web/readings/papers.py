"""The documents that norms ask of an entity: which there are, what is filed of each, what one lacks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro import certifying, delivery, papers, signing
from lastro.errors import LastroError, NotInForce, TextMissing
from lastro.filings import Filing, Kind, Subject
from lastro.lawkit import Regulation, library
from lastro.lawkit.contents import Contents
from lastro.reports import form, words
from lastro.reports.cells import DataSet
from lastro.reports.desk import Heading
from lastro.reports.paper import paper
from lastro.stores.postgres.filings import Filings
from lastro.web import office

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
