"""Manifests from a service that speaks like SINIR's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lastro.connectors.faults import Expired, Unanswered
from lastro.connectors.identity import tls
from lastro.connectors.sinir import Manifests, Secret
from lastro.connectors.transport import HttpsLine
from lastro.errors import LastroError
from tests.connectors import servers
from tests.connectors.servers import Given, Reply
from tests.evidence import vectors

NUMBER = "240001234567"
INTEGRATION = Secret(integration="integracao-secreta-1")
PASSWORD = Secret(user=vectors.ENTITY, password="senha-secreta", unit="77")


def envelope(thing: Any = None, *, message: str = "", wrong: bool = False) -> str:
    return json.dumps(
        {"mensagem": message, "objetoResposta": thing, "totalRecords": None, "erro": wrong},
        ensure_ascii=False,
    )


def manifest(number: str = NUMBER, **more: Any) -> dict[str, Any]:
    return {"manNumero": number, "manObservacao": "Carga de papelão", "listaManifestoResiduo": [], **more}


class Sinir:
    """A service that gives tokens and takes only the latest, until it expires."""

    def __init__(self) -> None:
        self.made = 0
        self.replies: list[Reply] = []
        self.token_reply: Reply | None = None
        self.expired = Reply(envelope(message="Token expirado", wrong=True), status=401)
        self.dead: set[str] = set()

    def __call__(self, given: Given) -> Reply:
        if given.path in ("/rest/token", "/rest/gettoken"):
            self.made += 1
            return self.token_reply or Reply(envelope(f"Bearer token-{self.made}", message="Autenticado"))
        token = given.headers.get("Authorization", "")
        if not token.startswith("Bearer token-") or token in self.dead:
            return self.expired
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@pytest.fixture
def sinir(tmp_path: Path) -> Iterator[tuple[servers.Service, Sinir]]:
    with servers.service(tmp_path, client=False) as running:
        acting = Sinir()
        running.script = acting
        yield running, acting


@pytest.fixture
def client(sinir, time):
    def made(secret: Secret = INTEGRATION, system: str = "sinir") -> Manifests:
        line = HttpsLine(tls(None, roots=vectors.TRUST), seconds=5)
        return Manifests(system, base=sinir[0].url + "/rest/", secret=secret, line=line, clock=time.clock)

    return made


def test_a_manifest_is_kept_as_the_service_gave_it(sinir, client):
    running, acting = sinir
    acting.replies = [Reply(envelope(manifest()))]
    made = client()
    for _ in range(2):
        got = made.manifest(NUMBER)
        assert (got.problem, got.body) == ("", envelope(manifest()).encode())
    assert [(g.method, g.path) for g in running.asked] == [
        ("POST", "/rest/token"),
        ("GET", f"/rest/retornaManifesto/{NUMBER}"),
        ("GET", f"/rest/retornaManifesto/{NUMBER}"),
    ]
    assert running.asked[0].headers["Authorization"] == "Bearer integracao-secreta-1"
    assert running.asked[1].headers["Authorization"] == "Bearer token-1"


def test_a_state_service_takes_user_password_and_unit(sinir, client):
    running, acting = sinir
    acting.replies = [Reply(envelope([manifest("2400012345")]))]
    assert client(PASSWORD, "sigor").manifest("2400012345").problem == ""
    assert running.asked[0].path == "/rest/gettoken"
    assert json.loads(running.asked[0].body) == {
        "cpfCnpj": vectors.ENTITY,
        "senha": "senha-secreta",
        "unidade": "77",
    }


@pytest.mark.parametrize("token", ["token-9", "Bearer token-9", {"token": "token-9", "expiraEm": 3600}])
def test_each_form_of_the_token_is_taken(sinir, client, token):
    running, acting = sinir
    acting.token_reply = Reply(envelope(token))
    acting.replies = [Reply(envelope(manifest()))]
    assert not client().manifest(NUMBER).problem
    assert running.asked[1].headers["Authorization"] == "Bearer token-9"


@pytest.mark.parametrize(
    "expired",
    [
        Reply(envelope(message="Token expirado", wrong=True), status=401),
        Reply(status=403),
        Reply(envelope(message="Token inválido ou expirado.", wrong=True)),
    ],
)
def test_an_expired_token_is_renewed_once(sinir, client, expired):
    _, acting = sinir
    acting.expired = expired
    acting.replies = [Reply(envelope(manifest()))]
    made = client()
    made.manifest(NUMBER)
    acting.dead = {"Bearer token-1"}
    assert not made.manifest(NUMBER).problem
    assert acting.made == 2
    acting.dead = {"Bearer token-2", "Bearer token-3"}
    with pytest.raises(Expired):
        made.manifest(NUMBER)
    assert acting.made == 3


def test_a_first_token_that_is_not_taken_is_not_renewed(sinir, client):
    _, acting = sinir
    acting.dead = {"Bearer token-1"}
    with pytest.raises(Expired):
        client().manifest(NUMBER)
    assert acting.made == 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply(envelope(message="Endpoint desativado", wrong=True), status=404),
        Reply(envelope(message="Usuário ou senha inválidos", wrong=True)),
        Reply(envelope(None)),
        Reply(envelope("Bearer x\ny: z")),
        Reply(status=401),
        Reply(envelope(message="não vale integracao-secreta-1", wrong=True)),
    ],
)
def test_credentials_that_are_refused_are_told_without_repeating_them(sinir, client, time, reply):
    _, acting = sinir
    acting.token_reply = reply
    with pytest.raises(LastroError, match=r"credenciais|acesso") as told:
        client().manifest(NUMBER)
    assert "integracao-secreta-1" not in str(told.value)
    assert acting.made == 1
    assert time.slept == []


def test_a_manifest_that_is_not_there_is_an_answer(sinir, client):
    _, acting = sinir
    for status in (200, 404):
        acting.replies = [Reply(envelope(message="MTR não encontrado", wrong=True), status=status)]
        assert client().manifest(NUMBER).problem == "MTR não encontrado"


def test_another_manifest_than_the_one_asked_for_is_not_taken(sinir, client):
    _, acting = sinir
    for thing in (manifest("240009999999"), None, [], [manifest(), manifest()], "texto"):
        acting.replies = [Reply(envelope(thing))]
        got = client().manifest(NUMBER)
        assert (got.body, got.problem) == (b"", "a resposta não é deste manifesto")


def test_the_state_number_names_the_same_manifest(sinir, client):
    _, acting = sinir
    acting.replies = [Reply(envelope(manifest("240009999999", manNumeroEstadual=NUMBER)))]
    assert not client().manifest(NUMBER).problem


@pytest.mark.parametrize("number", ["", "24000123456", "24000123456x", "../../gettok", "२४०००१२३४५६७"])
def test_a_number_of_another_shape_is_not_asked_for(sinir, client, number):
    running, _ = sinir
    assert "12 algarismos" in client().manifest(number).problem
    assert running.asked == []


@pytest.mark.parametrize(
    "first",
    [Reply(status=500), Reply("<html>manutenção</html>"), Reply("[1]"), Reply('{"a": 1}'), Reply("[" * 5000)],
)
def test_what_may_pass_is_asked_again(sinir, client, time, first):
    _, acting = sinir
    acting.replies = [first, Reply(envelope(manifest()))]
    assert not client().manifest(NUMBER).problem
    assert time.slept == [1]


def test_a_service_that_stays_down_is_left_alone(sinir, client, time):
    _, acting = sinir
    acting.replies = [Reply("<html>", status=503)]
    with pytest.raises(Unanswered, match="503"):
        client().manifest(NUMBER)
    assert time.slept == [1, 2, 4]


def test_latin_1_comes_out_as_utf_8(sinir, client):
    _, acting = sinir
    acting.replies = [Reply(envelope(manifest()).encode("latin-1"))]
    got = client().manifest(NUMBER)
    assert json.loads(got.body)["objetoResposta"]["manObservacao"] == "Carga de papelão"


def test_a_list_of_the_service(sinir, client):
    running, acting = sinir
    acting.replies = [Reply(envelope([{"uniCodigo": 2, "uniSigla": "KG"}]))]
    assert b"uniSigla" in client().listed("Unidade")
    assert running.asked[-1].path == "/rest/retornaListaUnidade"
    acting.replies = [Reply(envelope(message="sem acesso", wrong=True))]
    with pytest.raises(LastroError, match="sem acesso"):
        client().listed("Residuo")


def test_secrets_are_not_shown():
    assert "secreta" not in repr(INTEGRATION) + repr(PASSWORD)
