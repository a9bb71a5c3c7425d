"""Work in the background: done once, told as it goes, taken up again when a worker was killed."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from lastro.ids import masked
from lastro.sample import waste
from lastro.web import jobs, office
from lastro.web.models import Job, JobFile
from tests.evidence import waste as papers
from tests.web.conftest import NORM, World, browser_of


def _notes(world: World, entity: str, most: int = 40) -> list[Path]:
    return sorted((world.folder / "notas" / entity).rglob("*.xml"))[:most]


def _zip(paths: list[Path]) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for path in paths:
            archive.write(path, path.name)
    return out.getvalue()


def _upload(browser: Any, name: str, body: bytes, year: str = "2026") -> Any:
    file = SimpleUploadedFile(name, body)
    return browser.post("/entidade/envios/novo/", {"files": [file], "ano": year, "norma": NORM})


def test_an_upload_says_what_became_of_each_file(world: World, people: dict[str, Any]) -> None:
    """Notes of another entity's operators: refused with a reason, counted by code, listed by upload."""
    browser = browser_of(people["preparer"])
    answer = _upload(browser, "notas.zip", _zip(_notes(world, world.entities[1])))
    assert answer.status_code == 302
    assert "na fila" in browser.get(answer["Location"]).content.decode()
    assert jobs.work_on_one()
    assert not jobs.work_on_one()
    job = Job.objects.get()
    assert (job.state, job.party, job.done) == ("done", world.entities[0], 40)
    assert job.answer["files"] == 40
    assert sum(job.answer["outcomes"].values()) >= 40
    assert not JobFile.objects.exists(), "the bytes are evidence by now"
    text = browser.get(answer["Location"]).content.decode()
    for code in job.answer["codes"]:
        assert f">{code}</a>" in text
    listed = browser.get("/entidade/documentos/", {"envio": job.pk, "ano": 2026}).content.decode()
    kept = sum(job.answer["outcomes"].values()) - job.answer["codes"].get("F01", 0)  # what runs is let go
    assert f"{kept} de" in listed


def test_the_same_upload_twice_moves_no_mass(world: World, people: dict[str, Any]) -> None:
    browser, entity = browser_of(people["preparer"]), world.entities[0]
    before = office.store().pools(entity=entity)
    body = _zip(_notes(world, entity))
    for _ in range(2):
        _upload(browser, "notas.zip", body)
        jobs.work_on_one()
    assert office.store().pools(entity=entity) == before
    last = Job.objects.order_by("-asked_at")[0].answer
    assert last["repeated"] == last["files"] > 10


@pytest.mark.parametrize(
    ("name", "body", "year", "said"),
    [
        ("notas.txt", b"x", "2026", "Não se lê aqui: notas.txt."),
        ("notas.xml", b"<a/>", "26", "quatro algarismos"),
    ],
)
def test_a_form_that_cannot_be_taken_says_why(
    world: World, people: dict[str, Any], name: str, body: bytes, year: str, said: str
) -> None:
    answer = _upload(browser_of(people["preparer"]), name, body, year)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert not Job.objects.exists()


def test_a_broken_file_is_a_finding_and_no_failure(world: World, people: dict[str, Any]) -> None:
    _upload(browser_of(people["preparer"]), "quebrada.xml", b"<nfeProc><")
    jobs.work_on_one()
    job = Job.objects.get()
    assert job.state == "done"
    assert "F05" in job.answer["codes"]


def test_manifests_and_certificates_are_handed_in_like_notes(world: World, people: dict[str, Any]) -> None:
    browser = browser_of(people["preparer"])
    named = {
        "mtr.json": waste.json_bytes([waste.manifest(papers.TRIP)]),
        "mtr.xlsx": waste.report_bytes(waste.report_rows([papers.TRIP])),
        "cdf.pdf": waste.certificate_pdf(papers.CERTIFICATE),
    }
    for name, body in named.items():
        answer = _upload(browser, name, body)
        assert answer.status_code == 302, name
        assert jobs.work_on_one()
        job = Job.objects.order_by("-asked_at")[0]
        assert (job.state, job.answer["files"], sum(job.answer["outcomes"].values())) == ("done", 1, 1)
        page = browser.get(f"/entidade/documentos/{hashlib.sha256(body).hexdigest()}/0/?ano=2026")
        assert page.status_code == 200, name
        text = page.content.decode()
        assert all(words in text for words in (name, masked(papers.GENERATOR), masked(papers.DESTINATION)))
        assert all(words in text for words in ("240001460711", "recebido 1,45000 T", "Reciclagem"))
    listed = browser.get("/entidade/documentos/", {"ano": 2026, "busca": "mtr.json"}).content.decode()
    assert masked(papers.GENERATOR) in listed


def test_a_lots_file_that_cannot_be_read_fails_with_what_to_do(world: World, people: dict[str, Any]) -> None:
    _upload(browser_of(people["preparer"]), "lote.csv", b"nada;disso\n1;2\n")
    jobs.work_on_one()
    job = Job.objects.get()
    assert job.state == "failed"
    assert job.answer["error"]


def _ask(world: World, people: Mapping[str, Any]) -> Job:
    paths = _notes(world, world.entities[1])
    return jobs.ask(
        "upload", party=world.entities[0], person=people["preparer"], title="notas",
        asked={"norm": NORM, "year": 2026}, files=[("notas.zip", _zip(paths))],
    )  # fmt: skip


def test_two_workers_never_hold_the_same_job(world: World, people: dict[str, Any]) -> None:
    job = _ask(world, people)
    with jobs._taken() as first, jobs._taken() as second:
        assert first is not None
        assert first.pk == job.pk
        assert second is None
    with jobs._taken() as third:
        assert third is not None


def test_a_job_whose_worker_was_killed_is_taken_up_again(world: World, people: dict[str, Any]) -> None:
    """A real worker process is killed while it works; the next one ends the job, and nothing counts twice."""
    job = _ask(world, people)
    code = (
        "import sys, time; from lastro.web import uploads\n"
        "def slow(stream, task):\n"
        "    for n, one in enumerate(stream):\n"
        "        task.tell(done=n + 1); print(n, flush=True); time.sleep(60)\n"
        "        yield one\n"
        "uploads._told = slow\n"
        "from lastro.web import jobs; jobs.work_on_one()\n"
    )
    setup = (
        "from pathlib import Path; from datetime import date\n"
        "from lastro.web import office; from lastro.web.settings import Site\n"
        f"site = Site(data=Path({str(world.data)!r}), today=date(2027, 3, 15))\n"
        "with office.opened(site):\n"
    )
    body = setup + "".join(f"    {line}\n" for line in code.splitlines())
    worker = subprocess.Popen([sys.executable, "-c", body], env=world.env, stdout=subprocess.PIPE, text=True)
    assert worker.stdout is not None
    assert worker.stdout.readline().strip() == "0", "the worker is in the middle of it"
    assert Job.objects.get().state == "running"
    with jobs._taken() as none:
        assert none is None, "its worker lives"
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    while not jobs.work_on_one():  # until the database has seen that the connection is gone
        pass
    job.refresh_from_db()
    assert (job.state, job.tries) == ("done", 2)
    assert job.answer["repeated"] == 0, "nobody handed the files in twice"
    assert job.answer["files"] == 40


def test_a_job_that_takes_workers_down_is_given_up(world: World, people: dict[str, Any]) -> None:
    job = _ask(world, people)
    Job.objects.filter(pk=job.pk).update(state="running", tries=jobs.MOST_TRIES)
    assert jobs.work_on_one()
    job.refresh_from_db()
    assert job.state == "failed"
    assert job.answer["error"].startswith("F12")
    assert not jobs.work_on_one()


def test_an_unexpected_failure_says_nothing_of_our_insides(
    world: World, people: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(task: jobs.Work) -> dict[str, Any]:
        raise RuntimeError("segredo")

    job = _ask(world, people)
    monkeypatch.setattr(jobs, "handlers", lambda: {"upload": broken})
    jobs.work_on_one()
    job.refresh_from_db()
    assert job.state == "failed"
    assert "segredo" not in str(job.answer)


def test_an_upload_says_what_lost_its_proof(world: World, people: dict[str, Any]) -> None:
    """What was used and died is listed with its certificate; another entity's is nobody else's news."""
    from lastro.web.uploads import fallen

    entity, other = world.entities[0], world.entities[1]
    lot = next(one for one in office.store().lots(entity=entity, year=2026) if one.mass)
    key, line = lot.lot.access_key, lot.lot.line
    assert fallen({key}, entity)["fallen_count"] == 0
    with office.store().transaction() as db:  # what custody would write when the event arrives
        db.execute(
            "update lot_state set stale = array[%s], state = 'dead', reason = 'N10' "
            "where access_key = %s and line = %s",
            [entity, key, line],
        )
    assert fallen({key}, entity)["fallen"] == [{"key": key, "line": line, "reason": "N10"}]
    assert fallen({"outra"}, entity)["fallen_count"] == fallen({key}, other)["fallen_count"] == 0
    job = _ask(world, people)
    answer = {"files": 1, "outcomes": {"admitted": 1}, **fallen({key}, entity)}
    Job.objects.filter(pk=job.pk).update(state="done", answer=answer)
    page = browser_of(people["preparer"]).get(f"/entidade/envios/{job.pk}/").content.decode()
    assert "1 item já usado perdeu a prova" in page
    assert key in page
    assert "nota cancelada" in page
