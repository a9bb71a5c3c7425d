"""Whatever a queue does, every document that SEFAZ holds comes once, and a crash loses none."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.connectors.faults import Wait
from lastro.connectors.packets import Packet
from lastro.connectors.sefaz_distribution import Batch, pull
from lastro.facts import Reached
from tests.connectors.servers import START, FakeTime

SCHEMA = "procNFe_v4.00.xsd"


class Sefaz:
    """An authority with numbered documents, some broken at first, that repeats itself and locks out."""

    def __init__(self, numbers: set[int], broken: set[int], whims: list[str], size: int) -> None:
        self.numbers, self.broken, self.whims, self.size = numbers, set(broken), list(whims), size

    def packet(self, nsu: int) -> Packet:
        if nsu in self.broken:
            self.broken.discard(nsu)  # it comes whole the next time
            return Packet(nsu, SCHEMA, problem="cortado")
        return Packet(nsu, SCHEMA, str(nsu).encode())

    def __call__(self, wanted: str) -> Batch:
        whim = self.whims.pop() if self.whims else ""
        if whim == "locked":
            raise Wait("656", until=START + timedelta(hours=1))
        match = re.search(r"[0-9]{15}", wanted)
        assert match
        number, highest = int(match.group()), max(self.numbers, default=0)
        if "consNSU" in wanted:
            found = [self.packet(number)] if number in self.numbers else []
            return Batch(bool(found), highest, highest, tuple(found))
        chosen = sorted(n for n in self.numbers if n > number)[: self.size]
        packets = [self.packet(n) for n in chosen]
        if whim == "twice":
            packets += [p for p in packets if not p.problem]
        if whim == "again" and number in self.numbers:
            packets.insert(0, Packet(number, SCHEMA, str(number).encode()))
        return Batch(bool(chosen), chosen[-1] if chosen else highest, highest, tuple(packets))


@settings(deadline=None)
@given(
    numbers=st.sets(st.integers(1, 120), max_size=40),
    broken=st.sets(st.integers(1, 120), max_size=6),
    whims=st.lists(st.sampled_from(["", "twice", "again", "locked"]), max_size=12),
    size=st.integers(1, 50),
    crashes=st.lists(st.integers(0, 3), max_size=6),
)
def test_every_document_comes_and_none_is_lost(
    numbers: set[int], broken: set[int], whims: list[str], size: int, crashes: list[int]
) -> None:
    sefaz = Sefaz(numbers, broken & numbers, whims, size)
    reached, kept, time = Reached(), list[int](), FakeTime()
    for run in range(60):
        crash = crashes[run] if run < len(crashes) else None
        for number, step in enumerate(pull(sefaz, start=reached, clock=time.clock)):
            kept += [packet.nsu for packet in step.packets]
            if number == crash:
                break  # the documents stand, the number was not kept yet
            reached = step.reached
        time.sleep(3600)
        if (
            crash is None
            and not sefaz.whims
            and not reached.missing
            and reached.last_nsu >= max(numbers, default=0)
        ):
            break
    assert set(kept) == numbers
    assert reached.missing == ()
    if not crashes:
        assert len(kept) == len(numbers)


@given(st.integers(0, 10**15 - 1), st.integers(0, 10**15 - 1))
def test_the_number_never_goes_back(at: int, told: int) -> None:
    def ask(_: str) -> Batch:
        return Batch(True, told, told, (Packet(told, SCHEMA, b"x"),))

    start = replace(Reached(), last_nsu=at)
    (step,) = list(pull(ask, start=start, clock=FakeTime().clock))[:1]
    assert step.reached.last_nsu == max(at, told)
