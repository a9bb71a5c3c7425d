"""The tree against its definition, written again from RFC 6962, 2.1: roots, inclusion and consistency."""

from __future__ import annotations

import hashlib

import pytest

from lastro.publiclog import tree
from lastro.publiclog.tiles import WIDTH, Tiles, Torn, entries_of, files, path_of

SIZES = sorted({0, 1, 2, 3} | {2**n + d for n in range(2, 8) for d in (-1, 0, 1)})


def entry(n: int) -> bytes:
    return b"entry %d" % n


def mth(data: list[bytes]) -> bytes:
    """MTH of the standard, over the entries themselves."""
    if not data:
        return hashlib.sha256(b"").digest()
    if len(data) == 1:
        return hashlib.sha256(b"\x00" + data[0]).digest()
    k = 1
    while k * 2 < len(data):
        k *= 2
    return hashlib.sha256(b"\x01" + mth(data[:k]) + mth(data[k:])).digest()


def path(m: int, data: list[bytes]) -> list[bytes]:
    """PATH of the standard."""
    if len(data) == 1:
        return []
    k = 1
    while k * 2 < len(data):
        k *= 2
    return [*path(m, data[:k]), mth(data[k:])] if m < k else [*path(m - k, data[k:]), mth(data[:k])]


@pytest.mark.parametrize("size", SIZES)
def test_every_leaf_of_a_tree_is_proved_as_the_standard_proves_it(size: int) -> None:
    data = [entry(n) for n in range(size)]
    hashes = [tree.leaf_hash(one) for one in data]
    top = tree.root(hashes)
    assert top == mth(data)
    for index in range(size):
        proof = tree.inclusion(hashes, index)
        assert proof == path(index, data)
        assert tree.includes(hashes[index], index, size=size, path=proof, under=top)
        assert not tree.includes(tree.leaf_hash(b"other"), index, size=size, path=proof, under=top)
        assert not tree.includes(hashes[index], (index + 1) % (size + 1), size=size, path=proof, under=top)
    for earlier in range(size + 1):
        proof = tree.consistency(hashes, earlier)
        old = tree.root(hashes[:earlier])
        assert tree.consistent((earlier, old), (size, top), proof)
        if earlier:
            assert not tree.consistent((earlier, mth([b"x"])), (size, top), proof)


def test_the_known_roots_of_the_empty_tree_and_of_one_empty_leaf() -> None:
    assert tree.root([]).hex() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    one = tree.root([tree.leaf_hash(b"")]).hex()
    assert one == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"


@pytest.mark.parametrize("size", [0, 1, 255, 256, 257, 600, 70_000])
def test_a_log_is_read_from_its_files_at_every_earlier_size(size: int) -> None:
    entries = [entry(n) for n in range(size)]
    kept = dict(files(entries))
    log, hashes = Tiles(kept.__getitem__, size), [tree.leaf_hash(one) for one in entries]
    for earlier in {0, 1, size // 3, max(size - 1, 0), size} & set(range(size + 1)):
        assert log.root(earlier) == tree.root(hashes[:earlier])
    assert list(log.entries()) == entries
    full = [name for name in kept if ".p/" not in name]
    assert len(full) == sum(size // WIDTH ** (level + 1) for level in range(3)) + size // WIDTH


def test_paths_are_those_of_the_open_format() -> None:
    assert path_of(0, 1_234_067) == "tile/0/x001/x234/067"
    assert path_of("entries", 5, width=8) == "tile/entries/005.p/8"
    with pytest.raises(Torn):
        entries_of(b"\x00\x05abc")
    with pytest.raises(Torn):
        Tiles(lambda _: b"short", 3).root()
