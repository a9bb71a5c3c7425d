"""Documents of an establishment, number after number, whatever comes in between."""

from __future__ import annotations

import base64
import gzip
import re
import zlib
from datetime import timedelta

import pytest

from lastro.connectors.faults import Unanswered, Wait
from lastro.connectors.packets import opened
from lastro.connectors.sefaz_distribution import Step, asker, pull
from lastro.errors import LastroError
from lastro.facts import Reached
from tests.connectors import servers
from tests.connectors.servers import Given, Reply, batch, zipped
from tests.evidence import vectors

NOTE, RES = "procNFe_v4.00.xsd", "resNFe_v1.01.xsd"

BEGINNING = Reached()


class Queue:
    """An establishment's documents as SEFAZ keeps them: asked by the last number, or by one."""

    def __init__(self, packets: dict[int, bytes | str], *, size: int = 50) -> None:
        self.packets, self.size = packets, size
        self.singles: dict[int, bytes | str] = dict(packets)

    def __call__(self, given: Given) -> Reply:
        highest = max(self.packets, default=0)
        single = re.search(r"<consNSU><NSU>([0-9]{15})</NSU></consNSU>", given.body)
        if single:
            nsu = int(single.group(1))
            packets = [(nsu, NOTE, self.singles[nsu])] if nsu in self.singles else []
            return Reply(batch(*packets, last=highest, highest=highest))
        asked = re.search(r"<distNSU><ultNSU>([0-9]{15})</ultNSU></distNSU>", given.body)
        assert asked
        after = int(asked.group(1))
        chosen = sorted(nsu for nsu in self.packets if nsu > after)[: self.size]
        last = chosen[-1] if chosen else highest
        return Reply(batch(*((nsu, NOTE, self.packets[nsu]) for nsu in chosen), last=last, highest=highest))


def body(nsu: int) -> bytes:
    return f"<nfeProc>{nsu}</nfeProc>".encode()


@pytest.fixture
def run(sefaz, line, time):
    def pulled(script, start: Reached = BEGINNING, **choices: int) -> list[Step]:
        if callable(script):
            sefaz.script = script
        else:
            sefaz.in_turn(*script)
        ask = asker(vectors.ENTITY, uf_code="51", line=line, address=sefaz.url + "/d", clock=time.clock)
        return list(pull(ask, start=start, clock=time.clock, **choices))

    return pulled


def brought(steps: list[Step]) -> list[int]:
    return [packet.nsu for step in steps for packet in step.packets]


def test_everything_is_brought_in_order_and_the_end_is_left_alone_for_an_hour(run, sefaz, time):
    steps = run(Queue({n: body(n) for n in range(1, 121)}))
    assert brought(steps) == list(range(1, 121))
    assert [step.reached.last_nsu for step in steps] == [50, 100, 120]
    assert [packet.data for packet in steps[0].packets[:2]] == [body(1), body(2)]
    assert steps[0].packets[0].kind == "procNFe"
    assert steps[-1].reached == Reached(120, 120, time.at + timedelta(hours=1))
    assert len(sefaz.asked) == 3
    assert (
        '<distDFeInt xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01"><tpAmb>1</tpAmb>'
        f"<cUFAutor>51</cUFAutor><CNPJ>{vectors.ENTITY}</CNPJ><distNSU><ultNSU>000000000000000</ultNSU>"
    ) in sefaz.asked[0].body
    assert 'nfeDistDFeInteresse xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/NFeD' in sefaz.asked[0].body


def test_interrupted_anywhere_the_rest_is_brought_once(run):
    queue = Queue({n: body(n) for n in range(1, 101)}, size=30)
    first = run(queue, most=2)
    rest = run(queue, first[-1].reached)
    assert brought(first) + brought(rest) == list(range(1, 101))
    assert first[-1].reached.not_before is None


def test_nothing_new_is_no_error(run, time):
    (step,) = run([Reply(batch(last=7, highest=7))], Reached(7, 7))
    assert (step.packets, step.said) == ((), "")
    assert step.reached == Reached(7, 7, time.at + timedelta(hours=1))


def test_nobody_is_asked_before_the_hour_is_over(run, sefaz, time):
    until = time.at + timedelta(minutes=5)
    with pytest.raises(Wait, match="a partir de 30/11/2026 12:05 UTC"):
        run(Queue({}), Reached(7, 7, until))
    assert sefaz.asked == []
    time.at = until
    assert run(Queue({}), Reached(7, 7, until))


def test_excessive_use_is_remembered(run, sefaz, time):
    steps = run(
        [Reply(batch((1, NOTE, body(1)), last=1, highest=9)), Reply(batch(last=0, highest=0, status="656"))]
    )
    assert brought(steps) == [1]
    assert steps[-1].reached == Reached(1, 9, time.at + timedelta(hours=1))
    assert "consumo indevido" in steps[-1].said
    assert len(sefaz.asked) == 2


def test_a_number_that_comes_again_is_brought_once(run):
    first = Reply(batch((1, NOTE, body(1)), (2, NOTE, body(2)), (2, NOTE, body(2)), last=2, highest=4))
    second = Reply(batch((2, NOTE, body(2)), (3, NOTE, body(3)), (4, NOTE, body(4)), last=4, highest=4))
    assert brought(run([first, second])) == [1, 2, 3, 4]


def test_two_documents_under_one_number_are_both_kept(run):
    (step,) = run([Reply(batch((1, NOTE, body(1)), (1, NOTE, body(9)), last=1, highest=1))])
    assert [packet.data for packet in step.packets] == [body(1), body(9)]


def test_a_gap_is_asked_for_by_its_number(run, sefaz):
    queue = Queue({1: body(1), 2: body(2), 4: body(4), 6: body(6)})
    queue.singles[3] = body(3)
    steps = run(queue)
    assert brought(steps) == [1, 2, 4, 6, 3]
    assert steps[-1].reached.missing == ()
    assert "<NSU>000000000000003</NSU>" in sefaz.asked[1].body
    assert "<NSU>000000000000005</NSU>" in sefaz.asked[2].body
    assert len(sefaz.asked) == 3


def test_a_long_stretch_that_is_no_longer_kept_is_not_asked_for(run, sefaz):
    steps = run(Queue({700: body(700), 5_000_000: body(5)}))
    assert brought(steps) == [700, 5_000_000]
    assert steps[-1].reached.missing == ()
    assert len(sefaz.asked) == 1


@pytest.mark.parametrize(
    ("packet", "problem"),
    [
        (base64.b64encode(gzip.compress(body(2), mtime=0)[:-6]).decode(), "cortado"),
        (base64.b64encode(gzip.compress(body(2), mtime=0) + b"mais").decode(), "sobram bytes"),
        ("%%%", "base64"),
        (base64.b64encode(body(2)).decode(), "não é gzip"),
        (zipped(b"0" * 11_000_000), "expande-se"),
        (base64.b64encode(zlib.compress(body(2))).decode(), "não é gzip"),
        (zipped(b""), "vazio"),
        ("", "cortado"),
    ],
)
def test_a_broken_packet_hurts_no_other_and_is_asked_for_again(run, packet, problem):
    queue = Queue({1: body(1), 2: packet, 3: body(3)})
    steps = run(queue)
    assert brought(steps) == [1, 3]
    assert problem in steps[0].said
    assert steps[-1].reached.missing == (2,)
    assert problem in steps[-1].said
    queue.singles[2] = body(2)
    again = run(queue, Reached(3, 3, None, (2,)))
    assert brought(again) == [2]
    assert again[-1].reached.missing == ()


def test_a_flipped_bit_is_no_document():
    whole = bytearray(gzip.compress(b"<nfeProc>" + b"1234567890" * 50, mtime=0))
    whole[-5] ^= 1
    assert opened(1, NOTE, base64.b64encode(bytes(whole)).decode()).problem


def test_no_more_than_twenty_single_numbers_are_asked_for_in_a_run(run, sefaz):
    missing = tuple(range(1, 41))
    steps = run(Queue({50: body(50)}), Reached(50, 50, None, missing))
    assert len(sefaz.asked) == 21
    assert steps[-1].reached.missing == missing[20:]


def test_a_hostile_schema_name_is_no_name():
    assert opened(1, "../../etc/x", zipped(body(1))).kind == "desconhecido"
    assert opened(1, RES, zipped(body(1))).kind == "resNFe"


def test_packets_without_a_number_are_brought_too(run):
    """Some answers leave the NSU out."""
    text = batch((1, NOTE, body(1)), last=1, highest=1).replace(' NSU="000000000000001"', "")
    (step,) = run([Reply(text)])
    assert [packet.data for packet in step.packets] == [body(1)]
    assert step.reached.last_nsu == 1


def test_a_queue_that_does_not_move_is_given_up(run, sefaz):
    with pytest.raises(Unanswered, match="mesmos números"):
        run([Reply(batch((5, NOTE, body(5)), last=5, highest=9))], Reached(5, 9))
    assert len(sefaz.asked) == 1


def test_a_refusal_is_told_in_the_words_of_sefaz(run):
    with pytest.raises(LastroError, match="593 Motivo 593"):
        run([Reply(batch(last=0, highest=0, status="593"))])


def test_the_test_environment_is_not_taken_for_the_real_one(run):
    with pytest.raises(Unanswered, match="homologação"):
        run([Reply(batch((1, NOTE, body(1)), last=1, highest=1, environment="2"))])


def test_a_page_in_between_is_asked_over(run, time):
    steps = run([Reply("<html>"), Reply(status=502), Reply(batch((1, NOTE, body(1)), last=1, highest=1))])
    assert brought(steps) == [1]
    assert time.slept == [1, 2]


def test_numbers_beyond_reason_are_none():
    assert servers.batch(last=1, highest=1)  # the helper itself writes fifteen digits
    from lastro.connectors.sefaz_distribution import _number

    assert [_number(x) for x in ("000000000000012", "", None, "x", "1" * 16, "१२")] == [
        12,
        -1,
        -1,
        -1,
        -1,
        -1,
    ]
