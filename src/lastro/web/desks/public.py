"""Pages for strangers: whether a certificate is one, by its number, its QR code or its file."""

from __future__ import annotations

import psycopg
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_GET, require_http_methods

from lastro.errors import LastroError
from lastro.web import presence
from lastro.web.readings import certificates
from lastro.web.scopes import Scope, scope

_MOST_BYTES = 20 * 1024 * 1024


@require_GET
@scope(Scope.PUBLIC)
def health(request: HttpRequest) -> HttpResponse:
    """Whether the application answers and somebody works on the queue, for whoever watches over it."""
    said, status = "ok\n", 200
    try:
        if not presence.anybody():
            said += "nenhum trabalhador ativo: o que se pede espera (lastro worker)\n"
    except (LastroError, psycopg.Error):
        said, status = "o banco de dados não responde\n", 503
    return HttpResponse(said, content_type="text/plain; charset=utf-8", status=status)


@require_GET
@scope(Scope.PUBLIC)
def accessibility(request: HttpRequest) -> HttpResponse:
    """How the pages can be used by everyone, and what they keep of a visitor."""
    return render(request, "lastro/accessibility.html")


@require_http_methods(["GET", "POST"])
@scope(Scope.PUBLIC)
def check(request: HttpRequest) -> HttpResponse:
    """Check a certificate: type its number, or show its file. Nothing of either is kept."""
    if request.method == "GET":
        number = request.GET.get("numero", "").strip()
        if not number:
            return render(request, "lastro/public/check.html")
        checked = certificates.by_number(number)
        if checked.found is not None:
            return redirect("certificate-public", number=checked.asked)
        return render(request, "lastro/public/check.html", {"checked": checked}, status=404)
    file = request.FILES.get("file")
    if file is None or (file.size or 0) > _MOST_BYTES:
        problem = "Escolha um PDF." if file is None else "O arquivo passa de 20 MB: não é um certificado."
        checked = certificates.Checked(problem=problem)
        return render(request, "lastro/public/check.html", {"checked": checked}, status=400)
    return render(request, "lastro/public/check.html", {"checked": certificates.by_file(file.read())})


@require_GET
@scope(Scope.PUBLIC)
def certificate(request: HttpRequest, number: str) -> HttpResponse:
    """The public page of a certificate: where its QR code leads."""
    checked = certificates.by_number(number)
    status = 404 if checked.found is None else 200
    return render(request, "lastro/public/check.html", {"checked": checked}, status=status)


urls = [
    path("saude/", health, name="health"),
    path("acessibilidade/", accessibility, name="accessibility"),
    path("conferir/", check, name="check"),
    path("c/<str:number>", certificate, name="certificate-public"),
]
