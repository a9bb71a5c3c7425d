"""The English switch: each template in two languages, a choice that stays, programs that notice nothing."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import tools.make_messages as catalogues

from lastro.web.segments import messages, translated
from lastro.web.translating import pages
from tests.web.conftest import PASSWORD, World, browser_of, people_of
from tests.web.test_pages import _pages

TEMPLATES = sorted((catalogues.WEB / "templates").rglob("*.html"))


@pytest.fixture(scope="module")
def crowd(module_world: World) -> tuple[World, dict[str, Any]]:
    return module_world, people_of(module_world)


def _in_english(person: Any = None) -> Any:
    english = browser_of(person)
    english.cookies["lastro_idioma"] = "en"
    return english


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<p>Nada.</p>", ["Nada."]),
        ("<p>\n  Duas\n  linhas </p>", ["Duas linhas"]),
        ("<p>Vale até <strong>{{ d|day }}</strong>.</p>", ["Vale até <strong>{{ d|day }}</strong>."]),
        ("<li><a href='/x'>Normas</a></li>", ["Normas"]),
        ("<p><a href='/x'>Um</a> · <a href='/y'>Outro</a></p>", ["Um", "Outro"]),
        ("{% if a %}<p>Sim</p>{% else %}<p>Não</p>{% endif %}", ["Sim", "Não"]),
        ("<p>{% if a %}Sim{% else %}Não{% endif %}</p>", ["Sim", "Não"]),
        ("<p>Diz {% if a %}sim{% else %}não{% endif %}.</p>", ["Diz {% if a %}sim{% else %}não{% endif %}."]),
        ("<p>{{ mass|kg }}</p>", []),
        ('<p>{{ name|default:"sem nome" }}</p>', ['{{ name|default:"sem nome" }}']),
        ('<nav aria-label="Onde estou"></nav>', ["Onde estou"]),
        ('<input value="sim" placeholder="{{ x }}">', []),
        ('<option {% if a == "b" %}selected{% endif %} value="{{ p }}">Todas</option>', ["Todas"]),
        ('{% include "x.html" with title="Prazos" kind="date" %}', ["Prazos"]),
        ("{# Ninguém lê #}<script src='/a.js'></script>", []),
        ("<p>&nbsp;· —</p>", []),
        ("<p>{% if a %}<strong>Um{% endif %}{% if a %}</strong>{% endif %}</p>", ["Um"]),
    ],
)
def test_messages_are_what_a_person_reads(source: str, expected: list[str]) -> None:
    assert messages(source) == expected


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_a_template_keeps_all_but_its_words(path: Path) -> None:
    """With every message gone, what is left has no word, and every tag and value stands where it stood."""
    from django.template import engines

    source = path.read_text("utf-8")
    left = translated(source, lambda _: "")
    shown = re.sub(r"<[^>]*>|\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}|&\w+;", "", re.sub(r'"[^"]*"', '""', left))
    assert not re.search(r"[^\W\d_]{2}", shown), shown.strip()
    kept = translated(source, lambda message: message)
    assert re.sub(r"\s+", " ", kept) == re.sub(r"\s+", " ", source).replace(
        '<html lang="pt-BR', '<html lang="en'
    )
    engines["django"].from_string(translated(source, pages().gettext))  # what can't be read raises


@pytest.mark.parametrize("at", [0, 1], ids=["pages", "django"])
def test_every_message_has_its_english_and_loses_nothing(at: int) -> None:
    path, found = list(catalogues.catalogues())[at]
    assert not list(catalogues.faults(path, found))


def test_a_catalogue_that_lacks_or_loses_something_is_told() -> None:
    lacks = catalogues.Message(("Faltam {{ n }} kg",), ["a.html"])
    loses = catalogues.Message(("Faltam %(mass)s kg",), ["a.py"], ("kg are lacking",))
    plural = catalogues.Message(("uma nota", "%(n)s notas"), ["a.py"], ("one invoice", "%(n)s invoices"))
    assert lacks.missing
    assert not loses.missing
    assert catalogues.lost(loses) == {"%(mass)s"}
    assert not plural.missing
    assert not catalogues.lost(plural)


def test_a_catalogue_is_read_as_it_was_written_and_as_programs_read_it(tmp_path: Path) -> None:
    import gettext
    import io

    said = {
        ('Diz "sim"\ne barra \\',): catalogues.Message(
            ('Diz "sim"\ne barra \\',), ["a"], ('Says "yes"\n\\',)
        ),
        ("um", "%(n)s"): catalogues.Message(("um", "%(n)s"), ["b"], ("one", "%(n)s of them")),
    }
    (tmp_path / "x.po").write_text(catalogues.written(said), "utf-8")
    read = catalogues.read(tmp_path / "x.po")
    assert read == {key: message.english for key, message in said.items()}
    known = gettext.GNUTranslations(io.BytesIO(catalogues.compiled(read)))
    assert known.gettext('Diz "sim"\ne barra \\') == 'Says "yes"\n\\'
    assert [known.ngettext("um", "%(n)s", n) for n in (0, 1, 2)] == ["%(n)s of them", "one", "%(n)s of them"]


def test_portuguese_is_read_byte_by_byte_as_it_is_written() -> None:
    from django.template import engines
    from django.utils import translation

    engine = engines["django"].engine  # type: ignore[attr-defined]
    (loader,) = engine.template_loaders
    for language, same in (("pt-br", True), ("en", False)):
        with translation.override(language):
            template = loader.get_template("lastro/public/home.html")
            written = (catalogues.WEB / "templates/lastro/public/home.html").read_text("utf-8")
            assert (loader.get_contents(template.origin) == written) is same


_PLAIN = re.compile(r"[^<>{}&\"']{12,}")


def test_no_page_in_english_keeps_a_sentence_of_its_template(crowd: tuple[World, dict[str, Any]]) -> None:
    world, people = crowd
    said = [
        key[0] for key in catalogues.read(catalogues.CATALOGUES / "pages.po")
        if _PLAIN.fullmatch(key[0]) and key[0].count(" ") > 4 and pages().gettext(key[0]) != key[0]
    ]  # fmt: skip
    left = []
    for who, addresses in _pages(world, people).items():
        english = _in_english(people[who] if who else None)
        for one in addresses[:1] if who else addresses:
            text = english.get(one).content.decode()
            assert '<html lang="en">' in text, one
            own = unescape(re.sub(r"(?s)<[^>]*>", "\n", text))
            lines = {re.sub(r"\s+", " ", line).strip() for line in own.splitlines()}
            left += [(one, message) for message in said if message in lines]
    assert not sorted(set(left))


def test_a_stranger_chooses_a_language_and_stays_on_the_page() -> None:
    stranger = browser_of()
    answer = stranger.post("/idioma/", {"idioma": "en", "voltar": "/conferir/?numero=CRE-1"})
    assert (answer.status_code, answer["Location"]) == (303, "/conferir/?numero=CRE-1")
    kept = stranger.cookies["lastro_idioma"]
    assert (kept.value, kept["httponly"], kept["samesite"]) == ("en", True, "Lax")
    stranger.post("/idioma/", {"idioma": "pt-br", "voltar": "/"})
    assert stranger.cookies["lastro_idioma"].value == "pt-br"


@pytest.mark.parametrize("back", ["https://exemplo.org/", "//exemplo.org", "javascript:alert(1)", ""])
def test_a_choice_leads_to_no_foreign_page(back: str) -> None:
    answer = browser_of().post("/idioma/", {"idioma": "en", "voltar": back})
    assert answer["Location"] == "/"


@pytest.mark.parametrize("wanted", ["fr", "", "en; x", "../en"])
def test_an_unknown_language_changes_nothing(wanted: str) -> None:
    stranger = browser_of()
    stranger.post("/idioma/", {"idioma": wanted, "voltar": "/"})
    assert "lastro_idioma" not in stranger.cookies
    stranger.cookies["lastro_idioma"] = wanted
    assert '<html lang="pt-BR">' in stranger.get("/conferir/").content.decode()


def test_what_the_browser_prefers_is_not_asked(crowd: tuple[World, dict[str, Any]]) -> None:
    asked = browser_of().get("/conferir/", headers={"accept-language": "en-US,en"})
    assert '<html lang="pt-BR">' in asked.content.decode()
    assert asked["Content-Language"] == "pt-BR"
    assert "lastro_idioma" not in asked.cookies


def test_a_choice_ends_with_its_answer(crowd: tuple[World, dict[str, Any]]) -> None:
    from django.utils.translation import get_language

    assert '<html lang="en">' in _in_english().get("/conferir/").content.decode()
    assert get_language() == "pt-br"
    assert '<html lang="pt-BR">' in browser_of().get("/conferir/").content.decode()


@pytest.mark.parametrize("one", ["/api/v1/openapi.json", "/normas/normas.json", "/resultados/dados.json"])
def test_programs_and_open_data_know_one_language(crowd: tuple[World, dict[str, Any]], one: str) -> None:
    portuguese, english = browser_of().get(one), _in_english().get(one)
    assert portuguese.status_code == 200
    assert json.loads(portuguese.getvalue()) == json.loads(english.getvalue())


def test_a_choice_goes_with_its_person_to_another_browser(world: World, people: dict[str, Any]) -> None:
    first, second = browser_of(people["company"]), browser_of()
    first.post("/idioma/", {"idioma": "en", "voltar": "/conta/"})
    answer = second.post("/entrar/", {"username": people["company"].email, "password": PASSWORD})
    assert answer.status_code == 302
    assert second.cookies["lastro_idioma"].value == "en"
    assert '<html lang="en">' in second.get("/conferir/").content.decode()


def test_who_never_chose_brings_no_language_along(world: World, people: dict[str, Any]) -> None:
    stranger = browser_of()
    stranger.post("/entrar/", {"username": people["company"].email, "password": PASSWORD})
    assert "lastro_idioma" not in stranger.cookies
