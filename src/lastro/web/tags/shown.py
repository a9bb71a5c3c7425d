"""How things are written on a page: numbers, days, CNPJs and words as people read them in Portuguese."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from django import template
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as translate

from lastro.facts import Outcome, Severity
from lastro.ids import masked
from lastro.lawkit import Norm, library
from lastro.lawkit.glossary import capital, label
from lastro.lawkit.trace import shown as shown_value
from lastro.tables import municipality
from lastro.units import Mass, Money, decimal_text, portuguese
from lastro.web import office, typed
from lastro.web.readings.documents import shown_party
from lastro.web.tags.words import MOVED, WORDS
from lastro.web.translating import said, tongue

register = template.Library()


def named(name: str) -> str:
    """A code name by its label in the language of the request."""
    return label(name, lang=tongue())


@register.filter
def word(value: object) -> str:
    """A state or code name in plain words."""
    if value is None or value == "":
        return "—"
    words = WORDS.get(value)
    return said(words) if words else named(str(value))


@register.filter
def capitalised(value: object) -> str:
    """The same, beginning with a capital letter."""
    return capital(word(value))


@register.filter
def tone(value: object) -> str:
    """The class that colours a verdict, a severity or a result; the words beside it say the same."""
    good = {Outcome.ADMITTED, "counted", "done", True, "issued", "valid"}
    bad = {Outcome.REFUSED, Severity.REFUSE, Severity.ZERO, "dead", "failed", False, "invalid"}
    asks = {Outcome.REVIEW, Severity.REVIEW, Severity.WARN, "contested"}
    return "good" if value in good else "bad" if value in bad else "asks" if value in asks else "plain"


@register.filter
def cnpj(value: str) -> str:
    """A CNPJ with its mask; of a person's CPF only the middle."""
    return shown_party(value) if value else "—"


@register.filter
def cnpj_only(value: str) -> str:
    return masked(value)


@register.filter
def day(value: date | str | None) -> str:
    """A date the Brazilian way."""
    if not value:
        return "—"
    found = date.fromisoformat(value[:10]) if isinstance(value, str) else value
    return found.strftime("%d/%m/%Y")


@register.filter
def kg(value: Mass | int | None) -> str:
    """A mass in kilograms with as many decimals as it has."""
    if value is None:
        return "—"
    return str(Mass(value) if isinstance(value, int) else value)


@register.filter
def typed_kg(value: Mass) -> str:
    """A mass in a field that may be sent again as it stands."""
    return typed.as_typed(value)


@register.filter
def number(value: int | str | None) -> str:
    """A whole number with thousands marked."""
    return "—" if value in (None, "") else portuguese(str(value))


@register.filter
def in_fours(value: str) -> list[str]:
    """An access key in groups of four, so that it can be read aloud and broken on a narrow screen."""
    return [value[n : n + 4] for n in range(0, len(value), 4)]


@register.filter
def told(value: object) -> str:
    """A value of an explanation as a person reads it."""
    return shown_value(value)


@register.filter
def account(value: str) -> str:
    """A ledger account in words."""
    kind, _, rest = value.partition("/")
    if kind == "source":
        return translate("fora do livro")
    if kind == "lot":
        return translate("lote do item %(line)s") % {"line": rest.split("/")[1]}
    if kind == "retired":
        who, year, material = rest.split("/")
        whom = {"who": masked(who), "year": year, "material": named(material)}
        return translate("baixada para %(who)s, %(year)s, %(material)s") % whom
    if kind == "certificate":
        return translate("certificado %(number)s") % {"number": rest}
    if kind == "annulled":
        return translate("cancelada com o certificado %(number)s") % {"number": rest}
    return value


@register.filter
def move_word(name: str) -> str:
    """What happened to a certificate, in a word."""
    return said(MOVED[name])


@register.filter
def base_name(path: str) -> str:
    """The last part of a file's name."""
    return path.replace("\\", "/").rpartition("/")[2]


@register.filter
def place(code: str | None) -> str:
    """A municipality by its name; by its code where no name is known."""
    return (municipality(code) or code) if code else "—"


@register.filter
def cited(norm: Norm, provisions: tuple[str, ...]) -> str:
    """Some provisions of a norm, as they are cited."""
    return norm.cite(provisions)


@register.filter
def party_name(cnpj: str) -> str:
    """The name that the registry knows an establishment by."""
    return office.name_of(cnpj) or translate("sem nome no cadastro")


@register.filter
def norm_title(path: str) -> str:
    """A norm by the name people call it."""
    return library.find(path).norm.short_title


@register.filter
def note_number(key: str) -> str:
    """The number people know a note by, out of its access key."""
    return str(int(key[25:34])) if len(key) == 44 and key[25:34].isdigit() else key


@register.filter
def plain_words(text: str) -> str:
    """A sentence for a page: no marks that set commands apart, and no command where a page does the same."""
    for command in (" com `lastro decide`", " with `lastro decide`"):
        text = text.replace(command, translate(" em Contestados"))
    return text.replace("`", "")


@register.filter
def drawing(svg: str) -> str:
    """A picture that our own rooms drew, whose words they escaped."""
    return mark_safe(svg)


@register.filter
def of(found: Mapping[str, Any], name: str) -> Any:
    """What stands under a name."""
    return found[name]


@register.filter
def at(found: Mapping[str, Any], name: str) -> Any:
    """What stands under a name, where anything does."""
    return found.get(name)


@register.filter
def kg_of(text: str) -> str:
    """A mass written as a plain decimal of kilograms."""
    return str(Mass.kg(text))


@register.filter
def brl(text: str | None) -> str:
    """An amount written as a plain decimal of reais."""
    return str(Money.brl(text)) if text else "—"


@register.filter
def comma(text: str) -> str:
    """A plain decimal as people write it here."""
    return portuguese(text)


@register.filter
def per_tonne(values: Mapping[str, Fraction], name: str) -> str:
    """What a tonne brought, in reais: a subclass has its own value, or takes its material's."""
    found = values.get(name, values.get(name.partition("/")[0]))
    return "—" if found is None else f"R$ {portuguese(decimal_text(found, most=2))}"


@register.simple_tag
def norm_address(path: str) -> str:
    """Where the page of a norm stands."""
    return reverse("norm", args=path.split("/"))


@register.inclusion_tag("lastro/norms/_files.html")
def norm_files(norm: Norm, what: str, title: str) -> dict[str, str]:
    """The links to a list of a norm as files."""
    place, name = norm.path.split("/")
    return {"place": place, "name": name, "what": what, "title": title}


@register.simple_tag(takes_context=True)
def with_query(context: Any, **changes: Any) -> str:
    """The present address with parts of its query changed; an empty part falls away."""
    query = {k: v for k, v in context["request"].GET.items() if v}
    query.update(changes)
    kept = {k: v for k, v in query.items() if v not in ("", None)}
    return "?" + urlencode(kept) if kept else "?"
