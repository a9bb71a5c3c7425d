"""Notices: each thing is told once to each who acts for the party, by page, e-mail and signed call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from lastro.connectors.faults import Unanswered
from lastro.connectors.transport import Answer, Request
from lastro.filings import Kind, Subject
from tests.web.conftest import World, browser_of, people_of


class Heard:
    """A line that keeps what is sent and answers as it is told to."""

    def __init__(self, status: int = 200) -> None:
        self.status, self.requests = status, list[Request]()

    def send(self, request: Request) -> Answer:
        self.requests.append(request)
        if not self.status:
            raise Unanswered("x.example: sem resposta em 10 s.", again=True)
        return Answer(self.status, b"")


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


@pytest.fixture
def letters(crowd: tuple[World, dict[str, Any]], settings: Any) -> Iterator[list[Any]]:
    """E-mails that would have left."""
    from django.core import mail

    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    mail.outbox = []
    yield mail.outbox
    mail.outbox = []


@pytest.fixture
def settings() -> Iterator[Any]:
    """Django's settings, put back afterwards."""
    from django.test.utils import override_settings

    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        from django.conf import settings as found

        yield found


def _pulse(line: Heard | None = None) -> Heard:
    from lastro.web import notices

    heard = line or Heard()
    notices.pulse(line=heard)
    return heard


def _ended(world: World, people: dict[str, Any]) -> Any:
    from lastro.web import jobs
    from lastro.web.models import Job

    job = jobs.ask(
        "upload", party=world.entities[0], person=people["preparer"], title="a.zip", asked={"norm": "n"}
    )
    Job.objects.filter(pk=job.pk).update(state=Job.State.DONE, ended_at=timezone.now())
    return job


def _told(person: Any) -> list[str]:
    from lastro.web.notice_models import Notice

    return list(Notice.objects.filter(person=person).order_by("pk").values_list("title", flat=True))


def test_each_is_told_once_and_only_of_their_own(crowd: tuple[World, Any], letters: list[Any]) -> None:
    world, people = crowd
    _ended(world, people)
    _pulse()
    _pulse()
    for name in ("preparer", "authoriser"):
        assert _told(people[name]).count("Envio lido: a.zip") == 1
    for name in ("other_preparer", "company", "verifier", "admin"):
        assert "Envio lido: a.zip" not in _told(people[name])
    to = [letter.to for letter in letters]
    assert to.count([people["preparer"].email]) == 1
    assert all("a.zip" not in letter.body for letter in letters if letter.to == [people["company"].email])


def test_who_wants_no_letter_gets_none(crowd: tuple[World, Any], letters: list[Any]) -> None:
    world, people = crowd
    browser = browser_of(people["second_preparer"])
    browser.post("/avisos/email/", {"email": "nao"})
    _ended(world, people)
    _pulse()
    assert [people["second_preparer"].email] not in [letter.to for letter in letters]
    assert "Envio lido: a.zip" in browser.get("/avisos/").content.decode()


def test_a_letter_that_does_not_leave_is_tried_again(
    crowd: tuple[World, Any], letters: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lastro.web import notices

    world, people = crowd
    _ended(world, people)

    def down(*given: Any) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as patched:
        patched.setattr(notices, "send_mail", down)
        _pulse()
    assert letters == []
    _pulse()
    assert [people["preparer"].email] in [letter.to for letter in letters]


def test_a_paper_reaches_who_it_is_addressed_to(crowd: tuple[World, Any], letters: list[Any]) -> None:
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office

    _, people = crowd
    company = people["company"].parties[0]
    Filings(office.store(), sees="agency").add(
        Subject(Kind.REQUEST, "agency", name="77"), {}, by="x", on=office.today(), addressee=company
    )
    Filings(office.store(), sees=company).add(
        Subject(Kind.ANSWER, company, name="77"), {}, by="x", on=office.today(), addressee="agency"
    )
    _pulse()
    assert any(title.startswith("Chegou: pedido") for title in _told(people["company"]))
    assert any(title.startswith("Chegou: resposta") for title in _told(people["agency"]))
    assert not any(title.startswith("Chegou") for title in _told(people["other_company"]))


def _hook(world: World, people: dict[str, Any]) -> Any:
    from lastro.web.notice_models import Hook

    return Hook.objects.create(
        person=people["preparer"], party=world.entities[0], url="https://x.example/",
        secret="whsec_" + "A" * 44, events=["upload.done"],
    )  # fmt: skip


def test_a_program_is_called_until_it_takes_the_message(crowd: tuple[World, Any], letters: list[Any]) -> None:
    from lastro.web.notice_models import Call

    world, people = crowd
    hook = _hook(world, people)
    job = _ended(world, people)
    _pulse(Heard(status=0))
    call = Call.objects.get(hook=hook, key=f"upload/{job.pk}")
    assert (call.state, call.tries, "sem resposta" in call.answered) == ("waiting", 1, True)
    assert not _pulse().requests, "it waits first"
    Call.objects.filter(hook=hook).update(next_at=timezone.now() - timedelta(seconds=1))
    heard = _pulse()
    bodies = [json.loads(request.body) for request in heard.requests]
    assert str(job.pk) in [body["data"]["id"] for body in bodies]
    assert {body["event"] for body in bodies} == {"upload.done"}
    call.refresh_from_db()
    assert (call.state, call.tries) == ("taken", 2)
    assert not _pulse().requests
    hook.delete()


def test_a_call_is_given_up_at_last_and_gone_means_gone(crowd: tuple[World, Any], letters: list[Any]) -> None:
    from lastro.web.notice_models import Call
    from lastro.web.notices import WAITS

    world, people = crowd
    hook = _hook(world, people)
    _ended(world, people)
    for _ in range(len(WAITS) + 1):
        _pulse(Heard(status=500))
        Call.objects.filter(hook=hook).update(next_at=timezone.now() - timedelta(seconds=1))
    assert set(Call.objects.filter(hook=hook).values_list("state", flat=True)) == {"given_up"}
    _ended(world, people)
    _pulse(Heard(status=410))
    hook.refresh_from_db()
    assert hook.ended_at is not None
    hook.delete()


def test_the_page_takes_an_address_and_shows_the_secret_once(crowd: tuple[World, Any]) -> None:
    from lastro.web.notice_models import Hook

    _, people = crowd
    browser = browser_of(people["preparer"])
    asked = {"endereco": "https://x.example/l", "evento": ["upload.done", "nada"]}
    page = browser.post("/avisos/programas/", asked).content.decode()
    hook = Hook.objects.latest("pk")
    assert hook.secret in page.replace("&#x27;", "'")
    assert hook.events == ["upload.done"]
    assert hook.secret not in browser.get("/avisos/programas/").content.decode()
    for wrong in ({"endereco": "http://x.example/"}, {"evento": []}):
        assert browser.post("/avisos/programas/", {**asked, **wrong}).status_code == 400
    end = f"/avisos/programas/{hook.pk}/encerrar/"
    assert browser_of(people["other_preparer"]).post(end).status_code == 404
    browser.post(end)
    hook.refresh_from_db()
    assert hook.ended_at is not None


def test_a_deadline_that_comes_near_is_told_on_its_days(
    crowd: tuple[World, Any], letters: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from lastro.web import office
    from lastro.web.notice_models import Round
    from lastro.web.readings import deadlines

    _, people = crowd
    party = people["company"].parties[0]
    today = office.today()
    tasks = deadlines.year_of(party, entity=False, year=today.year, norms=()).tasks
    task = next(t for t in tasks if t.done_on is None and (t.until - today).days > 8)
    for days, expected in ((8, False), (7, True)):
        Round.objects.all().delete()
        with monkeypatch.context() as patched:
            patched.setattr(office, "today", lambda days=days: task.until - timedelta(days=days))
            _pulse()
        assert (f"Em 7 dias: {task.title}" in _told(people["company"])) is expected


def test_one_look_a_day_is_enough(crowd: tuple[World, Any], letters: list[Any]) -> None:
    from lastro.web import notices, office
    from lastro.web.notice_models import Round

    Round.objects.all().delete()
    assert notices._first_today("deadlines", office.today())
    assert not notices._first_today("deadlines", office.today())
    assert notices._first_today("deadlines", office.today() + timedelta(days=1))


def test_who_acts_by_delegation_is_told_of_what_they_may_see_and_while_it_lasts(
    crowd: tuple[World, dict[str, Any]], letters: list[Any]
) -> None:
    """An upload tells the delegate who reads for the entity, and neither another's nor one who is out."""
    from lastro.web.models import Delegation

    world, people = crowd
    job = _ended(world, people)
    _pulse()
    mine = f"upload/{job.pk}"
    assert mine in _keys(people["entity_accountant"])
    assert mine not in _keys(people["accountant"])
    assert any(people["entity_accountant"].email in letter.to for letter in letters)
    lent = Delegation.objects.filter(to=people["entity_accountant"])
    before = lent.get()
    lent.update(scopes=["publish"])
    other = _ended(world, people)
    _pulse()
    assert f"upload/{other.pk}" not in _keys(people["entity_accountant"]), "reads no more"
    lent.update(scopes=before.scopes, revoked_at=timezone.now())
    last = _ended(world, people)
    _pulse()
    assert f"upload/{last.pk}" not in _keys(people["entity_accountant"]), "was taken back"
    assert f"upload/{last.pk}" in _keys(people["preparer"])
    lent.update(revoked_at=None)


def _keys(person: Any) -> set[str]:
    from lastro.web.notice_models import Notice

    return set(Notice.objects.filter(person=person).values_list("key", flat=True))
