"""What is handed in to the agency, and what it says of it: a queue with return and notes.

Two things come in: annual reports, which the store keeps by itself, and documents (plans, terms, papers) that
establishments address to the agency. Each version is analysed for itself: a new one waits anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from lastro.filings import Filing, Kind, Subject
from lastro.lawkit import library
from lastro.reports import rar_mt
from lastro.reports.standing import Version
from lastro.stores.postgres.filings import Filings
from lastro.stores.postgres.reports import reports
from lastro.web import office
from lastro.web.marked import gettext_noop
from lastro.web.readings.order import AGENCY
from lastro.web.readings.requests import Files, Refused, needed, sound
from lastro.web.translating import said

STATES = {
    "waiting": (gettext_noop("espera análise"), "asks"),
    "in_review": (gettext_noop("em análise"), "asks"),
    "returned": (gettext_noop("devolvido com observações"), "bad"),
    "accepted": (gettext_noop("aceito"), "good"),
}
STEPS = {
    "in_review": gettext_noop("Começar a análise"),
    "returned": gettext_noop("Devolver com observações"),
    "accepted": gettext_noop("Aceitar"),
}
MOVES = {"waiting": ("in_review", "returned", "accepted"), "in_review": ("returned", "accepted")}
SORTS = {
    "plan": "Plano de logística reversa", "term": "Termo de compromisso", "list": "Lista de aderentes",
    "other": "Outro documento",
}  # fmt: skip


@dataclass(frozen=True)
class Item:
    """One version of something handed in, with what the agency said of it, the oldest first."""

    key: str
    what: str
    who: str
    norm: str
    on: date
    by: str
    version: int
    text: str
    files: tuple[str, ...]
    reviews: tuple[Filing, ...]
    filing: Filing | None = None
    report: Version | None = None

    @property
    def state(self) -> str:
        return str(self.reviews[-1].body["to"]) if self.reviews else "waiting"

    @property
    def words(self) -> str:
        return said(STATES[self.state][0])

    @property
    def tone(self) -> str:
        return STATES[self.state][1]

    @property
    def steps(self) -> list[tuple[str, str]]:
        """What the agency may say now; what was returned or accepted stays so, until a new version."""
        return [(to, said(STEPS[to])) for to in MOVES.get(self.state, ())]


def queue() -> list[Item]:
    """Everything handed in to the agency, what waits first, the oldest before."""
    seen = Filings(office.store(), sees=AGENCY)
    reviews = _reviews(seen)
    found = [*_documents(seen, reviews, seen.standing(Kind.DOCUMENT, addressee=AGENCY)), *_reports(reviews)]
    return sorted(found, key=lambda i: (i.state in ("accepted", "returned"), i.on, i.key))


def one(key: str) -> Item | None:
    """One of them, by its key."""
    return next((item for item in queue() if item.key == key), None)


def mine(party: str) -> list[Item]:
    """What an establishment handed in to the agency, and how each stands, the latest first."""
    seen = Filings(office.store(), sees=party)
    reviews = _reviews(seen)
    documents = seen.standing(Kind.DOCUMENT, party=party, addressee=AGENCY)
    found = [*_documents(seen, reviews, documents), *_reports(reviews, of=party)]
    return sorted(found, key=lambda i: (i.on, i.key), reverse=True)


def _reviews(seen: Filings) -> Mapping[str, tuple[Filing, ...]]:
    return {
        one.subject.name: tuple(reversed(seen.versions(one.subject)))
        for one in seen.standing(Kind.REVIEW, party=AGENCY)
    }


def _documents(
    seen: Filings, reviews: Mapping[str, tuple[Filing, ...]], filings: list[Filing]
) -> Iterator[Item]:
    for one in filings:
        key = f"filing-{one.id}"
        yield Item(
            key, str(one.body.get("title") or SORTS.get(one.subject.name, "Documento")), one.subject.party,
            one.subject.norm, one.on, one.by, one.version, str(one.body.get("text", "")),
            tuple(name for name, _ in one.files), reviews.get(key, ()), filing=one,
        )  # fmt: skip


def _reports(reviews: Mapping[str, tuple[Filing, ...]], *, of: str = "") -> Iterator[Item]:
    with reports(office.store()) as memory:
        for norm, entity, year in memory.submitted(rar_mt.KIND):
            if of and entity != of:
                continue
            one = memory.versions(rar_mt.KIND, norm, entity, year)[-1]
            key = f"report-{one.id}"
            yield Item(
                key, f"Relatório Anual de Resultados de {year}", entity, norm, one.submitted_on, one.by,
                one.version, one.reason, tuple(sorted(one.files)), reviews.get(key, ()), report=one,
            )  # fmt: skip


def review(item: Item, *, to: str, text: str, by: str) -> Filing:
    """The agency starts, returns with notes, or accepts; who handed it in sees it. Raises Refused."""
    if to not in dict(item.steps):
        raise Refused("Este passo não cabe agora: uma versão devolvida espera outra, e a aceita está aceita.")
    said = text.strip()[:8000] if to == "in_review" else needed(text, "Escreva as observações.")
    subject = Subject(Kind.REVIEW, AGENCY, norm=item.norm, name=item.key)
    return Filings(office.store(), sees=AGENCY).add(
        subject, {"to": to, "text": said}, by=by, on=office.today(), after=len(item.reviews),
        addressee=item.who,
    )  # fmt: skip


def hand_in(party: str, *, sort: str, title: str, text: str, by: str, files: Files) -> Filing:
    """An establishment hands a document in to the agency, or a new version of it. Raises Refused."""
    if sort not in SORTS:
        raise Refused("Escolha que documento é.")
    kept = sound(files)
    if not kept:
        raise Refused("Anexe o documento.")
    body = {"title": needed(title, "Dê um título.", 200), "text": text.strip()[:8000], "sort": sort}
    norm = next(r.norm.path for r in library.every() if r.orders is not None and r.admits is not None)
    name = sort if sort != "other" else f"other/{body['title']}"[:120]
    seen, subject = Filings(office.store(), sees=party), Subject(Kind.DOCUMENT, party, norm=norm, name=name)
    last = seen.latest(subject)
    return seen.add(
        subject, body, by=by, on=office.today(), after=last.version if last else 0, addressee=AGENCY,
        files=kept,
    )  # fmt: skip


def file(item: Item, name: str, *, sees: str) -> bytes | None:
    """A file of something handed in."""
    if name not in item.files:
        return None
    if item.filing is not None:
        return Filings(office.store(), sees=sees).file(item.filing.id, name)
    assert item.report is not None
    with reports(office.store()) as memory:
        return memory.file(item.report.files[name])
