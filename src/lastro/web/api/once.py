"""The same request of a program twice: done once, answered alike.

A program names a writing request in the header `Idempotency-Key`. The first answer is kept for its key; the
same name with the same request gets it again, and with another request is told so. Nothing is answered before
it is known whose key asks, and a request that is still being done, or never ended, is not done a second time.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse

from lastro.web import office, rows
from lastro.web.api.keys import found
from lastro.web.api.shapes import told
from lastro.web.models import ApiAnswer, ApiKey

HEADER = "Idempotency-Key"
_PATH = "/api/v1/"
_SAFE = ("GET", "HEAD", "OPTIONS")
_NAMED = re.compile(r"[\x21-\x7e]{8,80}")
_NOTHING_DONE = frozenset({400, 401, 403, 404, 405, 415, 422})
"""Answers to requests that were not understood or not allowed: the same name may come again, mended."""


def answered(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Give a named request of a program its first answer again."""

    def middleware(request: HttpRequest) -> HttpResponse:
        name = request.headers.get(HEADER, "")
        if not name or request.method in _SAFE or not request.path_info.startswith(_PATH):
            return get_response(request)
        key = _key(request)
        if key is None:
            return get_response(request)  # which says that no key opens it
        if not _NAMED.fullmatch(name):
            return _told(400, "identificação", f"{HEADER} tem de 8 a 80 caracteres visíveis.")
        return _once(request, key, name, get_response)

    return middleware


def _key(request: HttpRequest) -> ApiKey | None:
    scheme, _, text = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    with rows.seen(rows.EVERYTHING):
        return found(text.strip(), today=office.today())


def _once(
    request: HttpRequest, key: ApiKey, name: str, get_response: Callable[[HttpRequest], HttpResponse]
) -> HttpResponse:
    digest = _digest(request)
    with rows.seen(rows.EVERYTHING):
        first, made = ApiAnswer.objects.get_or_create(key=key, name=name, defaults={"digest": digest})
    if not made:
        return _again(first, digest)
    response = get_response(request)
    with rows.seen(rows.EVERYTHING):
        mine = ApiAnswer.objects.filter(pk=first.pk)
        if response.status_code >= 500 or response.status_code in _NOTHING_DONE:
            mine.delete()
        else:
            mine.update(
                status=response.status_code, body=response.content, kind=response.headers["Content-Type"]
            )
    return response


def _again(first: ApiAnswer, digest: str) -> HttpResponse:
    if first.digest != digest:
        return _told(
            422, "identificação", f"Outro pedido já veio com esta {HEADER}.", "Dê a cada pedido a sua."
        )
    if first.status is None:
        return _told(
            409, "em andamento", "O primeiro pedido com esta identificação não terminou.",
            "Espere; se não terminar, veja o que foi feito antes de pedir com outra.",
        )  # fmt: skip
    response = HttpResponse(bytes(first.body), status=first.status, content_type=first.kind)
    response.headers["Idempotent-Replayed"] = "true"
    return response


def _digest(request: HttpRequest) -> str:
    """What was asked: address and content, a form by its fields, whatever separates them on the way."""
    said = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    if request.content_type != "multipart/form-data":
        said.update(request.body)
        return said.hexdigest()
    for field, values in sorted(request.POST.lists()):
        said.update(repr((field, values)).encode())
    for field, files in sorted(request.FILES.lists()):
        for file in files:
            of = hashlib.sha256()
            for chunk in file.chunks():
                of.update(chunk)
            file.seek(0)
            said.update(repr((field, file.name, of.hexdigest())).encode())
    return said.hexdigest()


def _told(status: int, code: str, what: str, cure: str = "") -> HttpResponse:
    return JsonResponse(told(code, what, cure=cure), status=status)
