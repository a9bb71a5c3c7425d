"""Who may ask what, and how often: one below, at and above each bound."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from lastro.hub import oprf
from lastro.hub.batch import Batch, Pseudonym, pack
from lastro.hub.hub import ANSWERS_A_BATCH, HubRefuses
from lastro.hub.people import vouch, week_of
from lastro.hub.words import b64, public_of, sign
from tests.hub.worlds import DAY, World, secret, statement


def _question(
    world: World, points: int, *, entity: str = "", signs: str = "", era: str = "2026"
) -> dict[str, Any]:
    entity = entity or world.entities[0]
    drawn = b"".join(oprf.random_point(world.draw) for _ in range(points))
    said = {"entity": entity, "era": era, "points": b64(drawn)}
    return {**said, "signature": sign(secret(signs or entity), "points", said)}


def test_a_keeper_answers_so_many_points_a_day_and_the_same_question_once() -> None:
    world = World(size=4, pace=2)  # 12 points a day
    keeper = world.keepers["orgao"]
    first = _question(world, 4)
    for question in (first, _question(world, 4), _question(world, 3)):
        keeper.answer(question, day=DAY)
    keeper.answer(first, day=DAY)
    with pytest.raises(HubRefuses, match="amanhã") as no:
        keeper.answer(_question(world, 2), day=DAY)
    assert no.value.status == 429
    keeper.answer(_question(world, 1), day=DAY)
    with pytest.raises(HubRefuses, match="amanhã"):
        keeper.answer(_question(world, 1), day=DAY)
    keeper.answer(_question(world, 1, entity=world.entities[1]), day=DAY)
    keeper.answer(_question(world, 4), day=DAY + timedelta(days=1))


@pytest.mark.parametrize(
    ("bend", "says"),
    [
        ({"points": 5}, "de 1 a 4"),
        ({"points": 0}, "de 1 a 4"),
        ({"points": 1, "signs": "somebody"}, "assinatura"),
        ({"points": 1, "entity": "ZZNOBODY000000"}, "rol"),
        ({"points": 1, "era": "1999"}, "1999"),
    ],
)
def test_what_a_keeper_does_not_answer(bend: dict[str, Any], says: str) -> None:
    world = World(size=4)
    with pytest.raises(HubRefuses, match=says):
        world.keepers["orgao"].answer(_question(world, **bend), day=DAY)


def test_what_is_no_point_is_refused() -> None:
    world = World(size=4)
    said = {"entity": world.entities[0], "era": "2026", "points": b64(bytes(32))}
    with pytest.raises(HubRefuses, match="ponto do grupo"):
        world.keepers["orgao"].answer(
            {**said, "signature": sign(secret(said["entity"]), "points", said)}, day=DAY
        )


def test_a_member_has_one_pseudonym_a_week() -> None:
    world = World()
    keeper = world.keepers["orgao"]

    def ask(name: str, day: Any) -> dict[str, str]:
        said = {"entity": world.entities[0], "pseudonym": public_of(secret(name)).hex()}
        return keeper.vouch({**said, "signature": sign(secret(said["entity"]), "pseudonym", said)}, day=day)

    assert ask("one", DAY) == ask("one", DAY + timedelta(days=1))
    with pytest.raises(HubRefuses, match="já tem"):
        ask("two", DAY + timedelta(days=2))
    assert ask("two", DAY + timedelta(days=7))["starts"] == "2026-12-07"


def _pseudonym(world: World, *, starts: Any = None, by: str = "signs orgao") -> Pseudonym:
    mine = secret("pseudonym")
    week = starts or week_of(DAY)
    given = vouch(secret(by), pseudonym=public_of(mine).hex(), starts=week, keeper="orgao")
    return Pseudonym(mine, given)


def _batch(world: World, pseudonym: Pseudonym | None = None) -> Batch:
    return pack([], roster=world.roster, pseudonym=pseudonym or _pseudonym(world), draw=world.draw)


def test_the_hub_takes_two_days_worth_of_batches_a_day_and_each_once() -> None:
    world = World(pace=2)
    batches = [_batch(world) for _ in range(5)]
    receipts = [world.hub.take(batch, day=DAY) for batch in batches[:4]]
    assert world.hub.take(batches[0], day=DAY) == receipts[0]
    with pytest.raises(HubRefuses, match="amanhã") as no:
        world.hub.take(batches[4], day=DAY)
    assert no.value.status == 429
    world.hub.take(batches[4], day=DAY + timedelta(days=1))
    assert [one.index for one in receipts] == [0, 1, 2, 3]


def test_another_batch_under_a_known_name_is_refused() -> None:
    world = World()
    batch = _batch(world)
    world.hub.take(batch, day=DAY)
    header = replace(batch.header, signature="")
    again = replace(
        header, signature=sign(secret("pseudonym"), "batch", {**header.said(), "root": "00" * 32})
    )
    with pytest.raises(HubRefuses) as no:
        world.hub.take(Batch(again, batch.entries), day=DAY)
    assert no.value.status == 409


@pytest.mark.parametrize(("days", "taken"), [(-2, False), (-1, True), (0, True), (12, True), (13, False)])
def test_a_voucher_holds_for_its_week_and_the_next(days: int, taken: bool) -> None:
    world = World()  # the week begins on Monday, 30 November
    batch = _batch(world)
    if taken:
        assert world.hub.take(batch, day=DAY + timedelta(days=days)).index == 0
    else:
        with pytest.raises(HubRefuses, match="semanas"):
            world.hub.take(batch, day=DAY + timedelta(days=days))


def test_the_hub_takes_only_what_is_whole_and_signed() -> None:
    world = World(size=4)
    good = _batch(world)
    header = good.header

    def signed(**changes: Any) -> Any:
        bent = replace(header, **changes)
        return replace(bent, signature=sign(secret("pseudonym"), "batch", bent.said()))

    small = World(size=3)
    wrong = [
        (Batch(replace(header, signature="00" * 64), good.entries), "assinatura"),
        (_batch(world, _pseudonym(world, by="somebody")), "guardião"),
        (Batch(signed(count=3), good.entries), "4 entradas"),
        (_batch(small, _pseudonym(world)), "4 entradas"),
        (Batch(header, good.entries[::-1]), "cabeçalho"),
        (Batch(header, tuple(one[:-1] for one in good.entries)), "288 bytes"),
        (Batch(signed(keys={}), good.entries), "verificador"),
        (Batch(signed(keys={**header.keys, "ZZSPY": "00"}), good.entries), "verificador"),
    ]
    for batch, says in wrong:
        with pytest.raises(HubRefuses, match=says):
            world.hub.take(batch, day=DAY)
    assert not world.shelf.log
    assert world.hub.take(good, day=DAY).index == 0


def test_only_the_sender_is_answered_and_not_without_end() -> None:
    world = World(pace=1)
    entity = world.entities[0]
    world.days({entity: [statement(1, entity)]})
    (sent,) = world.members[0].shelf.sent()
    said = {"batch": sent.batch.header.batch, "earlier": 0}
    for signer in (secret(entity), secret("somebody")):
        with pytest.raises(HubRefuses) as no:
            world.hub.answer({**said, "signature": sign(signer, "ask", said)}, day=DAY)
        assert no.value.status == 404
    mine = {**said, "signature": sign(sent.secret, "ask", said)}
    for _ in range(ANSWERS_A_BATCH - 1):  # the day's round was one
        world.hub.answer(mine, day=DAY)
    with pytest.raises(HubRefuses) as no:
        world.hub.answer(mine, day=DAY)
    assert no.value.status == 429
    world.hub.answer(mine, day=DAY + timedelta(days=1))


def test_before_its_closing_nothing_is_answered() -> None:
    world = World(pace=1)
    member = world.members[0]
    member.work(world.wire(), [], day=DAY)
    done = member.hear(world.wire())
    assert (done.heard, len(done.waits)) == (0, 1)
    world.hub.close(day=DAY)
    assert member.hear(world.wire()).heard == 1
