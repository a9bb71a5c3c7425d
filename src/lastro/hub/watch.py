"""What a member believes of a hub: nothing that is not shown, and every lie with what proves it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lastro.hub.batch import Batch, Held
from lastro.hub.closing import Closing, Receipt, batch_leaf
from lastro.hub.hub import map_of
from lastro.hub.people import Roster
from lastro.hub.tagmap import BadMap, root_of, tag_leaf
from lastro.hub.words import signed_by, unb64
from lastro.publiclog import tree as log


class HubLied(Exception):
    """The hub said what cannot be true; `evidence` is signed by itself. `kind` names the lie."""

    def __init__(self, kind: str, message: str, evidence: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.kind, self.evidence = kind, dict(evidence)


class BadAnswer(Exception):
    """An answer that is not the hub's, or cannot be read: it proves nothing, and one asks again."""


@dataclass(frozen=True)
class Met:
    """A tag of one's own under which others stand."""

    tag: bytes
    mine: tuple[Held, ...]
    others: tuple[Held, ...]


def check_receipt(roster: Roster, batch: Batch, given: Receipt) -> None:
    """Raises BadAnswer unless this is the hub's receipt for this very batch."""
    mine = given.batch == batch.header.batch and given.digest == batch.header.digest.hex()
    if not mine or not given.good(roster.hub):
        raise BadAnswer("O recibo não é deste lote, ou não é do centro de custódia.")


def read_answer(
    roster: Roster, batch: Batch, given: Receipt, told: Mapping[str, Any], *, seen: Closing | None
) -> tuple[Closing, list[Met]]:
    """What the hub answered about a batch, once everything it says was recomputed.

    `seen` is the latest closing one holds. Raises BadAnswer where it is not the hub's word, HubLied
    where it is and cannot be true: it forgot the batch, tells less than its map holds, or has another log.
    """
    answer = _Answer.read(roster, told)
    if answer.asked != (batch.header.batch, seen.size if seen else 0):
        raise BadAnswer("A resposta é a outra pergunta.")
    evidence = {
        "batch": batch.to_json(),
        "receipt": given.__dict__,
        "answer": dict(told),
        "earlier": seen.note if seen else "",
    }
    compare(roster, seen, answer.closing)
    if seen is not None:
        _continues(seen, answer, evidence)
    _included(given, answer, evidence)
    return answer.closing, _met(roster, batch, answer, evidence)


@dataclass(frozen=True)
class _Answer:
    """An answer of the hub, read; its signature and that of its closing were checked."""

    asked: tuple[str, int]
    closing: Closing
    inclusion: list[bytes]
    consistency: list[bytes]
    others: list[Held]
    proof: bytes

    @classmethod
    def read(cls, roster: Roster, told: Mapping[str, Any]) -> _Answer:
        said = {name: value for name, value in told.items() if name != "signature"}
        if not signed_by(roster.hub, "answer", said, str(told.get("signature", ""))):
            raise BadAnswer("A resposta não está assinada pelo centro de custódia.")
        try:
            made = cls(
                asked=(str(said["batch"]), int(said["earlier"])),
                closing=Closing.of_note(str(said["closing"])),
                inclusion=[bytes.fromhex(step) for step in said["inclusion"]],
                consistency=[bytes.fromhex(step) for step in said["consistency"]],
                others=[Held.of_json(one) for one in said["met"]],
                proof=unb64(str(said["proof"])),
            )
        except (KeyError, TypeError, ValueError) as wrong:
            raise BadAnswer("A resposta não se lê.") from wrong
        if not made.closing.good(roster.hub):
            raise BadAnswer("O fechamento não está assinado pelo centro de custódia.")
        return made


def compare(roster: Roster, one: Closing | None, other: Closing) -> None:
    """Raises HubLied where two closings of one size differ. Members show each other theirs to find this out.

    Closings of different sizes are compared by asking the hub about the smaller one with the next question.
    """
    if one is None or one.size != other.size or (one.root, one.tags) == (other.root, other.tags):
        return
    assert all(closing.good(roster.hub) for closing in (one, other)), "only signed closings are compared"
    raise HubLied(
        "split",
        f"O centro de custódia assinou dois fechamentos diferentes de {one.size} folhas.",
        {"earlier": one.note, "later": other.note},
    )


def _continues(seen: Closing, answer: _Answer, evidence: Mapping[str, Any]) -> None:
    before, after = (seen.size, seen.root), (answer.closing.size, answer.closing.root)
    if after[0] < before[0]:
        raise HubLied(
            "rolled-back", "O centro de custódia mostra um registro menor que o de antes.", evidence
        )
    if not log.consistent(before, after, answer.consistency):
        raise HubLied("rewritten", "O registro do centro de custódia já não começa como antes.", evidence)


def _included(given: Receipt, answer: _Answer, evidence: Mapping[str, Any]) -> None:
    leaf, closing = log.leaf_hash(batch_leaf(given.digest)), answer.closing
    if not log.includes(leaf, given.index, size=closing.size, path=answer.inclusion, under=closing.root):
        raise HubLied(
            "forgotten",
            f"Há recibo do lote na posição {given.index} do registro, e o fechamento não o mostra ali.",
            evidence,
        )


def _met(roster: Roster, batch: Batch, answer: _Answer, evidence: Mapping[str, Any]) -> list[Met]:
    """The meetings, if own entries and those shown are together all that the map holds under these tags."""
    under: defaultdict[bytes, list[bytes]] = defaultdict(list)
    own: defaultdict[bytes, list[Held]] = defaultdict(list)
    for held in batch.all_held:
        under[held.tag].append(held.reference)
        own[held.tag].append(held)
    found: defaultdict[bytes, list[Held]] = defaultdict(list)
    for held in answer.others:
        if held.tag not in under or not held.sound(roster):
            raise HubLied("invented", "O centro de custódia mostra o que ninguém lhe enviou.", evidence)
        found[held.tag].append(held)
    leaves = {
        tag: tag_leaf(tag, [*references, *(held.reference for held in found.get(tag, ()))])
        for tag, references in under.items()
    }
    try:
        complete = root_of(leaves, answer.proof) == answer.closing.tags
    except BadMap:
        complete = False
    if not complete:
        raise HubLied(
            "hidden",
            "O que o centro de custódia mostra destas marcas não é tudo o que o seu fechamento contém.",
            evidence,
        )
    return [Met(tag, tuple(own[tag]), tuple(others)) for tag, others in sorted(found.items())]


def replay(batches: Sequence[Batch]) -> bytes:
    """The root of the map over batches, for a monitor who has them all: it must be that of the closing."""
    return map_of((one.tag, one.reference) for batch in batches for one in batch.all_held).root


def proves_a_lie(roster: Roster, kind: str, evidence: Mapping[str, Any]) -> bool:
    """Whether a third party sees in the evidence alone what a member saw: what lies is signed by the hub."""
    try:
        if "answer" not in evidence:
            pair = Closing.of_note(evidence["earlier"]), Closing.of_note(evidence["later"])
            if all(one.good(roster.hub) for one in pair):
                compare(roster, *pair)
            return False
        batch, given = Batch.of_json(evidence["batch"]), Receipt(**evidence["receipt"])
        seen = Closing.of_note(evidence["earlier"]) if evidence["earlier"] else None
        check_receipt(roster, batch, given)
        if log.root(batch.leaves).hex() != batch.header.root or not (seen is None or seen.good(roster.hub)):
            return False
        read_answer(roster, batch, given, evidence["answer"], seen=seen)
    except HubLied as lie:
        return lie.kind == kind
    except (KeyError, TypeError, ValueError, BadAnswer):
        return False
    return False
