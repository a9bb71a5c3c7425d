"""The group that follows a system: meetings, seats, difficulties, what it received and what it sums up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from lastro.errors import LastroError
from lastro.filings import Filing, Kind, Subject
from lastro.lawkit import Regulation, library
from lastro.reports import form
from lastro.reports.cells import DataSet
from lastro.stores.postgres.filings import Filings
from lastro.web import office, typed
from lastro.web.readings import points, requests
from lastro.web.readings.requests import Files, Refused, needed, sound

GAP, MINISTRY = "gap", "ministry"
REPORT = "ministry-report"
DIFFICULTIES = {"difficulty": "dificuldade", "conflict": "conflito", "obstacle": "obstáculo"}


def norms() -> list[Regulation]:
    """The norms that have a group of this kind: it meets, and reports to the ministry."""
    return [r for r in library.every() if "meeting_due" in r.rules and REPORT in r.documents]


def norm(path: str) -> Regulation:
    """One of them; the first where the path names none."""
    return next((r for r in norms() if r.norm.path == path), norms()[0])


def _mine() -> Filings:
    return Filings(office.store(), sees=GAP)


# ── meetings, seats, difficulties ────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Following:
    """How one norm's group stands: its last meeting and the next, the seats nobody has."""

    regulation: Regulation
    last: date | None
    due: date | None
    lacking: tuple[str, ...]

    @property
    def late(self) -> bool:
        return self.due is not None and self.due < office.today()


def following(regulation: Regulation) -> Following:
    """Where a group stands today; what was never recorded is not known, and is not called late."""
    law, today = regulation.law(office.today()), office.today()
    days = [date.fromisoformat(m.subject.name) for m in meetings(regulation.norm.path)]
    last = max((day for day in days if day <= today), default=None)
    due = regulation.rules["meeting_due"](law, last=last) if last else None
    seats_rule = regulation.rules.get("seats_lacking")
    held = tuple(str(s.body["category"]) for s in seats(regulation.norm.path))
    return Following(regulation, last, due, seats_rule(law, held=held) if seats_rule else ())


def meetings(path: str | None = None) -> list[Filing]:
    """The group's meetings, the latest first."""
    found = _mine().standing(Kind.MEETING, party=GAP, norm=path)
    return sorted(found, key=lambda one: one.subject.name, reverse=True)


def meet(path: str, *, day: date | None, title: str, text: str, by: str, files: Files = ()) -> Filing:
    """Record a meeting, or mend what was recorded of that day. Raises Refused."""
    if day is None or day > office.today():
        raise Refused("Diga o dia em que a reunião aconteceu: hoje ou antes.")
    body = {
        "title": needed(title, "Dê à reunião um título.", 200),
        "text": needed(text, "Escreva o que se debateu e decidiu."),
    }
    return _kept(Subject(Kind.MEETING, GAP, norm=path, name=day.isoformat()), body, by=by, files=files)


def categories(path: str) -> tuple[str, ...]:
    """The categories that a norm gives a seat; none where it names none."""
    regulation = library.find(path)
    rule = regulation.rules.get("seats_lacking")
    return tuple(rule(regulation.law(office.today()), held=())) if rule else ()


def seats(path: str | None = None) -> list[Filing]:
    """Who sits in the group today."""
    return sorted(_mine().standing(Kind.SEAT, party=GAP, norm=path), key=lambda one: one.subject.name)


def seat(path: str, *, category: str, holder: str, person: str, deputy: str, by: str) -> Filing:
    """Give an entity of a category its seat; the same entity again changes who sits. Raises Refused."""
    if category not in categories(path):
        raise Refused("Escolha uma das categorias que a norma dá ao grupo.")
    who = needed(holder, "Escreva que entidade ocupa o assento.", 200)
    body = {
        "category": category, "holder": who,
        "person": needed(person, "Escreva quem representa a entidade.", 200), "deputy": deputy.strip()[:200],
    }  # fmt: skip
    name = f"{category}-{'-'.join(who.casefold().split())}"[:120]
    return _kept(Subject(Kind.SEAT, GAP, norm=path, name=name), body, by=by)


def leave_seat(number: int, *, by: str) -> Filing:
    """End a seat. Raises LastroError where there is none of that number."""
    mine = _mine()
    found = mine.one(number)
    if found is None or found.subject.kind is not Kind.SEAT or found.subject.party != GAP:
        raise LastroError("Este assento não existe.")
    return mine.add(found.subject, found.body, by=by, on=office.today(), after=found.version, withdrawn=True)


def difficulties() -> list[Filing]:
    """Difficulties, conflicts and obstacles that the group named, open ones first."""
    found = _mine().standing(Kind.DIFFICULTY, party=GAP)
    return sorted(found, key=lambda one: (bool(one.body.get("solved")), -one.id))


def name_difficulty(path: str, *, kind: str, title: str, text: str, by: str) -> Filing:
    """Name something that stands in the way. Raises Refused."""
    if kind not in DIFFICULTIES:
        raise Refused("Diga se é dificuldade, conflito ou obstáculo.")
    body = {
        "kind": kind, "title": needed(title, "Dê um título.", 200),
        "text": needed(text, "Escreva o que acontece, onde e a quem atinge."),
    }  # fmt: skip
    number = requests.next_number(_mine(), GAP, Kind.DIFFICULTY)
    return _kept(Subject(Kind.DIFFICULTY, GAP, norm=path, name=number), body, by=by)


def assess(number: int, *, text: str, solved: bool, by: str) -> Filing:
    """Say what the group makes of a difficulty, and whether it is over. Raises Refused or LastroError."""
    mine = _mine()
    found = mine.one(number)
    if found is None or found.subject.kind is not Kind.DIFFICULTY or found.subject.party != GAP:
        raise LastroError("Esta dificuldade não existe.")
    body = {**found.body, "assessment": needed(text, "Escreva a avaliação do grupo."), "solved": solved}
    return mine.add(found.subject, body, by=by, on=office.today(), after=found.version)


def _kept(subject: Subject, body: Mapping[str, object], *, by: str, files: Files = ()) -> Filing:
    mine = _mine()
    latest = mine.latest(subject)
    after = latest.version if latest else 0
    return mine.add(subject, body, by=by, on=office.today(), after=after, files=sound(files))


# ── what others hand in ──────────────────────────────────────────────────────────────────────────────


def audits_of(party: str) -> list[Filing]:
    """The reports of audits that a company or entity handed to the group."""
    return Filings(office.store(), sees=party).standing(Kind.AUDIT, party=party)


def hand_audit(party: str, path: str, *, year: str, auditor: str, text: str, by: str, files: Files) -> Filing:
    """A company or entity hands the report of its audit to the group. Raises Refused."""
    regulation = next((r for r in norms() if r.norm.path == path), None)
    if regulation is None:
        raise Refused("Escolha a norma de que a auditoria trata.")
    known = typed.year(year)
    if known is None or known > office.today().year:
        raise Refused("Escreva o ano auditado, como 2026.")
    if not files:
        raise Refused("Mande o arquivo do relatório da auditoria.")
    body = {
        "title": f"Auditoria de {known}", "text": text.strip()[: requests.MOST_TEXT],
        "auditor": needed(auditor, "Escreva quem fez a auditoria.", 200),
    }  # fmt: skip
    subject = Subject(Kind.AUDIT, party, norm=path, period=str(known), name="auditoria")
    mine = Filings(office.store(), sees=party)
    latest = mine.latest(subject)
    return mine.add(
        subject, body, by=by, on=office.today(), after=latest.version if latest else 0, addressee=GAP,
        files=sound(files),
    )  # fmt: skip


def received(who: str) -> list[Filing]:
    """What was handed in to the group or the ministry: reports, documents, audits; the latest first."""
    seen = Filings(office.store(), sees=who)
    found = [*seen.standing(Kind.DOCUMENT, addressee=who), *seen.standing(Kind.AUDIT, addressee=who)]
    return sorted(found, key=lambda one: -one.id)


def received_one(who: str, number: int) -> Filing | None:
    """One thing that was handed in to an office."""
    found = Filings(office.store(), sees=who).one(number)
    kinds = (Kind.DOCUMENT, Kind.AUDIT)
    return found if found and found.addressee == who and found.subject.kind in kinds else None


def received_file(who: str, number: int, name: str) -> bytes | None:
    """A file of something that was handed in to an office."""
    found = received_one(who, number)
    return Filings(office.store(), sees=who).file(number, name) if found else None


# ── consolidation ────────────────────────────────────────────────────────────────────────────────────

FIELDS = {
    "delivered_on": "Entregou o relatório em", "municipalities": "Municípios", "points": "Pontos",
    "received_kg": "Recebido (kg)", "destined_kg": "Destinado (kg)", "owed_kg": "Meta (kg)",
}  # fmt: skip


@dataclass(frozen=True)
class System:
    """One system in the group's report: who it is, and what was typed or is known of it."""

    cnpj: str
    name: str
    told: Mapping[str, str]


def systems(path: str, form_data: Mapping[str, str]) -> list[System]:
    """The managing entities that the registry knows, with what was typed; points as they were filed."""
    entities = sorted({str(row["entity"]) for row in office.registry().tables["terms"]})
    found = []
    for cnpj in entities:
        mine = [p for p in points.working(office.today()) if p.entity == cnpj and p.norm == path]
        known = {"points": str(len(mine)), "municipalities": str(len({p.municipality for p in mine}))}
        told = {name: form_data.get(f"{cnpj}-{name}", known.get(name, "") if mine else "") for name in FIELDS}
        found.append(System(cnpj, office.name_of(cnpj) or cnpj, told))
    return found


def document(year: int, cnpj: str, name: str, rows: Sequence[System]) -> str:
    """What was typed, as the file that `lastro report` reads; a system of which nothing was typed is out.

    Raises Refused for a number that cannot be read.
    """
    told = [{"cnpj": one.cnpj, "name": one.name, **_numbers(one)} for one in rows if any(one.told.values())]
    entity = {"cnpj": cnpj.strip(), "name": name.strip()}
    return json.dumps({"year": year, "entity": entity, "systems": told}, ensure_ascii=False)


def _numbers(one: System) -> dict[str, object]:
    made: dict[str, object] = {}
    for name, text in one.told.items():
        if not text.strip():
            continue
        try:
            if name == "delivered_on":
                made[name] = text.strip()
            elif name.endswith("_kg"):
                made[name] = typed.kilograms(text).kg_text
            else:
                made[name] = int(typed.plain(text))
        except ValueError as wrong:
            why = str(wrong) if name.endswith("_kg") else f"“{text[:40]}” não é um número, como 1.355."
            raise Refused(f"{one.name}, {FIELDS[name]}: {why}") from None
    return made


def consolidated(path: str, text: str) -> DataSet:
    """The group's report made from a document, as `lastro report` makes it. Raises LastroError."""
    return form.parse(norm(path), REPORT, text, today=office.today())


def hand_on(data: DataSet, text: str, *, by: str) -> Filing:
    """Hand the consolidated report to the ministry. Raises Refused while something is lacking in it."""
    if data.blocks:
        raise Refused("Falta completar o relatório: veja a lista do que falta.")
    body = {
        "title": f"Relatório consolidado de {data.year}", "what": "relatório consolidado do grupo",
        "document": json.loads(text), "report": data.json(),
    }  # fmt: skip
    subject = Subject(Kind.DOCUMENT, GAP, norm=data.norm, period=str(data.year), name=REPORT)
    mine = _mine()
    latest = mine.latest(subject)
    return mine.add(
        subject, body, by=by, on=office.today(), after=latest.version if latest else 0, addressee=MINISTRY,
        files=[("relatorio.json", (json.dumps(data.json(), ensure_ascii=False, indent=1) + "\n").encode())],
    )  # fmt: skip
