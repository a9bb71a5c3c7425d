"""Days, quantities, parties and mentions, as the systems of the MTR write them; nothing is guessed."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from functools import cache

from lastro import tables
from lastro.evidence.jsonread import Number
from lastro.ids import AccessKey, bare
from lastro.sheets import Cell, decimal
from lastro.tables.sinir import folded
from lastro.waste import DestinationCertificate, Manifest

UNSURE = " (?)"
"""Stands behind a quantity that could be read two ways or not at all, so that nobody reads it as a number."""

NATIONAL, STATE = 12, 10
"""How many digits a manifest's number has at SINIR and in the states (manual de integração)."""

_BRASILIA = timezone(timedelta(hours=-3))
_DAY_MS = 86_400_000
_FIRST, _LAST = date(2000, 1, 1), date(2100, 1, 1)
_NOBODY = {"99999999999999", "99999"}
_KEY = re.compile(
    r"(?<![0-9A-Z])(?:[0-9]{6}[0-9A-Z]{12}[0-9]{26}|(?:[0-9A-Z]{4}[ .]){10}[0-9]{4})(?![0-9A-Z])"
)
_NOTE = re.compile(
    r"\b(?:NF-?E?|NOTAS?(?:\s+FISCA(?:L|IS))?)\s{0,3}(?:N[RUMERO]{0,6}[ºO°.]{0,2})?\s{0,3}[:.]?\s{0,3}([0-9]{1,9})(?![0-9A-Z])"
)
_COMPLEMENTS = re.compile(r"COMPLEMENTAR[^0-9]{1,40}([0-9]{12}|[0-9]{10})(?![0-9])")


def day_of(written: str) -> date | None:
    """The day of a date as a manifest writes it: milliseconds since 1970, dd/mm/aaaa or aaaa-mm-dd.

    None where nothing is written. An instant is a day in Brasília's time; midnight of Greenwich is how a
    machine there writes a day without an hour. Raises ValueError for anything else.
    """
    text = written.strip()
    if not text or text.lower() in ("null", "-"):
        return None
    if re.fullmatch(r"[0-9]{12,13}", text):
        instant = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=int(text))  # noqa: UP017
        day = instant.date() if int(text) % _DAY_MS == 0 else instant.astimezone(_BRASILIA).date()
    elif found := re.fullmatch(r"([0-9]{2})/([0-9]{2})/([0-9]{4})(?:\s.{0,20})?", text):
        day = date(int(found[3]), int(found[2]), int(found[1]))
    elif found := re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ].{0,30})?", text):
        day = date(int(found[1]), int(found[2]), int(found[3]))
    else:
        raise ValueError("not a day")
    if not _FIRST <= day < _LAST:
        raise ValueError("not a day of a manifest")
    return day


def quantity_of(written: str, *, typed: bool = False) -> str:
    """A quantity as a plain decimal with the digits that were written, or as written and marked UNSURE.

    `typed`: a program wrote it as a number, so that its full stop is the decimal mark. Else "1.234" reads two
    ways and is not read.
    """
    text = written.strip().replace("\u00a0", "")
    if not text:
        return ""
    if typed:
        return _expanded(text)
    try:
        decimal(Cell(text, kind="text"))
    except ValueError:
        return text[:40] + UNSURE
    return text.replace(".", "").replace(",", ".") if "," in text or text.count(".") > 1 else text


def brazilian(written: str) -> str:
    """A quantity of a printed certificate: only thousands with points and decimals with a comma are read."""
    text = written.strip()
    if re.fullmatch(r"[0-9]+(,[0-9]+)?", text) or re.fullmatch(r"[0-9]{1,3}(\.[0-9]{3})+,[0-9]+", text):
        return text.replace(".", "").replace(",", ".")
    return text[:40] + UNSURE


def _expanded(text: str) -> str:
    """The literal of a number without exponent: 1.5E2 is 150."""
    if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text):
        return text
    number = Decimal(text)
    return f"{number:f}"


def text_of(value: object, *, most: int = 200) -> str:
    """A written value as text on one line; what is no value of a field (an object, a list) is nothing."""
    if isinstance(value, str):
        return " ".join(value.split())[:most]
    return ""


def number_of(value: object) -> str:
    """The number of a manifest or certificate as digits, or as written where it is none."""
    text = text_of(value, most=40)
    return re.sub(r"[.\s]", "", text)


def certificate_number(written: str) -> str:
    """The number of a certificate as its manifests name it: digits, without the year printed behind them.

    Zero is how some systems write that there is none.
    """
    number = re.sub(r"[.\s]", "", written).partition("/")[0]
    return number.lstrip("0") if number.isdigit() else number.strip("-")


def party_of(written: str) -> str:
    """A party's CNPJ or CPF without its mask; nothing for the number that stands for nobody."""
    number = bare(written)[:20]
    return "" if number in _NOBODY or not number.strip("0") else number


def plate_of(written: str) -> str:
    """A lorry's plate: seven letters and digits, or nothing."""
    plate = re.sub(r"[^A-Z0-9]", "", written.upper())
    return plate if re.fullmatch(r"[A-Z]{3}[0-9][A-Z0-9][0-9]{2}", plate) else ""


def mentions_in(*remarks: str) -> tuple[str, ...]:
    """The access keys and the numbers of notes that remarks name, in order, each once.

    Keys are also found when written in groups. A number is kept without zeros in front; the words around it,
    which may name people, are not kept.
    """
    found: dict[str, None] = {}
    for remark in remarks:
        text = tables.plain(remark[:4_000]).upper()
        for written in _KEY.findall(text):
            key = re.sub("[ .]", "", written)
            if AccessKey(key).right_digit:
                found[key] = None
        text = re.sub(r"(?<=[0-9])\.(?=[0-9]{3}(?![0-9]))", "", _KEY.sub(" ", text))
        for number in _NOTE.findall(text):
            if number.strip("0"):
                found[number.lstrip("0")] = None
    return tuple(found)


def complements_in(remark: str) -> str:
    """The manifest that remarks say this one is the complement of; empty where they say nothing."""
    found = _COMPLEMENTS.search(tables.plain(remark[:4_000]))
    return found[1] if found else ""


@cache
def _places() -> dict[tuple[str, str], str]:
    return {(folded(row["name"]), row["uf"]): row["code"] for row in tables.rows("municipalities")}


def municipality_of(name: str, uf: str) -> str | None:
    """The IBGE code of a municipality by its name and state; None for a place that is not there."""
    return _places().get((folded(name), uf.strip().upper()))


def digest_of(facts: Manifest | DestinationCertificate) -> str:
    """The SHA-256 of what a manifest or certificate says: the same facts from another file are the same."""
    spelled = json.dumps(asdict(facts), ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(spelled.encode("utf-8", "surrogatepass")).hexdigest()


def typed(value: object) -> bool:
    """Whether a JSON value is a number."""
    return isinstance(value, Number)


def residue_code(written: str) -> str:
    """A residue's Ibama code as digits: "15 01 01" is 150101, "160601(*)" is 160601; else nothing."""
    digits = re.sub(r"[\s.]|\(\*\)|\*", "", written)
    return digits if re.fullmatch(r"[0-9]{4,8}", digits) else ""


def hazardous(code: str, description: str, group: str) -> bool:
    """Whether a residue is hazardous: its code or description carries the mark (*), or its class is I."""
    return "*" in code or "(*)" in description or folded(group) in ("CLASSE I", "I", "CLASSE 1")
