"""Looking after the whole: people, keys, work that failed or was lost, copies and recounts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import timezone

from lastro.ids import masked
from lastro.web import caretaking, jobs, office
from lastro.web.models import ApiKey, Binding, Job, JobFile, Person
from tests.web.conftest import TODAY, World, browser_of


def test_a_person_is_bound_unbound_and_given_another_role(world: World, people: dict[str, Any]) -> None:
    browser, who = browser_of(people["admin"]), people["unbound"]
    at, party = f"/pessoas/{who.pk}/", world.entities[1]
    guest = browser_of(who)
    assert guest.get("/entidade/").status_code == 403
    browser.post(at, {"do": "bind", "party": masked(party)})
    browser.post(at, {"do": "bind", "party": party})
    assert list(Binding.objects.filter(person=who).values_list("party", flat=True)) == [party]
    assert guest.get("/entidade/").status_code == 200
    assert masked(party) in browser.get(at).content.decode()
    browser.post(at, {"do": "bind", "party": "ZZABC123000199"})
    assert Binding.objects.filter(person=who).count() == 1, "check digits that are wrong bind nobody"
    browser.post(at, {"do": "unbind", "party": party})
    assert guest.get("/entidade/").status_code == 403
    browser.post(at, {"do": "role", "role": "ministry"})
    assert Person.objects.get(pk=who.pk).role == "ministry"
    browser.post(at, {"do": "role", "role": "dono"})
    assert Person.objects.get(pk=who.pk).role == "ministry"
    assert browser.post(at, {"do": "nada"}).status_code == 404


def test_a_new_invitation_ends_the_password_and_the_old_link(world: World, people: dict[str, Any]) -> None:
    browser, who = browser_of(people["admin"]), people["company"]
    session = browser_of(who)
    assert session.get("/empresa/").status_code == 200

    def link() -> str:
        text = browser.post(f"/pessoas/{who.pk}/", {"do": "invite"}).content.decode()
        (found,) = re.findall(r">http://[^/]+(/convite/\d+/[^<]+/)<", text)
        return str(found)

    first = link()
    assert session.get("/empresa/").status_code == 302, "whoever was in with the old password is out"
    second = link()
    assert browser_of().get(first).status_code == 404
    assert browser_of().get(second).status_code == 200
    assert browser_of().get(second.replace(f"/{who.pk}/", f"/{people['agency'].pk}/")).status_code == 404
    Person.objects.filter(pk=who.pk).update(is_active=False)
    assert browser_of().get(second).status_code == 404, "who was sent away is not invited"
    assert second not in browser.get(f"/pessoas/{who.pk}/").content.decode()


def test_nobody_changes_their_own_entry(world: World, people: dict[str, Any]) -> None:
    browser, me = browser_of(people["admin"]), people["admin"]
    for asked in ("active", "factor", "role", "invite"):
        assert browser.post(f"/pessoas/{me.pk}/", {"do": asked, "role": "company"}).status_code == 404
    assert Person.objects.get(pk=me.pk).role == "admin"
    assert browser.get(f"/pessoas/{me.pk}/").status_code == 200


def test_anybodys_key_is_listed_and_taken_back(world: World, people: dict[str, Any]) -> None:
    from lastro.web.api.keys import make

    preparer = people["preparer"]
    key, text = make(
        preparer, party=preparer.bound[0], name="balança", scopes=preparer.scopes, days=5, today=TODAY
    )
    browser = browser_of(people["admin"])
    page = browser.get("/administracao/chaves/").content.decode()
    assert key.public in page
    assert text.split("_")[2] not in page
    head = {"Authorization": f"Bearer {text}"}
    assert browser_of().get("/api/v1/eu", headers=head).status_code == 200
    browser.post(f"/administracao/chaves/{key.pk}/revogar/")
    assert browser_of().get("/api/v1/eu", headers=head).status_code == 401
    assert ApiKey.objects.get(pk=key.pk).revoked_at is not None
    assert browser.post(f"/administracao/chaves/{key.pk}/revogar/").status_code == 404


def _job(world: World, people: dict[str, Any], **more: Any) -> Job:
    return jobs.ask(
        "upload", party=world.entities[0], person=people["preparer"], title="notas.zip",
        asked={"norm": "mt/decreto_1455_2025", "year": 2026}, files=[("a.xml", b"<x/>")], **more,
    )  # fmt: skip


def test_a_failed_job_keeps_its_files_and_is_done_again(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    job, browser = _job(world, people), browser_of(people["admin"])

    def breaks(task: jobs.Work) -> dict[str, Any]:
        raise RuntimeError("falhou")

    right = jobs.handlers()
    with monkeypatch.context() as broken:
        broken.setattr(jobs, "handlers", lambda: {"upload": breaks})
        jobs.work_on_one()
    assert Job.objects.get(pk=job.pk).state == Job.State.FAILED
    assert JobFile.objects.filter(job=job).count() == 1
    assert "notas.zip" in browser.get("/administracao/trabalhos/").content.decode()
    at = f"/administracao/trabalhos/{job.pk}/"
    assert browser_of(people["preparer"]).post(at, {"do": "retry"}).status_code == 403
    browser.post(at, {"do": "retry"})
    again = Job.objects.get(pk=job.pk)
    assert (again.state, again.tries) == (Job.State.WAITING, 0)
    assert right
    while jobs.work_on_one():
        pass
    done = Job.objects.get(pk=job.pk)
    assert (done.state, done.answer["files"]) == (Job.State.DONE, 1)
    assert not JobFile.objects.filter(job=job).exists()
    assert not caretaking.retry(done), "what was done is not done again"
    assert not caretaking.discard(done)


def test_the_files_of_a_failed_job_are_thrown_away_when_asked(world: World, people: dict[str, Any]) -> None:
    job, browser = _job(world, people), browser_of(people["admin"])
    Job.objects.filter(pk=job.pk).update(state=Job.State.FAILED, ended_at=timezone.now())
    browser.post(f"/administracao/trabalhos/{job.pk}/", {"do": "discard"})
    assert not JobFile.objects.filter(job=job).exists()
    assert Job.objects.get(pk=job.pk).state == Job.State.FAILED


def test_a_job_that_no_worker_holds_is_said_to_be_lost(world: World, people: dict[str, Any]) -> None:
    lost, held = _job(world, people), _job(world, people)
    Job.objects.update(state=Job.State.RUNNING)
    with office.store().connect() as db:
        db.autocommit = True
        db.execute("select pg_advisory_lock(hashtextextended(%s, 0))", [f"job/{held.pk}"])
        assert caretaking.held() == {str(held.pk)}
        found = browser_of(people["admin"]).get("/administracao/trabalhos/", {"f_situacao": "em andamento"})
        assert "perdido: volta à fila" in found.content.decode()
    assert caretaking.held() == frozenset()
    assert str(lost.pk) not in caretaking.held()


def test_copies_are_what_people_said_and_unknown_is_said(world: World, people: dict[str, Any]) -> None:
    browser = browser_of(people["admin"])
    page = browser.get("/administracao/copias/").content.decode()
    assert "Sem cópia registrada" in page
    assert str(world.data) in page
    told = {"do": "copy", "dia": TODAY.isoformat(), "onde": "cofre da sala 2", "sha256": "ab" * 32}
    for wrong in ({"dia": ""}, {"dia": "2031-01-01"}, {"onde": " "}, {"sha256": "xyz"}):
        assert browser.post("/administracao/copias/", {**told, **wrong}).status_code == 400, wrong
    assert browser.post("/administracao/copias/", told).status_code == 302
    assert browser.post("/administracao/copias/", {**told, "onde": "outro cofre"}).status_code == 302
    page = browser.get("/administracao/copias/").content.decode()
    assert "cofre da sala 2" in page
    assert "outro cofre" in page
    assert "Sem cópia registrada" not in page


def test_a_recount_is_asked_for_and_its_result_shown(world: World, people: dict[str, Any]) -> None:
    browser = browser_of(people["admin"])
    assert "Nenhuma recontagem foi pedida" in browser.get("/administracao/copias/").content.decode()
    browser.post("/administracao/copias/", {"do": "audit"})
    assert jobs.work_on_one()
    job = Job.objects.get(kind="audit")
    assert (job.state, job.answer["ok"]) == (Job.State.DONE, True), job.answer
    page = browser.get("/administracao/copias/").content.decode()
    assert "tudo confere" in page
    assert job.answer["checks"][0]["label"] in page


def test_an_invitation_binds_who_acts_for_establishments_and_nobody_else(
    world: World, people: dict[str, Any]
) -> None:
    browser = browser_of(people["admin"])
    form = {"name": "Rui", "email": "rui@exemplo.org", "role": "company", "parties": ""}
    assert "escreva o CNPJ dele" in browser.post("/pessoas/", form).content.decode()
    office = form | {"role": "agency", "parties": world.entities[0]}
    assert "deixe este campo vazio" in browser.post("/pessoas/", office).content.decode()
    assert not type(people["admin"]).objects.filter(email="rui@exemplo.org").exists()
    bound = browser.post("/pessoas/", form | {"parties": world.member(world.entities[0])})
    assert "foi convidada" in bound.content.decode()
