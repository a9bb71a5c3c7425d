"""The pages that say why something did not happen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as translate

from lastro.errors import LastroError, NotInForce
from lastro.findings import catalogue
from lastro.web.scopes import Scope, scope
from lastro.web.translating import tongue


def _page(request: HttpRequest, status: int, title: str, text: str) -> HttpResponse:
    return render(request, "lastro/error.html", {"title": title, "text": text}, status=status)


@scope(Scope.PUBLIC)
def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Nothing stands at this address, or it is somebody else's: the two look the same."""
    text = translate("O endereço não existe, ou o que está nele não é seu.")
    return _page(request, 404, translate("Página não encontrada"), text)


@scope(Scope.PUBLIC)
def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """What was asked is outside what the person may do (P10)."""
    entry = catalogue()["P10"]
    words = tongue()
    told = {"message": entry.message[words], "cure": entry.cure[words], "code": entry.code}
    text = translate("O seu papel não abre esta página. %(message)s %(cure)s (código %(code)s)") % told
    return _page(request, 403, translate("Sem permissão"), text)


@scope(Scope.PUBLIC)
def unreadable(request: HttpRequest) -> HttpResponse:
    """What was asked holds a character that no text of ours can hold."""
    text = translate(
        "O endereço ou o formulário traz um caractere que não é de texto. Apague-o e tente de novo."
    )
    return _page(request, 400, translate("Pedido ilegível"), text)


class SetUpWrong:
    """A set-up that is wrong ends with what to do, not with a failure without words."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The page of a LastroError; any other exception goes its way."""
        if not isinstance(exception, LastroError):
            return None
        if isinstance(exception, NotInForce):  # what was asked, not the set-up
            return _page(request, 404, translate("A norma não valia nesse dia"), str(exception))
        return _page(request, 503, translate("Falta alguma coisa para responder"), str(exception))


@scope(Scope.PUBLIC)
def broken(request: HttpRequest) -> HttpResponse:
    """Something failed on our side."""
    text = "Algo falhou do nosso lado. Nada foi gravado pela metade; tente de novo em instantes."
    return HttpResponse(
        f"<!doctype html><html lang=pt-BR><title>Falha</title><h1>Falha</h1><p>{text}", status=500
    )


def csrf(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form came without the mark of the page that it should stand on."""
    text = translate("O formulário venceu ou veio de outra página. Volte, recarregue e envie de novo.")
    return _page(request, 403, translate("Formulário recusado"), text)


def locked_out(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """Too many wrong passwords from one place for one e-mail."""
    text = translate("Muitas tentativas com senha errada. Espere quinze minutos e tente de novo.")
    return _page(request, 429, translate("Acesso suspenso por um tempo"), text)
