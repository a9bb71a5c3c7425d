"""Who can open what; what is proved to the agency, and that nothing bent proves anything."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from lastro.hub.batch import ENTRY, Held, Unreadable, open_entry, open_key
from lastro.hub.lines import HubClaim, LineSecret, Said
from lastro.hub.match import Fit, judge, open_all
from lastro.hub.proof import NotProved, check_disclosure, disclose
from lastro.hub.words import b64
from lastro.units import Mass
from tests.hub.shelves import MemberMemory
from tests.hub.worlds import World, secret, statement


def _met() -> tuple[World, Held, LineSecret]:
    world = World(members=2, size=4, pace=1)
    a, b = world.entities
    world.days({a: [statement(1, a, asks=600)], b: [statement(1, b, asks=500)]})
    shelf = world.members[0].shelf
    assert isinstance(shelf, MemberMemory)
    (met,) = shelf.met.values()
    ((_, opens),) = shelf.lines.items()
    return world, met.others[0], opens


def test_a_box_needs_the_verifiers_key_and_the_line() -> None:
    world, held, opens = _met()
    name, batch = world.verifiers[1], held.header.batch
    key = open_key(held.header.keys[name], secret(f"seals {name}"), batch)
    claim = open_entry(held.entry, opens, batch_key=key).claim
    assert (claim.entity, claim.asked, claim.said) == (world.entities[1], Mass(500), Said.CLAIMS)
    for wrong in (secret("seals nobody"), secret(f"seals {world.verifiers[0]}")):
        with pytest.raises(Unreadable):
            open_key(held.header.keys[name], wrong, batch)
    with pytest.raises(Unreadable):
        open_key(held.header.keys[name], secret(f"seals {name}"), "another batch")
    with pytest.raises(Unreadable):
        open_entry(held.entry, LineSecret(b"guess" * 13), batch_key=key)
    with pytest.raises(Unreadable):
        open_entry(held.entry, opens, batch_key=b"g" * 32)
    for at in range(ENTRY):
        bent = bytes(byte ^ (i == at) for i, byte in enumerate(held.entry))
        with pytest.raises(Unreadable):
            open_entry(bent, opens, batch_key=key)


def test_what_the_hub_keeps_names_nobody_and_nothing() -> None:
    world, _, opens = _met()
    kept = json.dumps([batch.to_json() for batch, _ in world.shelf.batches.values()])
    raw = b"".join(e for batch, _ in world.shelf.batches.values() for e in batch.entries)
    line = statement(1, world.entities[0]).line
    for word in (*world.entities, line.key, "600", "mt/decreto"):
        assert word.encode() not in raw
        if len(word) > 3:
            assert word not in kept
    assert opens.tag in raw  # the tag is there, and says nothing
    assert {len(batch.entries) for batch, _ in world.shelf.batches.values()} == {world.roster.size}
    assert {len(batch.to_json()["entries"]) for batch, _ in world.shelf.batches.values()} == {
        4 * ENTRY * 4 // 3
    }


def test_a_claim_in_its_bytes_is_itself() -> None:
    for one in (
        statement(1, "ZZHUB001000100"),
        statement(2, "ZZHUB001000100", asks=None, said=Said.WITHDRAWS),
    ):
        claim = HubClaim(**{**one.claim.__dict__, "bound": "ab" * 64})
        assert HubClaim.of_bytes(claim.packed()) == claim
        with pytest.raises(ValueError, match="claim"):
            HubClaim.of_bytes(claim.packed()[:-1])


def test_somebody_who_speaks_in_anothers_name_is_named_not_believed() -> None:
    world = World(members=2, size=4, pace=1)
    a, b = world.entities
    # The second member seals a claim that names the first as its claimant.
    world.days({a: [statement(1, a)], b: [statement(1, a)]})
    (judged,) = world.judged(world.members[0]).values()
    assert judged.fit is Fit.UNREADABLE
    assert judged.faults == (f"{a} não assinou por este pseudônimo",)


def _disclosed() -> tuple[World, dict[str, Any]]:
    world, _, opens = _met()
    member = world.members[0]
    shelf = member.shelf
    assert isinstance(shelf, MemberMemory)
    line = statement(1, world.entities[0]).line
    (met,) = shelf.met.values()
    name = world.verifiers[0]
    seen = open_all(world.roster, [*met.mine, *met.others], opens, verifier=name, key=secret(f"seals {name}"))
    assert judge(line, seen).fit is Fit.EXCEEDS
    transcripts = member.transcripts(world.wire(), line)
    return world, disclose(world.roster, line, transcripts=transcripts, seen=seen)


def test_the_agency_sees_who_claimed_how_much_of_what() -> None:
    world, told = _disclosed()
    line, claims, judged = check_disclosure(world.roster, json.loads(json.dumps(told)))
    assert line == statement(1, world.entities[0]).line
    assert {claim.entity: claim.asked for claim in claims} == judged.asked
    assert judged.asked == {world.entities[0]: Mass(600), world.entities[1]: Mass(500)}
    assert judged.fit is Fit.EXCEEDS


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [leaf for name, inner in value.items() for leaf in _leaves(inner, (*path, name))]
    if isinstance(value, list):
        return [leaf for at, inner in enumerate(value) for leaf in _leaves(inner, (*path, at))]
    return [path]


def test_nothing_in_a_proof_may_be_changed() -> None:
    world, told = _disclosed()
    whole = check_disclosure(world.roster, told)
    changed = 0
    for path in _leaves(told):
        if path == ("what",):
            continue
        bent = copy.deepcopy(told)
        inner = bent
        for step in path[:-1]:
            inner = inner[step]
        old = inner[path[-1]]
        inner[path[-1]] = old + 1 if isinstance(old, int) else ("1" if old[:1] != "1" else "2") + old[1:]
        try:
            assert check_disclosure(world.roster, bent) == whole, path
        except NotProved:
            changed += 1
    assert changed == len(_leaves(told)) - 1


def test_a_proof_of_other_people_or_with_an_entry_twice_is_none() -> None:
    world, told = _disclosed()
    other = World(members=3)
    with pytest.raises(NotProved, match="rol"):
        check_disclosure(other.roster, told)
    with pytest.raises(NotProved, match="duas vezes"):
        check_disclosure(world.roster, {**told, "entries": [*told["entries"], told["entries"][0]]})
    with pytest.raises(NotProved, match="guardião"):
        check_disclosure(world.roster, {**told, "keepers": told["keepers"][:1]})
    closed = {**told["entries"][1], "claim": "", "salt": ""}
    _, _, judged = check_disclosure(world.roster, {**told, "entries": [told["entries"][0], closed]})
    assert judged.fit is Fit.UNREADABLE
    claim = b64(HubClaim(**{**statement(1, world.entities[1]).claim.__dict__, "bound": "00" * 64}).packed())
    with pytest.raises(NotProved, match="enviado"):
        check_disclosure(
            world.roster, {**told, "entries": [told["entries"][0], {**told["entries"][1], "claim": claim}]}
        )
