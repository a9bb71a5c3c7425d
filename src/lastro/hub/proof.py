"""A disclosed match: the agency sees, without asking anybody, that these entities claimed this line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lastro.hub import oprf
from lastro.hub.batch import Held, Opened, commitment
from lastro.hub.lines import HubClaim, Line, LineSecret
from lastro.hub.match import Judged, Seen, fault_of, judge
from lastro.hub.people import Roster
from lastro.hub.words import b64, unb64


class NotProved(Exception):
    """What in a disclosure does not hold, in words for the person who reads it."""


@dataclass(frozen=True)
class Transcript:
    """One keeper's answer about one line, with the scalar that hid it: the function can be recomputed."""

    keeper: str
    blind: bytes
    answer: bytes
    proof: bytes

    def output(self, roster: Roster, line: Line) -> bytes:
        """What that keeper's function says of the line. Raises NotProved."""
        keeper = roster.keeper(self.keeper)
        public = bytes.fromhex(keeper.eras.get(line.era, "")) if keeper else b""
        try:
            point = oprf.multiply(self.blind, oprf.hash_to_group(line.value))
            oprf.check(public, [point], [self.answer], self.proof)
            return oprf.finish(oprf.Blinded(line.value, self.blind, point), self.answer)
        except (oprf.BadProof, ValueError) as wrong:
            raise NotProved(f"A resposta do guardião {self.keeper} sobre este item não confere.") from wrong


def disclose(
    roster: Roster, line: Line, *, transcripts: Sequence[Transcript], seen: Sequence[Seen]
) -> dict[str, Any]:
    """Put together what shows who claimed how much of a line: what was opened, and nothing of other lines."""
    return {
        "what": "lastro hub match v1",
        "roster": roster.digest,
        "line": {"key": line.key, "line": line.line, "book": line.book},
        "keepers": [
            {"keeper": t.keeper, "blind": t.blind.hex(), "answer": t.answer.hex(), "proof": t.proof.hex()}
            for t in transcripts
        ],
        "entries": [
            {
                **one.held.to_json(),
                "claim": b64(one.opened.claim.packed()) if one.opened else "",
                "salt": one.opened.salt.hex() if one.opened else "",
            }
            for one in seen
        ],
    }


def check_disclosure(roster: Roster, told: Mapping[str, Any]) -> tuple[Line, list[HubClaim], Judged]:
    """The line, what each claimant signed about it, and what that comes to. Raises NotProved saying why not.

    An entry that was not opened is named as such: it is proved to have been sent for this line, and no more.
    """
    if told.get("roster") != roster.digest:
        raise NotProved("A prova é de outro rol de participantes.")
    try:
        line = Line(str(told["line"]["key"]), int(told["line"]["line"]), str(told["line"]["book"]))
        transcripts = [
            Transcript(str(t["keeper"]), *(bytes.fromhex(t[n]) for n in ("blind", "answer", "proof")))
            for t in told["keepers"]
        ]
        entries = [(Held.of_json(one), str(one["claim"]), str(one["salt"])) for one in told["entries"]]
        read = [(held, _opened(claim, salt)) for held, claim, salt in entries]
    except (KeyError, TypeError, ValueError) as wrong:
        raise NotProved("O arquivo não é uma prova que se leia.") from wrong
    tag = _tag(roster, line, transcripts)
    seen = [_seen(roster, tag, held, opened) for held, opened in read]
    if len({(held.header.batch, held.index) for held, _ in read}) != len(read):
        raise NotProved("A mesma entrada aparece duas vezes.")
    claims = [one.opened.claim for one in seen if one.opened and not one.fault]
    return line, claims, judge(line, seen)


def _opened(claim: str, salt: str) -> Opened | None:
    return Opened(HubClaim.of_bytes(unb64(claim)), bytes.fromhex(salt)) if claim else None


def _tag(roster: Roster, line: Line, transcripts: Sequence[Transcript]) -> bytes:
    wanted = [keeper.name for keeper in roster.keepers_of(line.era)]
    if not wanted or [one.keeper for one in transcripts] != wanted:
        raise NotProved(f"Falta a resposta de um guardião de {line.era}, ou vem fora de ordem.")
    return LineSecret.of([one.output(roster, line) for one in transcripts]).tag


def _seen(roster: Roster, tag: bytes, held: Held, opened: Opened | None) -> Seen:
    if held.tag != tag:
        raise NotProved("Uma entrada não é deste item: a marca é outra.")
    if not held.sound(roster):
        raise NotProved("Uma entrada não está num lote assinado sob um pseudônimo do rol.")
    if opened is None:
        return Seen(held, None, "o pacote não se abre com as chaves que abrem os outros")
    if commitment(tag, opened) != held.entry[32:64]:
        raise NotProved("O conteúdo mostrado não é o que foi enviado.")
    return Seen(held, opened, fault_of(roster, held, opened))
