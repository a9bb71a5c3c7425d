"""What comes again is found, however long the run, in memory or on disk."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from lastro.evidence import repeats
from lastro.evidence.repeats import Repeats


@pytest.mark.parametrize("held", [100, 10_000, 10_000_000])
def test_names_that_come_again_are_given_with_all_that_was_said(
    held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeats, "_HELD", held)
    rnd, log = random.Random(3), Repeats()
    wanted: defaultdict[bytes, list[bytes]] = defaultdict(list)
    for number in range(3000):
        name, said = b"%d" % rnd.randrange(2000), b"said %d" % number
        wanted[name].append(said)
        log.add(name, said)
    assert (log._file is not None) == (held < 10_000_000)
    again = {name: said for name, said in wanted.items() if len(said) > 1}
    assert dict(log.again()) == again
    log.add(b"0", b"one more")
    assert dict(log.again()).get(b"0", [])[-1:] == ([b"one more"] if wanted.get(b"0") else [])
    log.close()
    assert log._file is None


def test_empty_names_and_words_are_names_and_words() -> None:
    log = Repeats()
    for said in (b"", b"x", b""):
        log.add(b"", said)
    assert list(log.again()) == [(b"", [b"", b"x", b""])]
