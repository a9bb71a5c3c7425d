"""A log that changes, hides or tells two stories is caught by a witness and by a monitor, with the proof."""

from __future__ import annotations

import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lastro.publiclog.leaves import Policy, Proof, leaf, wrong
from lastro.publiclog.notes import Checkpoint, NotANote, Signer, cosigned, read, signed, signed_at, signs
from lastro.publiclog.tiles import files
from lastro.publiclog.tree import inclusion, leaf_hash, root
from lastro.publiclog.watch import monitor, witness

ORIGIN = "registro.example/certificados"


def secret(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()


def signer(name: str, *, witness: bool = False) -> Signer:
    key = Ed25519PrivateKey.from_private_bytes(secret(name)).public_key()
    return Signer(name, key.public_bytes_raw(), witness)


LOG, WITNESS = signer(ORIGIN), signer("federacao.example", witness=True)


def move(n: int) -> bytes:
    salt = hashlib.sha256(b"%d" % n).digest()[:16]
    return leaf("issue", salt=salt, fields={"number": str(n)}, link=f"{n:064x}")


def served(entries: list[bytes], *, origin: str = ORIGIN) -> dict[str, bytes]:
    """A log as it is served."""
    top = root([leaf_hash(one) for one in entries])
    note = signed(Checkpoint(origin, len(entries), top), secret(origin))
    return {**dict(files(entries)), "checkpoint": note.encode()}


def looked(kept: dict[str, bytes], last: str = ""):  # type: ignore[no-untyped-def]
    name = WITNESS.name
    return witness(kept.__getitem__, log=LOG, name=name, secret=secret(name), last=last, at=1_800_000_000)


MOVES = [move(n) for n in range(700)]


def test_an_honest_log_is_signed_again_and_again() -> None:
    first = looked(served(MOVES[:300]))
    assert first.fault is None
    assert signs(first.note, LOG)
    assert signed_at(first.note, WITNESS) == 1_800_000_000
    for size in (300, 301, 512, 700):
        assert looked(served(MOVES[:size]), first.note).fault is None
    assert not list(monitor(served(MOVES).__getitem__, log=LOG, seen=[first.note]))


def bent(where: str) -> dict[str, bytes]:
    kept = served(MOVES)
    data = bytearray(kept[where])
    data[40] ^= 1
    return kept | {where: bytes(data)}


@pytest.mark.parametrize(
    ("kept", "kind", "found"),
    [
        (served(MOVES[:299]), "rolled back", "rolled back"),
        (served([*MOVES[:299], move(9_999)]), "split", "split"),
        (served([move(9_999), *MOVES[1:]]), "rewritten", "split"),
        (bent("tile/0/001"), "torn", "torn"),
        (bent("tile/1/000.p/2"), "torn", "torn"),
        (served(MOVES, origin="outro.example"), "unsigned", "unsigned"),
    ],
    ids=["rolled back", "split view", "rewritten", "tampered leaf", "tampered node", "another log"],
)
def test_a_lie_is_caught_by_both_and_kept(kept: dict[str, bytes], kind: str, found: str) -> None:
    last = looked(served(MOVES[:300])).note
    told = looked(kept, last)
    assert told.fault is not None
    assert told.fault.kind == kind
    assert not told.note
    assert kind in ("torn", "unsigned") or told.fault.notes[0] == last, "both checkpoints are the proof"
    assert found in {fault.kind for fault in monitor(kept.__getitem__, log=LOG, seen=[last])}


def test_a_monitor_finds_a_changed_leaf_and_a_move_told_twice() -> None:
    assert "torn" in {f.kind for f in monitor(bent("tile/entries/000").__getitem__, log=LOG)}
    twice = served([*MOVES[:5], MOVES[2]])
    assert {f.kind for f in monitor(twice.__getitem__, log=LOG)} == {"doubled"}


def proof(index: int, note: str) -> Proof:
    salt = hashlib.sha256(b"%d" % index).digest()[:16]
    path = tuple(inclusion([leaf_hash(one) for one in MOVES], index))
    return Proof(MOVES[index], index, path, note, salt, {"number": str(index)})


def test_a_proof_shows_its_fields_and_nothing_else() -> None:
    note = looked(served(MOVES)).note
    strict = Policy(LOG, (WITNESS,), 1)
    good = proof(3, note)
    assert wrong(good, strict) == ""
    assert Proof.of_json(good.as_json()) == good
    other = Proof.of_json(good.as_json() | {"fields": {"number": "4"}})
    assert "campos" in wrong(other, strict)
    assert "folha" in wrong(Proof.of_json(good.as_json() | {"index": 4}), strict)
    bare = note.rpartition("— ")[0]
    assert "testemunhas" in wrong(Proof.of_json(good.as_json() | {"checkpoint": bare}), strict)
    assert wrong(Proof.of_json(good.as_json() | {"checkpoint": bare}), Policy(LOG)) == ""
    assert "assinado" in wrong(good, Policy(signer("outro.example")))
    with pytest.raises(ValueError, match="proof"):
        Proof.of_json({"leaf": 1})


def test_notes_have_one_spelling_and_keys_read_back() -> None:
    note = signed(Checkpoint(ORIGIN, 3, b"r" * 32), secret(ORIGIN))
    assert read(note) == Checkpoint(ORIGIN, 3, b"r" * 32)
    for bad in ("", note.replace("\n3\n", "\n03\n"), note.replace("\n3\n", "\n-3\n"), note.rstrip("\n")):
        with pytest.raises(NotANote):
            read(bad)
    assert not signs(note.replace("\n3\n", "\n4\n"), LOG)
    assert [Signer.of_text(one.text) for one in (LOG, WITNESS)] == [LOG, WITNESS]
    with pytest.raises(ValueError, match="key"):
        Signer.of_text(LOG.text.replace("+", "+0", 1))
    later = cosigned(note, secret(WITNESS.name), name=WITNESS.name, at=5)
    assert signed_at(later, WITNESS) == 5
    assert signed_at(later, signer("outra.example", witness=True)) is None
