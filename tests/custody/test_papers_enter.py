"""From files to lots: a signed note, the manifest of its load from the service, and the printed CDF."""

from __future__ import annotations

import functools
import itertools
import json
from datetime import date

import pytest

from lastro.custody.port import For
from lastro.engine.local import LocalEngine
from lastro.evidence import Source
from lastro.evidence.answer import document_json
from lastro.pipeline import Desk, answers, enter
from lastro.sample import waste
from lastro.stores.postgres.custody import custody
from tests.codes.c_claims import REGISTRY
from tests.codes.see import CONTEXT, NORM
from tests.custody.test_papers import sound
from tests.evidence import vectors as v

NUMBER = "260000000001"
DAY = date(2026, 5, 14)
CARTON = waste.Load("150101", "Embalagens de papel e cartão", "1.25", "1.2")
TRIP = waste.Trip(
    NUMBER, v.COOP, v.MILL, DAY, (CARTON,), received=date(2026, 5, 15), shipped=DAY,
    remarks=f"NF-e {v.Note().access_key}",
)  # fmt: skip
PAPER = waste.Paper(
    "77", v.COOP, v.MILL, date(2026, 5, 1), date(2026, 5, 31), date(2026, 6, 2),
    (waste.Load("150101", "Embalagens de papel e cartão", "", "1,10000"),), (NUMBER,),
)  # fmt: skip
FILES = {
    "nota.xml": v.authorised(),
    "mtr.json": waste.json_bytes(waste.envelope(waste.manifest(TRIP))),
    "cdf.pdf": waste.certificate_pdf(PAPER),
}


def hand_in(store, *names: str) -> dict[str, dict]:
    remember = functools.partial(custody, store)
    whom = For(v.ENTITY, NORM.norm.path, 2026)
    desk = Desk(whom=whom, regulation=NORM, registry=REGISTRY, context=CONTEXT)
    stream = (Source(name, None, FILES[name]) for name in names)
    seen = list(enter(stream, desk=desk, remember=remember, engine=LocalEngine(1), on=v.TODAY))
    return {d.file: document_json(d, verdict) for d, verdict in answers(seen, whom=whom, remember=remember)}


def lots(store) -> list[int]:
    return [lot.mass.mg for lot in store.lots()]


@pytest.mark.parametrize("order", list(itertools.permutations(FILES)), ids=" ".join)
def test_files_in_any_order_end_with_what_the_certificate_leaves(store, order):
    for name in order:
        told = hand_in(store, name)[name]
        assert told["verdict"] != "refused", json.dumps(told, ensure_ascii=False)
    assert lots(store) == [1_100_000_000]
    note = hand_in(store, "nota.xml")["nota.xml"]
    assert [(p["kind"], p["number"], p["state"], p["mass_mg"]) for p in note["papers"]] == [
        ("mtr", NUMBER, "received", 1_200_000_000),
        ("cdf", "77", "issued", 1_100_000_000),
    ]
    (line,) = note["lines"]
    assert (line["mass_mg"], line["counted_mg"]) == (1_250_000_000, 1_100_000_000)
    assert [f["code"] for f in line["findings"]] == ["C07"]
    assert sound(store)


def test_each_paper_takes_its_part_as_it_comes(store):
    hand_in(store, "nota.xml")
    assert lots(store) == [1_250_000_000]
    hand_in(store, "mtr.json")
    assert lots(store) == [1_200_000_000]
    hand_in(store, "cdf.pdf")
    assert lots(store) == [1_100_000_000]
