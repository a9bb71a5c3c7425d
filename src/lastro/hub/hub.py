"""The hub itself: it takes batches, closes, and answers what meets. It can open nothing of what it keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date
from typing import Any, Protocol

from lastro.hub.batch import ENTRY, Batch, Header, Held
from lastro.hub.closing import Closing, Receipt, answer_leaf, batch_leaf, close, receipt
from lastro.hub.people import Roster
from lastro.hub.tagmap import TagMap, tag_leaf
from lastro.hub.words import b64, digest, sign, signed_by, spelled
from lastro.publiclog import tree as log

ANSWERS_A_BATCH = 24
"""How often a day one may ask about the same batch: answers change at closings only."""


_CATCH_UP = 2
"""A day's batches and those of a day offline: so many times the pace is taken of a pseudonym in one day."""


class HubRefuses(Exception):
    """Why the hub does not do what it is asked, in words for the person who asked; `status` as in HTTP."""

    def __init__(self, message: str, *, status: int = 422) -> None:
        super().__init__(message)
        self.status = status


class HubShelf(Protocol):
    """What the hub keeps; it only grows. What is written inside of `changing` is there as a whole or not at
    all, and no two change at once."""

    def changing(self) -> AbstractContextManager[None]: ...

    def header(self, name: str) -> Header | None: ...

    def receipt(self, name: str) -> Receipt | None: ...

    def keep(self, batch: Batch, given: Receipt) -> None: ...

    def leaf_count(self) -> int: ...

    def leaves(self, size: int) -> list[bytes]: ...

    def add_leaf(self, leaf: bytes) -> None: ...

    def has_leaf(self, leaf: bytes) -> bool: ...

    def references(self, size: int) -> Iterable[tuple[bytes, bytes]]: ...

    def tags_in(self, name: str) -> list[bytes]: ...

    def under(self, tags: Sequence[bytes], size: int) -> list[Held]: ...

    def keep_closing(self, closing: Closing) -> None: ...

    def last_closing(self) -> Closing | None: ...

    def spend(self, what: str, day: date, limit: int) -> bool: ...


class Hub:
    """A hub with its signing key, over what it keeps. Safe to use from several threads if the shelf is."""

    def __init__(self, roster: Roster, *, secret: bytes, shelf: HubShelf) -> None:
        self.roster, self._secret, self._shelf = roster, secret, shelf
        self._map: tuple[str, TagMap] | None = None

    # ── batches ──────────────────────────────────────────────────────────────────────────────────────

    def take(self, batch: Batch, *, day: date) -> Receipt:
        """Take a batch, once however often it comes. Raises HubRefuses."""
        header = batch.header
        with self._shelf.changing():
            known = self._shelf.receipt(header.batch)
            if known is not None:
                if known.digest != header.digest.hex():
                    raise HubRefuses("Já há outro lote com esta identificação; dê outra.", status=409)
                return known
            self._examine(batch, day)
            if not self._shelf.spend(f"batch {header.voucher.pseudonym}", day, _CATCH_UP * self.roster.pace):
                raise HubRefuses(
                    f"Hoje já se receberam {_CATCH_UP * self.roster.pace} lotes daqui; os outros, amanhã.",
                    status=429,
                )
            return self._keep(batch, day)

    def _examine(self, batch: Batch, day: date) -> None:
        header, roster = batch.header, self.roster
        if not header.signed(roster):
            raise HubRefuses("A assinatura do lote ou a palavra do guardião não confere.", status=403)
        if not header.voucher.holds_on(day):
            raise HubRefuses(
                f"O pseudônimo vale por duas semanas a partir de {header.voucher.starts}, e hoje é "
                f"{day.isoformat()}. Peça outro ao guardião.",
                status=403,
            )
        if not header.count == len(batch.entries) == roster.size:
            raise HubRefuses(
                f"Um lote tem {roster.size} entradas; este diz {header.count} e traz {len(batch.entries)}."
            )
        if any(len(entry) != ENTRY for entry in batch.entries):
            raise HubRefuses(f"Cada entrada tem {ENTRY} bytes.")
        if log.root(batch.leaves).hex() != header.root:
            raise HubRefuses("As entradas não são as que o cabeçalho assina.")
        if set(header.keys) != {one.name for one in roster.verifiers}:
            raise HubRefuses(
                "A chave do lote tem de estar selada a cada verificador do rol, e a mais ninguém."
            )

    def _keep(self, batch: Batch, day: date) -> Receipt:
        name = batch.header.digest.hex()
        index = self._shelf.leaf_count()
        given = receipt(self._secret, batch=batch.header.batch, digest=name, index=index, day=day.isoformat())
        self._shelf.add_leaf(batch_leaf(name))
        self._shelf.keep(batch, given)
        return given

    # ── closings ─────────────────────────────────────────────────────────────────────────────────────

    def close(self, *, day: date) -> Closing:
        """Bind all that came so far; the same closing again where nothing came since."""
        with self._shelf.changing():
            size, last = self._shelf.leaf_count(), self._shelf.last_closing()
            if last is not None and last.size == size:
                return last
            made = map_of(self._shelf.references(size))
            leaves = [log.leaf_hash(leaf) for leaf in self._shelf.leaves(size)]
            closing = close(
                self._secret, origin=self.roster.origin, size=size,
                roots=(log.root(leaves), made.root), day=day.isoformat(),
            )  # fmt: skip
            self._shelf.keep_closing(closing)
            self._map = (closing.note, made)
            return closing

    def _standing(self) -> tuple[Closing, TagMap]:
        closing = self._shelf.last_closing()
        if closing is None:
            raise HubRefuses("Ainda não houve nenhum fechamento; pergunte depois do primeiro.", status=409)
        if self._map is None or self._map[0] != closing.note:
            self._map = (closing.note, map_of(self._shelf.references(closing.size)))
        return closing, self._map[1]

    def consistency(self, earlier: int) -> list[str]:
        """What shows that the last closing's log begins with the `earlier` leaves of another one."""
        closing, _ = self._standing()
        if not 0 <= earlier <= closing.size:
            raise HubRefuses(f"O registro tem {closing.size} folhas; {earlier} não é um começo dele.")
        return [step.hex() for step in log.consistency(self._hashes(closing), earlier)]

    def closing(self) -> Closing:
        """The last closing. Raises HubRefuses before the first."""
        return self._standing()[0]

    def _hashes(self, closing: Closing) -> list[bytes]:
        return [log.leaf_hash(leaf) for leaf in self._shelf.leaves(closing.size)]

    # ── answers ──────────────────────────────────────────────────────────────────────────────────────

    def answer(self, asked: Mapping[str, Any], *, day: date) -> dict[str, Any]:
        """What meets one's batch at the last closing, to who holds the batch's pseudonym. Raises HubRefuses.

        `asked` names the batch and the size of a log seen before, and is signed by the pseudonym.
        """
        name, earlier = str(asked["batch"]), int(asked["earlier"])
        header, given = self._shelf.header(name), self._shelf.receipt(name)
        said = {"batch": name, "earlier": earlier}
        pseudonym = header.voucher.pseudonym if header else ""
        if given is None or not signed_by(pseudonym, "ask", said, str(asked["signature"])):
            raise HubRefuses("Não há lote com esta identificação sob o pseudônimo que assina.", status=404)
        closing, tags = self._standing()
        if given.index >= closing.size:
            raise HubRefuses("O lote entra no próximo fechamento; pergunte depois dele.", status=409)
        with self._shelf.changing():
            if not self._shelf.spend(f"ask {name}", day, ANSWERS_A_BATCH):
                raise HubRefuses("Já se respondeu hoje sobre este lote; pergunte depois.", status=429)
        told = self._told(given, earlier, closing, tags)
        if told["met"]:
            self._log_answer(told)
        return {**told, "signature": sign(self._secret, "answer", told)}

    def _log_answer(self, told: Mapping[str, Any]) -> None:
        leaf = answer_leaf(digest("answer", spelled(told)).hex())
        with self._shelf.changing():
            if not self._shelf.has_leaf(leaf):
                self._shelf.add_leaf(leaf)

    def _told(self, given: Receipt, earlier: int, closing: Closing, tags: TagMap) -> dict[str, Any]:
        hashes, mine = self._hashes(closing), self._shelf.tags_in(given.batch)
        return {
            "batch": given.batch,
            "closing": closing.note,
            "earlier": earlier,
            "consistency": [s.hex() for s in log.consistency(hashes, min(max(earlier, 0), closing.size))],
            "inclusion": [s.hex() for s in log.inclusion(hashes, given.index)],
            "proof": b64(tags.prove(mine)),
            "met": [held.to_json() for held in self._met(given.batch, mine, closing)],
        }

    def _met(self, name: str, tags: Sequence[bytes], closing: Closing) -> list[Held]:
        """The entries of others under these tags, in an order that says nothing of when they came."""
        found = self._shelf.under(tags, closing.size)
        others = [held for held in found if held.header.batch != name]
        return sorted(others, key=lambda held: (held.tag, held.reference))


def map_of(references: Iterable[tuple[bytes, bytes]]) -> TagMap:
    """The map over all entries, each its tag and reference: anyone who has all batches computes the same."""
    under: dict[bytes, list[bytes]] = {}
    for tag, reference in references:
        under.setdefault(tag, []).append(reference)
    return TagMap({tag: tag_leaf(tag, found) for tag, found in under.items()})
