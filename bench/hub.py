"""The custody hub: five entities, a fifth of whose lines collide, compared with the plain answer.

Every step is the real one: questions to a keeper with their proofs, batches into PostgreSQL, one closing,
answers checked down to the root of the map, boxes opened by a verifier. What each entity finds must be what
all claims in the open give, line by line and milligram by milligram.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import random
import shutil
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from bench.figures import table
from lastro.hub.batch import Batch
from lastro.hub.hub import Hub
from lastro.hub.keeper import Keeper, key_of, told_of
from lastro.hub.lines import HubClaim, Line, Said
from lastro.hub.match import Fit, judge, open_all
from lastro.hub.member import Member, Statement
from lastro.hub.people import HubMember, HubVerifier, Roster
from lastro.hub.words import public_of
from lastro.ids import cnpj_check_digits, mod11
from lastro.stores.postgres.hub import PostgresHub, PostgresKeeper
from lastro.stores.postgres.hub_member import PostgresMember
from lastro.stores.postgres.migrate import migrate
from lastro.stores.postgres.names import OWNER
from lastro.stores.postgres.server import PrivateServer
from lastro.stores.postgres.store import Store
from lastro.units import Mass

DAY, ENTITIES, SIZE = date(2026, 12, 1), 5, 1024
_LINE_MG = 1_000_000


def _cnpj(number: int) -> str:
    base = f"ZZBEN{number:03d}0001"
    return base + cnpj_check_digits(base)


VERIFIER = _cnpj(900)


def _secret(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def _key(number: int) -> str:
    body = f"512603{_cnpj(800 + number % 50)}55001{number:09d}1{number * 48_271 % 10**8:08d}"
    return body + mod11(body)


@dataclass(frozen=True)
class World:
    """How large, and where it is kept; small enough to be handed to another process."""

    lines: int
    conninfo: str

    @property
    def shared(self) -> int:
        """Lines that two entities claim: a fifth of each entity's."""
        return self.lines // 5 * ENTITIES // 2

    def roster(self) -> Roster:
        seals = X25519PrivateKey.from_private_bytes(_secret("seals")).public_key().public_bytes_raw().hex()
        keeper = told_of("orgao", signs=_secret("signs"), seed=_secret("seed"), eras=["2026"])
        return Roster(
            origin="bench.example/1", hub=public_of(_secret("hub")).hex(), size=SIZE,
            pace=-(-self.lines // SIZE) + 1, keepers=(keeper,), verifiers=(HubVerifier(VERIFIER, seals),),
            members=tuple(HubMember(_cnpj(n), public_of(_secret(_cnpj(n))).hex()) for n in range(ENTITIES)),
        )  # fmt: skip

    def claims(self, entity: int) -> dict[int, int]:
        """What an entity claims: note and milligrams. Notes below `shared` are claimed by two."""
        rnd = random.Random(entity)
        both = [
            n for n in range(self.shared) if entity in (n % ENTITIES, (n + 1 + n // ENTITIES % 4) % ENTITIES)
        ]
        own = range(10**7 * (entity + 1), 10**7 * (entity + 1) + self.lines)
        return {n: rnd.randrange(1, _LINE_MG) for n in [*both, *own[: self.lines - len(both)]]}

    def statements(self, entity: int) -> list[Statement]:
        return [
            Statement(
                Line(_key(n), 1, "target"),
                HubClaim(
                    said=Said.CLAIMS, entity=_cnpj(entity), verifier=VERIFIER, norm="mt/decreto_1455_2025",
                    year=2026, mass=Mass(mg), line_mass=Mass(_LINE_MG), bound="",
                    content=hashlib.sha256(b"%d" % n).hexdigest(),
                ),
            )
            for n, mg in self.claims(entity).items()
        ]  # fmt: skip

    def plain(self) -> dict[Line, dict[str, Mass]]:
        """What all claims in the open come to: the lines of which two ask, and how much each."""
        asked: defaultdict[int, dict[str, Mass]] = defaultdict(dict)
        for entity in range(ENTITIES):
            for n, mg in self.claims(entity).items():
                if n < self.shared:
                    asked[n][_cnpj(entity)] = Mass(mg)
        return {Line(_key(n), 1, "target"): by for n, by in asked.items() if len(by) > 1}


class _Wire:
    """Hub and keeper in this process, over the one database."""

    def __init__(self, roster: Roster, store: Store) -> None:
        self.hub = Hub(roster, secret=_secret("hub"), shelf=PostgresHub(store))
        secrets = {"2026": key_of(_secret("seed"), "2026")}
        self.keeper = Keeper(
            roster, signs=_secret("signs"), secrets=secrets, shelf=PostgresKeeper(store), draw=os.urandom
        )

    def points(self, keeper: str, asked: Any) -> Any:
        return self.keeper.answer(asked, day=DAY)

    def vouch(self, keeper: str, asked: Any) -> Any:
        return self.keeper.vouch(asked, day=DAY)

    def take(self, batch: Any) -> Any:
        return self.hub.take(Batch.of_json(batch), day=DAY).__dict__

    def answer(self, asked: Any) -> Any:
        return self.hub.answer(asked, day=DAY)


def _member(world: World, entity: int) -> tuple[Member, PostgresMember, _Wire]:
    store, roster, name = Store(world.conninfo), world.roster(), _cnpj(entity)
    shelf = PostgresMember(store, name)
    member = Member(roster, entity=name, secret=_secret(name), shelf=shelf, draw=os.urandom)
    return member, shelf, _Wire(roster, store)


def _send(world: World, entity: int) -> dict[str, float]:
    member, _, wire = _member(world, entity)
    start = time.process_time()
    member.prepare(wire, world.statements(entity), day=DAY)
    made = time.process_time()
    member.send(wire)
    return {"perguntas e lotes": made - start, "envio": time.process_time() - made}


def _hear(world: World, entity: int) -> dict[str, float]:
    member, shelf, wire = _member(world, entity)
    start = time.process_time()
    member.hear(wire)
    heard = time.process_time()
    found = {}
    for line, opens, held in shelf.meetings():
        seen = open_all(member.roster, held, opens, verifier=VERIFIER, key=_secret("seals"))
        found[line] = judge(line, seen)
    opened = time.process_time()
    name = _cnpj(entity)
    wanted = {line: by for line, by in world.plain().items() if name in by}
    assert {line: one.asked for line, one in found.items()} == wanted, "what was found is what there is"
    for line, one in found.items():
        fits = sum(mass.mg for mass in wanted[line].values()) <= _LINE_MG
        assert one.fit is (Fit.FITS if fits else Fit.EXCEEDS), "and the sums are the same"
    return {"respostas conferidas": heard - start, "abertura": opened - heard, "itens em comum": len(found)}


def run(*, lines: int, workers: int = 2) -> None:
    """Five entities with so many lines each; raises AssertionError where the plain answer is another."""
    folder = Path(tempfile.mkdtemp(prefix="lastro-bench-"))
    folder.chmod(0o711)
    try:
        with PrivateServer(folder) as server:
            migrate(server.conninfo(OWNER))
            _measured(World(lines, server.conninfo()), workers)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _measured(world: World, workers: int) -> None:
    start, entities = time.perf_counter(), range(ENTITIES)
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(workers) as pool:
        sent = pool.starmap(_send, [(world, entity) for entity in entities])
    between = time.perf_counter()
    store = Store(world.conninfo)
    closing = Hub(world.roster(), secret=_secret("hub"), shelf=PostgresHub(store)).close(day=DAY)
    store.close()
    closed = time.perf_counter()
    with spawn.Pool(workers) as pool:
        heard = pool.starmap(_hear, [(world, entity) for entity in entities])
    end = time.perf_counter()
    claims = ENTITIES * world.lines
    print(f"\nCentro de custódia: {ENTITIES} entidades × {world.lines} itens, {len(world.plain())} em comum")
    print(f"Cada entidade achou exatamente o que se acha às claras; registro de {closing.size} folhas.")
    steps = [(name, sum(one[name] for one in sent)) for name in sent[0]]
    steps += [(name, sum(one[name] for one in heard)) for name in list(heard[0])[:2]]
    rows = [(name, f"{seconds:.1f} s", f"{seconds / claims * 1e6:.0f} µs") for name, seconds in steps]
    rows.append(("fechamento", f"{closed - between:.1f} s", f"{(closed - between) / claims * 1e6:.0f} µs"))
    table("Segundos de um núcleo, e por reivindicação:", rows)
    print(f"Do começo ao fim, com {workers} processos: {end - start:.0f} s.")
