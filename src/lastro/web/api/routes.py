"""The API itself: what is common to all routes, and the errors they end with."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from ninja import NinjaAPI
from ninja.errors import ValidationError

from lastro import __version__
from lastro.errors import LastroError
from lastro.web.api import certificates, companies, evidence, filings, open_data, own, reports
from lastro.web.api.keys import Opens
from lastro.web.scopes import Scope

api = NinjaAPI(
    title="Lastro",
    version=__version__,
    description=(
        "O que as mesas fazem, para programas. Massas em miligramas inteiros, dinheiro em centavos, dias "
        "como AAAA-MM-DD. Uma recusa é uma resposta 409 com o código, o artigo e o que fazer. Repetir um "
        "pedido com a mesma identificação não muda nada e dá a primeira resposta."
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
):
    api.add_router(path, room)


@api.exception_handler(LastroError)
def _set_up(request: HttpRequest, wrong: LastroError) -> HttpResponse:
    """A set-up that is wrong, or a thing that changed meanwhile: what to do stands in the message."""
    return api.create_response(request, {"message": str(wrong)}, status=409)


@api.exception_handler(Http404)
def _not_found(request: HttpRequest, wrong: Any) -> HttpResponse:
    """Nothing stands there, or it is somebody else's: the two look the same."""
    return api.create_response(request, {"message": "Não existe, ou não é seu."}, status=404)


@api.exception_handler(RawPostDataException)
def _not_json(request: HttpRequest, wrong: Any) -> HttpResponse:
    """A form came where JSON is read."""
    told = {"message": "Mande o pedido em JSON, com Content-Type: application/json."}
    return api.create_response(request, told, status=415)


@api.exception_handler(ValidationError)
def _ill_formed(request: HttpRequest, wrong: ValidationError) -> HttpResponse:
    """A field that is missing or can't be read: which, and why."""
    said = [{"where": [str(x) for x in e.get("loc", ())], "message": e.get("msg", "")} for e in wrong.errors]
    return api.create_response(request, {"message": "Pedido malformado.", "fields": said}, status=422)
