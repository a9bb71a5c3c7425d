"""A hub with keepers, verifiers and members, all invented, in one process and on days that the test says."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from lastro.hub.batch import Batch
from lastro.hub.hub import Hub
from lastro.hub.keeper import Keeper, key_of, told_of
from lastro.hub.lines import HubClaim, Line, Said
from lastro.hub.match import Judged, judge, open_all
from lastro.hub.member import Member, NoWord, Statement
from lastro.hub.people import HubMember, HubVerifier, Roster
from lastro.hub.words import public_of
from lastro.ids import cnpj_check_digits, mod11
from lastro.units import Mass
from tests.hub.shelves import HubMemory, KeeperMemory, MemberMemory

DAY = date(2026, 12, 1)
NORM = "mt/decreto_1455_2025"


def cnpj(number: int) -> str:
    base = f"ZZHUB{number:03d}0001"
    return base + cnpj_check_digits(base)


def key(number: int, *, code: int | None = None, year: int = 26) -> str:
    """An access key of an invented issuer; `code` are the eight digits that only the issuer draws."""
    drawn = number * 48_271 % 10**8 if code is None else code
    body = f"51{year}03{cnpj(900)}55001{number:09d}1{drawn:08d}"
    return body + mod11(body)


def secret(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def statement(
    number: int, entity: str, *, asks: int | None = 1_000, holds: int = 1_000, said: Said = Said.CLAIMS,
    content: str = "note", book: str = "target", year: int = 26,
) -> Statement:  # fmt: skip
    """What an entity says of line 1 of an invented note; masses in milligrams."""
    digest = hashlib.sha256(f"{content} {number}".encode()).hexdigest()
    mass = None if asks is None else Mass(asks)
    claim = HubClaim(
        said=said, entity=entity, verifier=cnpj(800), norm=NORM, year=2026, mass=mass,
        line_mass=Mass(holds), content=digest, bound="",
    )  # fmt: skip
    return Statement(Line(key(number, year=year), 1, book), claim)


class World:
    """Everybody, over honest wires unless a test bends them."""

    def __init__(
        self, *, members: int = 2, size: int = 8, pace: int = 4, keepers: int = 2, seed: int = 0
    ) -> None:
        self.rnd = random.Random(seed)
        self.draw: Callable[[int], bytes] = self.rnd.randbytes
        self.day = DAY
        self.entities = [cnpj(number) for number in range(1, members + 1)]
        self.verifiers = [cnpj(800), cnpj(801)]
        names = ["orgao", "federacao", "industria"][:keepers]
        seals = {
            name: X25519PrivateKey.from_private_bytes(secret(f"seals {name}")) for name in self.verifiers
        }
        self.roster = Roster(
            origin="custodia.example/2026",
            hub=public_of(secret("hub")).hex(),
            size=size,
            pace=pace,
            keepers=tuple(
                told_of(n, signs=secret(f"signs {n}"), seed=secret(f"seed {n}"), eras=["2025", "2026"])
                for n in names
            ),
            verifiers=tuple(
                HubVerifier(name, k.public_key().public_bytes_raw().hex()) for name, k in seals.items()
            ),
            members=tuple(HubMember(e, public_of(secret(e)).hex()) for e in self.entities),
        )
        self.shelf: Any = HubMemory()
        self.hub = Hub(self.roster, secret=secret("hub"), shelf=self.shelf)
        self.keepers = {
            n: Keeper(
                self.roster, signs=secret(f"signs {n}"), shelf=KeeperMemory(), draw=self.draw,
                secrets={era: key_of(secret(f"seed {n}"), era) for era in ("2025", "2026")},
            )
            for n in names
        }  # fmt: skip
        self.members = [
            Member(self.roster, entity=e, secret=secret(e), shelf=MemberMemory(), draw=self.draw)
            for e in self.entities
        ]

    def wire(self) -> HonestWire:
        return HonestWire(self)

    def days(self, said: Mapping[str, Iterable[Statement]], *, days: int = 1, wire: Any = None) -> None:
        """Days on which all say what they have to say, the hub closes in the evening, and all ask."""
        lists = {entity: list(statements) for entity, statements in said.items()}
        for _ in range(days):
            for member in self.members:
                member.work(wire or self.wire(), lists.get(member.entity, []), day=self.day)
            self.hub.close(day=self.day)
            for member in self.members:
                member.hear(wire or self.wire())
            self.day += timedelta(days=1)

    def judged(self, member: Member, *, verifier: int = 0) -> dict[Line, Judged]:
        """What a verifier finds in each meeting that a member hands it with the secret of the line."""
        shelf: Any = member.shelf
        name = self.verifiers[verifier]
        found = {}
        for line, opens, held in shelf.meetings():
            seen = open_all(self.roster, held, opens, verifier=name, key=secret(f"seals {name}"))
            found[line] = judge(line, seen)
        return found


class HonestWire:
    """Calls hub and keepers as they are."""

    def __init__(self, world: World) -> None:
        self.world = world

    def points(self, keeper: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.world.keepers[keeper].answer(asked, day=self.world.day)

    def vouch(self, keeper: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.world.keepers[keeper].vouch(asked, day=self.world.day)

    def take(self, batch: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.world.hub.take(Batch.of_json(batch), day=self.world.day).__dict__

    def answer(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.world.hub.answer(asked, day=self.world.day)


class BrokenWire(HonestWire):
    """Loses questions and answers, says things twice, and delivers late what was sent before."""

    def __init__(self, world: World, rnd: random.Random, *, down: bool = False) -> None:
        super().__init__(world)
        self.rnd, self.down = rnd, down
        self.late: list[Callable[[], Any]] = []

    def _through(self, call: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
        if self.down or self.rnd.random() < 0.15:
            raise NoWord("perdido na ida")
        if self.rnd.random() < 0.1:
            self.late.append(call)
            raise NoWord("ainda a caminho")
        told = call()
        if self.rnd.random() < 0.2:
            told = call()
        if self.late and self.rnd.random() < 0.3:
            self._arrive()
        if self.rnd.random() < 0.15:
            raise NoWord("perdido na volta")
        return told

    def _arrive(self) -> None:
        self.rnd.shuffle(self.late)
        while self.late:
            self.late.pop()()

    def points(self, keeper: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._through(lambda: HonestWire.points(self, keeper, asked))

    def vouch(self, keeper: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._through(lambda: HonestWire.vouch(self, keeper, asked))

    def take(self, batch: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._through(lambda: HonestWire.take(self, batch))
