"""Notices of default: an office tells somebody what is lacking, by article and by a day; they answer.

A notice is a filing of the office, addressed to the notified; that it was opened and what was answered are
filings of theirs. No amount of a sanction is in any: that is for a case of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from lastro.filings import Filing, Kind, Subject
from lastro.lawkit import library
from lastro.lawkit.order import Check
from lastro.stores.postgres.filings import ChangedMeanwhile, Filings
from lastro.web import office
from lastro.web.marked import gettext_noop
from lastro.web.readings import order
from lastro.web.readings.letters import Letter
from lastro.web.readings.requests import OFFICES, Files, Refused, ahead, needed, next_number, party_of, sound

STATES = {
    "sent": (gettext_noop("enviada, ainda não aberta"), "asks"),
    "read": (gettext_noop("aberta, sem resposta"), "asks"),
    "late": (gettext_noop("prazo vencido"), "bad"),
    "answered": (gettext_noop("respondida"), "good"),
    "closed": (gettext_noop("encerrada"), "plain"),
}
WHO = {**OFFICES, order.FEES: "órgão ambiental, taxa de fiscalização"}
MOST_TITLE = 200


@dataclass(frozen=True)
class Notice(Letter):
    """A notice as it stands: its versions, when it was opened, what was answered, the oldest first."""

    STATES = STATES
    WHO = WHO

    sent: tuple[Filing, ...]
    read: Filing | None
    answers: tuple[Filing, ...]
    state: str

    @property
    def last(self) -> Filing:
        return self.sent[-1]


def send(
    who: str, *, to: str, keys: Sequence[str], text: str, due: date | None, by: str, files: Files = ()
) -> Filing:
    """Notify an establishment of things that it lacks or that can't be told. Raises Refused.

    `keys` name them ("mt/…:report/2026"), all of one norm; each is judged again now, so none is made up.
    """
    addressee = party_of(to)
    path, about = _about(addressee, keys, tax=who == order.FEES)
    regulation = library.find(path)
    recalled = regulation.rules["warning"](regulation.law(office.today()), lacks=len(about))
    body = {
        "title": f"Notificação: {', '.join(check.asks for check in about)}"[:MOST_TITLE],
        "text": needed(text, "Escreva o que se pede ao notificado."),
        "about": [_row(check) for check in about],
        "articles": list(recalled), "due": ahead(due).isoformat(), "state": "open",
    }  # fmt: skip
    mine, kept = Filings(office.store(), sees=who), sound(files)
    for _ in range(20):  # two people of one office may notify at the same time
        subject = Subject(Kind.NOTICE, who, norm=path, name=next_number(mine, who, Kind.NOTICE))
        try:
            return mine.add(subject, body, by=by, on=office.today(), addressee=addressee, files=kept)
        except ChangedMeanwhile:
            continue
    raise Refused("Muita gente notifica ao mesmo tempo. Tente de novo.")


def offered(cnpj: str, *, tax: bool) -> list[tuple[str, str, Check]]:
    """What an office may notify an establishment of: key, norm's name, check; lacks first."""
    found = [
        (f"{part.regulation.norm.path}:{check.key}", part.regulation.norm.short_title, check)
        for part in order.answer(cnpj, tax=tax).parts
        for check in part.checks
        if part.tax == tax and check.counts and check.met is not True
    ]
    return sorted(found, key=lambda one: one[2].met is None)


def _about(cnpj: str, keys: Sequence[str], *, tax: bool) -> tuple[str, list[Check]]:
    known = {key: check for key, _, check in offered(cnpj, tax=tax)}
    chosen = [key for key in dict.fromkeys(keys) if key in known]
    paths = {key.partition(":")[0] for key in chosen}
    if not chosen or len(chosen) != len(set(keys)):
        raise Refused("Escolha ao menos um dever da lista que hoje falte ou não se saiba.")
    if len(paths) > 1:
        raise Refused("Uma notificação trata de uma norma só: faça uma para cada.")
    return paths.pop(), [known[key] for key in chosen]


def _row(check: Check) -> dict[str, str | None]:
    since = check.since.isoformat() if check.since else None
    return {
        "key": check.key, "asks": check.asks, "found": check.found, "cure": check.cure,
        "article": check.article, "since": since,
    }  # fmt: skip


def answer(notice: Notice, *, text: str, by: str, files: Files = ()) -> Filing:
    """The notified answers, with files if need be. Raises Refused."""
    if notice.state == "closed":
        raise Refused("A notificação já foi encerrada por quem a fez.")
    return Filings(office.store(), sees=notice.addressee).add(
        _answer_subject(notice.last), {"text": needed(text, "Escreva a resposta.")}, by=by,
        on=office.today(), after=len(notice.answers), addressee=notice.office, files=sound(files),
    )  # fmt: skip


def close(notice: Notice, *, text: str, by: str) -> Filing:
    """The office ends the notice, and says how it ended. Raises Refused."""
    if notice.state == "closed":
        raise Refused("A notificação já foi encerrada.")
    body = {
        **notice.last.body,
        "state": "closed",
        "end": needed(text, "Escreva como a notificação terminou."),
    }
    return Filings(office.store(), sees=notice.office).add(
        notice.last.subject, body, by=by, on=office.today(), after=notice.last.version,
        addressee=notice.addressee,
    )  # fmt: skip


def opened(notice: Notice, *, by: str) -> Notice:
    """The notified opened it: the first day stays, and who it was."""
    if notice.read is not None:
        return notice
    mine = Filings(office.store(), sees=notice.addressee)
    with suppress(ChangedMeanwhile):  # two people opened it together: the first one's day stands
        mine.add(
            _read_subject(notice.last), {"on": office.today().isoformat()}, by=by, on=office.today(),
            addressee=notice.office,
        )  # fmt: skip
    return _whole(mine, notice.last)


# ── to read ──────────────────────────────────────────────────────────────────────────────────────────


def sent_by(who: str) -> list[Notice]:
    """Every notice of an office, the latest first."""
    mine = Filings(office.store(), sees=who)
    return [_whole(mine, one) for one in mine.standing(Kind.NOTICE, party=who)]


def sent_to(party: str) -> list[Notice]:
    """Every notice addressed to an establishment, the latest first."""
    mine = Filings(office.store(), sees=party)
    return [_whole(mine, one) for one in mine.standing(Kind.NOTICE, addressee=party)]


def one(who: str, number: str, *, seen_by: str) -> Notice | None:
    """A notice by its office and number, if the one who looks sent it or was notified."""
    mine = Filings(office.store(), sees=seen_by)
    found = next(iter(mine.standing(Kind.NOTICE, party=who, name=number)), None)
    if found is None or seen_by not in (who, found.addressee):
        return None
    return _whole(mine, found)


def file(sees: str, number: int, name: str) -> bytes | None:
    """A file of a notice or of its answer, if the one who looks may see it."""
    seen = Filings(office.store(), sees=sees)
    found = seen.one(number)
    if found is None or found.subject.kind not in (Kind.NOTICE, Kind.ANSWER):
        return None
    return seen.file(number, name)


def _answer_subject(last: Filing) -> Subject:
    name = f"notice-{last.subject.party}-{last.subject.name}"
    return Subject(Kind.ANSWER, last.addressee, norm=last.subject.norm, name=name)


def _read_subject(last: Filing) -> Subject:
    name = f"{last.subject.party}-{last.subject.name}"
    return Subject(Kind.READ, last.addressee, norm=last.subject.norm, name=name)


def _whole(seen: Filings, last: Filing) -> Notice:
    sent = tuple(reversed(seen.versions(last.subject)))
    answers = tuple(reversed(seen.versions(_answer_subject(last))))
    read = seen.latest(_read_subject(last))
    return Notice(sent, read, answers, _state(last, answers, read))


def _state(last: Filing, answers: Sequence[Filing], read: Filing | None) -> str:
    if last.body.get("state") == "closed":
        return "closed"
    if answers:
        return "answered"
    if office.today() > date.fromisoformat(str(last.body["due"])):
        return "late"
    return "read" if read is not None else "sent"
