"""A member of the hub: what it asks keepers, what it sends, and what it has still to hear.

Every step can be cut off and done again: what is sent is written down first and sent again as it was, and
each answer is taken once. A day without a hub or a keeper only makes the next day's work longer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Protocol

from lastro.hub import oprf
from lastro.hub.batch import Batch, Pseudonym, bind, pack
from lastro.hub.closing import Closing, Receipt
from lastro.hub.hub import HubRefuses
from lastro.hub.lines import HubClaim, Line, LineSecret
from lastro.hub.people import Roster, TagKeeper, Voucher, vouched, week_of
from lastro.hub.proof import Transcript
from lastro.hub.watch import BadAnswer, Met, check_receipt, read_answer
from lastro.hub.words import b64, digest, public_of, sign, unb64

_LATER = (409, 429)
"""What a hub answers where the same question is right later: not closed yet, or too often asked."""


_NONE_YET = -2


class NoWord(Exception):
    """Nothing was heard from the other side, or that one may ask again later."""


class Wire(Protocol):
    """The way to the hub and to keepers. Raises NoWord where no answer came; HubRefuses where one refused."""

    def points(self, keeper: str, asked: Mapping[str, Any]) -> Mapping[str, Any]: ...

    def vouch(self, keeper: str, asked: Mapping[str, Any]) -> Mapping[str, Any]: ...

    def take(self, batch: Mapping[str, Any]) -> Mapping[str, Any]: ...

    def answer(self, asked: Mapping[str, Any]) -> Mapping[str, Any]: ...


@dataclass(frozen=True)
class Statement:
    """What the entity has to say of a line; `claim` is signed for no pseudonym yet."""

    line: Line
    claim: HubClaim

    @property
    def name(self) -> str:
        """By which it is said once: what is claimed of what, whatever pseudonym says it."""
        plain = replace(self.claim, bound="00" * 64).packed()
        return digest("statement", self.line.value, plain).hex()


@dataclass(frozen=True)
class Asked:
    """A question to the keepers, written down before it is sent: the blinds open the answers."""

    era: str
    lines: tuple[Line, ...]
    blinds: tuple[bytes, ...]
    points: str


@dataclass(frozen=True)
class Sent:
    """A batch with its receipt, its pseudonym's secret, and the size of the closing last asked at (or -1)."""

    batch: Batch
    receipt: Receipt
    secret: bytes = field(repr=False)
    answered_at: int = -1  # before the first answer


class MemberShelf(Protocol):
    """What a member keeps. What is written inside of `changing` is there as a whole or not at all."""

    def changing(self) -> AbstractContextManager[None]: ...

    def secrets(self, lines: Sequence[Line]) -> Mapping[Line, LineSecret]: ...

    def keep_secrets(self, secrets: Mapping[Line, LineSecret]) -> None: ...

    def asked(self) -> Sequence[Asked]: ...

    def keep_asked(self, asked: Asked) -> None: ...

    def drop_asked(self, asked: Asked) -> None: ...

    def pseudonym(self, week: date) -> bytes | None: ...

    def keep_pseudonym(self, week: date, secret: bytes) -> None: ...

    def unsaid(self, names: Sequence[str]) -> set[str]: ...

    def batches_of(self, day: date) -> int: ...

    def keep_batch(
        self, batch: Batch, *, secret: bytes, says: Mapping[str, Statement], day: date
    ) -> None: ...

    def unsent(self) -> Iterable[Batch]: ...

    def keep_receipt(self, given: Receipt) -> None: ...

    def sent(self) -> Iterable[Sent]: ...

    def keep_answered(self, batch: str, size: int) -> None: ...

    def seen(self) -> Closing | None: ...

    def keep_closing(self, closing: Closing) -> None: ...

    def keep_met(self, met: Sequence[Met]) -> None: ...


@dataclass
class Done:
    """What a round brought: batches made, sent and answered, tags that meet, and what stood in the way."""

    made: int = 0
    sent: int = 0
    heard: int = 0
    met: int = 0
    waits: list[str] = field(default_factory=list)


class Member:
    """A managing entity at the hub, with the key that the roster knows it by."""

    def __init__(
        self, roster: Roster, *, entity: str, secret: bytes, shelf: MemberShelf, draw: oprf.Draw
    ) -> None:
        known = roster.member(entity)
        assert known is not None, "a member is in the roster"
        assert known.signs == public_of(secret).hex(), "with the key it signs with"
        self.roster, self.entity, self.shelf = roster, entity, shelf
        self._secret, self._draw = secret, draw

    # ── asking keepers ───────────────────────────────────────────────────────────────────────────────

    def _ask(self, wire: Wire, lines: Sequence[Line], era: str) -> None:
        """Have the secrets of lines of one era made; ask also where there are none: no day looks idle."""
        known = self.shelf.secrets(lines)
        lacking = [line for line in lines if line not in known]
        asked = self._question(lacking[0].era if lacking else lines[0].era if lines else era, lacking)
        self.shelf.keep_asked(asked)
        self._settle(wire, asked)

    def _question(self, era: str, lines: Sequence[Line]) -> Asked:
        blinded = [oprf.blind(line.value, self._draw) for line in lines]
        rest = [oprf.random_point(self._draw) for _ in range(self.roster.size - len(lines))]
        points = b64(b"".join([*(one.point for one in blinded), *rest]))
        return Asked(era, tuple(lines), tuple(one.blind for one in blinded), points)

    def _settle(self, wire: Wire, asked: Asked) -> None:
        data = unb64(asked.points)
        points = [data[at : at + oprf.BYTES] for at in range(0, len(data), oprf.BYTES)]
        outputs: list[list[bytes]] = [[] for _ in asked.lines]
        for keeper in self.roster.keepers_of(asked.era):
            answers = self._points(wire, keeper, asked, points)
            for made, line, blind, answer in zip(outputs, asked.lines, asked.blinds, answers, strict=False):
                made.append(oprf.finish(oprf.Blinded(line.value, blind, b""), answer))
        if not self.roster.keepers_of(asked.era):
            raise BadAnswer(f"Nenhum guardião do rol tem chave para {asked.era}; o rol precisa de uma.")
        with self.shelf.changing():
            pairs = zip(asked.lines, outputs, strict=True)
            self.shelf.keep_secrets({line: LineSecret.of(made) for line, made in pairs})
            self.shelf.drop_asked(asked)

    def _points(self, wire: Wire, keeper: TagKeeper, asked: Asked, points: Sequence[bytes]) -> list[bytes]:
        answers, proof = self._evaluated(wire, keeper, era=asked.era, points=asked.points)
        try:
            oprf.check(bytes.fromhex(keeper.eras[asked.era]), points, answers, proof)
        except oprf.BadProof as wrong:
            raise BadAnswer(f"O guardião {keeper.name} não usou a chave que publicou.") from wrong
        return answers

    def _evaluated(
        self, wire: Wire, keeper: TagKeeper, *, era: str, points: str
    ) -> tuple[list[bytes], bytes]:
        said = {"entity": self.entity, "era": era, "points": points}
        told = wire.points(keeper.name, {**said, "signature": sign(self._secret, "points", said)})
        try:
            data, proof = unb64(str(told["points"])), bytes.fromhex(str(told["proof"]))
        except (KeyError, ValueError) as wrong:
            raise BadAnswer(f"A resposta do guardião {keeper.name} não se lê.") from wrong
        return [data[at : at + oprf.BYTES] for at in range(0, len(data), oprf.BYTES)], proof

    def transcripts(self, wire: Wire, line: Line) -> list[Transcript]:
        """Ask each keeper about one line anew, so that all can check its tag. Raises NoWord, HubRefuses."""
        made = []
        for keeper in self.roster.keepers_of(line.era):
            blinded = oprf.blind(line.value, self._draw)
            answers, proof = self._evaluated(wire, keeper, era=line.era, points=b64(blinded.point))
            try:
                oprf.check(bytes.fromhex(keeper.eras[line.era]), [blinded.point], answers, proof)
            except oprf.BadProof as wrong:
                raise BadAnswer(f"O guardião {keeper.name} não usou a chave que publicou.") from wrong
            made.append(Transcript(keeper.name, blinded.blind, answers[0], proof))
        return made

    # ── batches ──────────────────────────────────────────────────────────────────────────────────────

    def prepare(self, wire: Wire, statements: Iterable[Statement], *, day: date) -> int:
        """Make the batches of the day out of what was not said yet; the rest waits for tomorrow.

        There are always as many as the roster's pace, each of one era and with one question to the keepers,
        with empty entries where there is nothing to say. Raises NoWord or HubRefuses; what was made stands.
        """
        room = self.roster.pace - self.shelf.batches_of(day)
        if room <= 0:
            return 0
        left = list(self.shelf.asked())
        for asked in left:
            self._settle(wire, asked)
        wanted = {one.name: one for one in statements}
        unsaid = self.shelf.unsaid(sorted(wanted))
        parts = _parts([wanted[name] for name in unsaid], self.roster.size)
        parts += [[] for _ in range(room - len(parts))]
        for part in parts[:room]:
            lines = sorted({one.line for one in part})
            if not left or len(self.shelf.secrets(lines)) < len(lines):
                self._ask(wire, lines, str(day.year))
            else:
                left.pop()  # its question was asked before, and cut off
            self._pack(part, self._pseudonym(wire, day), day)
        return room

    def _pack(self, part: Sequence[Statement], pseudonym: Pseudonym, day: date) -> None:
        mark = bind(self._secret, entity=self.entity, pseudonym=pseudonym.public)
        secrets = self.shelf.secrets([one.line for one in part])
        claims = [(secrets[one.line], replace(one.claim, bound=mark)) for one in part]
        batch = pack(claims, roster=self.roster, pseudonym=pseudonym, draw=self._draw)
        says = {one.name: one for one in part}
        with self.shelf.changing():
            self.shelf.keep_batch(batch, secret=pseudonym.secret, says=says, day=day)

    def _pseudonym(self, wire: Wire, day: date) -> Pseudonym:
        """This week's pseudonym, with the first keeper's word for it."""
        week, keeper = week_of(day), self.roster.keepers[0]
        secret = self.shelf.pseudonym(week)
        if secret is None:
            secret = self._draw(32)
            self.shelf.keep_pseudonym(week, secret)
        said = {"entity": self.entity, "pseudonym": public_of(secret).hex()}
        told = wire.vouch(keeper.name, {**said, "signature": sign(self._secret, "pseudonym", said)})
        try:
            voucher = Voucher(**told)
        except TypeError as wrong:
            raise BadAnswer(f"A resposta do guardião {keeper.name} não se lê.") from wrong
        mine = voucher.pseudonym == said["pseudonym"] and voucher.starts == week.isoformat()
        if not mine or not vouched(self.roster, voucher):
            raise BadAnswer(f"O guardião {keeper.name} não deu a palavra que se pediu.")
        return Pseudonym(secret, voucher)

    # ── hub ──────────────────────────────────────────────────────────────────────────────────────────

    def send(self, wire: Wire) -> int:
        """Send what has no receipt yet, as it was first written. Raises NoWord, HubRefuses, BadAnswer."""
        sent = 0
        for batch in self.shelf.unsent():
            told = wire.take(batch.to_json())
            try:
                given = Receipt(**told)
            except TypeError as wrong:
                raise BadAnswer("O recibo não se lê.") from wrong
            check_receipt(self.roster, batch, given)
            with self.shelf.changing():
                self.shelf.keep_receipt(given)
            sent += 1
        return sent

    def hear(self, wire: Wire) -> Done:
        """Ask what meets in each batch sent, and check every word; each batch once a closing.

        Raises HubLied with what proves it; NoWord, HubRefuses, BadAnswer where one asks again later.
        """
        done, newest = Done(), _NONE_YET
        for sent in self.shelf.sent():
            if sent.answered_at == newest:
                continue
            seen = self.shelf.seen()
            said = {"batch": sent.batch.header.batch, "earlier": seen.size if seen else 0}
            try:
                told = wire.answer({**said, "signature": sign(sent.secret, "ask", said)})
            except HubRefuses as no:
                if no.status not in _LATER:
                    raise
                done.waits.append(str(no))
                continue
            closing, met = read_answer(self.roster, sent.batch, sent.receipt, told, seen=seen)
            newest = closing.size
            self._keep_answer(sent, closing, met)
            done.heard, done.met = done.heard + 1, done.met + len(met)
        return done

    def _keep_answer(self, sent: Sent, closing: Closing, met: Sequence[Met]) -> None:
        with self.shelf.changing():
            self.shelf.keep_closing(closing)
            self.shelf.keep_met(met)
            self.shelf.keep_answered(sent.batch.header.batch, closing.size)

    def work(self, wire: Wire, statements: Iterable[Statement], *, day: date) -> Done:
        """A day's round: make, send, hear; what stands in the way of one does not keep the others.

        Raises HubLied.
        """
        made, sent = Done(), Done()
        _trying(lambda: setattr(made, "made", self.prepare(wire, statements, day=day)), made)
        _trying(lambda: setattr(sent, "sent", self.send(wire)), sent)
        heard = Done()
        try:
            heard = self.hear(wire)
        except (NoWord, HubRefuses, BadAnswer) as no:
            heard.waits.append(str(no))
        waits = list(dict.fromkeys([*made.waits, *sent.waits, *heard.waits]))
        return Done(made.made, sent.sent, heard.heard, heard.met, waits)


def _trying(step: Callable[[], None], done: Done) -> None:
    try:
        step()
    except (NoWord, HubRefuses, BadAnswer) as no:
        done.waits.append(str(no))


def _parts(statements: Sequence[Statement], size: int) -> list[list[Statement]]:
    """Statements in batches of one era each, in an order that follows from their digests only."""
    by_era: defaultdict[str, list[Statement]] = defaultdict(list)
    for one in sorted(statements, key=lambda one: one.name):
        by_era[one.line.era].append(one)
    return [part[at : at + size] for _, part in sorted(by_era.items()) for at in range(0, len(part), size)]
