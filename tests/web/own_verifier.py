"""What the verifier of the first entity and the first recycler have at their addresses, for the matrix."""

from __future__ import annotations

import json
from typing import Any

from lastro.hub.words import public_of as signs_of
from tests.web.conftest import NORM, TODAY, YEAR, World


def of_verifiers(world: World) -> dict[str, dict[str, Any]]:
    """A contested sale, a load that its buyer denies, and a sample of the year with an item of it."""
    key, line = contested_sale(world)
    load = denied(world)
    year = {"entity": world.entities[0], "year": YEAR}
    return {
        "note-case": {"key": key},
        "note-chain": {"key": key, "line": line},
        "load-look": {"key": load, "recycler": world.recyclers[0]},
        "recycler-load": {"key": load},
        "sample": year,
        "sample-check": {**year, **sampled(world)},
        "black-box-sealed": {"pk": sealed(world)},
    }


SECRET = bytes(31) + b"\x07"


def publish_key(verifier: str) -> None:
    """The key to which companies seal; its secret is SECRET."""
    from lastro.blackbox.seal import public_of
    from lastro.web.readings import black_box

    told = {"verifier": verifier, "seals": public_of(SECRET), "signs": signs_of(SECRET).hex()}
    black_box.publish_key(verifier, json.dumps(told).encode(), by="davi")


def sealed(world: World) -> int:
    """A declaration that the first company sealed to the first entity's verifier."""
    from lastro.blackbox.seal import Row, public_of, seal
    from lastro.facts import Placement
    from lastro.ids import Material, company_of
    from lastro.units import Mass
    from lastro.web.readings import black_box

    verifier, party = world.verifier(world.entities[0]), world.member(world.entities[0])
    publish_key(verifier)
    row = Row(company_of(party), Placement(YEAR, Material.GLASS, "MT", Mass(7)), "ab" * 32)
    box = seal(row, verifier=verifier, public=public_of(SECRET))
    text = json.dumps([box.to_json()])
    return black_box.hand_in(party, text, verifier=verifier, year=YEAR, by="bia").id


def contested_sale(world: World) -> tuple[str, int]:
    """A contested line of the first entity that is a sale between two companies."""
    return min((key, line) for key, line, entity, _ in contested_sales(world) if entity == world.entities[0])


def contested_as(world: World, code: str) -> tuple[str, int, str]:
    """A contested sale of that code, with the entity that claims it, of those of the first one's verifier."""
    return min((key, line, entity) for key, line, entity, why in contested_sales(world) if why == code)


def contested_sales(world: World) -> list[tuple[str, int, str, str]]:
    """The contested lines that are sales, of entities with the first one's verifier; claimant and code."""
    from lastro.stores.postgres.custody import custody
    from lastro.web import office
    from lastro.web.readings.verifier import entities_of

    mine = entities_of(world.verifier(world.entities[0]))
    with custody(office.store()) as memory:
        rows = memory.standing(state="contested")
        sold = {one.sold.sale for one in memory.sold([row.access_key for row in rows])}
    return [
        (row.access_key, row.line, entity, row.reason)
        for row in rows
        for entity in sorted(set(row.claims) & set(mine))
        if (row.access_key, row.line) in sold
    ]


def loads_of(world: World) -> list[Any]:
    """The loads that the first recycler bought and the first entity handed in, the latest first."""
    from lastro.web.readings import recycler

    return [one for one in recycler.loads(world.recyclers[0]) if world.entities[0] in one.entities]


def denied(world: World) -> str:
    """The key of a load that the first recycler denies; it denies one if it did not yet."""
    from lastro.web.readings import recycler

    every = loads_of(world)
    known = [one.key for one in every if one.receipt and one.receipt.denied]
    if known:
        return str(known[0])
    recycler.say(
        every[0], recycler=world.recyclers[0], received=None, received_on=None, reason="Nunca chegou.",
        by="joel", on=TODAY,
    )  # fmt: skip
    return str(every[0].key)


def sampled(world: World) -> dict[str, Any]:
    """An item of the plan of the first entity's year; one is drawn if none was."""
    from lastro.reports.sampling import draw
    from lastro.stores.postgres.sampling import Samples, units_of
    from lastro.web import office

    first = world.entities[0]
    case = {"entity": first, "norm": NORM, "year": YEAR}
    samples = Samples(office.store(), verifier=world.verifier(first), **case)
    if samples.standing() is None:
        plan = draw(units_of(office.store(), **case), seed="ensaio")
        samples.draw(plan, reason="", by="davi", on=TODAY, after=0)
    standing = samples.standing()
    assert standing is not None
    unit = standing.plan.drawn[0].unit
    return {"key": unit.access_key, "line": unit.line}


def pages_of(world: World) -> dict[str, list[str]]:
    """The pages of the desk, for the sweep of all pages, by who looks at them."""
    first = world.entities[0]
    key, line = contested_sale(world)
    load, item = denied(world), sampled(world)
    sealed(world)
    sample = f"/verificador/{first}/{YEAR}/amostra/"
    return {
        "verifier": [
            *(
                "/verificador/fila/",
                "/verificador/caixa-preta/",
                "/contestados/decisoes/",
                f"/contestados/nota/{key}/",
                sample,
            ),
            *(f"/contestados/nota/{key}/{line}/cadeia/", f"{sample}{item['key']}/{item['line']}/"),
            *(
                f"/verificador/cargas/{load}/{world.recyclers[0]}/",
                f"/verificador/{world.entities[2]}/{YEAR}/",
            ),
        ],
        "recycler": ["/reciclador/", "/reciclador/cdf/", f"/reciclador/cargas/{load}/"],
        "preparer": ["/entidade/recebimentos/", "/entidade/caixa-preta/"],
    }
