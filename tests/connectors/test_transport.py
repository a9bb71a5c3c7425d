"""Who is asked is verified, who asks is shown, and no answer may be endless."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from lastro.connectors.faults import Unanswered
from lastro.connectors.identity import open_p12, tls
from lastro.connectors.patience import expect_ok, patiently
from lastro.connectors.transport import Answer, HttpsLine, Request
from lastro.errors import LastroError
from tests.connectors import servers
from tests.connectors.servers import PASSWORD, Reply
from tests.evidence import vectors


def known(**choices: object) -> HttpsLine:
    identity = open_p12("a.p12", servers.p12(), PASSWORD)
    return HttpsLine(tls(identity, roots=vectors.TRUST), **choices)  # type: ignore[arg-type]


def refused(line: HttpsLine, url: str) -> Unanswered:
    with pytest.raises(Unanswered) as told:
        line.send(Request("GET", url + "/x"))
    return told.value


def test_the_server_sees_the_certificate_and_the_request(sefaz, line):
    sefaz.in_turn(Reply("olá", headers={"Retry-After": "7"}))
    answer = line.send(Request("POST", sefaz.url + "/a?b=c", b"corpo", {"X-Y": "z"}))
    assert (answer.status, answer.body, answer.retry_after) == (200, "olá".encode(), "7")
    (given,) = sefaz.asked
    assert (given.method, given.path, given.body) == ("POST", "/a?b=c", "corpo")
    assert given.headers["X-Y"] == "z"
    assert given.client == f"Empresa {vectors.ENTITY}"


def test_without_a_certificate_the_server_hears_nothing(sefaz):
    told = refused(HttpsLine(tls(None, roots=vectors.TRUST)), sefaz.url)
    assert "certificado de cliente" in str(told)
    assert sefaz.asked == []


def test_a_certificate_of_an_unknown_authority_is_refused(sefaz):
    identity = open_p12("a.p12", servers.p12(known=False), PASSWORD)
    told = refused(HttpsLine(tls(identity, roots=vectors.TRUST)), sefaz.url)
    assert "certificado de cliente" in str(told)
    assert sefaz.asked == []


def test_a_server_of_an_unknown_authority_is_not_asked(tmp_path):
    with servers.service(tmp_path, issuer="Raiz falsa", client=False) as running:
        told = refused(known(), running.url)
    assert "não confere" in str(told)
    assert not told.again
    assert running.asked == []


def test_a_server_of_another_name_is_not_asked(sefaz, line):
    told = refused(line, sefaz.url.replace("127.0.0.1", "localhost"))
    assert "não confere" in str(told)
    assert sefaz.asked == []


def test_a_redirect_is_not_followed(sefaz, line):
    sefaz.in_turn(Reply(status=302, headers={"Location": sefaz.url + "/outro"}))
    assert line.send(Request("GET", sefaz.url + "/x")).status == 302
    assert len(sefaz.asked) == 1


def test_silence_ends(sefaz):
    sefaz.in_turn(Reply(hang=True))
    told = refused(known(seconds=1), sefaz.url)
    assert told.again
    assert "sem resposta" in str(told)


def test_an_answer_that_drips_ends_too(sefaz):
    sefaz.in_turn(Reply(b"x" * 200_000))
    moments = iter(range(0, 10_000, 40))
    told = refused(known(seconds=30, monotonic=lambda: next(moments)), sefaz.url)
    assert told.again


def test_a_huge_answer_is_cut_off_and_not_repeated(sefaz):
    sefaz.in_turn(Reply(b"x" * 100_001))
    told = refused(known(most_bytes=100_000), sefaz.url)
    assert "100000 bytes" in str(told)
    assert not told.again


def test_an_answer_shorter_than_announced_is_none(sefaz, line):
    sefaz.in_turn(Reply(b"metade", cut=10))
    told = refused(line, sefaz.url)
    assert told.again


def test_nobody_at_home(line):
    assert refused(line, "https://127.0.0.1:9").again


def test_secrets_are_in_no_representation():
    request = Request("POST", "https://a.example/", b"segredo", {"Authorization": "segredo"})
    identity = open_p12("a.p12", servers.p12(), PASSWORD)
    assert "segredo" not in repr(request)
    assert "key=" not in repr(identity)
    assert "corpo" not in repr(Answer(200, b"corpo"))


# ── the PKCS#12 ──────────────────────────────────────────────────────────────────────────────────────


def test_the_company_is_read_from_the_certificate():
    assert open_p12("a.p12", servers.p12(vectors.MILL), PASSWORD).cnpj == vectors.MILL


@pytest.mark.parametrize("data", [b"", b"nada", servers.p12()[:-20]])
def test_what_is_no_pkcs12_says_so(data: bytes):
    with pytest.raises(LastroError, match=r"a\.p12"):
        open_p12("a.p12", data, PASSWORD)


def test_a_wrong_password_is_not_repeated():
    with pytest.raises(LastroError, match="senha está errada") as told:
        open_p12("a.p12", servers.p12(), "outra senha")
    assert "outra senha" not in str(told.value)


def test_an_expired_certificate_is_told_before_anyone_is_asked():
    identity = open_p12("a.p12", servers.p12(), PASSWORD)
    identity.expect_valid(datetime(2026, 11, 30, tzinfo=UTC))
    with pytest.raises(LastroError, match="só vale"):
        identity.expect_valid(datetime(2031, 1, 1, tzinfo=UTC))


def test_no_key_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tls(open_p12("a.p12", servers.p12(), PASSWORD))
    assert list(tmp_path.iterdir()) == []


# ── patience ─────────────────────────────────────────────────────────────────────────────────────────


class Failing:
    def __init__(self, *failures: Unanswered) -> None:
        self.left = list(failures)

    def __call__(self) -> str:
        if self.left:
            raise self.left.pop(0)
        return "enfim"


def soon(after: int | None = None) -> Unanswered:
    return Unanswered("x", again=True, after=after)


def test_waits_grow_and_are_spread(time):
    assert patiently(Failing(soon(), soon(), soon()), clock=time.clock) == "enfim"
    assert time.slept == [1, 2, 4]


def test_the_server_may_ask_for_more_but_not_for_ever(time):
    assert patiently(Failing(soon(30), soon(86_400)), clock=time.clock) == "enfim"
    assert time.slept == [30, 60]


def test_patience_ends(time):
    ask = Failing(*(soon() for _ in range(9)))
    with pytest.raises(Unanswered):
        patiently(ask, clock=time.clock, tries=3)
    assert len(time.slept) == 2
    assert len(ask.left) == 6


def test_what_will_not_change_is_not_asked_again(time):
    with pytest.raises(Unanswered):
        patiently(Failing(Unanswered("x", again=False)), clock=time.clock)
    assert time.slept == []


@pytest.mark.parametrize(("status", "again"), [(500, True), (503, True), (429, True), (403, False)])
def test_which_statuses_are_worth_repeating(status: int, again: bool):
    with pytest.raises(Unanswered, match=str(status)) as told:
        expect_ok(Answer(status, b"", "12"), "h")
    assert (told.value.again, told.value.after) == (again, 12)
    assert expect_ok(Answer(204, b""), "h").status == 204
