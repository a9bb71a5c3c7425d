"""Organisations in the Bolsa Reciclagem as its two offices see them; the analysts' side of the desk.

All of it is filed as `docs/bolsa.md` says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro.filings import Filing, Kind, Subject
from lastro.incentives import filed as room
from lastro.incentives.filed import ANALYSTS, COMMITTEE, READERS, Filed
from lastro.stores.postgres.filings import ChangedMeanwhile, Filings
from lastro.units import Mass
from lastro.web import office, typed
from lastro.web.marked import gettext_noop
from lastro.web.readings import bolsa
from lastro.web.readings.requests import Refused, needed, next_number
from lastro.web.translating import said

STATES = {
    "draft": gettext_noop("em preenchimento"),
    "submitted": gettext_noop("entregue"),
    "in_analysis": gettext_noop("em análise"),
    "analysed": gettext_noop("analisado: espera o Comitê"),
    "validated": gettext_noop("validado"),
    "rejected": gettext_noop("recusado"),
    "suspended": gettext_noop("suspenso"),
}
TONES = {"validated": "good", "rejected": "bad", "suspended": "bad"}
ANALYST_STEPS = {
    "in_analysis": "Começar a análise", "analysed": "Concluir a análise e levar ao Comitê",
    "suspended": "Suspender", "validated": "Levantar a suspensão",
}  # fmt: skip
COMMITTEE_STEPS = {"validated": "Validar o cadastro", "rejected": "Recusar o cadastro"}


def filings_of(who: str) -> Filings:
    """The filings as an office sees them, with what organisations send to both."""
    return Filings(office.store(), sees=(who, READERS))


def path_of() -> str:
    """The norm under which all of it is filed."""
    return bolsa.regulation().norm.path


def ruled(name: str, **given: Any) -> Any:
    """What a rule of the norm answers today."""
    norm = bolsa.regulation()
    return norm.rules[name](norm.law(office.today()), **given)


def file_version(
    who: str, kind: Kind, body: Mapping[str, Any], *, by: str, period: str = "", name: str = "", to: str = "",
    public: bool = False,
) -> Filing:  # fmt: skip
    """A version of a filing of the office, after the one that stands."""
    mine, subject = filings_of(who), Subject(kind, who, path_of(), period, name)
    last = mine.latest(subject)
    return mine.add(
        subject, body, by=by, on=office.today(), after=last.version if last else 0, addressee=to,
        public=public,
    )  # fmt: skip


def file_numbered(who: str, kind: Kind, body: Mapping[str, Any], *, by: str) -> Filing:
    """A filing under the next number of the year."""
    mine = filings_of(who)
    for _ in range(20):
        name = next_number(mine, who, kind)
        try:
            return mine.add(Subject(kind, who, path_of(), "", name), body, by=by, on=office.today())
        except ChangedMeanwhile:
            continue
    raise Refused("Muita gente registra ao mesmo tempo. Tente de novo.")


# ── organisations: analysed by one office, decided by the other ──────────────────────────────────────


@dataclass(frozen=True)
class Organisation:
    """An organisation as both offices see it."""

    cnpj: str
    said: Filing
    state: str
    steps: tuple[Filing, ...]
    measures: tuple[Filing, ...]
    measured: tuple[Filing, ...]
    sales: tuple[Filing, ...]
    recognised: bool

    @property
    def name(self) -> str:
        return str(self.said.body.get("name", ""))

    @property
    def words(self) -> str:
        return said(STATES[self.state])

    @property
    def tone(self) -> str:
        return TONES.get(self.state, "asks")


def organisations(who: str) -> list[Organisation]:
    """Everybody who handed a registration in, those that wait for this office first."""
    filed = bolsa.everything()
    parties = {one.subject.party for one in filed.of(Kind.REGISTRATION)}
    found = [made for party in parties if (made := _organisation(who, filed, party)) is not None]
    mine = {ANALYSTS: ("submitted", "in_analysis"), COMMITTEE: ("analysed",)}[who]
    return sorted(found, key=lambda o: (o.state not in mine, o.name))


def organisation(who: str, cnpj: str) -> Organisation | None:
    """One of them."""
    return _organisation(who, bolsa.everything(), cnpj)


def _organisation(who: str, filed: Filed, cnpj: str) -> Organisation | None:
    said, standing = filed.registration(cnpj), filed.standing(cnpj)
    if said is None or standing.state == "draft":
        return None
    return Organisation(
        cnpj, said, standing.state, tuple(filed.of(Kind.STEP, name=cnpj)),
        tuple(filings_of(who).standing(Kind.MEASURE, party=cnpj)),
        tuple(filed.of(Kind.MEASURED, party=ANALYSTS, name=cnpj)),
        tuple(filed.of(Kind.SALE, party=cnpj)), standing.recognised,
    )  # fmt: skip


def allowed(who: str, found: Organisation) -> list[tuple[str, str]]:
    """The steps that the norm lets this office take now, with their words."""
    by = "semad" if who == ANALYSTS else "committee"
    steps = ANALYST_STEPS if who == ANALYSTS else COMMITTEE_STEPS
    norm = bolsa.regulation()
    return [
        (to, words)
        for to, words in steps.items()
        if room.step_allowed(norm, before=found.state, after=to, by=by)
    ]


def analyse(found: Organisation, *, to: str, reason: str, by: str) -> Filing:
    """The analysts take a registration on, and say why. Raises Refused."""
    if to not in dict(allowed(ANALYSTS, found)):
        raise Refused("Este passo não cabe agora: veja a situação do cadastro.")
    body = {"to": to, "reason": needed(reason, "Escreva a razão."), "seen": found.said.version}
    return file_version(ANALYSTS, Kind.STEP, body, by=by, name=found.cnpj, to=found.cnpj)


def measure(found: Organisation, *, month: str, kg: str, reason: str, by: str) -> Filing:
    """The analysts' own measure of a month. Raises Refused."""
    try:
        first = date.fromisoformat(f"{month}-01")
        mass = Mass(0) if kg.strip() in ("0", "0,0") else typed.mass(kg)
    except ValueError as wrong:
        raise Refused("Escolha o mês, e escreva a massa em quilogramas, como 1.355,90.") from wrong
    if first > office.today():
        raise Refused("O mês ainda não começou.")
    body = {"measured_kg": mass.kg_text, "reason": needed(reason, "Escreva como se mediu.", 1000)}
    return file_version(ANALYSTS, Kind.MEASURED, body, by=by, period=month, name=found.cnpj, to=found.cnpj)


def trainings() -> list[Filing]:
    """The trainings that were given, the latest first (art. 2º, sole paragraph)."""
    return filings_of(ANALYSTS).standing(Kind.TRAINING, party=ANALYSTS, norm=path_of())


def train(*, on: date | None, subject: str, whom: str, people: int | None, by: str) -> Filing:
    """Keep that a training was given: when, of what, to which organisations, and how many people came."""
    if on is None or on > office.today():
        raise Refused("Diga o dia da capacitação, que não pode estar à frente.")
    if not people:
        raise Refused("Diga quantas pessoas participaram.")
    body = {
        "on": on.isoformat(), "subject": needed(subject, "Escreva o assunto.", 200),
        "whom": needed(whom, "Escreva que organizações participaram.", 1000), "people": people,
    }  # fmt: skip
    return file_numbered(ANALYSTS, Kind.TRAINING, body, by=by)
