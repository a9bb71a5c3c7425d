"""What the benches compare is comparable: the same notes each time, and the same answers from everyone."""

from __future__ import annotations

import hashlib
from datetime import date
from itertools import islice

import pytest
from bench.corpus import cast_of, notes

from lastro.evidence import Context, Source, fast, judge_source
from lastro.sample.pki import Wallet


def some(count: int) -> list[tuple[str, bytes]]:
    return list(islice(notes(count, seed=1, cast=cast_of(1), wallet=Wallet(1)), 12))


def test_the_corpus_is_the_same_each_time_and_grows_at_its_end() -> None:
    assert some(12) == some(500)
    digest = hashlib.sha256(b"".join(data for _, data in some(12))).hexdigest()
    assert digest == "06320baa4297848b28f6ce8435df1c8a8ec9d3b5f8afbca20fe375bceb228b01"


def test_everyone_says_the_same_of_a_note() -> None:
    pytest.importorskip("nfelib", reason="nfelib is not installed")
    from bench.peers import facts_of, p1, p2

    context = Context(today=date(2026, 12, 31))
    for name, data in some(12):
        (document,) = judge_source(Source("lote.zip", name, data), context)
        assert p1(data) == p2(data) == facts_of(document)
        broken = data.replace(b"<natOp>V", b"<natOp>X")
        assert fast.read(broken) is None
        for peer in (p1, p2):
            with pytest.raises(ValueError, match="igest"):
                peer(broken)


def test_a_chain_is_walked_alike_whole_by_months_and_by_a_plain_loop(capsys) -> None:
    pytest.importorskip("numba", reason="numba (the extra speed) is not installed")
    from bench import b4

    b4.run(edges=20_000, rounds=2)
    sales = b4.market(20_000)
    whole = b4.ours(sales)
    assert (whole.twice.tolist(), whole.beyond.tolist()) == b4.plain(sales)
    assert sum(whole.twice.tolist()) > 10**11
    assert "todas as vendas iguais" in capsys.readouterr().out
