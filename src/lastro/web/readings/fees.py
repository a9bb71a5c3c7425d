"""The fee of an establishment by the quarter: what it reckoned, what the office charged, and what was paid.

What is reckoned here is what `lastro fee` reckons from the same facts; the facts are kept, and the fee is
reckoned anew for the day on which it is looked at, or on which it was paid.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from lastro import delivery, fees
from lastro.errors import LastroError
from lastro.filings import Filing, Kind, Subject
from lastro.lawkit import Regulation, Step, library
from lastro.lawkit.fees import Assessment, Charged
from lastro.lawkit.provisions import provisions_of
from lastro.reports import fee_statement
from lastro.reports.desk import Heading
from lastro.reports.facts_source import FactsDocument
from lastro.stores.postgres.filings import Filings
from lastro.units import Money
from lastro.web import office, typed
from lastro.web.marked import gettext_noop
from lastro.web.readings import official_tables
from lastro.web.translating import said

OFFICE = "fees"
"""The word by which filings name the servants of the fee, who alone read what establishments send them."""

NAMES = (
    ("federal", "TCFA da célula"), ("fee", "Taxa do trimestre"), ("city_credit", "Crédito da taxa municipal"),
    ("amount", "A recolher"), ("fine", "Multa"), ("interest", "Juros"), ("total", "Total no dia"),
    ("forged_fine", "Multa por documento simulado"), ("restored", "Restabelecido pela restituição"),
    ("state_credit", "Crédito para a TCFA (parte do Estado)"),
    ("federal_offset", "Abatimento federal estimado"),
)  # fmt: skip


@dataclass(frozen=True)
class Quarter:
    """A quarter of an establishment: its fee as reckoned for a day, and everything filed about it."""

    year: int
    quarter: int
    own: Filing | None
    charge: Filing | None
    collections: tuple[Filing, ...]
    payments: tuple[Filing, ...]
    charged: Charged | None = None
    made: Assessment | None = None
    trace: Step | None = None
    articles: Mapping[str, str] | None = None
    problem: str = ""
    """What is lacking to reckon the fee for today, such as a month's rate of interest."""

    @property
    def period(self) -> str:
        return f"{self.year}-T{self.quarter}"

    @property
    def paid(self) -> Money:
        """What was paid in all, as the establishment says; zero only where no payment was filed."""
        return Money(sum(Money.brl(str(one.body["paid_brl"])).cents for one in self.payments))

    @property
    def lacks(self) -> Money | None:
        """What is still to be paid on the day it is reckoned for; None where that cannot be told."""
        if self.made is None or self.made.total is None:
            return None
        return max(self.made.total - self.paid, Money(0), key=lambda money: money.cents)

    @property
    def state(self) -> str:
        """One of unknown, nothing, paid, late, open; what the office saw paid is paid."""
        if self.seen_paid:
            return "paid"
        if self.made is None or self.made.total is None or self.lacks is None:
            return "unknown"
        if self.made.total == Money(0) and not self.payments:
            return "nothing"
        if self.lacks == Money(0):
            return "paid"
        return "late" if office.today() > self.made.due else "open"

    @property
    def seen_paid(self) -> bool:
        """Whether the servants of the fee saw a document of theirs paid."""
        return any(one.body["state"] == "paid" for one in self.collections)

    @property
    def payments_shown(self) -> list[tuple[Filing, Money]]:
        """Each payment with its amount."""
        return [(one, Money.brl(str(one.body["paid_brl"]))) for one in self.payments]

    @property
    def collections_shown(self) -> list[tuple[Filing, Money]]:
        """Each document to pay by that the office issued, with its amount."""
        return [(one, Money.brl(str(one.body["amount_brl"]))) for one in self.collections]

    @property
    def words(self) -> str:
        return said(_WORDS[self.state])

    @property
    def tone(self) -> str:
        return _TONES[self.state]

    @property
    def parts(self) -> list[tuple[str, Money, str]]:
        """Each part that can be told: its words, the amount, its article."""
        return [
            (words, value, (self.articles or {}).get(part, ""))
            for part, words in NAMES
            for value in [getattr(self.made, part) if self.made else None]
            if value is not None
        ]


_WORDS = {
    "unknown": gettext_noop("pendente: não se pode calcular"),
    "nothing": gettext_noop("nada é devido"),
    "paid": gettext_noop("paga"),
    "late": gettext_noop("vencida e não paga"),
    "open": gettext_noop("a pagar"),
}
_TONES = {"unknown": "asks", "nothing": "plain", "paid": "good", "late": "bad", "open": "asks"}


def norm() -> Regulation | None:
    """The norm in force that charges establishments a fee by the quarter."""
    return next((r for r in library.every() if r.charges is not None and r.norm.status == "in_force"), None)


def regulation() -> Regulation:
    found = norm()
    assert found is not None, "a norm that charges a fee is among the norms"
    return found


def quarters(party: str) -> list[Quarter]:
    """Every quarter of which something was filed, the latest first."""
    mine, path = Filings(office.store(), sees=party), regulation().norm.path
    found = {one.subject.period for one in mine.standing(Kind.FEE, party=party, norm=path)}
    for kind in (Kind.CHARGE, Kind.COLLECTION):
        found |= {one.subject.period for one in mine.standing(kind, party=OFFICE, addressee=party, norm=path)}
    made = [one_of(party, int(p[:4]), int(p[-1])) for p in sorted(found, reverse=True)]
    return [one for one in made if one is not None]


def one_of(party: str, year: int, quarter: int) -> Quarter | None:
    """What is known of a quarter of the establishment; None if nothing was filed of it."""
    mine, path, period = Filings(office.store(), sees=party), regulation().norm.path, f"{year}-T{quarter}"
    own = mine.latest(Subject(Kind.FEE, party, norm=path, period=period))
    of_office = {
        kind: mine.standing(kind, party=OFFICE, addressee=party, norm=path, period=period)
        for kind in (Kind.CHARGE, Kind.COLLECTION)
    }
    charge = next(iter(of_office[Kind.CHARGE]), None)
    collections = tuple(of_office[Kind.COLLECTION])
    if own is None and charge is None and not collections:
        return None
    payments = tuple(mine.standing(Kind.PAYMENT, party=party, norm=path, period=period))
    bare = Quarter(year, quarter, own, charge, collections, payments)
    told = charge or own
    return bare if told is None else _reckoned(bare, told.body["facts"])


def _reckoned(bare: Quarter, facts: Mapping[str, Any]) -> Quarter:
    """The quarter with its fee for the day on which it was wholly paid, or for today."""
    if bare.payments:
        days = sorted(str(one.body["paid_on"]) for one in bare.payments)
        paid = _at(bare, {**facts, "paid_on": days[-1]})
        if paid.lacks == Money(0):
            return paid
    return _at(bare, facts)


def _at(bare: Quarter, facts: Mapping[str, Any]) -> Quarter:
    try:
        charged, made, trace = reckon(facts)
    except LastroError as wrong:
        return replace(bare, problem=str(wrong))
    law = regulation().law(date(bare.year, 3 * bare.quarter, 28))
    articles = regulation().documents[fee_statement.ASSESSMENT](law, year=bare.year).articles
    return replace(bare, charged=charged, made=made, trace=trace, articles=articles)


def reckon(facts: Mapping[str, Any]) -> tuple[Charged, Assessment, Step]:
    """The fee from the facts, as `lastro fee` reckons it. Raises LastroError naming what to mend.

    Facts that say no rates of interest take those that the servants of the fee loaded.
    """
    known = official_tables.rates()
    facts = {"selic": known, **facts} if known else facts
    charged = fees.parse(as_text(facts), today=office.today())
    made, trace = fees.assess(regulation(), charged)
    return charged, made, trace


def as_text(facts: Mapping[str, Any]) -> str:
    return json.dumps(facts, ensure_ascii=False, indent=1)


def keep(party: str, facts: Mapping[str, Any], *, by: str) -> Charged:
    """Keep the facts of a quarter with what they come to. Raises LastroError where they have to be mended."""
    charged, made, _ = reckon(facts)
    if charged.cnpj != party:
        raise LastroError("document: os fatos são de outro CNPJ; aja em nome dele, ou corrija o arquivo.")
    mine = Filings(office.store(), sees=party)
    period = f"{charged.year}-T{charged.quarter}"
    subject = Subject(Kind.FEE, party, norm=regulation().norm.path, period=period)
    before = mine.latest(subject)
    body = {"facts": dict(facts), "answer": fees.answer(regulation(), charged, made)}
    mine.add(subject, body, by=by, on=office.today(), after=before.version if before else 0)
    return charged


def read_facts(data: bytes) -> dict[str, Any]:
    """The facts of a JSON file, as they were written. Raises LastroError for another kind of file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LastroError("O arquivo de fatos é um JSON em UTF-8; salve-o de novo.") from None
    fees.parse(text, today=office.today())  # all that has to be mended is said at once
    found: dict[str, Any] = json.loads(text, parse_float=str)
    return found


def pay(
    party: str, found: Quarter, *, on: date, amount: Money, by: str, files: Sequence[tuple[str, bytes]]
) -> None:
    """File that a quarter was paid, for the servants of the fee to see. Raises LastroError."""
    if on > office.today():
        raise LastroError("O dia do pagamento ainda não chegou.")
    if found.charged is not None:
        reckon({**_facts(found), "paid_on": on.isoformat()})  # the day has to be one on which it can be paid
    mine = Filings(office.store(), sees=party)
    name = f"{party}/{len(found.payments) + 1}"
    subject = Subject(Kind.PAYMENT, party, norm=regulation().norm.path, period=found.period, name=name)
    body = {"paid_on": on.isoformat(), "paid_brl": amount.brl_text}
    mine.add(subject, body, by=by, on=office.today(), addressee=OFFICE, files=files)


def _facts(found: Quarter) -> Mapping[str, Any]:
    told = found.charge or found.own
    assert told is not None, "a fee was reckoned from facts"
    facts: Mapping[str, Any] = told.body["facts"]
    return facts


def paper(found: Quarter, kind: str) -> bytes:
    """The assessment of the quarter as a PDF: what it comes to, part by part, with each article."""
    assert found.charged is not None, "a paper is of a fee that was reckoned"
    assert found.made is not None, "a paper is of a fee that was reckoned"
    assert found.trace is not None, "a paper is of a fee that was reckoned"
    document = FactsDocument.of(as_text(_facts(found)).encode())
    data = fee_statement.dataset(
        regulation(), found.charged, found.made, kind=kind, trace=found.trace, document=document
    )
    files = delivery.files()(data, Heading(office.today()))
    return next(body for name, body in files.items() if name.endswith(".pdf"))


PERSONS = (
    ("company", "empresa"), ("individual", "empresário individual"), ("natural_person", "pessoa física"),
)  # fmt: skip


def activities() -> list[tuple[str, str]]:
    """The activities of the norm's annex, each by its code, as the norm names them."""
    return [
        (one.id.removeprefix("annex-"), one.text)
        for one in provisions_of(regulation().norm.package)
        if one.id.startswith("annex-")
    ]


MOST_ACTIVITIES = 5


def facts_typed(party: str, posted: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The facts that the form says, as the file of facts would. Raises LastroError for an amount."""

    def one(name: str) -> str:
        return (posted.get(name) or [""])[0].strip()

    facts: dict[str, Any] = {
        "document": party, "municipality": one("municipio"), "person": one("pessoa"),
        "year": typed.year(one("ano")), "quarter": typed.counting(one("trimestre")),
    }  # fmt: skip
    if one("receita"):
        try:
            facts["revenue_brl"] = typed.plain(one("receita"))
        except ValueError:
            raise LastroError("Escreva a receita em reais, como 9.000.000,00.") from None
    if one("mei"):
        facts["mei"] = True
    rows = zip(*(posted.get(name, []) for name in ("atividade", "comecou", "terminou")), strict=False)
    facts["activities"] = [
        {"code": code, "began": began, **({"ended": ended} if ended else {})}
        for code, began, ended in rows
        if code
    ]
    return facts
