"""A tag keeper: multiplies blinded points by its key, so many a day a member, and vouches for pseudonyms."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import date
from typing import Any, Protocol

from lastro.hub import oprf
from lastro.hub.hub import HubRefuses
from lastro.hub.people import Roster, TagKeeper, vouch, week_of
from lastro.hub.words import b64, digest, public_of, signed_by, spelled, unb64


class KeeperShelf(Protocol):
    """What a keeper remembers: what it answered whom on which day, and each member's pseudonym of a week."""

    def changing(self) -> AbstractContextManager[None]: ...

    def asked_before(self, request: str) -> bool: ...

    def keep_request(self, request: str, entity: str, day: date, points: int) -> None: ...

    def points_of(self, entity: str, day: date) -> int: ...

    def pseudonym(self, entity: str, week: date) -> str | None: ...

    def keep_pseudonym(self, entity: str, week: date, pseudonym: str) -> None: ...


class Keeper:
    """One keeper with its keys: `secrets` are those of tags by year, `signs` is that of its vouchers."""

    def __init__(
        self,
        roster: Roster,
        *,
        signs: bytes,
        secrets: Mapping[str, bytes],
        shelf: KeeperShelf,
        draw: oprf.Draw,
    ) -> None:
        mine = next((k for k in roster.keepers if k.signs == public_of(signs).hex()), None)
        assert mine is not None, "a keeper is in the roster"
        self.roster, self.name = roster, mine.name
        self._signs, self._secrets, self._shelf, self._draw = signs, dict(secrets), shelf, draw

    def answer(self, asked: Mapping[str, Any], *, day: date) -> dict[str, str]:
        """The points times the key of the year, with a proof. Raises HubRefuses.

        The same question again costs nothing of the day's quota. Points are uniform whatever they hide.
        """
        entity, era = str(asked["entity"]), str(asked["era"])
        said = {"entity": entity, "era": era, "points": str(asked["points"])}
        self._known(entity, "points", said, str(asked["signature"]))
        secret = self._secrets.get(era)
        if secret is None:
            raise HubRefuses(f"Este guardião não tem chave para o ano {era}.")
        try:
            data = unb64(said["points"])
        except ValueError as wrong:
            raise HubRefuses("Os pontos não se leem (base64).") from wrong
        points = [data[at : at + oprf.BYTES] for at in range(0, len(data), oprf.BYTES)]
        self._charge(digest("question", spelled(said)).hex(), entity, day, len(points))
        try:
            answers, proof = oprf.evaluate(secret, points, self._draw)
        except ValueError as wrong:
            raise HubRefuses("Há entre os pontos algo que não é um ponto do grupo.") from wrong
        return {"keeper": self.name, "points": b64(b"".join(answers)), "proof": proof.hex()}

    def _charge(self, request: str, entity: str, day: date, points: int) -> None:
        if not 0 < points <= self.roster.size:
            raise HubRefuses(f"Um pedido tem de 1 a {self.roster.size} pontos; este tem {points}.")
        with self._shelf.changing():
            if self._shelf.asked_before(request):
                return
            spent = self._shelf.points_of(entity, day)
            if spent + points > self.roster.quota:
                raise HubRefuses(
                    f"O dia tem {self.roster.quota} pontos para cada entidade, e {spent} já se usaram. "
                    "O que falta segue amanhã.",
                    status=429,
                )
            self._shelf.keep_request(request, entity, day, points)

    def vouch(self, asked: Mapping[str, Any], *, day: date) -> dict[str, str]:
        """A voucher for the pseudonym of this week; a member has one a week. Raises HubRefuses."""
        entity, pseudonym = str(asked["entity"]), str(asked["pseudonym"])
        said = {"entity": entity, "pseudonym": pseudonym}
        self._known(entity, "pseudonym", said, str(asked["signature"]))
        week = week_of(day)
        with self._shelf.changing():
            known = self._shelf.pseudonym(entity, week)
            if known is None:
                self._shelf.keep_pseudonym(entity, week, pseudonym)
            elif known != pseudonym:
                raise HubRefuses("A entidade já tem um pseudônimo nesta semana.", status=409)
        given = vouch(self._signs, pseudonym=pseudonym, starts=week, keeper=self.name)
        return {**given.said(), "signature": given.signature}

    def _known(self, entity: str, label: str, said: Mapping[str, Any], signature: str) -> None:
        member = self.roster.member(entity)
        if member is None or not signed_by(member.signs, label, said, signature):
            raise HubRefuses("Quem pede não está no rol, ou a assinatura não confere.", status=403)


def key_of(seed: bytes, era: str) -> bytes:
    """The key of tags of a year, from a keeper's seed of 32 bytes."""
    return oprf.derive_key(seed, b"lastro hub era " + era.encode())


def told_of(name: str, *, signs: bytes, seed: bytes, eras: list[str]) -> TagKeeper:
    """What a keeper publishes of itself for the roster."""
    points = {era: oprf.public_key(key_of(seed, era)).hex() for era in eras}
    return TagKeeper(name, public_of(signs).hex(), points)
