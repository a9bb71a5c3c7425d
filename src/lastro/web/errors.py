"""The pages that say why something did not happen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as translate

from lastro.errors import LastroError, NotInForce
from lastro.ids import masked
from lastro.web.scopes import DELEGABLE, NEEDS_PARTY, ROLE_LABELS, Barred, Role, Scope, scope
from lastro.web.translating import said


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
    text = f"{_why_not(request, exception)} ({translate('código')} P10)"
    return _page(request, 403, translate("Sem permissão"), text)


def _why_not(request: HttpRequest, barred: Exception | None) -> str:
    """In words: what the person is here as, what that does not open, and who changes it."""
    user: Any = request.user
    if not isinstance(barred, Barred) or not user.is_authenticated:
        return translate("O que você pediu não está entre o que pode fazer aqui.")
    if barred.lent:
        what = said(DELEGABLE[barred.needed]) if barred.needed in DELEGABLE else ""
        told = translate("Você age por %(party)s por delegação, e ela não inclui esta página")
        told = told % {"party": masked(barred.party)} + (f" ({what}). " if what else ". ")
        return told + translate("Peça a quem delegou que a amplie, em Delegações, ou que o faça.")
    if not barred.party and Role(user.role) in NEEDS_PARTY:
        return translate(
            "Nenhum estabelecimento está ligado à sua conta, e esta página é de um. Peça a quem administra "
            "as pessoas que ligue o CNPJ à conta, ou ao titular que lhe delegue o que vai fazer."
        )
    told = translate("O seu papel (%(role)s) não abre esta página.") % {"role": said(ROLE_LABELS[user.role])}
    return f"{told} " + translate(
        "O menu mostra o que ele abre. Se o trabalho é seu, peça a quem administra as pessoas outro papel."
    )


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
