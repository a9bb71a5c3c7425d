"""Who may come in: invited by a link that serves once, bound to establishments, sent away, let in again."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as translate
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_otp.plugins.otp_totp.models import TOTPDevice

from lastro.ids import bare, is_cnpj, masked
from lastro.web import invitations, trail
from lastro.web.models import Binding, Person
from lastro.web.readings import delegations
from lastro.web.scopes import FOR_PARTIES, ROLE_LABELS, Role, Scope, scope
from lastro.web.tables import Column, table


def _cnpj_list(text: str) -> list[str]:
    found = [bare(one) for one in text.split(",") if one.strip()]
    wrong = [one for one in found if not is_cnpj(one)]
    if wrong:
        raise forms.ValidationError(f"{wrong[0]} não é um CNPJ válido.")
    return found


class PersonForm(forms.Form):
    """A new person: name, e-mail, role and the establishments they act for."""

    name = forms.CharField(label="Nome", max_length=120)
    email = forms.EmailField(label="E-mail")
    role = forms.ChoiceField(label="Papel", choices=[(r.value, ROLE_LABELS[r]) for r in Role])
    parties = forms.CharField(
        label="CNPJ por quem age",
        required=False,
        help_text="Um ou mais, separados por vírgula; 14 caracteres. Quem age por delegação não tem nenhum.",
    )

    def clean_parties(self) -> list[str]:
        return _cnpj_list(self.cleaned_data["parties"])


_LIST: list[Column[Person]] = [
    Column("nome", "Pessoa", lambda p: p.name, link=lambda p: reverse("person-change", args=[p.pk])),
    Column("email", "E-mail", lambda p: p.email),
    Column("papel", "Papel", lambda p: p.role_label, choice=True),
    Column("por", "Age por", lambda p: _bound(p)),
    Column("entra", "Entra", lambda p: _state(p), choice=True),
]


def _bound(person: Any) -> str:
    return ", ".join(masked(one.party) for one in person.bindings.all())


def _state(person: Person) -> str:
    if not person.is_active:
        return "não"
    return "sim" if person.has_usable_password() else "convite à espera"


@never_cache
@require_http_methods(["GET", "POST"])
@scope(Scope.PEOPLE_MANAGE)
def people(request: HttpRequest) -> HttpResponse:
    """Everyone who may come in, and a form that invites one more."""
    form = PersonForm(request.POST or None)
    invited: Person | None = None
    if request.method == "POST" and form.is_valid():
        invited = _added(form.cleaned_data)
        if invited is None:
            form.add_error("email", "Já há uma pessoa com este e-mail.")
        else:
            trail.about(request, "person", str(invited.pk))
            form = PersonForm()
    everyone = Person.objects.order_by("name", "email").prefetch_related("bindings")
    made = table(request, everyone, _LIST, caption="Pessoas")
    if isinstance(made, HttpResponse):
        return made
    context = {
        "form": form,
        "table": made,
        "invited": invited,
        "link": _link(request, invited) if invited else "",
    }
    return render(request, "lastro/people.html", context, status=400 if form.is_bound else 200)


def _added(said: dict[str, Any]) -> Person | None:
    try:
        with transaction.atomic():
            return Person.objects.create_user(
                said["email"],
                password=None,
                role=Role(said["role"]),
                name=said["name"],
                parties=said["parties"],
            )
    except IntegrityError:
        return None


def _link(request: HttpRequest, person: Person) -> str:
    return request.build_absolute_uri(reverse("invitation", args=[person.pk, invitations.token(person)]))


@never_cache
@require_http_methods(["GET", "POST"])
@scope(Scope.PEOPLE_MANAGE)
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """One person: for whom they act, and what the administration may change about it; never about oneself."""
    person = Person.objects.filter(pk=pk).first()
    if person is None or (request.method == "POST" and person.pk == request.user.pk):
        raise Http404
    link = ""
    if request.method == "POST":
        asked = request.POST.get("do", "")
        if asked not in _DO:
            raise Http404
        problem = _DO[asked](request, person)
        if problem:
            messages.error(request, problem)
        if asked != "invite":
            return redirect("person-change", pk=person.pk)
        link = _link(request, person)
    context = {
        "person": person,
        "link": link,
        "state": _state(person),
        "roles": [(r.value, ROLE_LABELS[r]) for r in Role],
        "binds": Role(person.role) in FOR_PARTIES | {Role.VERIFIER},
        "lent_to": delegations.of_person(person),
    }
    return render(request, "lastro/admin/person.html", context)


def _factor(request: HttpRequest, person: Person) -> str:
    TOTPDevice.objects.filter(user=person).delete()
    messages.success(request, f"{person.email} cadastra um novo segundo fator na próxima entrada.")
    return ""


def _active(request: HttpRequest, person: Person) -> str:
    person.is_active = not person.is_active
    person.save(update_fields=["is_active"])
    state = "entra de novo" if person.is_active else "não entra mais"
    messages.success(request, f"{person.email} {state}.")
    return ""


def _role(request: HttpRequest, person: Person) -> str:
    asked = request.POST.get("role", "")
    if asked not in set(Role):
        return "Escolha um papel da lista."
    person.role = asked
    person.save(update_fields=["role"])
    messages.success(request, f"{person.email} passa a ser: {ROLE_LABELS[Role(asked)]}.")
    return ""


def _bind(request: HttpRequest, person: Person) -> str:
    party = bare(request.POST.get("party", ""))
    if not is_cnpj(party):
        return "Escreva um CNPJ válido, de 14 caracteres."
    Binding.objects.get_or_create(person=person, party=party)
    messages.success(request, f"{person.email} age por {masked(party)}.")
    return ""


def _unbind(request: HttpRequest, person: Person) -> str:
    party = bare(request.POST.get("party", ""))
    gone, _ = Binding.objects.filter(person=person, party=party).delete()
    if not gone:
        return "Esta pessoa já não agia por este estabelecimento."
    messages.success(request, f"{person.email} não age mais por {masked(party)}.")
    return ""


def _invite(request: HttpRequest, person: Person) -> str:
    """A new link; the old one, and the old password, serve no more."""
    invitations.renew(person)
    return ""


_DO = {
    "factor": _factor,
    "active": _active,
    "role": _role,
    "bind": _bind,
    "unbind": _unbind,
    "invite": _invite,
}


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
@scope(Scope.PUBLIC)
def invitation(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """Who was invited chooses a password; the link serves once and for some days."""
    person = invitations.found(pk, token)
    if person is None:
        return render(request, "lastro/invitation.html", {"form": None}, status=404)
    form = SetPasswordForm(person, request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        trail.write(request, person, status=302, record=("person", str(person.pk)))
        messages.success(request, translate("Senha guardada. Entre com o seu e-mail e ela."))
        return redirect("login")
    return render(request, "lastro/invitation.html", {"form": form, "person": person})


urls = [
    path("pessoas/", people, name="people"),
    path("pessoas/<int:pk>/", change, name="person-change"),
    path("convite/<int:pk>/<str:token>/", invitation, name="invitation"),
]
