"""The choice among regions that a draft leaves to a company: what serves it best, and what it chose.

The draft never became law: all of this is a simulation. The proposal is the one of `lastro elections`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lastro.errors import LastroError
from lastro.filings import Filing, Kind, Subject
from lastro.ids import company_of
from lastro.lawkit import Regulation, library
from lastro.lawkit.glossary import capital, label
from lastro.obligations import elections
from lastro.obligations.facts_file import Facts, parse
from lastro.stores.postgres.filings import Filings
from lastro.web import office

CHOSEN: Mapping[str, str] = {
    "proposal": "a proposta",
    "own": "a que o meu arquivo declara",
    "none": "nenhuma: cada região pelo que é",
}
_MOST = 2_000_000


@dataclass(frozen=True)
class Kept:
    """A simulation that was kept: the facts, what is proposed for them, what was chosen."""

    filing: Filing
    answers: tuple[elections.Answer, ...]

    @property
    def chosen(self) -> str:
        return CHOSEN.get(str(self.filing.body["chosen"]), "ainda não escolhida")

    @property
    def own(self) -> list[Mapping[str, Any]]:
        """The options that the facts themselves declare."""
        return [
            one for company in self.filing.body["facts"]["companies"] for one in company.get("elections", ())
        ]

    @property
    def groups(self) -> list[tuple[str, elections.Answer]]:
        return [(capital(label(one.group)), one) for one in self.answers]


def regulation() -> Regulation | None:
    """The norm that leaves a choice, if there is one."""
    return next((r for r in library.every() if r.elects is not None), None)


def _norm() -> Regulation:
    found = regulation()
    assert found is not None, "a norm that leaves a choice is among the norms"
    return found


def keep(party: str, data: bytes, *, by: str) -> Filing:
    """Keep a file of facts with no choice made yet. Raises LastroError naming what has to be mended."""
    if len(data) > _MOST:
        raise LastroError("O arquivo de fatos passa de 2 MB.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise LastroError("O arquivo de fatos é um JSON em UTF-8; salve-o de novo.") from None
    facts = parse(text, options=_norm().options)
    strange = [one.cnpj for one in facts.companies if company_of(one.cnpj) != company_of(party)]
    if strange:
        raise LastroError(f"companies: {strange[0]} é outra empresa; o arquivo traz só a sua.")
    _answers(facts)  # what cannot be reckoned is said now
    return _file(party, facts.year, json.loads(text, parse_float=str), "", by=by)


def choose(party: str, year: int, chosen: str, *, by: str) -> Filing:
    """Keep what the company chose, as the next version. Raises LastroError."""
    found = one(party, year)
    if found is None or chosen not in CHOSEN:
        raise LastroError("Diga qual das escolhas.")
    return _file(party, year, found.filing.body["facts"], chosen, by=by)


def _file(party: str, year: int, facts: Mapping[str, Any], chosen: str, *, by: str) -> Filing:
    mine = Filings(office.store(), sees=party)
    subject = _subject(party, year)
    before = mine.latest(subject)
    read = parse(json.dumps(facts), options=_norm().options)
    body = {"facts": facts, "chosen": chosen, "proposals": [one.json() for one in _answers(read)]}
    return mine.add(subject, body, by=by, on=office.today(), after=before.version if before else 0)


def _subject(party: str, year: int) -> Subject:
    return Subject(Kind.CHOICE, party, norm=_norm().norm.path, period=str(year))


def _answers(facts: Facts) -> tuple[elections.Answer, ...]:
    return elections.proposals(_norm(), facts.companies, year=facts.year, targets=facts.targets)


def one(party: str, year: int) -> Kept | None:
    """What stands of a year, its proposal reckoned anew from the facts."""
    found = Filings(office.store(), sees=party).latest(_subject(party, year))
    if found is None:
        return None
    facts = parse(json.dumps(found.body["facts"]), options=_norm().options)
    return Kept(found, _answers(facts))


def every(party: str) -> list[Filing]:
    """What stands of each year."""
    return Filings(office.store(), sees=party).standing(Kind.CHOICE, party=party, norm=_norm().norm.path)
