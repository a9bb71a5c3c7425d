"""What a seed draws: entities, notes, who claims what of them, and which are cancelled."""

from __future__ import annotations

import hashlib
import random
from dataclasses import dataclass
from datetime import date
from functools import cache

from lastro.certificates import number as numbers
from lastro.certificates.states import STEPS, State
from lastro.custody.port import Bears, Handed
from lastro.ids import cnpj_check_digits, mod11

NORM, YEAR = "mt/decreto_1455_2025", 2026
ON, LAST = date(2027, 3, 15), date(2028, 3, 15)


def cnpj(name: str) -> str:
    """An invented CNPJ of the company ZZ + name."""
    base = f"ZZ{name:0>6}0001"
    return base + cnpj_check_digits(base)


ENTITIES = tuple(cnpj(f"ENT{n}") for n in range(3))
VERIFIER, COMPANY = cnpj("VERIF"), cnpj("CIA1")
SELLER, BUYER = cnpj("COOP"), cnpj("RECICL")


def key(number: int) -> str:
    """An invented access key with a right check digit."""
    body = f"512606{SELLER}55001{number:09d}1{number:08d}"
    return body + mod11(body)


def number_of(name: str, turn: int = 0) -> str:
    """A certificate's number, drawn by its name so that a seed draws it again."""

    def drawn(size: int) -> bytes:
        nonlocal turn
        turn += 1
        return hashlib.sha256(f"{name} {turn}".encode()).digest()[:size]

    return numbers.draw(YEAR, drawn)


@cache
def reaches(state: State) -> frozenset[State]:
    """The states that a certificate may yet come to, by the table of moves."""
    after = frozenset(next for next in STEPS[state].values() if isinstance(next, State))
    return after.union(*map(reaches, after))


@dataclass(frozen=True)
class Note:
    """One note of one line, and what is true of it, whoever says what."""

    number: int
    mass_mg: int
    cancelled: bool

    @property
    def key(self) -> str:
        return key(self.number)

    @property
    def body(self) -> bytes:
        return f"note {self.number}".encode()

    def handed(self) -> Handed:
        """The note as the evidence room hands it on: read, judged and admitted."""
        place = {"municipality": "5103403", "source": "operator", "origin": "picker_entity"}
        line = {
            "line": 1,
            "material": "glass",
            "mass_mg": self.mass_mg,
            "verdict": "admitted",
            "counts": True,
        }
        return Handed(
            sha256=hashlib.sha256(self.body).hexdigest(), ordinal=0, access_key=self.key, content_digest="c1",
            kind="nfe", document={}, authentic=True, outcome="admitted", known="k",
            verdict={"findings": [], "lines": [{**line, "collection": place}]},
            issued_on=date(2026, 6, 1 + self.number % 28), issuer=SELLER, recipient=BUYER,
        )  # fmt: skip

    @property
    def cancellation_body(self) -> bytes:
        return f"cancelled {self.number}".encode()

    def cancellation(self) -> Handed:
        """The event that takes the note back."""
        return Handed(
            sha256=hashlib.sha256(self.cancellation_body).hexdigest(), ordinal=0, access_key=self.key,
            content_digest="", kind="event", document={}, authentic=True, outcome="admitted", known="k",
            verdict={"findings": [], "lines": []}, bears=(Bears(self.key, "N10"),),
        )  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """What one entity says of a note: so much of it is mine, or all (None)."""

    entity: str
    note: Note
    mass_mg: int | None

    @property
    def name(self) -> str:
        return f"{self.entity}/{self.note.number}/{self.mass_mg}"


@dataclass(frozen=True)
class World:
    """All that is true on a seed before anything happens."""

    entities: tuple[str, ...]
    notes: tuple[Note, ...]
    claims: tuple[Claim, ...]


def drawn(chance: random.Random) -> World:
    """A world of a few notes: most claimed once, some twice, some in parts that fit or do not."""
    entities = ENTITIES[: chance.choice((2, 2, 3))]
    notes = tuple(
        Note(n, chance.choice((1_000, 40_000, 250_000, 999_999)) + n, chance.random() < 0.2)
        for n in range(1, chance.randint(3, 6))
    )
    claims: list[Claim] = []
    for note in notes:
        way = chance.choices(("one", "two", "parts", "too much"), weights=(6, 2, 2, 1))[0]
        first, second = chance.sample(entities, 2)
        half = note.mass_mg // 2
        claims.append(Claim(first, note, None if way in ("one", "two") else half))
        if way != "one":
            claims.append(Claim(second, note, {"two": None, "parts": note.mass_mg - half}.get(way, half + 2)))
    return World(entities, notes, tuple(claims))
