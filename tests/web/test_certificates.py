"""Certificates on the pages: two people, one sale, the paper made in the background, the stranger's check."""

from __future__ import annotations

import re
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from lastro.web import jobs, office
from lastro.web.models import Job, Person
from lastro.web.readings import certificates
from lastro.web.scopes import Role
from tests.web.conftest import PASSWORD, World, browser_of


def _form(world: World, **changes: str) -> dict[str, str]:
    first = world.entities[0]
    form = {
        "pedido": "11111111-2222-4333-8444-555555555555",
        "holder": world.member(first),
        "ano": "2026",
        "group": "glass",
        "kg": "100,5",
        "investment": "1.800,00",
    }
    return {**form, **changes}


_TOO_MUCH = (
    {"kg": "999999999999999999999999"}, {"kg": "0"}, {"investment": "9" * 40}, {"investment": "0"},
    {"ano": "²"}, {"ano": "99999999999"},
)  # fmt: skip


def _prepared(world: World, people: dict[str, Any], **changes: str) -> Any:
    return browser_of(people["preparer"]).post("/entidade/certificados/preparar/", _form(world, **changes))


def _issued(world: World, people: dict[str, Any]) -> certificates.Shown:
    address = _prepared(world, people)["Location"]
    browser_of(people["authoriser"]).post(f"{address}autorizar/")
    assert jobs.work_on_one()
    (found,) = certificates.of_entity(world.entities[0])
    assert found.certificate.issued_on is not None, Job.objects.get().answer
    return found


def test_one_prepares_another_authorises_and_a_job_signs(world: World, people: dict[str, Any]) -> None:
    found = _issued(world, people)
    assert found.words == "emitido"
    assert found.certificate.mass.mg == 100_500_000
    paper = browser_of(people["authoriser"]).get(f"/entidade/certificados/{found.certificate.id}/papel.pdf")
    assert paper["Content-Type"] == "application/pdf"
    assert paper.content.startswith(b"%PDF-")
    assert found.certificate.number in paper["Content-Disposition"]


def test_the_same_person_never_does_both(world: World, people: dict[str, Any]) -> None:
    """Even someone whose role was changed in between: the ledger knows who prepared (K02)."""
    address = _prepared(world, people)["Location"]
    person: Person = people["preparer"]
    assert browser_of(person).post(f"{address}autorizar/").status_code == 403
    person.role = Role.ENTITY_AUTHORISER.value
    person.save()
    answer = browser_of(person).post(f"{address}autorizar/")
    assert answer.status_code == 409
    assert "K02" in answer.content.decode()
    assert not Job.objects.exists()


def test_a_second_click_prepares_and_issues_nothing_more(world: World, people: dict[str, Any]) -> None:
    first, second = (_prepared(world, people)["Location"] for _ in range(2))
    assert first == second
    for _ in range(2):
        browser_of(people["authoriser"]).post(f"{first}autorizar/")
    assert Job.objects.count() == 1
    jobs.work_on_one()
    browser_of(people["authoriser"]).post(f"{first}autorizar/")
    while jobs.work_on_one():
        pass
    (found,) = certificates.of_entity(world.entities[0])
    assert found.words == "emitido"


def test_refusals_say_code_reason_and_cure(world: World, people: dict[str, Any]) -> None:
    adherents = {who[:8] for who, _ in certificates.buyers(world.entities[0])}
    stranger = world.establishment(next(c for c in world.companies if c not in adherents))
    for changes, code in (
        ({"kg": "999.999.999"}, "K01"),
        ({"holder": stranger}, "K06"),
        ({"investment": ""}, "K07"),
        ({"ano": "2031"}, "K05"),
    ):
        answer = _prepared(world, people, **changes)
        text = answer.content.decode()
        assert answer.status_code == 409, changes
        assert code in text, (changes, re.findall(r"[KT]\d\d", text))
        assert "O que fazer" in text
    assert not certificates.of_entity(world.entities[0])


def test_a_form_that_cannot_be_read_says_why(world: World, people: dict[str, Any]) -> None:
    for changes in (
        {"kg": "cem"},
        *_TOO_MUCH,
        {"group": "ouro"},
        {"ano": ""},
        {"investment": "1,999"},
        {"kg": "1e3"},
        {"kg": "0,0005"},
    ):
        assert _prepared(world, people, **changes).status_code == 400, changes
    text = _prepared(world, people, kg="100,0001").content.decode()
    assert "até o grama" in text
    assert "no cadastro" not in text, "what was typed is wrong, not what is on record"


def test_a_refused_certificate_gives_its_mass_back(world: World, people: dict[str, Any]) -> None:
    before = office.store().pools(entity=world.entities[0])
    address = _prepared(world, people)["Location"]
    assert office.store().pools(entity=world.entities[0]) != before
    browser = browser_of(people["authoriser"])
    browser.post(f"{address}recusar/", {"reason": ""})
    assert certificates.of_entity(world.entities[0])[0].words == "preparado"
    browser.post(f"{address}recusar/", {"reason": "comprador desistiu"})
    assert certificates.of_entity(world.entities[0])[0].words == "recusado"
    assert office.store().pools(entity=world.entities[0]) == before
    assert "comprador desistiu" in browser.get(address).content.decode()


def test_the_holder_sees_it_and_another_company_does_not(world: World, people: dict[str, Any]) -> None:
    found = _issued(world, people)
    page = f"/empresa/certificados/{found.certificate.id}/"
    assert found.certificate.number in browser_of(people["company"]).get("/empresa/").content.decode()
    assert browser_of(people["company"]).get(page).status_code == 200
    assert browser_of(people["company"]).get(f"{page}papel.pdf").content.startswith(b"%PDF-")
    assert browser_of(people["other_company"]).get(page).status_code == 404
    assert browser_of(people["other_company"]).get(f"{page}papel.pdf").status_code == 404


def test_what_is_not_issued_is_not_public_and_not_the_holders(world: World, people: dict[str, Any]) -> None:
    address = _prepared(world, people)["Location"]
    identity = address.rstrip("/").rpartition("/")[2]
    assert browser_of().get("/conferir/", {"numero": identity}).status_code == 404
    assert browser_of(people["company"]).get(f"/empresa/certificados/{identity}/").status_code == 404


def test_a_stranger_checks_by_number_address_and_file(world: World, people: dict[str, Any]) -> None:
    found = _issued(world, people)
    number = found.certificate.number
    browser = browser_of()
    for typed in (number, number.lower(), number.replace("-", " "), f"http://outro.example/c/{number}"):
        answer = browser.get("/conferir/", {"numero": typed})
        assert answer["Location"] == f"/c/{number}", typed
    text = browser.get(f"/c/{number}").content.decode()
    assert "100,5 kg" in text
    assert "é de base de teste: não tem valor legal" in text
    assert "em vigor" not in text
    assert "preparer@exemplo.org" not in text
    assert "1.800" not in text, "what was paid is between seller and buyer"
    paper = certificates.book().paper(found.certificate.id)
    assert paper is not None
    text = browser.post("/conferir/", {"file": SimpleUploadedFile("c.pdf", paper)}).content.decode()
    assert "byte por byte" in text
    assert number in text
    assert "Assinatura íntegra, de teste: sem valor" in text


def test_a_changed_file_is_told_apart(world: World, people: dict[str, Any]) -> None:
    found = _issued(world, people).certificate
    paper, number = certificates.book().paper(found.id), found.number
    assert paper is not None
    middle = len(paper) // 3
    for body in (
        paper[:middle] + bytes([paper[middle] ^ 1]) + paper[middle + 1 :],
        paper + b"\n% mais\n",
    ):
        text = browser_of().post("/conferir/", {"file": SimpleUploadedFile("c.pdf", body)}).content.decode()
        assert "byte por byte" not in text
        assert "não é o que foi guardado na emissão" in text
        assert f"/c/{number}" in text, "the number that the file claims"
        assert "em vigor" not in text
    assert browser_of().post("/conferir/", {}).status_code == 400
    nothing = browser_of().post("/conferir/", {"file": SimpleUploadedFile("c.pdf", b"ola")})
    assert "Não é um PDF" in nothing.content.decode()


def test_a_number_with_a_slip_is_told_as_such(world: World, people: dict[str, Any]) -> None:
    number = _issued(world, people).certificate.number
    last = "A" if number[-1] != "A" else "B"
    answer = browser_of().get("/conferir/", {"numero": number[:-1] + last})
    assert answer.status_code == 404
    assert "K10" in answer.content.decode()


def test_evidence_that_dies_later_marks_the_certificate(world: World, people: dict[str, Any]) -> None:
    """A cancellation comes after the sale: seller, holder and stranger all see it (K11)."""
    found = _issued(world, people)
    lot = found.certificate.lots[0]
    with office.store().transaction() as db:  # what custody would write when the event arrives
        db.execute(
            "update lot_state set stale = array[%s], state = 'dead', reason = 'N10' where access_key = %s",
            [world.entities[0], lot.access_key],
        )
    for browser, address in (
        (browser_of(people["authoriser"]), f"/entidade/certificados/{found.certificate.id}/"),
        (browser_of(people["company"]), f"/empresa/certificados/{found.certificate.id}/"),
        (browser_of(), f"/c/{found.certificate.number}"),
    ):
        text = browser.get(address).content.decode()
        assert "K11" in text, address
        whole = {x.access_key for x in found.certificate.lots} == {lot.access_key}
        assert ("perdeu a prova: não vale" if whole else "vale só em parte") in text, address
        assert "em vigor" not in text


def test_the_password_is_never_on_a_page(world: World, people: dict[str, Any]) -> None:
    assert PASSWORD not in browser_of(people["admin"]).get("/pessoas/").content.decode()
