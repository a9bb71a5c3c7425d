"""The verifier at work and the recycler beside it: the queue, notes side by side, chains, samples, loads."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from lastro.units import Mass, total
from tests.web.conftest import NORM, TODAY, YEAR, World, browser_of
from tests.web.own_verifier import contested_as, contested_sale, denied, loads_of, sampled


def _text(answer: Any) -> str:
    assert answer.status_code == 200, answer.status_code
    return str(answer.content.decode())


def _queue(world: World) -> list[Any]:
    from lastro.web.readings import queue
    from lastro.web.readings.verifier import entities_of

    party = world.verifier(world.entities[0])
    return queue.queue(entities_of(party), verifier=party)


def test_the_queue_holds_what_waits_and_nothing_of_other_verifiers(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.stores.postgres.custody import custody
    from lastro.web import office
    from lastro.web.readings.verifier import entities_of

    rows = _queue(world)
    mine = set(entities_of(world.verifier(world.entities[0])))
    with custody(office.store()) as memory:
        contested = {
            (r.access_key, r.line) for r in memory.standing(state="contested") if mine & set(r.claims)
        }
    assert contested
    assert {(r.key, r.line) for r in rows if r.what == "item contestado"} == contested
    assert {r.entity for r in rows} <= mine
    masses = [r.mass.mg for r in rows if r.mass]
    assert masses == sorted(masses, reverse=True)
    assert all(r.look_at and r.why for r in rows)
    stray = browser_of(people["stray_verifier"]).get("/verificador/fila/")
    assert "Nada espera" in _text(stray)


def test_a_near_duplicate_is_seen_beside_its_twin_with_what_differs_marked(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.web.readings import cases

    key, _, entity = contested_as(world, "C03")
    found = cases.case(key, [entity])
    assert found is not None
    assert len(found.heads) == 2
    differing = {fact.label for fact in found.facts if fact.differs}
    assert "Chave de acesso" in differing
    assert "Compra" not in differing
    page = _text(browser_of(people["verifier"]).get(f"/contestados/nota/{key}/"))
    assert page.count('class="differs"') == len(differing)
    assert page.count(">difere: <") == len(differing), "not by colour alone"


def test_two_contents_under_one_key_stand_side_by_side(world: World) -> None:
    from lastro.web.readings import cases

    key, _, entity = contested_as(world, "N15")
    found = cases.case(key, [entity])
    assert found is not None
    assert [head.rsplit(", ", 1)[-1] for head in found.heads] == ["conteúdo 1", "conteúdo 2"]
    assert found.different


def test_of_another_verifiers_note_only_its_existence_is_told(world: World, tmp_path: Path) -> None:
    """An entity that handed in one of two twins is told that there is another, and reads nothing of it."""
    from lastro.stores.postgres import cases as store
    from lastro.stores.postgres.custody import custody
    from lastro.web import office
    from lastro.web.readings import cases

    key, _, entity = contested_as(world, "C03")
    other = world.entities[1]
    with custody(office.store()) as memory:
        (twin,) = {t.access_key for one in memory.sold([key]) for t in one.twins}
        (note, *_) = store.handed(memory.db, [key], entities=[entity])
        body = memory.file(note.document.sha256)
    file = tmp_path / "nota.xml"
    file.write_bytes(body)
    assert cases.case(key, [other]) is None, "who handed nothing of it in does not even find it"
    world.type("enter", file, "--entity", other, "--norm", NORM, "--year", str(YEAR), "--workers", "1")
    found = cases.case(key, [other])
    assert found is not None
    assert found.hidden == 1
    assert len(found.heads) == 1
    assert not any(twin in "".join(value.split()) for fact in found.facts for value in fact.values)
    assert cases.case(twin, [other]) is None


def test_a_note_of_ones_own_choice_is_compared_and_one_that_is_not_ones_own_is_not(world: World) -> None:
    from lastro.custody.port import For
    from lastro.web.readings import cases, documents

    key, _ = contested_sale(world)
    first, second = world.entities[0], world.entities[1]
    mine = {r.key for r in documents.rows(For(first, NORM, YEAR)) if r.kind == "nfe" and r.key}
    theirs = {r.key for r in documents.rows(For(second, NORM, YEAR)) if r.kind == "nfe" and r.key}
    own, strange = min(mine - theirs - {key}), min(theirs - mine)
    found = cases.case(key, [first], beside=own)
    assert found is not None
    assert not found.asked_beside
    assert any(own in "".join(v.split()) for fact in found.facts for v in fact.values)
    found = cases.case(key, [first], beside=strange)
    assert found is not None
    assert found.asked_beside == strange
    assert not any(strange in "".join(v.split()) for fact in found.facts for v in fact.values)


def test_an_agency_sees_what_was_contested_and_nothing_else(world: World, people: dict[str, Any]) -> None:
    from lastro.custody.port import For
    from lastro.web.readings import documents

    browser = browser_of(people["agency"])
    key, _ = contested_sale(world)
    assert browser.get(f"/contestados/nota/{key}/").status_code == 200
    calm = next(
        r for r in documents.rows(For(world.entities[0], NORM, YEAR))
        if r.outcome.value == "admitted" and r.kind == "nfe"
    )  # fmt: skip
    assert browser.get(f"/contestados/nota/{calm.key}/").status_code == 404


def test_the_chain_is_drawn_and_told_with_the_numbers_of_the_verb(
    world: World, people: dict[str, Any]
) -> None:
    """`lastro chain` and the page say the same of a sale: both tell what its room says."""
    from lastro.custody.chain_settle import behind
    from lastro.custody.chain_story import story
    from lastro.stores.postgres.custody import custody
    from lastro.web import office
    from lastro.web.readings import chain

    with custody(office.store()) as memory:
        sales = [one.sold.sale for one in memory.resold()]
        assert sales
        kept, around = behind(memory, sales[0])
        told = story([one.sold.flow for one in kept], sales[0], world=around)
    assert told is not None
    found = chain.chain(*sales[0], None, depth=3)
    assert found is not None
    assert (found.credited.mg, found.answer) == (told.flow.credited_mg, told.answer)
    assert [s.sale for s in found.steps] == [
        s.flow.sale if s.flow else None for s in told.steps if s.flow is not told.flow
    ]
    assert found.svg.count("<rect") >= 2
    veiled = chain.chain(*sales[0], [], depth=3)
    assert veiled is not None
    assert veiled.hidden
    assert all(s.mass is None and s.free is None for s in veiled.steps if s.sale is None or not s.open)
    assert not [s for s in veiled.steps if s.open and s.sale]


def test_what_two_people_decided_stands_in_the_history_with_what_it_moved(
    world: World, people: dict[str, Any]
) -> None:
    key, line, entity = contested_as(world, "C03")
    address = f"/contestados/{key}/{line}/"
    said = {"winner": entity, "reason": "Romaneios diferentes."}
    assert browser_of(people["verifier"]).post(address, said).status_code == 302
    assert "falta a segunda pessoa" in {r.step for r in _queue(world) if r.key == key}
    assert browser_of(people["agency"]).post(address, said).status_code == 302
    from lastro.web import office
    from lastro.web.readings import decisions

    rows = [r for r in decisions.rows([entity]) if r.access_key == key]
    assert [r.step for r in rows] == ["confirma: decidido", "proposta confirmada"]
    assert rows[0].into
    held = [x.mass for x in office.store().lots() if (x.lot.access_key, x.lot.line) == (key, line)]
    assert rows[0].into == total(held)
    assert (key, line) not in {(r.key, r.line) for r in _queue(world) if r.what == "item contestado"}
    assert decisions.rows(world.entities[1:2]) == []
    page = _text(browser_of(people["verifier"]).get("/contestados/decisoes/"))
    assert "Romaneios diferentes." in page


# ── samples ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_sample_is_drawn_ticked_off_and_stands_in_the_statement(
    world: World, people: dict[str, Any]
) -> None:
    from lastro import delivery, signing
    from lastro.web import office
    from lastro.web.readings import reports

    first = world.entities[0]
    browser = browser_of(people["verifier"])
    address = f"/verificador/{first}/{YEAR}/amostra/"
    assert browser.post(address, {"seed": "", "after": "0"}).status_code == 400
    assert browser.post(address, {"seed": "2026", "after": "0"}).status_code == 302
    again = browser.post(address, {"seed": "outra", "after": "1"})
    assert again.status_code == 400
    assert "por quê" in again.content.decode()
    item = sampled(world)
    check = f"{address}{item['key']}/{item['line']}/"
    assert browser.post(check, {"result": "other", "right": "1,5"}).status_code == 400, "a reason is asked"
    done = browser.post(check, {"result": "other", "right": "1,5", "reason": "Só um ticket de 1,5 kg."})
    assert done.status_code == 302
    page = _text(browser.get(address))
    assert "não confere" in page
    assert "quando terminar" in page
    statement = f"/verificador/{first}/{YEAR}/declaracao/"
    asked = browser.post(statement)
    assert asked.status_code == 400, "nothing goes out unasked"
    assert "itens da amostra" in asked.content.decode()
    assert browser.post(statement, {"reason": "", "sure": "on"}).status_code == 400
    assert browser.post(statement, {"reason": "A visita é em abril."}).status_code == 400
    assert delivery.statements(office.store(), reports.case(NORM, first, YEAR)) == []
    assert browser.post(statement, {"reason": "A visita é em abril.", "sure": "on"}).status_code == 302
    case = reports.case(NORM, first, YEAR)
    version = delivery.statements(office.store(), case)[-1]
    files = {name[-4:]: delivery.stored_file(office.store(), sha) for name, sha in version.files.items()}
    body, paper = files["json"], files[".pdf"]
    assert body is not None
    assert paper is not None
    signed = signing.verify(paper, roots=signing.known_roots(world.data))
    assert (signed.state, signed.signer_cnpj) == (signing.State.TEST, world.verifier(first))
    sections = {one["key"]: one for one in json.loads(body)["sections"]}
    rows = {row["key"]: row["cells"] for row in sections["sample_checks"]["rows"]}
    cells = rows[f"{item['key']}.{item['line']}"]
    assert cells["right"]["mass_mg"] == 1_500_000
    assert cells["reason"]["value"] == "Só um ticket de 1,5 kg."
    said = {row["key"]: row["cells"] for row in sections["sampling"]["rows"]}
    assert said["unchecked_reason"]["value"]["value"] == "A visita é em abril."
    assert browser.post(statement).status_code == 302, "the reason still covers what is left"


def test_an_item_proves_no_more_than_its_own_mass(world: World, people: dict[str, Any]) -> None:
    """Below and at the mass it is kept; a milligram above, on the page and by key, it is not."""
    from lastro.stores.postgres.sampling import Samples
    from lastro.web import office, typed

    first, item = world.entities[0], sampled(world)
    address = f"/verificador/{first}/{YEAR}/amostra/{item['key']}/{item['line']}/"
    browser = browser_of(people["verifier"])
    samples = Samples(office.store(), verifier=world.verifier(first), entity=first, norm=NORM, year=YEAR)
    standing = samples.standing()
    assert standing is not None
    mass = standing.plan.drawn[0].unit.mass
    for mg, code in ((mass.mg + 1, 400), (mass.mg, 302), (mass.mg - 1, 302)):
        said = {"result": "other", "right": typed.as_typed(Mass(mg)), "reason": "Pesado."}
        answer = browser.post(address, said)
        assert answer.status_code == code, mg
        if code == 400:
            assert "no máximo a própria massa" in answer.content.decode()


def test_an_item_outside_the_plan_is_not_there_and_no_entity_reads_the_plan(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.filings import Kind
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    first = world.entities[0]
    sampled(world)
    key, line = contested_sale(world)
    address = f"/verificador/{first}/{YEAR}/amostra/{key}/{line}/"
    assert browser_of(people["verifier"]).get(address).status_code == 404
    assert Filings(office.store(), sees=world.verifier(first)).standing(Kind.SAMPLE)
    assert Filings(office.store(), sees=first).standing(Kind.SAMPLE) == []


# ── loads ────────────────────────────────────────────────────────────────────────────────────────────


def _say(browser: Any, key: str, **told: str) -> Any:
    return browser.post(f"/reciclador/cargas/{key}/", told)


def test_a_recycler_confirms_a_load_and_its_answer_reaches_the_entity_alone(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.filings import Kind
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office, typed
    from lastro.web.readings import loads, recycler

    one = loads_of(world)[0]
    browser = browser_of(people["recycler"])
    kilos = typed.as_typed(one.mass)
    assert _say(browser, one.key, answer="received", mass=kilos, day="2026-06-01").status_code == 302
    said = recycler.load(world.recyclers[0], one.key)
    assert said is not None
    assert said.state == recycler.CONFIRMED
    assert said.own_difference == "nenhuma"
    page = browser.get(f"/reciclador/cargas/{one.key}/").content.decode()
    assert f'value="{kilos}"' in page  # what was said is there to be corrected
    assert 'value="2026-06-01"' in page
    assert [r.key for r in loads.receipts(one.entities)] == [one.key]
    assert not loads.waiting(one.entities, verifier=world.verifier(world.entities[0]))
    strangers = [e for e in world.entities if e not in one.entities]
    assert Filings(office.store(), sees=[*strangers, world.recyclers[1]]).standing(Kind.RECEIPT) == []


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({}, "chegou ou não"),
        ({"answer": "denied"}, "por que a carga não é sua"),
        ({"answer": "received", "mass": "1.5"}, "quilogramas"),
        ({"answer": "received", "mass": "1", "day": ""}, "o dia"),
        ({"answer": "received", "mass": "1", "day": "2026-06-01"}, "Chegou menos"),
        ({"answer": "received", "mass": "9.999.999", "day": "2030-01-01"}, "ainda não chegou"),
    ],
)
def test_an_answer_that_lacks_something_is_refused_with_what_to_write(
    world: World, people: dict[str, Any], told: dict[str, str], words: str
) -> None:
    from lastro.web.readings import recycler

    key = loads_of(world)[0].key
    answer = _say(browser_of(people["recycler"]), key, **told)
    assert answer.status_code == 400
    assert words in answer.content.decode()
    assert recycler.receipts(world.recyclers[0]) == {}


def test_a_denial_waits_for_the_verifier_and_keeps_its_lots_out_of_the_statement(
    world: World, people: dict[str, Any]
) -> None:
    """Denied: in the queue and out of the homologation; unfounded: in again; found unproved: out for good."""
    from lastro.web import office
    from lastro.web.readings import loads, recycler

    second = world.entities[2]  # the first entity's lots are homologated already
    verifier = world.verifier(second)
    assert verifier == world.verifier(world.entities[0])
    lots = {
        h.lot.access_key
        for h in office.store().lots(entity=second, year=YEAR)
        if h.mass and not h.homologated
    }
    buyer, one = next(
        (who, load) for who in world.recyclers for load in recycler.loads(who) if load.key in lots
    )
    recycler.say(one, recycler=buyer, received=None, received_on=None, reason="Não veio.", by="j", on=TODAY)
    assert one.key in {r.key for r in _queue(world) if r.what == "recebimento negado"}
    into, out = loads.to_homologate(second, YEAR, verifier=verifier)
    assert {u.lot.lot.access_key for u in out} == {one.key}
    assert one.key not in {lot.access_key for lot in into}
    browser = browser_of(people["verifier"])
    address = f"/verificador/cargas/{one.key}/{buyer}/"
    assert browser.post(address, {"finding": "holds"}).status_code == 400, "a reason is asked"
    unfounded = {"finding": "unfounded", "reason": "Vi o ticket da balança."}
    assert browser.post(address, unfounded).status_code == 302
    assert one.key not in {r.key for r in _queue(world) if r.what == "recebimento negado"}
    assert loads.to_homologate(second, YEAR, verifier=verifier)[1] == []
    assert browser.post(address, {"finding": "holds", "reason": "O ticket é de outra."}).status_code == 302
    page = _text(browser.get(f"/verificador/{second}/{YEAR}/"))
    assert "O ticket é de outra." in page
    mark = re.search(r'name="pedido" value="([0-9a-f-]+)"', page)
    assert mark
    done = browser.post(f"/verificador/{second}/{YEAR}/", {"pedido": mark[1], "sure": "on"})
    assert done.status_code == 302
    held = office.store().lots(entity=second, year=YEAR)
    assert {h.lot.access_key for h in held if h.mass and not h.homologated} == {one.key}


def test_what_a_check_by_hand_does_not_prove_stays_out_of_the_statement(world: World) -> None:
    from lastro.reports.sampling import draw
    from lastro.stores.postgres.sampling import Samples, units_of
    from lastro.web import office
    from lastro.web.readings import loads

    entity = world.entities[2]
    case = {"entity": entity, "norm": NORM, "year": YEAR}
    samples = Samples(office.store(), verifier=world.verifier(entity), **case)
    samples.draw(draw(units_of(office.store(), **case), seed="a"), reason="", by="d", on=TODAY, after=0)
    standing = samples.standing()
    assert standing is not None
    unit = standing.plan.drawn[0].unit
    samples.check(unit.item, right=Mass(unit.mass.mg - 1), reason="Falta 1 mg.", by="d", on=TODAY)
    into, out = loads.to_homologate(entity, YEAR, verifier=world.verifier(entity))
    assert [(u.lot.lot.access_key, u.lot.lot.line) for u in out] == [unit.item]
    assert into


def test_a_recycler_sees_no_load_of_another_and_its_list_is_taken_along(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.web.readings import recycler

    mine = {one.key for one in recycler.loads(world.recyclers[0])}
    theirs = {one.key for one in recycler.loads(world.recyclers[1])}
    assert mine
    assert theirs
    assert not mine & theirs
    browser = browser_of(people["recycler"])
    page = _text(browser.get("/reciclador/"))
    assert not [key for key in theirs if key in page]
    sheet = browser.get("/reciclador/", {"baixar": "csv"})
    assert len(sheet.content.decode("utf-8-sig").strip().splitlines()) == len(mine) + 1


def test_certificates_add_up_by_year_and_a_missing_mass_is_not_nil(world: World) -> None:
    from lastro.web.readings import recycler

    rows = [one for who in world.recyclers for one in recycler.certificates(who, recycler.loads(who))]
    assert any(one.certified and one.received and one.difference for one in rows)
    assert any(one.missing and one.received is None for one in rows), "an MTR that nobody handed in"
    for who in world.recyclers:
        sums: dict[int, int] = {}
        for one in recycler.certificates(who, recycler.loads(who)):
            if one.running is not None and one.certified is not None and one.declared_on:
                year = one.declared_on.year
                sums[year] = sums.get(year, 0) + one.certified.mg
                assert one.running.mg == sums[year]


def test_a_difference_is_told_in_kilograms_and_percent() -> None:
    from lastro.web.readings.recycler import apart

    assert apart(Mass(9_000_000), Mass(9_000_000)) == "nenhuma"
    assert apart(Mass(8_000_000), Mass(9_000_000)) == "-1 kg (-11,11…%)"
    assert apart(Mass(9_090_000), Mass(9_000_000)) == "+0,09 kg (+1%)"
    assert apart(None, Mass(1)) == ""


def test_the_entity_reads_what_its_buyers_said_and_another_does_not(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.web.readings import loads

    key = denied(world)
    (one,) = loads.receipts(world.entities[:1])
    address = "/entidade/recebimentos/"
    assert "espera o parecer do verificador" in _text(browser_of(people["preparer"]).get(address))
    loads.look(
        one, verifier=world.verifier(one.entity), finding=loads.HOLDS, reason="Sem ticket.", by="d", on=TODAY
    )
    page = _text(browser_of(people["preparer"]).get(address))
    assert "massa não comprovada: Sem ticket." in page
    assert key in page
    assert key not in _text(browser_of(people["other_preparer"]).get(address))


def test_the_load_that_is_denied_is_found_by_its_verifier_only(world: World, people: dict[str, Any]) -> None:
    key = denied(world)
    address = f"/verificador/cargas/{key}/{world.recyclers[0]}/"
    assert browser_of(people["verifier"]).get(address).status_code == 200
    assert browser_of(people["stray_verifier"]).get(address).status_code == 404
