"""What stands in the log for a certificate's move, and the proof that one person hands to another.

A leaf says that something happened and commits to what: whose certificate, how much and its number are
confidential, so that only SHA-256 over a salt and the fields stands there. Who holds the salt can show them.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lastro.jsonfile import spelled
from lastro.publiclog.notes import NotANote, Signer, read, signed_at, signs
from lastro.publiclog.tree import includes, leaf_hash

MOVES = frozenset({"issue", "transfer", "split", "retire", "cancel"})
"""The moves of certificates that are told: what was sold, passed on, divided, used or taken away."""

SALT = 16


def commitment(salt: bytes, fields: Mapping[str, Any]) -> str:
    """SHA-256 over the salt and the fields, in hexadecimal."""
    assert len(salt) == SALT, "a short salt is guessed"
    return hashlib.sha256(salt + spelled(fields)).hexdigest()


def leaf(move: str, *, salt: bytes, fields: Mapping[str, Any], link: str) -> bytes:
    """A move as it stands in the log; `link` is the hash of the ledger's link that wrote it."""
    return spelled({"v": 1, "move": move, "commit": commitment(salt, fields), "link": link})


@dataclass(frozen=True)
class Proof:
    """That a leaf stands in the log under a checkpoint, with what opens its commitment."""

    leaf: bytes
    index: int
    path: tuple[bytes, ...]
    note: str
    salt: bytes
    fields: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {
            "leaf": self.leaf.decode(),
            "index": self.index,
            "path": [base64.b64encode(step).decode() for step in self.path],
            "checkpoint": self.note,
            "salt": self.salt.hex(),
            "fields": dict(self.fields),
        }

    @classmethod
    def of_json(cls, said: Any) -> Proof:
        """Read a proof. Raises ValueError."""
        try:
            return cls(
                str(said["leaf"]).encode(),
                int(said["index"]),
                tuple(base64.b64decode(step, validate=True) for step in said["path"]),
                str(said["checkpoint"]),
                bytes.fromhex(said["salt"]),
                dict(said["fields"]),
            )
        except (KeyError, TypeError) as wrong:
            raise ValueError("not a proof of the public log") from wrong


@dataclass(frozen=True)
class Policy:
    """Whose signatures a checkpoint needs: the log's, and those of so many witnesses."""

    log: Signer
    witnesses: tuple[Signer, ...] = ()
    needed: int = 0


def wrong(proof: Proof, policy: Policy) -> str:
    """Why a proof shows nothing, in words; empty where it shows that its fields stand in the log."""
    try:
        stands = read(proof.note)
    except NotANote:
        return "o fechamento não se lê: peça a prova outra vez"
    if not signs(proof.note, policy.log) or stands.origin != policy.log.name:
        return f"o fechamento não é assinado por {policy.log.name}: confira de que registro é a prova"
    seen = sum(signed_at(proof.note, one) is not None for one in policy.witnesses)
    if seen < policy.needed:
        return f"o fechamento tem a assinatura de {seen} testemunhas, e se pedem {policy.needed}"
    under = {"size": stands.size, "path": proof.path, "under": stands.root}
    if not includes(leaf_hash(proof.leaf), proof.index, **under):  # type: ignore[arg-type]
        return "a folha não está sob este fechamento: algo foi mudado na prova ou no registro"
    try:
        said = json.loads(proof.leaf)
        opened = len(proof.salt) == SALT and said["commit"] == commitment(proof.salt, proof.fields)
    except (ValueError, KeyError, TypeError):
        opened = False
    return "" if opened else "os campos não são os que a folha compromete: algum foi mudado"
