"""A hub that lies is caught, with a proof; an honest one cannot be accused."""

from __future__ import annotations

import copy
from dataclasses import replace
from datetime import timedelta

import pytest

from lastro.hub import hub as hub_module
from lastro.hub.batch import Batch
from lastro.hub.closing import Closing, close
from lastro.hub.hub import Hub
from lastro.hub.member import Member, Statement
from lastro.hub.watch import BadAnswer, HubLied, check_receipt, compare, proves_a_lie, read_answer, replay
from lastro.hub.words import sign
from tests.hub import liars
from tests.hub.shelves import MemberMemory
from tests.hub.worlds import DAY, World, secret, statement


def _said(world: World) -> dict[str, list[Statement]]:
    return {entity: [statement(1, entity), statement(2, entity)] for entity in world.entities}


def _caught(world: World, kind: str) -> HubLied:
    """The lie that some member finds when it asks, whose evidence convinces a third party."""
    lie = next(found for member in world.members if (found := _heard(world, member)))
    assert lie.kind == kind
    assert proves_a_lie(world.roster, kind, lie.evidence)
    for other in {"hidden", "invented", "forgotten", "split", "rolled-back", "rewritten"} - {kind}:
        assert not proves_a_lie(world.roster, other, lie.evidence)
    return lie


def _heard(world: World, member: Member) -> HubLied | None:
    try:
        member.hear(world.wire())
    except HubLied as lie:
        return lie
    return None


def _everybody_sends(world: World) -> None:
    for member in world.members:
        member.work(world.wire(), _said(world)[member.entity], day=world.day)
    world.hub.close(day=world.day)


@pytest.mark.parametrize(
    ("liar", "kind"),
    [
        (liars.HidesMeetings, "hidden"),
        (liars.HidesOne, "hidden"),
        (liars.Invents, "invented"),
        (liars.Forgets, "forgotten"),
    ],
)
def test_a_lie_is_caught_by_whoever_asks(liar: type[Hub], kind: str) -> None:
    world = World(members=2, pace=1)
    liars.lying(world, liar)
    _everybody_sends(world)
    lie = _caught(world, kind)
    bent = copy.deepcopy(lie.evidence)
    bent["answer"]["batch"] = "00" * 16
    assert not proves_a_lie(world.roster, kind, bent)


def test_who_is_left_out_of_the_map_finds_out(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(members=2, pace=1)
    world.shelf = liars.DropsFromTheMap()
    monkeypatch.setattr(hub_module, "TagMap", liars.ProvesWhatItHas)
    liars.lying(world, Hub)
    for member in world.members:
        member.work(world.wire(), _said(world)[member.entity], day=world.day)
    world.hub.close(day=world.day)
    world.members[1].hear(world.wire())  # sees nothing amiss, and nothing that meets
    assert not world.judged(world.members[1])
    _caught(world, "hidden")


def test_two_views_are_told_apart_when_members_show_each_other_their_closings() -> None:
    world, other = World(members=2, pace=1), World(members=2, pace=1)
    for one, part in ((world, 0), (other, 1)):
        member = one.members[part]
        member.work(one.wire(), [statement(1, member.entity)], day=one.day)
        one.hub.close(day=one.day)
        member.hear(one.wire())
    a, b = world.members[0].shelf.seen(), other.members[1].shelf.seen()
    assert a is not None
    assert b is not None
    assert a.size == b.size
    with pytest.raises(HubLied) as lie:
        compare(world.roster, a, b)
    assert lie.value.kind == "split"
    assert proves_a_lie(world.roster, "split", lie.value.evidence)
    assert not proves_a_lie(world.roster, "split", {"earlier": a.note, "later": a.note})
    compare(world.roster, a, a)


def test_one_log_with_two_maps_is_a_split_view_too() -> None:
    world = World()
    first = world.hub.close(day=DAY)
    roots = (first.root, b"m" * 32)
    second = close(secret("hub"), origin=world.roster.origin, size=first.size, roots=roots, day=first.day)
    with pytest.raises(HubLied, match="diferentes"):
        compare(world.roster, first, second)


def test_a_log_rolled_back_or_written_anew_is_caught() -> None:
    for kind in ("rolled-back", "rewritten"):
        world = World(members=2, pace=1)
        world.days(_said(world))
        world.day += timedelta(days=0)
        seen = world.members[0].shelf.seen()
        assert seen is not None
        if kind == "rewritten":
            world.shelf.log[1] = b"something else"
            world.members[1].work(world.wire(), [statement(9, world.entities[1])], day=world.day)
            world.hub.close(day=world.day)
        else:
            size = seen.size + 1
            later = close(
                secret("hub"),
                origin=world.roster.origin,
                size=size,
                roots=(b"r" * 32, b"m" * 32),
                day="2026-12-01",
            )
            world.members[0].shelf.keep_closing(later)
        shelf = world.members[0].shelf
        assert isinstance(shelf, MemberMemory)
        shelf.answered.clear()
        _caught(world, kind)


def test_an_honest_hub_cannot_be_accused() -> None:
    world = World(members=2, pace=1)
    world.days(_said(world))
    member = world.members[0]
    (sent,) = member.shelf.sent()
    said = {"batch": sent.batch.header.batch, "earlier": 0}
    told = world.hub.answer({**said, "signature": sign(sent.secret, "ask", said)}, day=world.day)
    honest = {
        "batch": sent.batch.to_json(), "receipt": sent.receipt.__dict__, "answer": told, "earlier": "",
    }  # fmt: skip
    for kind in ("hidden", "invented", "forgotten", "rolled-back", "rewritten", "split"):
        assert not proves_a_lie(world.roster, kind, honest)
    other = Batch(sent.batch.header, sent.batch.entries[::-1])
    for bent in (
        {**honest, "batch": other.to_json()},
        {**honest, "receipt": liars.forged_receipt(sent.batch).__dict__},
        {**honest, "answer": {**told, "met": []}},
        {**honest, "answer": {**told, "proof": ""}},
        {},
    ):
        assert not any(
            proves_a_lie(world.roster, kind, bent) for kind in ("hidden", "invented", "forgotten", "split")
        )


def test_what_the_hub_did_not_sign_is_not_believed() -> None:
    world = World(members=2, pace=1)
    world.days(_said(world))
    (sent,) = world.members[0].shelf.sent()
    with pytest.raises(BadAnswer, match="recibo"):
        check_receipt(world.roster, sent.batch, liars.forged_receipt(sent.batch))
    with pytest.raises(BadAnswer, match="assinada"):
        read_answer(world.roster, sent.batch, sent.receipt, {"batch": "", "signature": "00"}, seen=None)


def test_a_monitor_with_all_batches_computes_the_map_of_the_closing() -> None:
    world = World(members=2, pace=2)
    world.days(_said(world))
    closing = world.shelf.closings[0]
    batches = [batch for batch, _ in world.shelf.batches.values()]
    assert replay(batches) == closing.tags
    assert replay(batches[1:]) != closing.tags


def test_a_closing_has_one_spelling() -> None:
    world = World()
    closing = world.hub.close(day=DAY)
    assert Closing.of_note(closing.note) == closing
    assert closing.good(world.roster.hub)
    assert not replace(closing, note=closing.note.replace("2026-12-01", "2026-12-02")).good(world.roster.hub)
    for wrong in ("", closing.note[:-1], "x\n" + closing.note, closing.note.replace("\n0\n", "\n00\n")):
        with pytest.raises(ValueError, match="closing"):
            Closing.of_note(wrong)
