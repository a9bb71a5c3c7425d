"""Coming in by a provider: a local one that speaks OpenID Connect, honest and dishonest."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test.utils import override_settings

from lastro.errors import LastroError
from lastro.web.settings import sign_on
from tests.web.conftest import World, browser_of, people_of

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
OTHER = rsa.generate_private_key(public_exponent=65537, key_size=2048)


def _b64(number: int) -> str:
    return base64.urlsafe_b64encode(number.to_bytes(256 if number > 2**32 else 3, "big")).decode().rstrip("=")


@dataclass
class Provider:
    """What the provider says, and what it was asked."""

    url: str = ""
    subject: str = "sub-1"
    claims: dict[str, Any] = field(default_factory=dict)
    token: dict[str, Any] = field(default_factory=dict)
    key: Any = KEY
    challenges: dict[str, dict[str, str]] = field(default_factory=dict)
    down: bool = False

    def id_token(self, nonce: str) -> str:
        now = int(time.time())
        said = {
            "iss": self.url, "aud": "lastro", "sub": self.subject, "nonce": nonce, "iat": now,
            "exp": now + 60,
        }  # fmt: skip
        return jwt.encode({**said, **self.token}, self.key, algorithm="RS256", headers={"kid": "k1"})

    def keys(self) -> dict[str, Any]:
        numbers = KEY.public_key().public_numbers()
        one = {"kty": "RSA", "kid": "k1", "alg": "RS256", "n": _b64(numbers.n), "e": _b64(numbers.e)}
        return {"keys": [one]}


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


@pytest.fixture
def provider(crowd: tuple[World, Any]) -> Iterator[Provider]:
    """A provider on this machine, which the pages are set up with."""
    said = Provider()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *given: Any) -> None:
            """Say nothing."""

        def _answer(self, body: Any) -> None:
            data = json.dumps(body).encode()
            self.send_response(503 if said.down else 200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(data)

        def do_GET(self) -> None:
            keys = self.path.startswith("/jwk")
            vouched = {"sub": said.subject, "email_verified": True, **said.claims}
            self._answer(said.keys() if keys else vouched)

        def do_POST(self) -> None:
            form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
            asked = said.challenges[form["code"][0]]
            digest = hashlib.sha256(form["code_verifier"][0].encode()).digest()
            assert base64.urlsafe_b64encode(digest).decode().rstrip("=") == asked["code_challenge"]
            self._answer({"access_token": "a", "id_token": said.id_token(asked["nonce"])})

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    said.url = f"http://127.0.0.1:{server.server_address[1]}"
    names = {"AUTHORIZATION": "authorize", "TOKEN": "token", "JWKS": "jwk", "USER": "userinfo"}
    told = {f"LASTRO_OIDC_{name}": f"{said.url}/{path}" for name, path in names.items()}
    told |= {f"LASTRO_OIDC_{n}": v for n, v in (("ISSUER", said.url), ("CLIENT_ID", "lastro"))}
    told["LASTRO_OIDC_CLIENT_SECRET"] = "s"
    with override_settings(**sign_on(told)):
        yield said
    server.shutdown()
    server.server_close()


def _come_in(provider: Provider, browser: Any = None, **back: str) -> tuple[Any, Any]:
    """Go out to the provider and come back as it sends one; the browser, and the last answer."""
    browser = browser or browser_of()
    out = browser.get("/entrar/provedor/", {"next": "/prazos/"})
    assert out.status_code == 302
    asked = {name: values[0] for name, values in parse_qs(urlsplit(out["Location"]).query).items()}
    assert asked["code_challenge_method"] == "S256"
    assert asked["redirect_uri"].endswith("/entrar/provedor/volta/")
    provider.challenges["c1"] = asked
    answer = browser.get("/entrar/provedor/volta/", {"code": "c1", "state": asked["state"], **back})
    return browser, answer


def _who(browser: Any) -> str:
    return str(browser.session.get("_auth_user_id", ""))


def test_who_is_known_here_comes_in_and_gives_the_second_factor(
    crowd: tuple[World, Any], provider: Provider
) -> None:
    _, people = crowd
    provider.claims = {"email": people["preparer"].email.upper()}
    browser, answer = _come_in(provider)
    assert _who(browser) == str(people["preparer"].pk)
    assert answer["Location"] == "/prazos/"
    assert browser.get("/prazos/")["Location"].startswith("/entrar/codigo/")


def test_later_the_name_counts_and_not_the_e_mail(crowd: tuple[World, Any], provider: Provider) -> None:
    _, people = crowd
    provider.subject, provider.claims = "sub-2", {"email": people["company"].email}
    _come_in(provider)
    people["company"].refresh_from_db()
    assert len(people["company"].sign_on) == 64
    assert "sub-2" not in people["company"].sign_on
    provider.claims = {"email": "novo@exemplo.org"}
    browser, _ = _come_in(provider)
    assert _who(browser) == str(people["company"].pk)
    provider.subject, provider.claims = "sub-3", {"email": people["company"].email}
    browser, _ = _come_in(provider)
    assert _who(browser) == "", "another name with the same e-mail is somebody else"


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "ninguem@exemplo.org"},
        {"email": "verifier@exemplo.org", "email_verified": False},
        {"email": "verifier@exemplo.org", "email_verified": None},
        {"email": ""},
        {"email": "verifier@exemplo.org", "sub": "outro"},
    ],
)
def test_nobody_comes_in_unvouched(
    crowd: tuple[World, Any], provider: Provider, claims: dict[str, Any]
) -> None:
    from lastro.web.models import Person

    before = Person.objects.count()
    provider.subject, provider.claims = "sub-9", claims
    browser, answer = _come_in(provider)
    assert _who(browser) == ""
    assert answer["Location"] == "/entrar/"
    assert "não confirmou ninguém" in browser.get("/entrar/").content.decode()
    assert Person.objects.count() == before


@pytest.mark.parametrize(
    "token", [{"iss": "https://outro.example"}, {"aud": "outro"}, {"nonce": "outro"}, {"exp": 1}, {"sub": ""}]
)
def test_a_token_of_another_or_for_another_opens_nothing(
    crowd: tuple[World, Any], provider: Provider, token: dict[str, Any]
) -> None:
    provider.claims, provider.token = {"email": "verifier@exemplo.org"}, token
    browser, _ = _come_in(provider)
    assert _who(browser) == ""


def test_a_token_signed_by_another_opens_nothing(crowd: tuple[World, Any], provider: Provider) -> None:
    provider.claims, provider.key = {"email": "verifier@exemplo.org"}, OTHER
    browser, _ = _come_in(provider)
    assert _who(browser) == ""


def test_a_state_that_was_not_given_or_was_used_opens_nothing(
    crowd: tuple[World, Any], provider: Provider
) -> None:
    provider.claims = {"email": "verifier@exemplo.org"}
    browser, _ = _come_in(provider, state="outro")
    assert _who(browser) == ""
    stranger = browser_of().get("/entrar/provedor/volta/", {"code": "c1", "state": "x"})
    assert stranger.status_code == 302


def test_a_provider_that_is_down_is_told(crowd: tuple[World, Any], provider: Provider) -> None:
    provider.claims, provider.down = {"email": "verifier@exemplo.org"}, True
    browser, answer = _come_in(provider)
    assert (answer.status_code, _who(browser)) == (302, "")


def test_who_was_disabled_does_not_come_in(crowd: tuple[World, Any], provider: Provider) -> None:
    from lastro.web.models import Person

    _, people = crowd
    Person.objects.filter(pk=people["unbound"].pk).update(is_active=False)
    provider.subject, provider.claims = "sub-7", {"email": people["unbound"].email}
    browser, _ = _come_in(provider)
    assert _who(browser) == ""


def test_without_a_provider_there_is_no_such_page(crowd: tuple[World, Any]) -> None:
    assert browser_of().get("/entrar/provedor/").status_code == 404
    assert browser_of().get("/entrar/provedor/volta/").status_code == 404
    assert "provedor" not in browser_of().get("/entrar/").content.decode()


def test_half_a_set_up_is_told() -> None:
    assert sign_on({}) == {}
    with pytest.raises(LastroError, match="LASTRO_OIDC_CLIENT_SECRET, LASTRO_OIDC_AUTHORIZATION"):
        sign_on({"LASTRO_OIDC_ISSUER": "x", "LASTRO_OIDC_CLIENT_ID": "y"})
