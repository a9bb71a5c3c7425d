"""The fee staff: the register, what each quarter was charged, papers to pay, and who did not pay."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from lastro import fees
from lastro.errors import LastroError
from lastro.fees import charging
from lastro.filings import Filing, Kind, Subject
from lastro.ids import bare, is_cnpj, is_cpf
from lastro.jsonfile import JsonRefused
from lastro.lawkit import Step
from lastro.lawkit.fees import Assessment
from lastro.quarters import quarter_end
from lastro.stores.postgres.filings import Filings
from lastro.tables import municipality
from lastro.units import Money
from lastro.web import office
from lastro.web.marked import gettext_noop
from lastro.web.readings import default_notices, official_tables
from lastro.web.readings.fees import OFFICE, activities, regulation
from lastro.web.readings.requests import Refused, needed
from lastro.web.translating import said

STATES = {
    "none": (gettext_noop("sem documento"), "asks"),
    "issued": (gettext_noop("documento emitido"), "asks"),
    "late": (gettext_noop("vencida"), "bad"),
    "paid": (gettext_noop("paga"), "good"),
    "nothing": (gettext_noop("nada é devido"), "plain"),
    "pending": (gettext_noop("pendente"), "asks"),
    "instalments": (gettext_noop("parcelada"), "asks"),
}


def _mine() -> Filings:
    return Filings(office.store(), sees=OFFICE)


def _path() -> str:
    return regulation().norm.path


# ── the register, and the ordinance that says what an entry has ──────────────────────────────────────


def ordinances() -> list[Filing]:
    """The ordinances on the registration, the latest first by their own day."""
    found = _mine().standing(Kind.ACT, party=OFFICE, norm=_path())
    return sorted(found, key=lambda one: str(one.body["decided_on"]), reverse=True)


def ordinance(on: date) -> Filing | None:
    """The one that stands on a day."""
    return next((one for one in ordinances() if str(one.body["decided_on"]) <= on.isoformat()), None)


def set_ordinance(*, act: str, decided_on: date | None, asked: str, by: str) -> Filing:
    """An ordinance says which fields an entry has besides the law's. Raises Refused."""
    name = needed(act, "Escreva o número da portaria.", 80)
    if decided_on is None or decided_on > office.today():
        raise Refused("Diga o dia da portaria, que não pode estar à frente.")
    lines = [line.strip()[:80] for line in asked.splitlines() if line.strip()]
    if len(lines) > 20 or len(set(lines)) != len(lines):
        raise Refused("Escreva até vinte campos, um por linha, cada um uma vez.")
    mine, subject = _mine(), Subject(Kind.ACT, OFFICE, norm=_path(), name=name)
    last = mine.latest(subject)
    body = {"act": name, "decided_on": decided_on.isoformat(), "about": "registration", "fields": lines}
    return mine.add(subject, body, by=by, on=office.today(), after=last.version if last else 0, public=True)


def entries() -> list[Filing]:
    """Who is registered, the latest first."""
    return _mine().standing(Kind.ENTRY, party=OFFICE, norm=_path())


def entry(document: str) -> Filing | None:
    """The entry of an establishment or a person."""
    return _mine().latest(Subject(Kind.ENTRY, OFFICE, norm=_path(), name=document))


def register(typed: Mapping[str, Any], rows: Sequence[tuple[str, str, str]], *, by: str) -> Filing:
    """Write or update an entry; it is read as a facts file would be. Raises LastroError naming what to mend.

    `rows` are activities: code, first day, last day. The fields of the ordinance are all asked for.
    """
    document = bare(str(typed.get("document", "")))
    if not is_cnpj(document) and not is_cpf(document):
        raise Refused("Escreva um CNPJ ou CPF válido (P01).")
    rule = ordinance(office.today())
    asked = tuple(rule.body["fields"]) if rule else ()
    more = {name: needed(str(typed.get(f"campo-{n}", "")), f"Preencha “{name}”: a portaria o pede.", 300)
            for n, name in enumerate(asked)}  # fmt: skip
    place = str(typed.get("municipality", "")).strip()
    if municipality(place) is None:
        raise Refused("Escreva o código IBGE do município, com 7 algarismos, como 5103403.")
    kept = [{"code": c, "began": b, **({"ended": e} if e else {})} for c, b, e in rows if c]
    body = {
        "document": document, "name": needed(str(typed.get("name", "")), "Escreva o nome.", 200),
        "municipality": place, "person": str(typed.get("person", "")),
        "registered_on": _day(str(typed.get("registered_on", ""))).isoformat(), "activities": kept,
        "ordinance": rule.body["act"] if rule else None, "fields": more,
    }  # fmt: skip
    sample = charging.facts_of(body, year=office.today().year, quarter=1, more={})
    _assess(sample)  # says at once all that could not be charged later
    mine, subject = _mine(), Subject(Kind.ENTRY, OFFICE, norm=_path(), name=document)
    last = mine.latest(subject)
    return mine.add(
        subject, body, by=by, on=office.today(), after=last.version if last else 0, addressee=document
    )


def _day(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise Refused("Escreva o dia da inscrição.") from None
    if found > office.today():
        raise Refused("O dia da inscrição ainda não chegou.")
    return found


# ── a quarter ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Quarter:
    """A quarter of an establishment as the staff see it; `made` is reckoned for today."""

    document: str
    period: str
    charge: Filing
    collections: tuple[Filing, ...]
    payments: tuple[Filing, ...]
    instalments: Filing | None
    made: Assessment | None
    trace: Step | None
    problem: str

    @property
    def year(self) -> int:
        return int(self.period[:4])

    @property
    def number(self) -> int:
        return int(self.period[-1])

    @property
    def words(self) -> str:
        return said(STATES[self.state][0])

    @property
    def tone(self) -> str:
        return STATES[self.state][1]

    @property
    def due(self) -> date:
        return date.fromisoformat(str(self.charge.body["answer"]["due"]))

    @property
    def state(self) -> str:
        """One of STATES: paid only by a paper that the staff saw paid."""
        told = self.charge.body["answer"]["amount_brl"]
        if any(one.body["state"] == "paid" for one in self.collections):
            return "paid"
        if told is None:
            return "pending"
        if told == "0.00":
            return "nothing"
        if self.instalments is not None:
            return "instalments"
        if self.due < office.today():
            return "late"
        return "issued" if any(one.body["state"] == "issued" for one in self.collections) else "none"

    @property
    def open(self) -> bool:
        return self.state in ("none", "issued", "late", "pending", "instalments")

    @property
    def total(self) -> Money | None:
        """What is owed today, additions in it; nothing once paid, None where it cannot be told."""
        if self.state == "paid":
            return Money(0)
        return self.made.total if self.made else None


def quarters(document: str = "") -> list[Quarter]:
    """The quarters charged to somebody, or to all, the latest first."""
    mine, path = _mine(), _path()
    charges = mine.standing(Kind.CHARGE, party=OFFICE, norm=path, name=document or None)
    papers: defaultdict[tuple[str, str], list[Filing]] = defaultdict(list)
    paid: defaultdict[tuple[str, str], list[Filing]] = defaultdict(list)
    parts: dict[tuple[str, str], Filing] = {}
    for one in mine.standing(Kind.COLLECTION, party=OFFICE, norm=path):
        papers[one.subject.name.partition("/")[0], one.subject.period].append(one)
    for one in mine.standing(Kind.PAYMENT, norm=path):
        paid[one.subject.party, one.subject.period].append(one)
    for one in mine.standing(Kind.INSTALMENTS, party=OFFICE, norm=path):
        parts[one.subject.name, one.subject.period] = one
    found = []
    for charge in charges:
        key = (charge.subject.name, charge.subject.period)
        made, trace, problem = _today(charge)
        found.append(
            Quarter(*key, charge, tuple(papers[key]), tuple(paid[key]), parts.get(key), made, trace, problem)
        )
    return sorted(found, key=lambda q: (q.period, q.document), reverse=True)


def one(document: str, year: int, quarter: int) -> Quarter | None:
    """One quarter that was charged."""
    return next((q for q in quarters(document) if (q.year, q.number) == (year, quarter)), None)


def _today(charge: Filing) -> tuple[Assessment | None, Step | None, str]:
    try:
        return (*_assess(noticed(charge.body["facts"])), "")
    except LastroError as wrong:  # a rate of the month that was not loaded yet, for one
        return None, None, str(wrong)


def _assess(facts: Mapping[str, Any]) -> tuple[Assessment, Step]:
    charged = fees.parse(json.dumps(facts), today=office.today())
    return fees.assess(regulation(), charged)


def noticed(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with the rates loaded since, and with the notice that the payer opened, if there is one."""
    facts = {**facts, "selic": _rates(facts)}
    about = f"fee/{facts['year']}-T{facts['quarter']}"
    for notice in default_notices.sent_by(OFFICE):
        rows = notice.last.body["about"]
        mine = notice.addressee == facts["document"] and any(row["key"] == about for row in rows)
        if mine and notice.read is not None:
            return charging.with_notice(facts, received_on=notice.read.on, deadline=notice.due)
    return dict(facts)


def _rates(facts: Mapping[str, Any]) -> list[Mapping[str, str]]:
    """The SELIC of each month: as the facts say it, else as it was loaded."""
    said = {row["month"]: row for row in (*official_tables.rates(), *facts.get("selic", ()))}
    return [said[month] for month in sorted(said)]


def charge(document: str, *, year: int, quarter: int, more: Mapping[str, Any], by: str) -> Filing:
    """Charge a quarter, or charge it anew with other facts. Raises LastroError naming what to mend.

    What is charged is the fee itself, as of the day after the quarter; additions are of the day of payment.
    """
    if quarter_end(year, quarter) >= office.today():
        raise Refused("O trimestre ainda não acabou.")
    found = entry(document)
    if found is None:
        raise Refused("Inscreva o estabelecimento antes de lançar a taxa.")
    facts = charging.facts_of(found.body, year=year, quarter=quarter, more=more)
    charged = fees.parse(json.dumps(facts), today=quarter_end(year, quarter) + timedelta(days=1))
    made, _ = fees.assess(regulation(), charged)
    mine, subject = _mine(), Subject(Kind.CHARGE, OFFICE, _path(), f"{year}-T{quarter}", document)
    last = mine.latest(subject)
    body = {"facts": facts, "answer": fees.answer(regulation(), charged, made)}
    return mine.add(
        subject, body, by=by, on=office.today(), after=last.version if last else 0, addressee=document
    )


# ── papers to pay, payments, instalments ─────────────────────────────────────────────────────────────


def issue(found: Quarter, *, pay_by: date | None, by: str) -> Filing:
    """Issue a paper to pay by a day, with the additions of that day. Raises LastroError."""
    if pay_by is None or pay_by < office.today():
        raise Refused("Diga até que dia o documento se paga: hoje ou depois.")
    if found.state == "paid":
        raise Refused("O trimestre já está pago.")
    if any(one.body["state"] == "issued" for one in found.collections):
        raise Refused("Há um documento emitido e não pago: cancele-o antes de emitir outro.")
    body = charging.collected(regulation(), noticed(found.charge.body["facts"]), pay_by=pay_by)
    name = f"{found.document}/{len(found.collections) + 1}"
    subject = Subject(Kind.COLLECTION, OFFICE, _path(), found.period, name)
    return _mine().add(
        subject, {**body, "state": "issued", "article": regulation().norm.cite(("art10",))}, by=by,
        on=office.today(), addressee=found.document,
    )  # fmt: skip


def settle(
    found: Quarter, number: int, *, state: str, paid_on: date | None, paid: Money | None, by: str
) -> Filing:
    """A paper was paid, or is cancelled. Raises Refused; less than the paper says does not pay it."""
    paper = next((one for one in found.collections if one.id == number), None)
    if paper is None or paper.body["state"] != "issued":
        raise Refused("Este documento já foi pago ou cancelado.")
    body: dict[str, Any] = {**paper.body, "state": state}
    if state == "paid":
        if paid_on is None or paid is None or paid_on > office.today() or paid_on < paper.on:
            raise Refused("Diga em que dia, desde a emissão, e quanto se pagou.")
        owed = Money.brl(str(paper.body["amount_brl"]))
        if paid != owed:
            raise Refused(
                f"O documento é de {owed}, e o pagamento de {paid}: cancele-o e emita outro do que falta."
            )
        if paid_on.isoformat() > str(paper.body["pay_by"]):
            raise Refused("Pago depois do dia do documento: cancele-o e emita outro com os acréscimos.")
        body |= {"paid_on": paid_on.isoformat(), "paid_brl": paid.brl_text}
    elif state != "cancelled":
        raise Refused("Um documento se paga ou se cancela.")
    return _mine().add(
        paper.subject, body, by=by, on=office.today(), after=paper.version, addressee=found.document
    )


def divide(found: Quarter, *, number: int | None, act: str, by: str) -> Filing:
    """Let a debt be paid in equal parts, as an act of the office decided. Raises Refused."""
    name = needed(act, "Escreva o despacho que concede o parcelamento.", 120)
    if number is None or not 2 <= number <= 60:
        raise Refused("Diga em quantas parcelas, de 2 a 60; quantas cabem é a Fazenda que diz.")
    if found.total is None or found.total == Money(0):
        raise Refused("Sem um valor em aberto não há o que parcelar.")
    law = regulation().law(office.today())
    parts = regulation().rules["instalments"](law, amount=found.total, number=number)
    body = {
        "amount_brl": found.total.brl_text, "act": name, "decided_on": office.today().isoformat(),
        "parts": [{"brl": part.brl_text} for part in parts], "article": regulation().norm.cite(("art12-p1",)),
    }  # fmt: skip
    mine, subject = _mine(), Subject(Kind.INSTALMENTS, OFFICE, _path(), found.period, found.document)
    last = mine.latest(subject)
    return mine.add(
        subject, body, by=by, on=office.today(), after=last.version if last else 0, addressee=found.document
    )


def codes() -> list[tuple[str, str]]:
    """The activities of the annex by code, in the norm's words."""
    return activities()


def read_more(text: bytes) -> dict[str, Any]:
    """More facts as a file of JSON has them. Raises LastroError."""
    try:
        found = json.loads(text.decode("utf-8-sig"), parse_float=str)
    except (UnicodeDecodeError, json.JSONDecodeError) as wrong:
        raise Refused("O arquivo de fatos é um JSON em UTF-8, como o de lastro fee.") from wrong
    if not isinstance(found, dict):
        raise JsonRefused(["o arquivo é um objeto, como o de lastro fee."])
    return found
