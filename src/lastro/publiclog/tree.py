"""A tree over leaves that are only added, and the two proofs that it stays so.

Hashing, inclusion and consistency are those of RFC 6962, 2.1; checking is that of RFC 9162, 2.1.3 and 2.1.4.
Here `leaves` are hashes of leaves (32 bytes each).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def leaf_hash(data: bytes) -> bytes:
    """What stands in the tree for a leaf."""
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """What stands above two nodes."""
    return hashlib.sha256(b"\1" + left + right).digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The one hash that stands for all leaves in their order."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    return _levels(leaves)[-1][0]


def inclusion(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """The hashes by which one sees that leaf `index` is in the tree, from the leaf upwards."""
    assert 0 <= index < len(leaves), "only what is in the tree is proved to be"
    return _path(_levels(leaves), index)


def paths(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """The inclusion of every leaf, in their order."""
    levels = _levels(leaves)
    return [_path(levels, index) for index in range(len(leaves))]


def _levels(leaves: Sequence[bytes]) -> list[list[bytes]]:
    levels = [list(leaves)]
    while len(level := levels[-1]) > 1:
        paired = [node_hash(level[i], level[i + 1]) for i in range(0, len(level) - 1, 2)]
        levels.append(paired + ([level[-1]] if len(level) % 2 else []))
    return levels


def _path(levels: Sequence[Sequence[bytes]], index: int) -> list[bytes]:
    path, at = [], index
    for level in levels:
        if at ^ 1 < len(level):
            path.append(level[at ^ 1])
        at //= 2
    return path


def includes(leaf: bytes, index: int, *, size: int, path: Sequence[bytes], under: bytes) -> bool:
    """Whether the path shows that this leaf is number `index` of the `size` leaves under a root."""
    if not 0 <= index < size:
        return False
    at, last, made = index, size - 1, leaf
    for step in path:
        if last == 0:
            return False
        if at & 1 or at == last:
            made = node_hash(step, made)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            made = node_hash(made, step)
        at, last = at >> 1, last >> 1
    return last == 0 and made == under


def consistency(leaves: Sequence[bytes], earlier: int) -> list[bytes]:
    """The hashes by which one sees that the first `earlier` leaves are still what they were."""
    assert 0 <= earlier <= len(leaves), "an earlier tree is no larger"
    return [] if earlier in (0, len(leaves)) else _consistency(leaves, earlier, True)


def _consistency(leaves: Sequence[bytes], earlier: int, known: bool) -> list[bytes]:
    size = len(leaves)
    if earlier == size:
        return [] if known else [root(leaves)]
    half = 1 << (size - 1).bit_length() - 1
    if earlier <= half:
        return [*_consistency(leaves[:half], earlier, known), root(leaves[half:])]
    return [*_consistency(leaves[half:], earlier - half, False), root(leaves[:half])]


def consistent(earlier: tuple[int, bytes], later: tuple[int, bytes], proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that a tree (size, root) begins with an earlier one."""
    (first, old), (second, new) = earlier, later
    if first == second:
        return not proof and old == new
    if first == 0 or first > second:
        return first == 0 and not proof
    path = [old, *proof] if first & (first - 1) == 0 else list(proof)
    if not path:
        return False
    at, last = first - 1, second - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = path[0]
    for step in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            before, after = node_hash(step, before), node_hash(step, after)
            while at and not at & 1:
                at, last = at >> 1, last >> 1
        else:
            after = node_hash(after, step)
        at, last = at >> 1, last >> 1
    return last == 0 and before == old and after == new
