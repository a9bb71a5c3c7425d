"""A map from each tag to all that stands under it, whose one root cannot say two things of a tag.

The place of a tag is its own bits, so nobody can show one leaf to one member and another to a second under
the same root. A subtree without tags is 32 zero bytes; with one tag, its leaf; else the hash of its halves.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Mapping, Sequence

_BITS = 256
_EMPTY = bytes(32)
_KEPT = 8
"""Subtrees of fewer tags are computed anew when asked for: remembering them costs more."""

_LEAF, _INNER = b"L", b"N"


class BadMap(Exception):
    """A proof that is none."""


def tag_leaf(tag: bytes, references: Sequence[bytes]) -> bytes:
    """What stands for a tag and everything under it, in whatever order it came."""
    return hashlib.sha256(b"\2" + tag + hashlib.sha256(b"".join(sorted(references))).digest()).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\3" + left + right).digest()


class TagMap:
    """The map over tags and their leaves; it does not change once made."""

    def __init__(self, leaves: Mapping[bytes, bytes]) -> None:
        self._tags = sorted(leaves)
        self._numbers = [int.from_bytes(tag, "big") for tag in self._tags]
        self._leaves = [leaves[tag] for tag in self._tags]
        self._kept: dict[tuple[int, int], bytes] = {}
        self.root = self._hash(0, len(self._tags), 0)

    def _split(self, low: int, high: int, depth: int) -> int:
        """Where, among these tags alike in their first `depth` bits, those with the next bit set begin."""
        if high - low == 0:
            return low
        above = _BITS - depth
        middle = (self._numbers[low] >> above << above) | 1 << above - 1
        return bisect_left(self._numbers, middle, low, high)

    def _hash(self, low: int, high: int, depth: int) -> bytes:
        if high - low <= 1:
            return self._leaves[low] if high > low else _EMPTY
        known = self._kept.get((low, depth)) if high - low >= _KEPT else None
        if known is not None:
            return known
        middle = self._split(low, high, depth)
        made = _node(self._hash(low, middle, depth + 1), self._hash(middle, high, depth + 1))
        if high - low >= _KEPT:
            self._kept[low, depth] = made
        return made

    def prove(self, tags: Sequence[bytes]) -> bytes:
        """What one who knows these tags' leaves needs besides, to compute the root. All are in the map."""
        asked = sorted({int.from_bytes(tag, "big") for tag in tags})
        out: list[bytes] = []
        self._prove(asked, (0, len(self._tags)), 0, out)
        return b"".join(out)

    def _prove(self, asked: Sequence[int], within: tuple[int, int], depth: int, out: list[bytes]) -> None:
        low, high = within
        if not asked:
            out.append(self._hash(low, high, depth))
            return
        if len(asked) == 1:
            out.append(_LEAF if high - low == 1 else _INNER)
            if high - low == 1:
                assert self._numbers[low] == asked[0], "only tags of the map are proved"
                return
        middle, cut = self._split(low, high, depth), _cut(asked, depth)
        self._prove(asked[:cut], (low, middle), depth + 1, out)
        self._prove(asked[cut:], (middle, high), depth + 1, out)


def _cut(asked: Sequence[int], depth: int) -> int:
    above = _BITS - depth
    return bisect_left(asked, (asked[0] >> above << above) | 1 << above - 1)


def root_of(leaves: Mapping[bytes, bytes], proof: bytes) -> bytes:
    """The root under which these tags have these leaves, by the proof. Raises BadMap where it is none."""
    known = sorted((int.from_bytes(tag, "big"), leaf) for tag, leaf in leaves.items())
    reader = _Reader(proof, [number for number, _ in known], [leaf for _, leaf in known])
    made = reader.hash(0, len(known), 0)
    if reader.at != len(proof):
        raise BadMap
    return made


class _Reader:
    """Reads a proof in the order in which it was written."""

    def __init__(self, proof: bytes, numbers: Sequence[int], leaves: Sequence[bytes]) -> None:
        self._proof, self._numbers, self._leaves = proof, numbers, leaves
        self.at = 0

    def _take(self, size: int) -> bytes:
        taken = self._proof[self.at : self.at + size]
        if len(taken) != size:
            raise BadMap
        self.at += size
        return taken

    def hash(self, low: int, high: int, depth: int) -> bytes:
        if low == high:
            return self._take(32)
        if high - low == 1:
            mark = self._take(1)
            if mark == _LEAF:
                return self._leaves[low]
            if mark != _INNER:
                raise BadMap
        if depth == _BITS:
            raise BadMap
        middle = low + _cut(self._numbers[low:high], depth)
        return _node(self.hash(low, middle, depth + 1), self.hash(middle, high, depth + 1))
