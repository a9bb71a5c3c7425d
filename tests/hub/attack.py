"""Guessing access keys from public data, by everybody who may want to: `python -m tests.hub.attack`.

Of one note everything is known but the eight digits that its issuer drew: UF, month, CNPJ, model, series and
number. The attackers try them all against what a base of plain hashes keeps, and against what the hub keeps.
`--space` takes fewer than the 10^8 there are; the time for all of them is said beside.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import Any

from lastro.hub import oprf
from lastro.hub.batch import entries_of
from lastro.hub.hub import HubRefuses
from lastro.hub.keeper import key_of
from lastro.hub.lines import Line, LineSecret
from lastro.hub.words import b64, sign, unb64
from tests.hub.worlds import World, key, secret, statement

ALL = 10**8
NUMBER = 4_711


@dataclass(frozen=True)
class Tried:
    """How an attack went: how many keys were tried, and the lines it found."""

    name: str
    tries: int
    found: tuple[str, ...]
    seconds: float

    @property
    def won(self) -> bool:
        return bool(self.found)


def guesses(space: int) -> Iterator[Line]:
    """Every line that the note may be, in the order of the unknown digits."""
    for code in range(space):
        yield Line(key(NUMBER, code=code), 1, "target")


def _search(name: str, lines: Iterator[Line], hit: Callable[[Line], bool]) -> Tried:
    start, tries, found = time.perf_counter(), 0, []
    for line in lines:
        tries += 1
        if hit(line):
            found.append(line.key)
            break
    return Tried(name, tries, tuple(found), time.perf_counter() - start)


def victim(world: World, code: int) -> Line:
    """The first member claims the note, the second another one; the hub closes."""
    a, b = world.entities[:2]
    one = statement(NUMBER, a)
    line = Line(key(NUMBER, code=code), 1, "target")
    world.days({a: [type(one)(line, one.claim)], b: [statement(1, b)]})
    return line


# ── attackers ────────────────────────────────────────────────────────────────────────────────────────


def on_plain_hashes(line: Line, space: int) -> Tried:
    """Whoever holds a base of unkeyed hashes of (key, line, book)."""
    kept = {hashlib.sha256(line.value).digest()}
    return _search(
        "resumos sem chave", guesses(space), lambda one: hashlib.sha256(one.value).digest() in kept
    )


def on_salted_hashes(line: Line, space: int) -> Tried:
    """Whoever holds a base of hashes under a salt that all members share, and got it from one of them."""
    salt = b"shared by all members"
    kept = {hmac.digest(salt, line.value, "sha256")}
    return _search(
        "resumos com sal comum", guesses(space), lambda one: hmac.digest(salt, one.value, "sha256") in kept
    )


def everything_kept(world: World) -> set[bytes]:
    """Every 32 bytes that the hub holds as a field: tags, commitments, digests, roots, its own keys."""
    fields: set[bytes] = {secret("hub"), bytes.fromhex(world.roster.hub)}
    for batch, given in world.shelf.batches.values():
        for entry in entries_of(unb64(batch.to_json()["entries"])):
            fields |= {entry[:32], entry[32:64]}
        fields |= {batch.header.digest, bytes.fromhex(batch.header.root), bytes.fromhex(given.digest)}
        fields.add(bytes.fromhex(batch.header.voucher.pseudonym))
    for closing in world.shelf.closings:
        fields |= {closing.root, closing.tags}
    return fields


def as_the_hub(world: World, space: int) -> Tried:
    """The hub's operator, with all it keeps: each guess under every function and key that it can make."""
    kept = everything_kept(world)
    public = [bytes.fromhex(point) for keeper in world.roster.keepers for point in keeper.eras.values()]
    keys = [secret("hub"), bytes.fromhex(world.roster.hub), *public]
    wrong_key = oprf.derive_key(secret("hub"), b"guess")

    def hit(line: Line) -> bool:
        value = line.value
        made = [hashlib.sha256(value).digest(), hashlib.sha512(value).digest()[:32]]
        made += [hmac.digest(one, value, "sha256") for one in keys]
        made += [LineSecret.of([value]).tag, hashlib.sha256(b"lastro hub tag v1" + value).digest()]
        if int(line.key[35:43]) % 64 == 0:  # a multiplication costs as much as sixty hashes
            made.append(LineSecret.of([oprf.plain(wrong_key, value)] * len(world.keepers)).tag)
        return not kept.isdisjoint(made)

    return _search("operador do centro, com tudo o que guarda", guesses(space), hit)


def as_a_member(world: World, space: int, *, days: int) -> Tried:
    """The hub's operator with one member's key: guesses through the keepers, as many a day as they answer."""
    kept, entity = everything_kept(world), world.entities[1]
    lines, start, tries = guesses(space), time.perf_counter(), 0
    found: list[str] = []
    world.day += timedelta(days=1)  # a fresh day's quota
    for _ in range(days):
        asked = True
        while asked and not found:
            part = [line for _, line in zip(range(world.roster.size), lines, strict=False)]
            outputs = _through_keepers(world, entity, part)
            asked = outputs is not None and bool(part)
            tries += len(part) if asked else 0
            found += [line.key for line, made in zip(part, outputs or [], strict=False) if made.tag in kept]
            if not asked:
                lines = iter([*part, *lines])
        world.day += timedelta(days=1)
    return Tried(f"operador e uma entidade, {days} dias", tries, tuple(found), time.perf_counter() - start)


def _through_keepers(world: World, entity: str, lines: Sequence[Line]) -> list[LineSecret] | None:
    blinded = [oprf.blind(line.value, world.draw) for line in lines]
    said = {"entity": entity, "era": "2026", "points": b64(b"".join(one.point for one in blinded))}
    asked: dict[str, Any] = {**said, "signature": sign(secret(entity), "points", said)}
    outputs: list[list[bytes]] = [[] for _ in lines]
    for keeper in world.keepers.values():
        try:
            data = unb64(keeper.answer(asked, day=world.day)["points"])
        except HubRefuses:
            return None
        for at, (made, one) in enumerate(zip(outputs, blinded, strict=True)):
            made.append(oprf.finish(one, data[32 * at : 32 * at + 32]))
    return [LineSecret.of(made) for made in outputs]


def with_all_keepers(world: World, space: int) -> Tried:
    """The hub and every keeper together: the bound that is none, since they hold all keys."""
    kept = everything_kept(world)
    keys = [key_of(secret(f"seed {name}"), "2026") for name in world.keepers]

    def hit(line: Line) -> bool:
        return LineSecret.of([oprf.plain(one, line.value) for one in keys]).tag in kept

    return _search("operador e todos os guardiões", guesses(space), hit)


def with_one_keeper(world: World, space: int) -> Tried:
    """The hub and one keeper of two: the other one's answer is missing."""
    kept, name = everything_kept(world), next(iter(world.keepers))
    mine, guess = key_of(secret(f"seed {name}"), "2026"), oprf.derive_key(secret("guess"), b"")

    def hit(line: Line) -> bool:
        own, other = oprf.plain(mine, line.value), oprf.plain(guess, line.value)
        made = [LineSecret.of(outputs).tag for outputs in ([own], [own, own], [own, other], [other, own])]
        return not kept.isdisjoint(made)

    return _search("operador e um guardião de dois", guesses(space), hit)


def days_for_all(world: World, members: int = 1) -> Fraction:
    """The stated bound: days to try every key of one note through the keepers."""
    return Fraction(ALL, world.roster.quota * members)


def main() -> int:
    parser = argparse.ArgumentParser(description="Adivinha chaves de acesso a partir de dados públicos.")
    parser.add_argument("--space", type=int, default=200_000, help="quantos dos 10^8 códigos se tentam")
    call = parser.parse_args()
    space = call.space
    world = World(members=2, size=32, pace=2)
    line = victim(world, code=space - 1)
    slow = min(space, 3_000)
    near = World(members=2, size=32, pace=2)
    victim(near, code=slow - 1)
    results = [
        (on_plain_hashes(line, space), True),
        (on_salted_hashes(line, space), True),
        (as_the_hub(world, space), False),
        (with_one_keeper(near, slow), False),
        (as_a_member(near, slow, days=3), False),
        (with_all_keepers(near, slow), True),
    ]
    print(
        f"Uma nota de que se sabe tudo menos 8 algarismos; {space} códigos ({slow} nas tentativas lentas).\n"
    )
    for tried, expected in results:
        whole = tried.seconds / max(tried.tries, 1) * ALL / 3600
        said = f"achou {tried.found[0]}" if tried.won else "não achou"
        print(f"- {tried.name}: {tried.tries} tentativas, {said} (10^8 levariam {whole:.1f} h de um núcleo)")
        if tried.won is not expected:
            print("  NÃO É O QUE SE PROMETE")
            return 1
    quota = near.roster.quota
    print(f"\nPelos guardiões: {quota} por dia e entidade; os 10^8, {float(days_for_all(near)):.0f} dias.")
    print(f"Num rol de 8 lotes de 1024 por dia: {float(Fraction(ALL, 9 * 1024)):.0f} dias.")
    return 0 if results[4][0].tries == 3 * quota else 1


if __name__ == "__main__":
    raise SystemExit(main())
