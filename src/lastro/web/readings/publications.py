"""What systems and the group publish: plans, manuals, lists, with every version, for anybody to read."""

from __future__ import annotations

import json
from dataclasses import dataclass

from lastro.errors import LastroError
from lastro.filings import Filing, Kind, Subject
from lastro.lawkit import Regulation, library
from lastro.lawkit.publications import Publication
from lastro.reports import form, words
from lastro.reports.public_copy import SECRETS, public_copy
from lastro.stores.postgres.filings import NOBODY, Filings
from lastro.web import office
from lastro.web.readings import requests
from lastro.web.readings.reports import Table, table_of


@dataclass(frozen=True)
class Published:
    """A published paper with its versions, the latest first."""

    versions: tuple[Filing, ...]

    @property
    def last(self) -> Filing:
        return self.versions[0]

    @property
    def title(self) -> str:
        return title_of(self.last)

    @property
    def what(self) -> str:
        kind = self.last.body.get("kind")
        return str(self.last.body.get("what") or (words.word("report", str(kind)) if kind else "documento"))

    @property
    def who(self) -> str:
        party = self.last.subject.party
        return requests.OFFICES.get(party) or office.name_of(party) or party

    @property
    def norm(self) -> str:
        path = self.last.subject.norm
        return library.find(path).norm.short_title if path in library.paths() else ""

    @property
    def article(self) -> str:
        return str(self.last.body.get("article") or "")

    @property
    def text(self) -> str:
        return str(self.last.body.get("text") or "")


def title_of(version: Filing) -> str:
    """What a published version is called: by its own title, or by the kind of document that it is."""
    body = version.body
    kind = words.word("report", str(body["kind"])) if body.get("kind") else ""
    return str(body.get("title") or kind or version.subject.name or "Documento")


def tables(version: Filing) -> tuple[Table, ...]:
    """What a document with parts says, without what it marks as secret; nothing where it is no such one."""
    told, kind, path = version.body.get("document"), version.body.get("kind"), version.subject.norm
    if not isinstance(told, dict) or not isinstance(kind, str) or path not in library.paths():
        return ()
    try:
        data = form.parse(library.find(path), kind, json.dumps(told), today=office.today())
    except (LastroError, KeyError):
        return ()
    return tuple(table_of(section) for section in public_copy(data).sections if section.rows)


def every() -> list[Published]:
    """Everything published that stands, the latest first."""
    seen = Filings(office.store(), sees=NOBODY)
    return [Published((one,)) for one in seen.standing(Kind.DOCUMENT) if one.public]


def one(number: int) -> Published | None:
    """A published paper by the number of any of its public versions, with all of them."""
    seen = Filings(office.store(), sees=NOBODY)
    found = seen.one(number)
    if found is None or found.subject.kind is not Kind.DOCUMENT:
        return None
    return Published(tuple(seen.versions(found.subject)))


def files_of(version: Filing) -> tuple[tuple[str, str], ...]:
    """The files of a version that everybody may have: none where the document keeps something secret."""
    told = version.body.get("document")
    return () if isinstance(told, dict) and told.get(SECRETS) else version.files


def file(number: int, name: str) -> bytes | None:
    """A file of a published version."""
    seen = Filings(office.store(), sees=NOBODY)
    found = seen.one(number)
    if found is None or found.subject.kind is not Kind.DOCUMENT:
        return None
    return seen.file(number, name) if name in dict(files_of(found)) else None


def who_is(party: str) -> str:
    """What a party is to the norms: the group, a managing entity or a company."""
    if party == "gap":
        return "gap"
    return "entity" if requests.is_entity(party) else "company"


def offered(party: str) -> list[tuple[Regulation, Publication]]:
    """What the norms have a party publish."""
    kind = who_is(party)
    return [(r, one) for r in library.every() for one in r.publishes if kind in one.by]


def of_party(party: str) -> list[Published]:
    """What a party published, withdrawn or not, the latest first."""
    seen = Filings(office.store(), sees=party)
    mine = [f for f in seen.standing(Kind.DOCUMENT, party=party, withdrawn=True) if f.public]
    return [Published((one,)) for one in mine]


def publish(
    party: str, *, key: str, title: str, text: str, by: str, period: str = "", files: requests.Files = ()
) -> Filing:
    """Publish a paper, or a new version of it. Raises LastroError saying what to write.

    `key` names what it is ("norm/publication"), `period` the year it is about where there is one.
    """
    found = next(((r, p) for r, p in offered(party) if key == f"{r.norm.path}/{p.name}"), None)
    if found is None:
        raise requests.Refused("Escolha o que se publica: a lista tem o que as normas pedem de você.")
    regulation, what = found
    year = period.strip()
    if year and not (len(year) == 4 and year.isdigit()):
        raise requests.Refused("Escreva o ano com quatro algarismos, ou deixe em branco.")
    if not text.strip() and not files:
        raise requests.Refused("Escreva o texto, ou mande o arquivo, ou os dois.")
    if not title.strip():
        raise requests.Refused("Dê um título ao que se publica.")
    subject = Subject(
        Kind.DOCUMENT, party, norm=regulation.norm.path, period=year, name=f"publica-{what.name}"
    )
    mine = Filings(office.store(), sees=party)
    body = {
        "publication": what.name, "what": what.what, "title": title.strip()[:200],
        "text": text.strip()[:20000], "article": regulation.norm.cite(what.provisions),
    }  # fmt: skip
    latest = mine.latest(subject)
    return mine.add(
        subject, body, by=by, on=office.today(), after=latest.version if latest else 0, public=True,
        files=requests.sound(files),
    )  # fmt: skip


def withdraw(party: str, number: int, *, by: str, why: str) -> Filing:
    """Take what one published out of the list; its versions stay. Raises LastroError."""
    mine = Filings(office.store(), sees=party)
    found = mine.one(number)
    if found is None or found.subject.party != party or not found.public:
        raise LastroError("Isto não foi publicado por você.")
    if not why.strip():
        raise requests.Refused("Escreva por que se retira.")
    return mine.add(
        found.subject, {**found.body, "withdrawn_because": why.strip()[:2000]}, by=by, on=office.today(),
        after=found.version, public=True, withdrawn=True,
    )  # fmt: skip
