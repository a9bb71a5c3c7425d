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
from django.utils.translation import gettext_lazy as later
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
from lastro.web.translating import said

_BOUND = FOR_PARTIES | {Role.VERIFIER}
"""Roles of people who act for establishments of their own."""


def _cnpj_list(text: str) -> list[str]:
    found = [bare(one) for one in text.split(",") if one.strip()]
    wrong = [one for one in found if not is_cnpj(one)]
    if wrong:
        raise forms.ValidationError(translate("%(cnpj)s não é um CNPJ válido.") % {"cnpj": wrong[0]})
    return found


class PersonForm(forms.Form):
    """A new person: name, e-mail, role and the establishments they act for."""

    name = forms.CharField(label=later("Nome"), max_length=120)
    email = forms.EmailField(label=later("E-mail"))
    role = forms.ChoiceField(label=later("Papel"))
    parties = forms.CharField(
        label=later("CNPJ por quem age"),
        required=False,
        help_text=later(
            "Um ou mais, separados por vírgula; 14 caracteres. Quem age por delegação não tem nenhum."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].choices = _roles()  # type: ignore[attr-defined]

    def clean_parties(self) -> list[str]:
        return _cnpj_list(self.cleaned_data["parties"])

    def clean(self) -> dict[str, Any]:
        """Who acts for establishments is bound to one; who acts for an office, to none."""
        given: dict[str, Any] = super().clean() or {}
        if (
            "role" in given
            and "parties" in given
            and (Role(given["role"]) in _BOUND) != bool(given["parties"])
        ):
            self.add_error("parties", _binding_problem(given["role"]))
        return given


def _binding_problem(role: str) -> str:
    if role in _BOUND:
        return translate("Quem tem este papel age por um estabelecimento: escreva o CNPJ dele.")
    return translate("Quem tem este papel não age por nenhum estabelecimento seu: deixe este campo vazio.")


def _roles() -> list[tuple[str, str]]:
    return [(role.value, said(ROLE_LABELS[role])) for role in Role]


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
        return translate("não")
    return translate("sim") if person.has_usable_password() else translate("convite à espera")


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
            form.add_error("email", translate("Já há uma pessoa com este e-mail."))
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


def _added(given: dict[str, Any]) -> Person | None:
    try:
        with transaction.atomic():
            return Person.objects.create_user(
                given["email"],
                password=None,
                role=Role(given["role"]),
                name=given["name"],
                parties=given["parties"],
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
        "roles": _roles(),
        "binds": Role(person.role) in _BOUND,
        "lent_to": delegations.of_person(person),
    }
    return render(request, "lastro/admin/person.html", context)


def _factor(request: HttpRequest, person: Person) -> str:
    TOTPDevice.objects.filter(user=person).delete()
    messages.success(
        request,
        translate("%(email)s cadastra um novo segundo fator na próxima entrada.") % {"email": person.email},
    )
    return ""


def _active(request: HttpRequest, person: Person) -> str:
    person.is_active = not person.is_active
    person.save(update_fields=["is_active"])
    told = (
        translate("%(email)s entra de novo.") if person.is_active else translate("%(email)s não entra mais.")
    )
    messages.success(request, told % {"email": person.email})
    return ""


def _role(request: HttpRequest, person: Person) -> str:
    asked = request.POST.get("role", "")
    if asked not in set(Role):
        return translate("Escolha um papel da lista.")
    person.role = asked
    person.save(update_fields=["role"])
    told = {"email": person.email, "role": said(ROLE_LABELS[Role(asked)])}
    messages.success(request, translate("%(email)s passa a ser: %(role)s.") % told)
    return ""


def _bind(request: HttpRequest, person: Person) -> str:
    party = bare(request.POST.get("party", ""))
    if not is_cnpj(party):
        return translate("Escreva um CNPJ válido, de 14 caracteres.")
    Binding.objects.get_or_create(person=person, party=party)
    told = {"email": person.email, "party": masked(party)}
    messages.success(request, translate("%(email)s age por %(party)s.") % told)
    return ""


def _unbind(request: HttpRequest, person: Person) -> str:
    party = bare(request.POST.get("party", ""))
    gone, _ = Binding.objects.filter(person=person, party=party).delete()
    if not gone:
        return translate("Esta pessoa já não agia por este estabelecimento.")
    told = {"email": person.email, "party": masked(party)}
    messages.success(request, translate("%(email)s não age mais por %(party)s.") % told)
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
