"""The black box on the pages: the verifier's public key, what companies sealed to it, and its signed totals.

The server holds boxes that it cannot open: the verifier opens them with `lastro blackbox open-totals`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from lastro.blackbox.seal import Box
from lastro.blackbox.totals import Sealed, Sum, signed
from lastro.filings import Filing, Kind, Subject
from lastro.ids import company_of
from lastro.lawkit.glossary import capital, label
from lastro.stores.postgres.filings import NOBODY, Filings
from lastro.web import office
from lastro.web.readings.requests import Refused

MOST_ROWS, MOST_BYTES = 500, 2_000_000
_KEY, _FILE = "chave", "lacrada.json"


def keys() -> list[Filing]:
    """The public keys of the verifiers, one each."""
    return Filings(office.store(), sees=NOBODY).standing(Kind.SEALING_KEY)


def key_of(verifier: str) -> Filing | None:
    """A verifier's public key; None while it published none."""
    return next((one for one in keys() if one.subject.party == verifier), None)


def publish_key(verifier: str, data: bytes, *, by: str) -> Filing:
    """Publish what `lastro blackbox keys` wrote. Raises Refused."""
    try:
        told = json.loads(data)
        body = {name: str(told[name]) for name in ("verifier", "seals", "signs")}
        fits = len(bytes.fromhex(body["seals"])) == 65 and len(bytes.fromhex(body["signs"])) == 32
    except (ValueError, KeyError, TypeError):
        fits = False
    if not fits or body["verifier"] != verifier:
        raise Refused(_("Mande o arquivo que lastro blackbox keys gravou com o CNPJ deste verificador."))
    mine, subject = Filings(office.store(), sees=verifier), Subject(Kind.SEALING_KEY, verifier, name=_KEY)
    after = mine.version(subject)
    return mine.add(subject, body, by=by, on=office.today(), after=after, public=True)


def hand_in(party: str, text: str, *, verifier: str, year: int, by: str) -> Filing:
    """Keep what a company sealed in its browser; the newest version stands. Raises Refused."""
    boxes = _boxes(text)
    named = {(box.verifier, box.company, box.year) for box in boxes}
    if key_of(verifier) is None or named != {(verifier, company_of(party), year)}:
        raise Refused(
            _("O que chegou não são linhas lacradas desta empresa, deste ano e a este verificador.")
        )
    mine = Filings(office.store(), sees=party)
    subject = Subject(Kind.SEALED, party, period=str(year), name=verifier)
    after = mine.version(subject)
    whole = Sealed(company_of(party), year, after + 1, boxes)
    file = (_FILE, (json.dumps(whole.to_json(), indent=1) + "\n").encode())
    return mine.add(
        subject, {"rows": len(boxes)}, by=by, on=office.today(), after=after, addressee=verifier, files=[file]
    )


def _boxes(text: str) -> tuple[Box, ...]:
    try:
        told = json.loads(text[:MOST_BYTES])
        if not isinstance(told, list) or not 0 < len(told) <= MOST_ROWS:
            raise ValueError("not a list of boxes")
        return tuple(Box.of_json(one) for one in told)
    except (ValueError, RecursionError) as wrong:
        raise Refused(
            _("Nada chegou lacrado. Preencha as linhas e use o botão que lacra, com JavaScript ligado.")
        ) from wrong


def sealed_by(party: str) -> list[Filing]:
    """What an establishment sealed, the latest first."""
    found = Filings(office.store(), sees=party).standing(Kind.SEALED, party=party)
    return sorted(found, key=lambda one: -one.id)


def sealed_to(verifier: str) -> list[Filing]:
    """What companies sealed to a verifier, the latest first."""
    found = Filings(office.store(), sees=verifier).standing(Kind.SEALED, addressee=verifier)
    return sorted(found, key=lambda one: -one.id)


def sealed_file(verifier: str, number: int) -> bytes | None:
    """The boxes of one declaration sealed to a verifier."""
    seen = Filings(office.store(), sees=verifier)
    found = seen.one(number)
    if found is None or found.subject.kind is not Kind.SEALED or found.addressee != verifier:
        return None
    return seen.file(number, _FILE)


def hand_totals(verifier: str, data: bytes, *, entity: str, by: str) -> Filing:
    """Hand an entity the totals that the verifier's key signed. Raises Refused or LastroError."""
    key = key_of(verifier)
    if key is None:
        raise Refused(_("Publique antes a chave deste verificador."))
    try:
        told = json.loads(data)
    except ValueError as wrong:
        raise Refused(_("Mande o arquivo que lastro blackbox open-totals gravou.")) from wrong
    said = signed(told, public=str(key.body["signs"]))
    mine = Filings(office.store(), sees=verifier)
    subject = Subject(Kind.TOTALS, verifier, period=str(said["year"]), name=entity)
    after = mine.version(subject)
    return mine.add(subject, told, by=by, on=office.today(), after=after, addressee=entity)


@dataclass(frozen=True)
class Totals:
    """The totals of a year that a verifier handed to an entity."""

    filing: Filing

    @property
    def said(self) -> Mapping[str, Any]:
        said: Mapping[str, Any] = self.filing.body["said"]
        return said

    @property
    def rows(self) -> list[tuple[str, str, Sum]]:
        """Each sum with its kind and material in words."""
        kinds = {"placed": _("colocada"), "returnable": _("retornável"), "owed": _("meta")}
        sums = [Sum.of_json(one) for one in self.said["sums"]]
        return [(kinds[one.kind], capital(label(one.what)), one) for one in sums]


def totals_of(entity: str) -> list[Totals]:
    """The totals that verifiers handed to an entity, the latest year first."""
    found = Filings(office.store(), sees=entity).standing(Kind.TOTALS, addressee=entity)
    return [Totals(one) for one in sorted(found, key=lambda f: (f.subject.period, f.id), reverse=True)]
