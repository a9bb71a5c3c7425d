"""What every answer carries: only our own files may load, and what a person sees is not kept by others."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import NoReverseMatch, reverse

from lastro.web import errors

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; object-src 'none'"
)
"""The Content-Security-Policy of every page: no inline script or style, nobody else's files."""


def closed_pages(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Put the policy on every answer, and keep personal pages out of caches."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", CSP)
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response

    return middleware


def readable_requests(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer "not found" to what no text of ours can hold: the character zero, which no database stores."""

    def middleware(request: HttpRequest) -> HttpResponse:
        posted = request.POST if request.method == "POST" else QueryDict()
        if "\0" in request.path_info or _has_zero(request.GET) or _has_zero(posted):
            return errors.unreadable(request)
        return get_response(request)

    return middleware


def _has_zero(typed: QueryDict) -> bool:
    return any("\0" in name or any("\0" in value for value in values) for name, values in typed.lists())


_BELONGS_TO: Mapping[str, str] = {
    "certificate-authorise": "certificate",
    "certificate-refuse": "certificate",
    "report-preview": "report",
    "report-submit": "report",
    "admin-key-revoke": "admin-keys",
    "job-retry": "admin-jobs",
    "key-revoke": "keys",
    "passkey-forget": "passkeys",
    "notices-mail": "notices",
    "hook-end": "hooks",
    "company-ask": "company-profile",
    "fee-pay": "fee",
    "choice-keep": "choice",
    "bolsa-withdraw": "bolsa",
    "parcel-take": "parcel",
    "parcel-return": "parcel",
    "changes-sent": "changes",
    "document-withdraw": "document",
    "own-points-add": "own-points",
    "paper-sign": "paper",
    "paper-withdraw": "paper",
    "logout": "home",
    "certificate-withdraw": "certificate",
    "language": "home",
    "choose-party": "home",
    "order-state": "order-check",
    "delegation-revoke": "delegations",
    "delegation-give-back": "account",
}
"""Addresses that only take forms, and the page that the form stands on."""


def forms_lead_back(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Who opens or reloads the address of a form is sent to the page that the form stands on."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        found = request.resolver_match
        if response.status_code != 405 or request.method not in ("GET", "HEAD") or found is None:
            return response
        page = _BELONGS_TO.get(found.url_name or "")
        if page is None:
            return response
        try:
            address = reverse(page, kwargs=found.kwargs)
        except NoReverseMatch:
            address = reverse(page)
        return HttpResponseRedirect(address, status=303)

    return middleware
