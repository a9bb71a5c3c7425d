"""Names that identify: a company, a document, a place, a material.

Since July 2026 a CNPJ may carry letters in its first twelve characters (IN RFB 2.229/2024, NT 2025.001);
the value of a character is its ASCII code less 48, and an access key may carry letters in positions 7 to 18.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from operator import mul
from typing import Self

_CNPJ = re.compile(r"[0-9A-Z]{12}[0-9]{2}\Z")
_CPF = re.compile(r"[0-9]{11}\Z")
_KEY = re.compile(r"[0-9]{6}[0-9A-Z]{12}[0-9]{26}\Z")


def mod11(text: str) -> str:
    """The check digit of an access key or CNPJ: weights 2 to 9 from the right, value = code - 48."""
    weights, less = _weights(len(text))
    rest = (sum(map(mul, map(ord, text), weights)) - less) % 11
    return "0" if rest < 2 else str(11 - rest)


@lru_cache(maxsize=64)
def _weights(length: int) -> tuple[tuple[int, ...], int]:
    """The weights of so many characters, and what the 48 of each code adds to their sum."""
    weights = tuple(2 + i % 8 for i in reversed(range(length)))
    return weights, 48 * sum(weights)


def cnpj_check_digits(base: str) -> str:
    """The two check digits that belong to the first twelve characters of a CNPJ."""
    first = mod11(base)
    return first + mod11(base + first)


@lru_cache(maxsize=4096)
def is_cnpj(text: str) -> bool:
    """Whether these are fourteen characters of a CNPJ with the right check digits, unmasked."""
    return bool(_CNPJ.match(text)) and len(set(text)) > 1 and text[12:] == cnpj_check_digits(text[:12])


def is_cpf(text: str) -> bool:
    """Whether these are eleven digits of a CPF with the right check digits, unmasked."""
    if not _CPF.match(text) or len(set(text)) == 1:
        return False
    for size in (9, 10):
        rest = sum(int(d) * (size + 1 - i) for i, d in enumerate(text[:size])) * 10 % 11 % 10
        if rest != int(text[size]):
            return False
    return True


def bare(text: str) -> str:
    """A CNPJ or CPF as a person types it, without mask and in capitals."""
    return re.sub(r"[.\-/\s]", "", text).upper()


def company_of(cnpj: str) -> str:
    """The company (root) that an establishment belongs to: the first eight characters of its CNPJ."""
    return cnpj[:8]


def masked(cnpj: str) -> str:
    """A CNPJ as people read it: ZZ.ABC.123/0001-45."""
    if len(cnpj) != 14:
        return cnpj
    return f"{cnpj[:2]}.{cnpj[2:5]}.{cnpj[5:8]}/{cnpj[8:12]}-{cnpj[12:]}"


def person_named(text: str) -> str:
    """A person's name or e-mail as it is kept: composed, single blanks, nothing that does not show.

    Raises ValueError for a blank one, one of over 200 characters, or letters of another alphabet than ours:
    some of them look the same, and two spellings must not make two people.
    """
    plain = "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    name = " ".join(plain.split())
    foreign = [c for c in name if c.isalpha() and not unicodedata.name(c, "").startswith("LATIN ")]
    if not name or len(name) > 200 or foreign or not name.isprintable():
        raise ValueError("not a person's name")
    return name


def same_person(one: str, other: str) -> bool:
    """Whether two names may be one person's: case, accents and blanks do not tell people apart."""
    return _unmarked(one) == _unmarked(other)


def _unmarked(text: str) -> str:
    plain = unicodedata.normalize("NFKD", " ".join(text.split())).casefold()
    return "".join(c for c in plain if unicodedata.category(c) not in ("Mn", "Cf"))


@dataclass(frozen=True)
class AccessKey:
    """The 44 characters that name an electronic fiscal document (MOC NF-e, NT 2025.001)."""

    text: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Take 44 characters, letters only in positions 7 to 18. Raises ValueError otherwise.

        The check digit is not judged here: a wrong one is a finding (N03), and the key is still a name.
        """
        if not _KEY.match(text):
            raise ValueError("an access key has 44 characters, with letters only in positions 7 to 18")
        return cls(text)

    @property
    def uf_code(self) -> str:
        return self.text[0:2]

    @property
    def year_month(self) -> str:
        """AAMM of issue, as written in the key."""
        return self.text[2:6]

    @property
    def issuer(self) -> str:
        """The fourteen characters of the issuer: a CNPJ, or a CPF padded with zeros."""
        return self.text[6:20]

    @property
    def model(self) -> str:
        return self.text[20:22]

    @property
    def series(self) -> str:
        return self.text[22:25]

    @property
    def number(self) -> str:
        return self.text[25:34]

    @property
    def emission_type(self) -> str:
        return self.text[34]

    @property
    def random_code(self) -> str:
        return self.text[35:43]

    @property
    def check_digit(self) -> str:
        return self.text[43]

    @property
    def right_digit(self) -> bool:
        return mod11(self.text[:43]) == self.text[43]

    def __str__(self) -> str:
        return self.text


UF_BY_CODE = {
    "11": "RO", "12": "AC", "13": "AM", "14": "RR", "15": "PA", "16": "AP", "17": "TO",
    "21": "MA", "22": "PI", "23": "CE", "24": "RN", "25": "PB", "26": "PE", "27": "AL",
    "28": "SE", "29": "BA", "31": "MG", "32": "ES", "33": "RJ", "35": "SP", "41": "PR",
    "42": "SC", "43": "RS", "50": "MS", "51": "MT", "52": "GO", "53": "DF",
}  # fmt: skip
"""The federative units by the IBGE code that begins municipality codes and access keys."""


def uf_of(municipality: str) -> str | None:
    """The federative unit of a municipality by its seven-digit IBGE code, or None if the code has none."""
    return UF_BY_CODE.get(municipality[:2]) if re.fullmatch(r"[0-9]{7}", municipality) else None


class Material(StrEnum):
    """What a mass is made of, as the contract names it; each norm groups materials its own way."""

    PAPER = "paper"
    PLASTIC = "plastic"
    GLASS = "glass"
    STEEL = "steel"
    ALUMINIUM = "aluminium"
    OTHER_METAL = "other_metal"
    CARTON = "carton"
    TYRE = "tyre"
    BATTERY = "battery"
    ELECTRONICS = "electronics"
    OIL = "oil"
    OTHER = "other"


class Origin(StrEnum):
    """Where collected material came from.

    The first five are the ones arts. 27 and 28 of Decreto MT 1.455/2025 name; the others are what an honest
    operator may have to say instead. Which of them counts is for each norm to say.
    """

    MUNICIPAL = "municipal"
    CONCESSION = "concession"
    PICKER_ENTITY = "picker_entity"
    PRIVATE_PEV = "private_pev"
    PRIVATE_RECYCLER = "private_recycler"
    WASTE_PLAN = "pgrs"
    DEALER = "dealer"
    INDUSTRIAL_SCRAP = "industrial_scrap"
