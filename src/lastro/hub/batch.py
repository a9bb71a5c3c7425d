"""A batch: as many sealed entries as every other batch has, signed under a name of one week."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, Suite

from lastro.hub.lines import CLAIM_BYTES, HubClaim, LineSecret
from lastro.hub.oprf import Draw
from lastro.hub.people import Roster, Voucher, vouched
from lastro.hub.words import b64, digest, keyed, public_of, sign, signed_by, spelled, unb64
from lastro.publiclog import tree as log

HASH = 32
_SALT, _MAC = 16, 16
_BOX = CLAIM_BYTES + _SALT + 2 * _MAC
ENTRY = 2 * HASH + _BOX
_NONCE = bytes(12)  # every key seals one thing only
_SUITE = Suite(KEM.X25519, KDF.HKDF_SHA256, AEAD.CHACHA20_POLY1305)
_INFO = b"lastro hub batch key v1\0"


class Unreadable(Exception):
    """A box that does not open with the keys that open every honest one."""


@dataclass(frozen=True)
class Pseudonym:
    """A key of one week, with a keeper's word that a member stands behind it."""

    secret: bytes = field(repr=False)
    voucher: Voucher

    @property
    def public(self) -> str:
        return public_of(self.secret).hex()


@dataclass(frozen=True)
class Opened:
    """A claim taken out of its box, with the salt that shows it to be the one that was committed to."""

    claim: HubClaim
    salt: bytes


def commitment(tag: bytes, opened: Opened) -> bytes:
    """What an entry shows of a claim before it is opened."""
    return digest("commit", tag, opened.salt, opened.claim.packed())


def seal_entry(secret: LineSecret, claim: HubClaim, *, batch_key: bytes, salt: bytes) -> bytes:
    """One claim as an entry: only who knows the line *and* holds the batch's key opens it."""
    tag, opened = secret.tag, Opened(claim, salt)
    commit = commitment(tag, opened)
    inner = ChaCha20Poly1305(keyed(secret.box_key, commit)).encrypt(_NONCE, claim.packed() + salt, tag)
    box = ChaCha20Poly1305(keyed(batch_key, tag + commit)).encrypt(_NONCE, inner, tag)
    return tag + commit + box


def open_entry(entry: bytes, secret: LineSecret, *, batch_key: bytes) -> Opened:
    """Take a claim out of its box. Raises Unreadable where it is not what the entry committed to."""
    tag, commit, box = entry[:HASH], entry[HASH : 2 * HASH], entry[2 * HASH :]
    try:
        inner = ChaCha20Poly1305(keyed(batch_key, tag + commit)).decrypt(_NONCE, box, tag)
        plain = ChaCha20Poly1305(keyed(secret.box_key, commit)).decrypt(_NONCE, inner, tag)
        opened = Opened(HubClaim.of_bytes(plain[:CLAIM_BYTES]), plain[CLAIM_BYTES:])
    except (InvalidTag, ValueError) as wrong:
        raise Unreadable from wrong
    if tag != secret.tag or commitment(tag, opened) != commit:
        raise Unreadable
    return opened


def seal_key(batch_key: bytes, public: str, batch: str) -> str:
    """The key of a batch, sealed to one verifier (HPKE, RFC 9180, base mode)."""
    key = X25519PublicKey.from_public_bytes(bytes.fromhex(public))
    return _SUITE.encrypt(batch_key, key, _INFO + batch.encode()).hex()


def open_key(sealed: str, secret: bytes, batch: str) -> bytes:
    """The key of a batch, opened by the verifier to whom it was sealed. Raises Unreadable."""
    try:
        key = X25519PrivateKey.from_private_bytes(secret)
        return _SUITE.decrypt(bytes.fromhex(sealed), key, _INFO + batch.encode())
    except (InvalidTag, ValueError) as wrong:
        raise Unreadable from wrong


@dataclass(frozen=True)
class Header:
    """What a batch says of itself; `keys` are its key sealed to each verifier, by the verifier's name."""

    batch: str
    voucher: Voucher
    count: int
    root: str
    keys: Mapping[str, str]
    signature: str = ""

    def said(self) -> dict[str, Any]:
        return {k: v for k, v in asdict(self).items() if k != "signature"}

    @cached_property
    def digest(self) -> bytes:
        """What the log and the receipts name a batch by."""
        return digest("batch", spelled(self.said()), self.signature.encode())

    def signed(self, roster: Roster) -> bool:
        """Whether its pseudonym signed it, and a keeper vouched for the pseudonym."""
        mine = signed_by(self.voucher.pseudonym, "batch", self.said(), self.signature)
        return mine and vouched(roster, self.voucher)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, told: Any) -> Header:
        """Read a header. Raises KeyError, TypeError or ValueError where it is none."""
        return cls(
            batch=str(told["batch"]),
            voucher=Voucher(**told["voucher"]),
            count=int(told["count"]),
            root=str(told["root"]),
            keys={str(k): str(v) for k, v in told["keys"].items()},
            signature=str(told["signature"]),
        )


@dataclass(frozen=True)
class Batch:
    """A header with its entries, as they are sent; sent again, it is the same batch."""

    header: Header
    entries: tuple[bytes, ...]

    @cached_property
    def leaves(self) -> list[bytes]:
        return [log.leaf_hash(entry) for entry in self.entries]

    @cached_property
    def all_held(self) -> list[Held]:
        """Every entry, with what shows that it is in the batch."""
        paths = log.paths(self.leaves)
        return [
            Held(self.header, index, entry, b"".join(path))
            for index, (entry, path) in enumerate(zip(self.entries, paths, strict=True))
        ]

    def to_json(self) -> dict[str, Any]:
        return {"header": self.header.to_json(), "entries": b64(b"".join(self.entries))}

    @classmethod
    def of_json(cls, told: Any) -> Batch:
        """Read a batch. Raises KeyError, TypeError or ValueError where it is none."""
        return cls(Header.of_json(told["header"]), entries_of(unb64(told["entries"])))


def entries_of(data: bytes) -> tuple[bytes, ...]:
    """Entries that stand one after another. Raises ValueError where the length is not theirs."""
    if len(data) % ENTRY:
        raise ValueError("not whole entries")
    return tuple(data[at : at + ENTRY] for at in range(0, len(data), ENTRY))


@dataclass(frozen=True)
class Held:
    """One entry of a batch, with what shows that it is in it and who sent it."""

    header: Header
    index: int
    entry: bytes
    path: bytes

    @property
    def tag(self) -> bytes:
        return self.entry[:HASH]

    @cached_property
    def reference(self) -> bytes:
        """What the map of tags keeps of an entry."""
        return reference(self.header.digest, self.index, log.leaf_hash(self.entry))

    def sound(self, roster: Roster) -> bool:
        """Whether the entry is in the batch, and the batch is signed as it should be."""
        steps = [self.path[at : at + HASH] for at in range(0, len(self.path), HASH)]
        leaf, root = log.leaf_hash(self.entry), bytes.fromhex(self.header.root)
        inside = log.includes(leaf, self.index, size=self.header.count, path=steps, under=root)
        return inside and self.header.signed(roster)

    def to_json(self) -> dict[str, Any]:
        return {
            "header": self.header.to_json(),
            "index": self.index,
            "entry": b64(self.entry),
            "path": b64(self.path),
        }

    @classmethod
    def of_json(cls, told: Any) -> Held:
        """Read an entry as it was shown. Raises KeyError, TypeError or ValueError where it is none."""
        (entry,) = entries_of(unb64(told["entry"]))
        return cls(Header.of_json(told["header"]), int(told["index"]), entry, unb64(told["path"]))


def reference(batch_digest: bytes, index: int, leaf: bytes) -> bytes:
    """What the map of tags keeps of an entry: in which batch it stands, where, and what it is."""
    return digest("reference", batch_digest, index.to_bytes(4, "big"), leaf)


def pack(
    claims: Sequence[tuple[LineSecret, HubClaim]], *, roster: Roster, pseudonym: Pseudonym, draw: Draw
) -> Batch:
    """Claims as one batch, filled up with empty entries that look like any other, in no telling order."""
    assert len(claims) <= roster.size, "a batch holds so many claims and no more"
    key, name = draw(32), draw(16).hex()
    real = [seal_entry(secret, claim, batch_key=key, salt=draw(_SALT)) for secret, claim in claims]
    empty = [draw(ENTRY) for _ in range(roster.size - len(claims))]
    entries = tuple(sorted(real + empty))
    header = Header(
        batch=name,
        voucher=pseudonym.voucher,
        count=roster.size,
        root=log.root([log.leaf_hash(entry) for entry in entries]).hex(),
        keys={one.name: seal_key(key, one.seals, name) for one in roster.verifiers},
    )
    signature = sign(pseudonym.secret, "batch", header.said())
    return Batch(Header(**{**header.__dict__, "signature": signature}), entries)


def bind(secret: bytes, *, entity: str, pseudonym: str) -> str:
    """An entity's signature over the pseudonym it uses, as it stands inside of every claim."""
    return sign(secret, "bound", {"entity": entity, "pseudonym": pseudonym})


def bound(roster: Roster, claim: HubClaim, pseudonym: str) -> bool:
    """Whether the claimant named in a claim signed for the pseudonym that sent it."""
    member = roster.member(claim.entity)
    said = {"entity": claim.entity, "pseudonym": pseudonym}
    return member is not None and signed_by(member.signs, "bound", said, claim.bound)
