"""The API itself: what is common to all routes, and the errors they end with."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from lastro import __version__
from lastro.errors import LastroError
from lastro.web.api import (
    agency,
    bolsa,
    certificates,
    committee,
    companies,
    entity,
    evidence,
    fees,
    filings,
    gap,
    membership,
    notices,
    open_data,
    operator,
    own,
    recycler,
    reports,
    requests,
    verifier,
)
from lastro.web.api.keys import Opens
from lastro.web.api.once import HEADER
from lastro.web.api.shapes import Told, told
from lastro.web.scopes import Scope

_WRITES = ("post", "put", "patch", "delete")
_ENDS = {
    "401": "Sem chave, ou a chave não abre nada.",
    "403": "Falta o alcance.",
    "404": "Não existe, ou não é seu.",
    "409": "A lei ou o livro diz não, ou algo mudou.",
    "422": "Pedido malformado, ou a identificação já foi de outro.",
}


class _Api(NinjaAPI):
    """The API, described with what all its routes share."""

    def get_openapi_schema(self, **how: Any) -> Any:
        """The description: each route's errors in their one shape, each writing route's identification."""
        found = super().get_openapi_schema(**how)
        found["components"]["schemas"].setdefault("Told", Told.model_json_schema())
        for verbs in found["paths"].values():
            for verb, route in verbs.items():
                _describe(route, writes=verb in _WRITES)
        return found

    def get_operation_url_name(self, operation: Any, router: Any) -> str:
        """Each route by a name of its own, which the trail keeps."""
        made = operation.view_func
        return f"{made.__module__.rpartition('.')[2]}-{made.__name__}"


def _describe(route: dict[str, Any], *, writes: bool) -> None:
    shape = {"application/json": {"schema": {"$ref": "#/components/schemas/Told"}}}
    for status, words in _ENDS.items():
        if writes or status not in ("409", "422"):
            route["responses"].setdefault(int(status), {"description": words, "content": shape})
    if writes:
        route.setdefault("parameters", []).append(
            {
                "name": HEADER, "in": "header", "required": False,
                "schema": {"type": "string", "minLength": 8, "maxLength": 80},
                "description": "O nome deste pedido: repetido, não faz outra vez e dá a primeira resposta.",
            }
        )  # fmt: skip


api = _Api(
    title="Lastro",
    version=__version__,
    description=(
        "O que as mesas fazem, para programas. Massas em miligramas inteiros, dinheiro em centavos, dias "
        "como AAAA-MM-DD. Todo erro tem a mesma forma: code, what, cure, article. Recusa da lei ou do livro "
        "é 409. Repetir um pedido com a mesma Idempotency-Key não muda nada e dá a primeira resposta."
    ),
    auth=Opens(Scope.OWN),
    docs_url=None,  # its page would load scripts of others; the description itself is at openapi.json
    openapi_url="openapi.json",
    urls_namespace="api",
)

for path, room in (
    ("", own.router),
    ("/documentos", evidence.documents),
    ("/envios", evidence.uploads),
    ("/lotes", evidence.lots),
    ("/contestados", evidence.contests),
    ("/certificados", certificates.router),
    ("/empresa", companies.router),
    ("/prazos", companies.deadlines),
    ("/relatorio", reports.router),
    ("/papeis", filings.router),
    ("/normas", open_data.router),
    ("/entidade", entity.router),
    ("/empresa", membership.router),
    ("/empresa/taxa", fees.own),
    ("/documentos-das-normas", membership.documents),
    ("/publicacoes", membership.published),
    ("/verificador", verifier.router),
    ("/decisoes", verifier.deciding),
    ("/operador", operator.router),
    ("/bolsa", bolsa.router),
    ("/reciclador", recycler.router),
    ("/pedidos", requests.router),
    ("/notificacoes", requests.notified),
    ("/entregas", requests.deliveries),
    ("/orgao", agency.router),
    ("/taxa", fees.desk),
    ("/cmrr", committee.analysts),
    ("/comite", committee.router),
    ("/gap", gap.router),
    ("/ministerio", gap.ministry),
    ("/avisos", notices.router),
    ("/trilha", notices.trails),
):
    api.add_router(path, room)


@functools.cache
def acts() -> Mapping[str, str]:
    """What is done by each route that writes, in words, by the name that the trail keeps."""
    named = {}
    for _, router in api._routers:
        for view in router.path_operations.values():
            done = [one.summary or "" for one in view.operations if "GET" not in one.methods]
            named[f"api:{api.get_operation_url_name(view.operations[0], router)}"] = " ou ".join(done).lower()
    return named


@api.exception_handler(LastroError)
def _set_up(request: HttpRequest, wrong: LastroError) -> HttpResponse:
    """A set-up that is wrong, or a thing that changed meanwhile: what to do stands in the message."""
    return _told(request, 409, "L00", str(wrong))


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, wrong: Any) -> HttpResponse:
    """Nothing stands there, or it is somebody else's: the two look the same."""
    return _told(request, 404, "404", "Não existe, ou não é seu.", "Confira o endereço e a chave.")


@api.exception_handler(RawPostDataException)
def _not_json(request: HttpRequest, wrong: Any) -> HttpResponse:
    """A form came where JSON is read."""
    return _told(request, 415, "415", "O pedido não é JSON.", "Mande Content-Type: application/json.")


@api.exception_handler(ValidationError)
def _ill_formed(request: HttpRequest, wrong: ValidationError) -> HttpResponse:
    """A field that is missing or can't be read: which, and why."""
    said = [{"where": [str(x) for x in e.get("loc", ())], "message": e.get("msg", "")} for e in wrong.errors]
    cure = "Corrija os campos; openapi.json diz como é cada um."
    body = told("422", "Pedido malformado.", cure=cure, fields=said)
    return api.create_response(request, body, status=422)


@api.exception_handler(AuthenticationError)
def _no_key(request: HttpRequest, wrong: Any) -> HttpResponse:
    """No key, or one that opens nothing."""
    cure = "Mande Authorization: Bearer com uma chave em vigor, feita em /chaves/."
    return _told(request, 401, "401", "Sem chave, ou a chave não abre nada.", cure)


@api.exception_handler(HttpError)
def _closed(request: HttpRequest, wrong: HttpError) -> HttpResponse:
    """A key that does not open this (P10), or a body that can't be read."""
    if wrong.status_code != 403:
        return _told(request, wrong.status_code, str(wrong.status_code), "O pedido não se lê.", "Mande JSON.")
    return _told(request, 403, "P10", str(wrong), "Faça uma chave com este alcance, em /chaves/.")


def _told(request: HttpRequest, status: int, code: str, what: str, cure: str = "") -> HttpResponse:
    return api.create_response(request, told(code, what, cure=cure), status=status)
