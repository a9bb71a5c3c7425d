"""The Bolsa Reciclagem's offices: one analyses, the other decides by votes; what is paid is lastro grant."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from lastro import incentives
from lastro.filings import Kind, Subject
from tests.web.conftest import TODAY, World, browser_of

NORM = "mg/decreto_45975_2012"
SEATS = ("semad/1", "semad/2", "feam/1", "pickers/1")


def _org(world: World) -> str:
    return world.operators(world.entities[0])[0]


def file_registration(cnpj: str, *, on: date = date(2026, 10, 5), sold_kg: str = "1000") -> None:
    """What a cooperative files for the last quarter of 2026."""
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    mine = Filings(office.store(), sees=cnpj)

    def add(kind: Kind, body: dict[str, Any], day: date, period: str = "", name: str = "") -> None:
        subject = Subject(kind, cnpj, NORM, period, name)
        mine.add(subject, body, by="iara@exemplo.org", on=day, addressee="bolsa")

    people = dict.fromkeys(("members", "members_capable", "members_active"), 12)
    children = dict.fromkeys(("children_of_school_age", "children_in_school"), 5)
    add(
        Kind.REGISTRATION,
        {
            "cnpj": cnpj, "name": "Cooperativa Inventada", "kind": "cooperative",
            "constituted_on": "2019-03-01", "submitted": True, "requirements_met": [], **people, **children,
        },
        on,
    )  # fmt: skip
    for month in ("2026-10", "2026-11", "2026-12"):
        add(Kind.MEASURE, {"by_material_kg": {"plastic": "400"}}, date(2027, 1, 4), month)
    sale = {
        "material": "plastic", "mass_kg": sold_kg, "value_brl": "900.00", "invoice": True,
        "sold_on": "2026-11-20", "proof": "NF 1",
    }  # fmt: skip
    add(Kind.SALE, sale, date(2027, 1, 10), "2026-T4", "NF 1/plastic")


def _post(browser: Any, address: str, **form: Any) -> Any:
    answer = browser.post(address, form)
    assert answer.status_code == 302, answer.content.decode().split("<main", 1)[1][:900]
    return answer


def _meeting(browser: Any) -> None:
    for seat in SEATS:
        _post(browser, "/comite/assentos/", assento=seat, titular=f"A {seat}", suplente="B", oficio="1/2027")
    _post(browser, "/comite/reunioes/", dia="2027-03-01", tipo="ord", presente=list(SEATS), pauta="Tudo")


def _vote(browser: Any, matter: str, number: int) -> str:
    said = {f"voto-{seat}": "sim" for seat in SEATS}
    _post(browser, "/comite/reunioes/2027-0001/", materia=matter, **said)
    return f"2027-0001/{number}"


def _analysed(people: dict[str, Any], cnpj: str) -> None:
    cmrr = browser_of(people["cmrr"])
    _post(cmrr, f"/cmrr/{cnpj}/", para="in_analysis", razao="Chegou.")
    for month in ("2026-10", "2026-11", "2026-12"):
        _post(cmrr, f"/cmrr/{cnpj}/", passo="medir", mes=month, kg="380,5", razao="Visita")
    _post(cmrr, f"/cmrr/{cnpj}/", para="analysed", razao="Completo.")


def test_a_quarter_from_registration_to_payment_equals_lastro_grant(
    world: World, people: dict[str, Any]
) -> None:
    from lastro.stores.postgres.filings import NOBODY, Filings
    from lastro.web import office
    from lastro.web.readings import committee as readings

    cnpj, committee = _org(world), browser_of(people["committee"])
    file_registration(cnpj)
    _analysed(people, cnpj)
    _meeting(committee)
    vote = _vote(committee, "Validar", 1)
    decided = {"para": "validated", "razao": "Em ordem.", "reconhecida": "sim", "voto": vote}
    _post(committee, f"/comite/organizacoes/{cnpj}/", **decided)
    vote = _vote(committee, "Coeficientes", 2)
    act = {"ato": "1/2026", "dia": "2026-03-02", "sobre": "coefficients", "coeficientes": "plastic; 2,5"}
    _post(committee, "/comite/atos/", **act, voto=vote)
    vote = _vote(committee, "Abrir", 3)
    money = {"ano": "2026", "trimestre": "4", "anual": "200.000,00", "orcamento": "50.000,00"}
    _post(committee, "/comite/trimestres/", **money, voto=vote)
    before = committee.get("/comite/trimestres/2026/4/").content.decode()
    assert "R$ 50.000,00" in before
    vote = _vote(committee, "Conceder", 4)
    _post(committee, "/comite/trimestres/2026/4/", voto=vote)

    facts = {
        "year": 2026, "quarter": 4, "annual_brl": "200000.00", "budget_brl": "50000.00",
        "coefficients": [{"material": "plastic", "k": "2.5", "decided_on": "2026-03-02", "act": "1/2026"}],
        "organisations": [
            {
                "cnpj": cnpj, "name": "Cooperativa Inventada", "kind": "cooperative",
                "constituted_on": "2019-03-01", "members": 12, "members_capable": 12, "members_active": 12,
                "children_of_school_age": 5, "children_in_school": 5, "data_updated_on": "2026-10-05",
                "registration": "validated", "recognised": True, "granted_before": False,
                "transfer_list_delivered": False, "measured_kg": ["380.5", "380.5", "380.5"],
                "sales": [
                    {
                        "material": "plastic", "mass_kg": "1000", "value_brl": "900.00", "invoice": True,
                        "sold_on": "2026-11-20", "delivered_on": "2027-01-10", "proof": "NF 1",
                    }
                ],
            }
        ],
    }  # fmt: skip
    quarter = incentives.parse(json.dumps(facts))
    regulation = readings.bolsa.regulation()
    made, _ = incentives.granted(regulation, quarter)
    told = incentives.answer(regulation, quarter, made)["organisations"][0]
    (paid,) = readings.paid(2026, 4)
    assert paid.amount is not None
    assert paid.amount.brl_text == told["amount_brl"] == "50000.00"
    assert paid.least is not None
    assert paid.least.brl_text == told["least_to_members_brl"] == "45000.00"
    listed = committee.get("/comite/trimestres/2026/4/", {"baixar": "csv"}).content.decode()
    assert "Cooperativa Inventada" in listed
    assert "50.000,00" in listed
    public = Filings(office.store(), sees=NOBODY).standing(Kind.GRANT)
    assert [one.subject.name for one in public] == [""]
    assert "Cooperativa" not in json.dumps(public[0].body), "sums name nobody"
    again = committee.post("/comite/trimestres/2026/4/", {"voto": vote})
    assert "já foi concedido" in again.content.decode()


def test_one_office_analyses_and_the_other_decides(world: World, people: dict[str, Any]) -> None:
    cnpj = _org(world)
    file_registration(cnpj)
    cmrr, committee = browser_of(people["cmrr"]), browser_of(people["committee"])
    early = committee.post(f"/comite/organizacoes/{cnpj}/", {"para": "validated", "razao": "x", "voto": "y"})
    assert "que o CMRR analisou" in early.content.decode()
    jump = cmrr.post(f"/cmrr/{cnpj}/", {"para": "validated", "razao": "x"})
    assert "não cabe agora" in jump.content.decode()
    assert cmrr.get(f"/comite/organizacoes/{cnpj}/").status_code == 403
    assert committee.get(f"/cmrr/{cnpj}/").status_code == 403
    _analysed(people, cnpj)
    text = committee.get(f"/comite/organizacoes/{cnpj}/").content.decode()
    assert "analisado: espera o Comitê" in text
    assert "380,5 kg" in text
    for vote in ("", "2027-0001/1"):
        form = {"para": "validated", "razao": "x", "voto": vote}
        assert "votação aprovada" in committee.post(f"/comite/organizacoes/{cnpj}/", form).content.decode()


def test_who_analysed_never_decides_even_in_the_other_office(world: World, people: dict[str, Any]) -> None:
    from lastro.web.readings import committee as readings
    from lastro.web.readings import incentive_desk
    from lastro.web.readings.requests import Refused

    cnpj = _org(world)
    file_registration(cnpj)
    _analysed(people, cnpj)
    found = incentive_desk.organisation("committee", cnpj)
    assert found is not None
    given = {"to": "validated", "reason": "x", "recognised": True, "place": None, "vote": "2027-0001/1"}
    with pytest.raises(Refused, match="Quem analisou"):
        readings.decide(found, by="cmrr@exemplo.org", **given)  # type: ignore[arg-type]


def test_a_meeting_without_quorum_votes_nothing_and_a_vote_serves_once(people: dict[str, Any]) -> None:
    committee = browser_of(people["committee"])
    for seat in SEATS[:3]:
        _post(committee, "/comite/assentos/", assento=seat, titular="A", suplente="B", oficio="1")
    vacant = {"dia": "2027-03-01", "tipo": "ord", "presente": ["cmrr/1"], "pauta": "x"}
    assert "titular e suplente" in committee.post("/comite/reunioes/", vacant).content.decode()
    _post(committee, "/comite/reunioes/", **{**vacant, "presente": list(SEATS[:3])})
    page = committee.get("/comite/reunioes/2027-0001/").content.decode()
    assert "sem quórum" in page
    assert not any(f"{seat}," in page or f"{seat}." in page for seat in SEATS)  # seats are named in words
    none = committee.post("/comite/reunioes/2027-0001/", {"materia": "x", "voto-semad/1": "sim"})
    assert "não teve quórum" in none.content.decode()
    same = {"assento": "pickers/1", "titular": "Ana", "suplente": "ana", "oficio": "1"}
    assert "duas pessoas" in committee.post("/comite/assentos/", same).content.decode()
    extra = {**vacant, "tipo": "extra", "presente": list(SEATS[:3]), "convoca": "feam"}
    assert "metade dos membros" in committee.post("/comite/reunioes/", extra).content.decode()


def test_a_tied_vote_does_not_pass_and_stands_behind_nothing(people: dict[str, Any]) -> None:
    committee = browser_of(people["committee"])
    _meeting(committee)
    tied = {"voto-semad/1": "sim", "voto-feam/1": "nao"}
    _post(committee, "/comite/reunioes/2027-0001/", materia="Empate", **tied)
    assert "não aprovada" in committee.get("/comite/reunioes/2027-0001/").content.decode()
    act = {"ato": "1/2027", "dia": "2027-03-02", "sobre": "priorities", "ano": "2027", "texto": "Interior"}
    refused = committee.post("/comite/atos/", {**act, "voto": "2027-0001/1"})
    assert "votação aprovada" in refused.content.decode()
    vote = _vote(committee, "Prioridades", 2)
    _post(committee, "/comite/atos/", **act, voto=vote)
    again = committee.post("/comite/atos/", {**act, "ato": "2/2027", "voto": vote})
    assert "cada uma serve a uma decisão" in again.content.decode()
    assert "Interior" in committee.get("/comite/atos/").content.decode()


def test_a_training_is_kept(people: dict[str, Any]) -> None:
    cmrr = browser_of(people["cmrr"])
    form = {"dia": TODAY.isoformat(), "assunto": "Notas fiscais", "quem": "Cooperativa Inventada"}
    assert "quantas pessoas" in cmrr.post("/cmrr/capacitacoes/", form).content.decode()
    _post(cmrr, "/cmrr/capacitacoes/", **form, pessoas="18")
    assert "Notas fiscais" in cmrr.get("/cmrr/capacitacoes/").content.decode()
