"""Whatever bytes a service sends: an answer to the question, or a fault that says so. Never anything else."""

from __future__ import annotations

import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.connectors.sefaz_distribution import Batch, asker
from lastro.connectors.sefaz_status import ask_status
from lastro.connectors.sinir import Manifests, Secret
from lastro.connectors.transport import Answer, Request
from lastro.errors import LastroError
from tests.connectors.servers import FakeTime, batch, standing
from tests.evidence import vectors

KEY = vectors.Note().access_key
EVENT = (
    "<procEventoNFe><retEvento><infEvento><cStat>135</cStat><tpEvento>110111</tpEvento></infEvento>"
    "</retEvento></procEventoNFe>"
)
STANDING = standing(KEY, digest="abc=", events=EVENT).encode()
BATCH = batch((1, "procNFe_v4.00.xsd", b"<a/>"), (2, "resNFe_v1.01.xsd", b"<b/>"), last=2, highest=9).encode()
MANIFEST = json.dumps(
    {"mensagem": "", "objetoResposta": {"manNumero": "240001234567"}, "erro": False}
).encode()


class Always:
    """A line that gives one answer to everything (and a token to who asks for one)."""

    def __init__(self, body: bytes, status: int = 200) -> None:
        self.answer = Answer(status, body)

    def send(self, request: Request) -> Answer:
        if request.url.endswith("/token"):
            return Answer(200, b'{"objetoResposta": "t", "erro": false}')
        return self.answer


def mutated(body: bytes, seed: int) -> bytes:
    """The bytes with some flipped, cut, doubled or moved."""
    chance, made = random.Random(seed), bytearray(body)
    for _ in range(chance.randint(1, 4)):
        at, size = chance.randrange(len(made)), chance.randint(1, 60)
        match chance.randrange(5):
            case 0:
                made[at] = chance.randrange(256)
            case 1:
                del made[at : at + size]
            case 2:
                made[at:at] = made[at : at + size]
            case 3:
                other = chance.randrange(len(made))
                made[other:other] = made[at : at + size]
            case _:
                made[at:at] = chance.choice(
                    [b"<", b"&", b"]]>", b"<!--", b"\0", b"<cStat>101</cStat>", b"\xe3"]
                )
        if not made:
            made += b"x"
    return bytes(made)


@settings(max_examples=300, deadline=None)
@given(st.integers(), st.sampled_from([200, 404, 500]))
def test_a_standing_is_of_this_key_or_is_none(seed: int, status: int) -> None:
    line = Always(mutated(STANDING, seed), status)
    try:
        told = ask_status(KEY, line=line, address="https://a.example/", clock=FakeTime().clock)
    except LastroError:
        return
    assert told.consulted.access_key == KEY
    assert len(told.consulted.status) == 3
    assert KEY.encode() in line.answer.body


@settings(max_examples=300, deadline=None)
@given(st.integers(), st.sampled_from([200, 500]))
def test_a_batch_is_a_batch_or_is_none(seed: int, status: int) -> None:
    line = Always(mutated(BATCH, seed), status)
    ask = asker("ZZ", uf_code="51", line=line, address="https://a.example/", clock=FakeTime().clock)
    try:
        got = ask("<distNSU/>")
    except LastroError:
        return
    assert isinstance(got, Batch)
    assert all(bool(packet.data) != bool(packet.problem) for packet in got.packets)


@settings(max_examples=300, deadline=None)
@given(st.integers(), st.sampled_from([200, 404, 500]))
def test_a_manifest_is_the_one_asked_for_or_is_none(seed: int, status: int) -> None:
    line = Always(mutated(MANIFEST, seed), status)
    service = Manifests(
        "sinir",
        base="https://a.example",
        secret=Secret(integration="i"),
        line=line,
        clock=FakeTime().clock,
    )
    try:
        got = service.manifest("240001234567")
    except LastroError:
        return
    assert bool(got.body) != bool(got.problem)
    assert not got.body or json.loads(got.body)["objetoResposta"]["manNumero"] == "240001234567"
