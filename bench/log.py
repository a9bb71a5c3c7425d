"""The public log of a million moves: how long a proof is, and how long it takes to check one."""

from __future__ import annotations

import hashlib
import time

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lastro.publiclog.leaves import Policy, Proof, leaf, wrong
from lastro.publiclog.notes import Checkpoint, Signer, signed
from lastro.publiclog.tree import inclusion, leaf_hash, root

_ORIGIN = "registro.example/medida"
_CHECKS = 200


def run(*, leaves: int) -> None:
    """Make a log, prove leaves spread over it and check each proof; fails where one does not hold."""
    print(f"\nRegistro público: {leaves} folhas")
    secret = hashlib.sha256(b"bench").digest()
    log = Signer(_ORIGIN, Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw())
    at = time.perf_counter()
    bodies = [_leaf(n) for n in range(leaves)]
    hashes = [leaf_hash(body) for body in bodies]
    note = signed(Checkpoint(_ORIGIN, leaves, root(hashes)), secret)
    print(f"  folhas, raiz e assinatura: {time.perf_counter() - at:.1f} s")
    longest, spent = 0, 0.0
    for index in range(0, leaves, max(leaves // 3, 1)):
        path = tuple(inclusion(hashes, index))
        proof = Proof(bodies[index], index, path, note, _salt(index), {"number": str(index)})
        longest = max(longest, len(path))
        begun = time.perf_counter()
        for _ in range(_CHECKS):
            assert wrong(proof, Policy(log)) == ""
        spent = max(spent, (time.perf_counter() - begun) / _CHECKS)
    assert longest <= (leaves - 1).bit_length(), "a proof has one hash for each level at most"
    print(
        f"  prova: {longest} resumos no máximo; conferida, com assinatura e campos, em {spent * 1000:.2f} ms"
    )


def _salt(n: int) -> bytes:
    return n.to_bytes(16, "big")


def _leaf(n: int) -> bytes:
    return leaf("issue", salt=_salt(n), fields={"number": str(n)}, link=f"{n:064x}")
