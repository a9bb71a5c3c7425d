"""Log and map: what is proved is so, and nothing else can be proved."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.hub.tagmap import BadMap, TagMap, root_of, tag_leaf
from lastro.publiclog import tree as log


def _rfc(leaves: Sequence[bytes]) -> bytes:
    """The root by the definition of RFC 6962, 2.1, written without sight of the other."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return hashlib.sha256(b"\1" + _rfc(leaves[:half]) + _rfc(leaves[half:])).digest()


def _leaves(size: int) -> list[bytes]:
    return [log.leaf_hash(b"%d" % number) for number in range(size)]


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33])
def test_every_leaf_and_every_earlier_tree_of_a_log_is_proved(size: int) -> None:
    leaves = _leaves(size)
    now = log.root(leaves)
    assert now == _rfc(leaves)
    for index in range(size):
        path = log.inclusion(leaves, index)
        assert log.includes(leaves[index], index, size=size, path=path, under=now)
        others = [
            (log.leaf_hash(b"other"), index, size, path),
            (leaves[index], index, size, [*path, bytes(32)]),
            *([(leaves[index], index ^ 1, size, path)] if size > 1 else []),
            *([(leaves[index], index, size, path[:-1])] if path else []),
        ]
        for leaf, at, of, steps in others:
            assert not log.includes(leaf, at, size=of, path=steps, under=now)
    for earlier in range(size + 1):
        old = (earlier, _rfc(leaves[:earlier]))
        proof = log.consistency(leaves, earlier)
        assert log.consistent(old, (size, now), proof)
        if 0 < earlier < size:
            assert not log.consistent((earlier, bytes(32)), (size, now), proof)
            assert not log.consistent(old, (size, bytes(32)), proof)
            assert not log.consistent(old, (size, now), proof[:-1])
            assert not log.consistent(old, (size, now), [*proof, bytes(32)])
            assert not log.consistent((size, now), old, proof)


# Tags that begin alike make deep trees.
TAGS = st.lists(
    st.one_of(
        st.binary(min_size=32, max_size=32),
        st.builds(lambda end: bytes(31) + end, st.binary(min_size=1, max_size=1)),
    ),
    min_size=1,
    max_size=40,
    unique=True,
)


@settings(max_examples=60, deadline=None)
@given(TAGS, st.data())
def test_any_tags_of_a_map_are_proved_and_no_other_leaf_is(tags: list[bytes], data: st.DataObject) -> None:
    leaves = {tag: tag_leaf(tag, [tag]) for tag in tags}
    whole = TagMap(leaves)
    asked = data.draw(st.lists(st.sampled_from(tags), min_size=1, unique=True))
    proof = whole.prove(asked)
    known = {tag: leaves[tag] for tag in asked}
    assert root_of(known, proof) == whole.root
    bent = known | {asked[0]: tag_leaf(asked[0], [tags[0], b"more"])}
    assert root_of(bent, proof) != whole.root
    for wrong in (proof + b"L", proof[:-1]):
        with pytest.raises(BadMap):
            root_of(known, wrong)


def test_the_order_under_a_tag_plays_no_part_and_a_missing_one_shows() -> None:
    tag = b"t" * 32
    one, other = b"1" * 32, b"2" * 32
    assert tag_leaf(tag, [one, other]) == tag_leaf(tag, [other, one])
    assert tag_leaf(tag, [one, other]) != tag_leaf(tag, [one])
    assert tag_leaf(tag, [one]) != tag_leaf(b"u" * 32, [one])


def test_the_map_is_the_same_however_it_was_filled() -> None:
    leaves = {hashlib.sha256(b"%d" % n).digest(): hashlib.sha256(b"l%d" % n).digest() for n in range(500)}
    backwards = dict(reversed(leaves.items()))
    assert TagMap(leaves).root == TagMap(backwards).root != TagMap({}).root
