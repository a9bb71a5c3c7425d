"""Who takes part: the hub, the keepers of tag keys, the verifiers and the members, with their public keys.

The roster is agreed outside of the hub and compared by its digest: who could change it could read along.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any

from lastro.hub.words import digest, sign, signed_by, spelled

WEEK = timedelta(days=7)
_LATE = timedelta(days=7)
"""How long after its week a batch may still arrive: who was offline sends what was signed then."""


@dataclass(frozen=True)
class TagKeeper:
    """One who keeps a key of tags, and vouches for pseudonyms; `eras` are its public points by year."""

    name: str
    signs: str
    eras: Mapping[str, str]


@dataclass(frozen=True)
class HubVerifier:
    """A verifier: the CNPJ, and the key to which boxes are sealed (X25519)."""

    name: str
    seals: str


@dataclass(frozen=True)
class HubMember:
    """A managing entity, and the key with which it signs what it claims."""

    entity: str
    signs: str


@dataclass(frozen=True)
class Roster:
    """All who take part. `size` is how many entries every batch has, `pace` how many batches a day."""

    origin: str
    hub: str
    size: int
    pace: int
    keepers: tuple[TagKeeper, ...]
    verifiers: tuple[HubVerifier, ...]
    members: tuple[HubMember, ...]

    @property
    def digest(self) -> str:
        """What people read to each other to see that they mean the same roster."""
        return digest("roster", spelled(asdict(self))).hex()

    @property
    def quota(self) -> int:
        """How many points a keeper answers a member a day: those of its batches, and once more for proofs."""
        return self.size * (self.pace + 1)

    def keepers_of(self, era: str) -> list[TagKeeper]:
        """The keepers whose answers a tag of that year needs: all that have a key for it."""
        return [one for one in self.keepers if era in one.eras]

    def keeper(self, name: str) -> TagKeeper | None:
        return next((one for one in self.keepers if one.name == name), None)

    def member(self, entity: str) -> HubMember | None:
        return next((one for one in self.members if one.entity == entity), None)

    @classmethod
    def of_json(cls, told: Any) -> Roster:
        """Read a roster. Raises KeyError, TypeError or ValueError where it is none."""
        return cls(
            origin=str(told["origin"]),
            hub=str(told["hub"]),
            size=int(told["size"]),
            pace=int(told["pace"]),
            keepers=tuple(TagKeeper(**one) for one in told["keepers"]),
            verifiers=tuple(HubVerifier(**one) for one in told["verifiers"]),
            members=tuple(HubMember(**one) for one in told["members"]),
        )


@dataclass(frozen=True)
class Voucher:
    """A keeper's word that some member, whom it does not name, uses this key for one week."""

    pseudonym: str
    starts: str
    keeper: str
    signature: str = ""

    def said(self) -> dict[str, str]:
        return {"pseudonym": self.pseudonym, "starts": self.starts, "keeper": self.keeper}

    def holds_on(self, day: date) -> bool:
        """Whether the voucher may be used on that day."""
        return timedelta(0) <= day - date.fromisoformat(self.starts) < WEEK + _LATE


def week_of(day: date) -> date:
    """The Monday by which a week of a pseudonym is named."""
    return day - timedelta(days=day.weekday())


def vouch(secret: bytes, *, pseudonym: str, starts: date, keeper: str) -> Voucher:
    """Vouch for a pseudonym, as that keeper."""
    plain = Voucher(pseudonym, starts.isoformat(), keeper)
    return Voucher(pseudonym, starts.isoformat(), keeper, sign(secret, "voucher", plain.said()))


def vouched(roster: Roster, voucher: Voucher) -> bool:
    """Whether a keeper of the roster gave this voucher."""
    keeper = roster.keeper(voucher.keeper)
    return keeper is not None and signed_by(keeper.signs, "voucher", voucher.said(), voucher.signature)
