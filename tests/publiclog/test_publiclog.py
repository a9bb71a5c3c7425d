"""The public log: what it serves gives its root, and whatever is changed or taken back is told."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lastro.publiclog.leaves import Policy, Proof, leaf, wrong
from lastro.publiclog.notes import Checkpoint, Signer, cosigned, signed, signed_at
from lastro.publiclog.tiles import Tiles, files, path_of
from lastro.publiclog.tree import inclusion, leaf_hash, root
from lastro.publiclog.watch import monitor, witness

_SECRET, _OTHER = b"\1" * 32, b"\2" * 32


def _public(secret: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


_LOG = Signer("registro.example", _public(_SECRET))
_WITNESS = Signer("testemunha.example", _public(_OTHER), witness=True)


def _oracle(hashes: Sequence[bytes]) -> bytes:
    if len(hashes) < 2:
        return hashes[0] if hashes else hashlib.sha256(b"").digest()
    half = 1
    while half * 2 < len(hashes):
        half *= 2
    return hashlib.sha256(b"\1" + _oracle(hashes[:half]) + _oracle(hashes[half:])).digest()


def _bodies(count: int, mark: str = "") -> list[bytes]:
    return [
        leaf("issue", salt=bytes(16), fields={"number": f"{mark}{n}"}, link=f"{mark}{n}")
        for n in range(count)
    ]


def _served(bodies: list[bytes]) -> dict[str, bytes]:
    top = _oracle([hashlib.sha256(b"\0" + body).digest() for body in bodies])
    note = signed(Checkpoint(_LOG.name, len(bodies), top), _SECRET)
    return {"checkpoint": note.encode(), **dict(files(bodies))}


def _look(served: dict[str, bytes], last: str = "") -> tuple[str, str]:
    done = witness(served.__getitem__, log=_LOG, name=_WITNESS.name, secret=_OTHER, last=last, at=9)
    return done.note, done.fault.kind if done.fault else ""


@pytest.mark.parametrize("size", [0, 1, 2, 3, 255, 256, 257, 511, 513])
def test_the_tiles_give_the_root_of_every_earlier_size(size: int) -> None:
    bodies = _bodies(size)
    tiles = Tiles(dict(files(bodies)).__getitem__, size)
    hashes = [hashlib.sha256(b"\0" + body).digest() for body in bodies]
    for earlier in {0, size // 3, size // 2, max(size - 1, 0), size}:
        assert tiles.root(earlier) == _oracle(hashes[:earlier])
    assert list(tiles.entries()) == bodies


def test_paths_are_those_of_tlog_tiles() -> None:
    assert path_of(0, 1234067) == "tile/0/x001/x234/067"
    assert path_of("entries", 5, width=8) == "tile/entries/005.p/8"


def test_an_honest_log_is_signed_again_and_again() -> None:
    first, fault = _look(_served(_bodies(3)))
    assert not fault
    assert signed_at(first, _WITNESS) == 9
    assert _look(_served(_bodies(300)), first)[1] == ""


def test_a_witness_signs_no_lie() -> None:
    last, _ = _look(_served(_bodies(5)))
    assert _look(_served(_bodies(4)), last)[1] == "rolled back"
    assert _look(_served(_bodies(5, "x")), last)[1] == "split"
    assert _look(_served(_bodies(9, "x")), last)[1] == "rewritten"
    torn = _served(_bodies(9))
    torn["tile/0/000.p/9"] = bytes(32) + torn["tile/0/000.p/9"][32:]
    assert _look(torn, last)[1] == "torn"


def test_a_monitor_tells_what_others_saw_and_what_stands_twice() -> None:
    def told(served: dict[str, bytes], *seen: dict[str, bytes]) -> set[str]:
        notes = [one["checkpoint"].decode() for one in seen]
        return {fault.kind for fault in monitor(served.__getitem__, log=_LOG, seen=notes)}

    honest = _served(_bodies(5))
    assert told(honest, _served(_bodies(3))) == set()
    assert told(honest, _served(_bodies(3, "x"))) == {"split"}
    assert told(honest, _served(_bodies(7))) == {"rolled back"}
    assert told(_served([*_bodies(5), _bodies(1)[0]])) == {"doubled"}


def test_a_proof_shows_its_fields_and_no_others() -> None:
    fields, salt = {"number": "1", "mass_mg": 7}, b"s" * 16
    bodies = [*_bodies(6), leaf("retire", salt=salt, fields=fields, link="z")]
    hashes = [leaf_hash(body) for body in bodies]
    note = signed(Checkpoint(_LOG.name, 7, root(hashes)), _SECRET)
    policy = Policy(_LOG, (_WITNESS,), 1)

    def proof(said: str, shown: dict[str, object]) -> Proof:
        return Proof(bodies[6], 6, tuple(inclusion(hashes, 6)), said, salt, shown)

    seen = cosigned(note, _OTHER, name=_WITNESS.name, at=9)
    assert wrong(proof(seen, dict(fields)), policy) == ""
    assert "testemunhas" in wrong(proof(note, dict(fields)), policy)
    assert "campos" in wrong(proof(seen, {**fields, "mass_mg": 8}), policy)
