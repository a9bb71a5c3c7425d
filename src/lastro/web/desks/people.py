"""Who may come in: added with a first password, sent away, given a new second factor."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.http import require_http_methods, require_POST
from django_otp.plugins.otp_totp.models import TOTPDevice

from lastro.ids import bare, is_cnpj
from lastro.web.models import Person
from lastro.web.scopes import ROLE_LABELS, Role, Scope, scope


class PersonForm(forms.Form):
    """A new person: name, e-mail, role and the establishments they act for."""

    name = forms.CharField(label="Nome", max_length=120)
    email = forms.EmailField(label="E-mail")
    role = forms.ChoiceField(label="Papel", choices=[(r.value, ROLE_LABELS[r]) for r in Role])
    parties = forms.CharField(
        label="CNPJ por quem age",
        required=False,
        help_text="Um ou mais, separados por vírgula; 14 caracteres.",
    )

    def clean_parties(self) -> list[str]:
        found = [bare(text) for text in self.cleaned_data["parties"].split(",") if text.strip()]
        wrong = [text for text in found if not is_cnpj(text)]
        if wrong:
            raise forms.ValidationError(f"{wrong[0]} não é um CNPJ válido.")
        return found


@require_http_methods(["GET", "POST"])
@scope(Scope.PEOPLE_MANAGE)
def people(request: HttpRequest) -> HttpResponse:
    """Everyone who may come in, and a form for one more."""
    form, first = PersonForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        first = secrets.token_urlsafe(12)
        if _added(form.cleaned_data, first):
            form = PersonForm()
        else:
            form.add_error("email", "Já há uma pessoa com este e-mail.")
            first = ""
    everyone = Person.objects.order_by("name", "email").prefetch_related("bindings")
    context = {"form": form, "people": everyone, "first": first, "email": request.POST.get("email", "")}
    return render(request, "lastro/people.html", context)


def _added(said: dict[str, Any], password: str) -> bool:
    try:
        with transaction.atomic():
            Person.objects.create_user(
                said["email"],
                password=password,
                role=Role(said["role"]),
                name=said["name"],
                parties=said["parties"],
            )
    except IntegrityError:
        return False
    return True


@require_POST
@scope(Scope.PEOPLE_MANAGE)
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Let another person in or not any more, or have them set up a new second factor."""
    person = Person.objects.filter(pk=pk).exclude(pk=request.user.pk).first()
    if person is None:
        raise Http404
    if request.POST.get("do") == "factor":
        TOTPDevice.objects.filter(user=person).delete()
        messages.success(request, f"{person.email} cadastra um novo segundo fator na próxima entrada.")
    else:
        person.is_active = not person.is_active
        person.save(update_fields=["is_active"])
        state = "entra de novo" if person.is_active else "não entra mais"
        messages.success(request, f"{person.email} {state}.")
    return redirect("people")


urls = [
    path("pessoas/", people, name="people"),
    path("pessoas/<int:pk>/", change, name="person-change"),
]
