"""One mass, counted once: what entities claim of the same lines, through a real store."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lastro.custody.lots import LotRow, Lots
from lastro.custody.port import For
from lastro.engine.local import LocalEngine
from lastro.evidence import Source
from lastro.pipeline import Desk, answers, enter
from lastro.registry import Registry
from lastro.units import Mass
from tests.codes import Codes, near_miss, triggers
from tests.codes.see import CONTEXT, NORM, codes
from tests.evidence import vectors as v

if TYPE_CHECKING:
    from lastro.stores.postgres import Store

RIVAL = v.cnpj("ZZG3ST990001")
_YEAR = {"from": "2026-01-01", "to": "2026-12-31"}
_PAPERS = dict.fromkeys(("cnpj_ok", "registrations_ok", "licence_ok", "permit_ok"), True)
REGISTRY = Registry(
    {
        "parties": [{"cnpj": who, "name": "X", "municipality": "5103403"} for who in (v.COOP, v.MILL)],
        "roles": [
            {"cnpj": v.COOP, "role": "operator", "origin": "picker_entity", **_YEAR},
            {"cnpj": v.MILL, "role": "recycler", "origin": None, **_YEAR},
        ],
        "vettings": [{"operator": v.COOP, "entity": e, **_YEAR, **_PAPERS} for e in (v.ENTITY, RIVAL)],
    }
)


def handed_in(
    store: Store, files: Mapping[str, bytes], *, entity: str = v.ENTITY, lots: Lots | None = None
) -> dict[str, Codes]:
    """The codes of each file that an entity hands in, once all are counted."""
    from lastro.stores.postgres.custody import custody

    remember = functools.partial(custody, store)
    whom = For(entity, NORM.norm.path, 2026)
    desk = Desk(whom=whom, regulation=NORM, registry=REGISTRY, context=CONTEXT, lots=lots or {})
    stream = (Source(name, None, data) for name, data in files.items())
    seen = list(enter(stream, desk=desk, remember=remember, engine=LocalEngine(1), on=v.TODAY))
    told: dict[str, Codes] = {}
    for document, verdict in answers(seen, whom=whom, remember=remember):
        told.setdefault(document.file, set()).update(codes(verdict))
    return told


def claimed(kilograms: str) -> Lots:
    return {(v.Note().access_key, 1): LotRow(None, None, Mass.kg(kilograms))}


@triggers("C01")
def the_same_note_in_another_file(store: Store) -> Codes:
    """Other bytes, the same signed content: a line's end more."""
    return handed_in(store, {"a.xml": v.authorised(), "b.xml": v.authorised() + b"\n"})["b.xml"]


@near_miss("C01")
def the_next_note_of_the_same_parties(store: Store) -> Codes:
    other = v.authorised(v.Note(number=2, items=[v.Item(quantity="900.0000", value="540.00")]))
    return handed_in(store, {"a.xml": v.authorised(), "b.xml": other})["b.xml"]


@triggers("C02")
def two_entities_that_claim_the_whole_line(store: Store) -> Codes:
    handed_in(store, {"a.xml": v.authorised()})
    return handed_in(store, {"a.xml": v.authorised()}, entity=RIVAL)["a.xml"]


@near_miss("C02")
def two_entities_whose_parts_fit(store: Store) -> Codes:
    handed_in(store, {"a.xml": v.authorised()}, lots=claimed("1000"))
    return handed_in(store, {"a.xml": v.authorised()}, entity=RIVAL, lots=claimed("250"))["a.xml"]


@triggers("M11")
def a_part_larger_than_the_line(store: Store) -> Codes:
    return handed_in(store, {"a.xml": v.authorised()}, lots=claimed("1250.000001"))["a.xml"]


@near_miss("M11")
def a_part_that_is_the_whole_line(store: Store) -> Codes:
    return handed_in(store, {"a.xml": v.authorised()}, lots=claimed("1250"))["a.xml"]
