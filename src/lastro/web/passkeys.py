"""Making and using passkeys: what is asked of the browser, and whether its answer proves the person.

The challenge stays in the session and serves once. The one who holds the device must be recognised by it
(a PIN, a finger): a found phone opens nothing. A passkey is bound to the host that people come by.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError
from django.http import HttpRequest
from django.utils import timezone
from fido2.server import Fido2Server
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    UserVerificationRequirement,
)

from lastro.web.passkey_models import Passkey

MOST = 10
"""How many passkeys one person keeps."""

_STATE = "lastro-passkey"


def possible(request: HttpRequest) -> bool:
    """Whether browsers keep passkeys for this host: one with a name, not a bare number."""
    host = request.get_host().rpartition(":")[0] or request.get_host()
    return not host.replace(".", "").isdigit() and not host.startswith("[")


def _server(request: HttpRequest) -> Fido2Server:
    host = request.get_host().partition(":")[0]
    origin = f"{'https' if request.is_secure() else 'http'}://{request.get_host()}"
    return Fido2Server(
        PublicKeyCredentialRpEntity(name="Lastro", id=host), verify_origin=lambda said: said == origin
    )


def _known(user: Any) -> list[AttestedCredentialData]:
    return [AttestedCredentialData(bytes(one.public)) for one in Passkey.objects.filter(user=user)]


def ask_for_new(request: HttpRequest) -> str:
    """What the browser is asked to make a passkey from, as JSON."""
    user: Any = request.user
    entity = PublicKeyCredentialUserEntity(
        id=f"lastro/{user.pk}".encode(), name=user.email, display_name=user.name
    )
    options, state = _server(request).register_begin(
        entity, _known(user), user_verification=UserVerificationRequirement.REQUIRED
    )
    request.session[_STATE] = {"for": "new", **state}
    return json.dumps(dict(options.public_key))


def keep_new(request: HttpRequest, answer: str, name: str) -> str:
    """Keep the passkey that the browser made: what is wrong with it, or nothing."""
    user: Any = request.user
    state = _taken(request, "new")
    if state is None:
        return "O pedido venceu. Tente de novo."
    if Passkey.objects.filter(user=user).count() >= MOST:
        return f"São até {MOST} chaves de acesso; apague uma antes."
    try:
        made = _server(request).register_complete(state, _read(answer))
        credential = made.credential_data
        assert credential is not None
        Passkey.objects.create(
            user=user,
            name=name.strip()[:64] or "chave de acesso",
            confirmed=True,
            credential=websafe_encode(credential.credential_id),
            public=bytes(credential),
            signed=made.counter,
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return "O navegador não devolveu uma chave que se possa conferir. Tente de novo."
    except IntegrityError:
        return "Essa chave já está cadastrada."
    return ""


def ask_for_proof(request: HttpRequest) -> str:
    """What the browser is asked to sign with a passkey of the person, as JSON; empty where there is none."""
    known = _known(request.user)
    if not known:
        return ""
    options, state = _server(request).authenticate_begin(
        known, user_verification=UserVerificationRequirement.REQUIRED
    )
    request.session[_STATE] = {"for": "proof", **state}
    return json.dumps(dict(options.public_key))


def proven(request: HttpRequest, answer: str) -> Passkey | None:
    """The passkey that signed, if its signature proves the person who gave the password."""
    state = _taken(request, "proof")
    if state is None:
        return None
    try:
        said = _read(answer)
        found = _server(request).authenticate_complete(state, _known(request.user), said)
        counter = AuthenticationResponse.from_dict(said).response.authenticator_data.counter
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    one: Passkey = Passkey.objects.get(user=request.user, credential=websafe_encode(found.credential_id))
    if counter and counter <= one.signed:  # a copy of the passkey signed meanwhile (WebAuthn 7.2, step 21)
        return None
    Passkey.objects.filter(pk=one.pk).update(signed=counter, used_at=timezone.now())
    return one


def _taken(request: HttpRequest, wanted: str) -> Any:
    """The challenge of the session, which serves once."""
    state = request.session.pop(_STATE, None)
    return {k: v for k, v in state.items() if k != "for"} if state and state.get("for") == wanted else None


def _read(answer: str) -> Mapping[str, Any]:
    said = json.loads(answer[:20_000])
    if not isinstance(said, dict):
        raise ValueError("not an object")
    return said
