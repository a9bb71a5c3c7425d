"""Passkeys: made and used in a real browser with a virtual device, and refused where they prove nothing."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_decode, websafe_encode

from tests.web.conftest import World, browser_of, people_of

ORIGIN = "http://localhost"


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


class Phone:
    """A device that keeps one passkey, and may lie in every way."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = os.urandom(32)
        self.signed = 0

    def _client(self, kind: str, challenge: str, origin: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": origin}).encode()

    def _data(self, *, flags: int, host: str, more: bytes = b"") -> bytes:
        return hashlib.sha256(host.encode()).digest() + struct.pack(">BI", flags, self.signed) + more

    def make(
        self, options: dict[str, Any], *, origin: str = ORIGIN, host: str = "localhost", flags: int = 0x45
    ) -> str:
        public = cbor.encode(dict(ES256.from_cryptography_key(self.key.public_key())))
        more = bytes(16) + struct.pack(">H", len(self.id)) + self.id + public
        told = {"fmt": "none", "attStmt": {}, "authData": self._data(flags=flags, host=host, more=more)}
        return self._answer(
            clientDataJSON=self._client("webauthn.create", options["challenge"], origin),
            attestationObject=cbor.encode(told),
        )

    def sign(
        self, options: dict[str, Any], *, origin: str = ORIGIN, host: str = "localhost", flags: int = 0x05
    ) -> str:
        self.signed += 1
        client, data = (
            self._client("webauthn.get", options["challenge"], origin),
            self._data(flags=flags, host=host),
        )
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=client, authenticatorData=data, signature=signature)

    def _answer(self, **parts: bytes) -> str:
        return json.dumps(
            {
                "id": websafe_encode(self.id), "rawId": websafe_encode(self.id), "type": "public-key",
                "response": {name: websafe_encode(part) for name, part in parts.items()},
                "clientExtensionResults": {},
            }
        )  # fmt: skip


def _options(page: str) -> dict[str, Any]:
    import html
    import re

    found = re.search(r'data-options="([^"]*)"', page)
    assert found is not None
    said: dict[str, Any] = json.loads(html.unescape(found[1]))
    assert len(websafe_decode(said["challenge"])) >= 16
    return said


def _made(person: Any, phone: Phone) -> Any:
    browser = browser_of(person)
    options = _options(browser.get("/conta/chaves-de-acesso/").content.decode())
    answer = browser.post("/conta/chaves-de-acesso/", {"nome": "meu", "resposta": phone.make(options)})
    assert answer.status_code == 302
    return browser


def _asked(person: Any) -> tuple[Any, dict[str, Any]]:
    """Someone who gave the password, and what their browser is asked to sign."""
    browser = browser_of(person, verified=False)
    return browser, _options(browser.get("/entrar/codigo/").content.decode())


def _inside(browser: Any) -> bool:
    return bool(browser.get("/conta/").status_code == 200)


def test_a_passkey_lets_in_in_place_of_a_code(crowd: tuple[World, Any]) -> None:
    from lastro.web.passkey_models import Passkey

    _, people = crowd
    phone, person = Phone(), people["preparer"]
    _made(person, phone)
    browser, options = _asked(person)
    assert not _inside(browser)
    answer = browser.post("/entrar/codigo/", {"resposta": phone.sign(options), "next": "/prazos/"})
    assert (answer.status_code, answer["Location"]) == (302, "/prazos/")
    assert _inside(browser)
    kept = Passkey.objects.get(user=person)
    assert (kept.signed, kept.used_at is not None) == (1, True)


@pytest.mark.parametrize(
    "lie",
    [
        {"origin": "http://outro.example"},
        {"host": "outro.example"},
        {"flags": 0x01},  # present, and not recognised by the device
        {"flags": 0x04},
    ],
)
def test_a_signature_that_proves_nothing_opens_nothing(crowd: tuple[World, Any], lie: dict[str, Any]) -> None:
    _, people = crowd
    phone, person = Phone(), people["authoriser"]
    _made(person, phone)
    browser, options = _asked(person)
    assert (
        "não confere"
        in browser.post("/entrar/codigo/", {"resposta": phone.sign(options, **lie)}).content.decode()
    )
    assert not _inside(browser)


def test_a_challenge_serves_once_and_only_its_own_session(crowd: tuple[World, Any]) -> None:
    _, people = crowd
    phone, person = Phone(), people["second_preparer"]
    _made(person, phone)
    browser, options = _asked(person)
    signed = phone.sign(options)
    other, _ = _asked(person)
    other.post("/entrar/codigo/", {"resposta": signed})
    assert not _inside(other)
    browser.post("/entrar/codigo/", {"resposta": signed})
    assert _inside(browser)
    again, _ = _asked(person)
    again.post("/entrar/codigo/", {"resposta": signed})
    assert not _inside(again)


def test_a_copied_passkey_is_noticed(crowd: tuple[World, Any]) -> None:
    _, people = crowd
    phone, person = Phone(), people["third_preparer"]
    _made(person, phone)
    phone.signed = 10
    browser, options = _asked(person)
    browser.post("/entrar/codigo/", {"resposta": phone.sign(options)})
    assert _inside(browser)
    phone.signed = 5
    browser, options = _asked(person)
    browser.post("/entrar/codigo/", {"resposta": phone.sign(options)})
    assert not _inside(browser)


def test_nobody_comes_in_with_the_passkey_of_another(crowd: tuple[World, Any]) -> None:
    _, people = crowd
    mine, others = Phone(), Phone()
    _made(people["verifier"], mine)
    _made(people["agency"], others)
    browser, options = _asked(people["verifier"])
    browser.post("/entrar/codigo/", {"resposta": others.sign(options)})
    assert not _inside(browser)


@pytest.mark.parametrize("answer", ["", "{", "[]", "{}", '{"id": 1}', "x" * 30_000])
def test_nonsense_is_told(crowd: tuple[World, Any], answer: str) -> None:
    _, people = crowd
    browser = browser_of(people["admin"])
    browser.get("/conta/chaves-de-acesso/")
    told = browser.post("/conta/chaves-de-acesso/", {"nome": "x", "resposta": answer})
    assert told.status_code == 400
    assert 'role="alert"' in told.content.decode()


def test_who_has_only_a_passkey_makes_no_code_without_it(crowd: tuple[World, Any]) -> None:
    """A stolen password must not be enough to enrol a new phone."""
    from django_otp.plugins.otp_totp.models import TOTPDevice

    _, people = crowd
    phone, person = Phone(), people["gap"]
    _made(person, phone)
    TOTPDevice.objects.filter(user=person).delete()
    browser = browser_of(person, verified=False)
    page = browser.get("/entrar/codigo/").content.decode()
    assert 'name="code"' not in page
    assert browser.get("/entrar/codigo/quadrado.svg").status_code == 404
    device = TOTPDevice.objects.get(user=person)
    from django_otp.oath import TOTP

    code = TOTP(device.bin_key, device.step, device.t0, device.digits, device.drift).token()
    browser.post("/entrar/codigo/", {"code": f"{code:06d}"})
    assert not _inside(browser)


def test_a_stolen_password_makes_no_passkey(crowd: tuple[World, Any]) -> None:
    from django_otp.plugins.otp_totp.models import TOTPDevice

    _, people = crowd
    person = people["company"]
    TOTPDevice.objects.get_or_create(user=person, name="telefone", confirmed=True)
    browser = browser_of(person, verified=False)
    assert browser.get("/conta/chaves-de-acesso/").status_code == 302


def test_the_last_second_factor_stays(crowd: tuple[World, Any]) -> None:
    from django_otp.plugins.otp_totp.models import TOTPDevice

    from lastro.web.passkey_models import Passkey

    _, people = crowd
    phone, person = Phone(), people["ministry"]
    browser = _made(person, phone)
    one = Passkey.objects.get(user=person)
    stranger = browser_of(people["agency"]).post(f"/conta/chaves-de-acesso/{one.pk}/apagar/")
    assert stranger.status_code == 404
    browser.post(f"/conta/chaves-de-acesso/{one.pk}/apagar/")
    assert not Passkey.objects.filter(user=person).exists()
    again = Phone()
    browser = _made(person, again)
    TOTPDevice.objects.filter(user=person).delete()
    one = Passkey.objects.get(user=person)
    inside, options = _asked(person)
    inside.post("/entrar/codigo/", {"resposta": again.sign(options)})
    page = inside.post(f"/conta/chaves-de-acesso/{one.pk}/apagar/", follow=True).content.decode()
    assert "único segundo fator" in page
    assert Passkey.objects.filter(user=person).exists()


def test_an_address_that_is_a_number_keeps_none(crowd: tuple[World, Any]) -> None:
    from django.test import RequestFactory

    from lastro.web import passkeys

    hosts = {"127.0.0.1:8000": False, "127.0.0.1": False, "[::1]:8000": False, "localhost": True}
    for host, possible in {**hosts, "localhost:8000": True}.items():
        assert passkeys.possible(RequestFactory().get("/", headers={"host": host})) is possible
