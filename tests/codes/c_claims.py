"""One mass, counted once: what entities claim of the same lines, through a real store."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lastro.custody.lots import LotRow, Lots
from lastro.custody.port import For
from lastro.engine.local import LocalEngine
from lastro.evidence import Source
from lastro.ids import Origin
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
    store: Store,
    files: Mapping[str, bytes],
    *,
    entity: str = v.ENTITY,
    lots: Lots | None = None,
    registry: Registry = REGISTRY,
) -> dict[str, Codes]:
    """The codes of each file that an entity hands in, once all are counted."""
    from lastro.stores.postgres.custody import custody

    remember = functools.partial(custody, store)
    whom = For(entity, NORM.norm.path, 2026)
    desk = Desk(whom=whom, regulation=NORM, registry=registry, context=CONTEXT, lots=lots or {})
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


def note(number: int, **more: object) -> bytes:
    """A note of the same two parties on the same day."""
    quantity, value = str(more.get("quantity", "1250.0000")), str(more.get("value", "750.00"))
    when = str(more.get("issued_at", "2026-05-14T10:00:00-04:00"))
    return v.authorised(v.Note(number=number, issued_at=when, items=[v.Item(quantity=quantity, value=value)]))


@triggers("C03")
def the_same_load_under_another_key_and_a_gram_less(store: Store) -> Codes:
    return handed_in(store, {"a.xml": note(1), "b.xml": note(2, quantity="1249.9990")})["b.xml"]


@near_miss("C03")
def another_load_of_the_same_day(store: Store) -> Codes:
    return handed_in(store, {"a.xml": note(1), "b.xml": note(2, quantity="1310.0000", value="786.00")})[
        "b.xml"
    ]


DEALER = v.cnpj("ZZDEAL050001")
CHAIN = Registry(
    {
        "parties": [
            {"cnpj": who, "name": "X", "municipality": "5103403"} for who in (v.COOP, DEALER, v.MILL)
        ],
        "roles": [
            {"cnpj": v.COOP, "role": "operator", "origin": "picker_entity", **_YEAR},
            {"cnpj": DEALER, "role": "operator", "origin": "dealer", **_YEAR},
            {"cnpj": v.MILL, "role": "recycler", "origin": None, **_YEAR},
            {"cnpj": DEALER, "role": "recycler", "origin": None, **_YEAR},
        ],
        "vettings": [{"operator": o, "entity": v.ENTITY, **_YEAR, **_PAPERS} for o in (v.COOP, DEALER)],
    }
)


SOLD = v.Note(
    number=5,
    issuer=DEALER,
    issued_at="2026-05-20T10:00:00-04:00",
    items=[v.Item(quantity="1250.0000", value="1000.00")],
)
PICKED = {(SOLD.access_key, 1): LotRow(None, Origin.PICKER_ENTITY, None)}


@triggers("C04")
def a_dealer_sells_what_was_counted_when_he_bought_it(store: Store) -> Codes:
    files = {"a.xml": v.authorised(v.Note(recipient=DEALER)), "b.xml": v.authorised(SOLD)}
    return handed_in(store, files, registry=CHAIN, lots=PICKED)["b.xml"]


@near_miss("C04")
def a_dealer_sells_what_he_bought_of_nobody(store: Store) -> Codes:
    files = {"a.xml": v.authorised(), "b.xml": v.authorised(SOLD)}
    return handed_in(store, files, registry=CHAIN, lots=PICKED)["b.xml"]


def after_a_withdrawal(store: Store, *, by: str) -> Codes:
    """What the first entity is told of its note when it, or the other claimant, took its claim back."""
    from lastro.custody.withdraw import withdraw
    from lastro.pipeline import Seen
    from lastro.stores.postgres.custody import custody

    data = v.authorised()
    for entity in (v.ENTITY, RIVAL):
        handed_in(store, {"a.xml": data}, entity=entity)
    with custody(store) as memory:
        withdraw(memory, v.Note().access_key, 1, entity=by, reason="não é nossa", by="ana", on=v.TODAY)
    whom = For(v.ENTITY, NORM.norm.path, 2026)
    seen = [Seen("a.xml", None, hashlib.sha256(data).hexdigest(), earlier=False)]
    ((_, verdict),) = answers(seen, whom=whom, remember=functools.partial(custody, store))
    return codes(verdict)


@triggers("C13")
def a_claim_that_was_taken_back(store: Store) -> Codes:
    return after_a_withdrawal(store, by=v.ENTITY)


@near_miss("C13")
def the_claim_of_another_that_was_taken_back(store: Store) -> Codes:
    return after_a_withdrawal(store, by=RIVAL)
