"""A rule is a plain function; the trace is made around it, only while someone listens."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from fractions import Fraction

import pytest

from lastro.errors import TextMissing
from lastro.facts import Basis
from lastro.ids import Origin
from lastro.lawkit import Regulation, Step, explain, library, listening
from lastro.lawkit.trace import listener, note_value, shown, silence
from lastro.units import ExactMass, Mass, Share

Invent = Callable[..., Regulation]
DAY = date(2021, 6, 1)


def test_a_rule_answers_a_plain_value_and_leaves_no_trace_unheard(invent: Invent) -> None:
    regulation = invent()
    assert regulation.rules["doubled"](regulation.law(DAY), year=2021) == Share.parse("40%")
    assert listener() is None


def test_the_explanation_has_inputs_values_and_articles(invent: Invent) -> None:
    regulation = invent()
    step = explain(regulation.rules["doubled"], regulation.law(DAY), year=2021)
    assert step.lines() == [
        "Percentual dobrado = 40%  [Norma 1/2020, art. 1º; leitura: dobro]",
        "  ano: 2021",
        "  · Percentual: 20%  [Norma 2/2020, art. 3º, desde 01/01/2021]",
    ]
    assert step.json() == {
        "label": "Percentual dobrado",
        "value": "40%",
        "article": "Norma 1/2020, art. 1º",
        "reading": "dobro",
        "basis": "official",
        "children": [
            {
                "label": "ano", "value": "2021", "article": None,
                "reading": None, "basis": "official", "children": [],
            },
            {
                "label": "Percentual", "value": "20%", "article": "Norma 2/2020, art. 3º, desde 01/01/2021",
                "reading": None, "basis": "official", "children": [],
            },
        ],
    }  # fmt: skip


def test_a_rule_that_stops_half_way_leaves_what_it_had(invent: Invent) -> None:
    regulation = invent()
    with listening("tudo") as root, pytest.raises(TextMissing):
        regulation.rules["doubled"](regulation.law(date(2023, 6, 1)), year=2023)
    assert [child.label for child in root.children] == ["Percentual dobrado"]
    assert root.children[0].value is None
    assert listener() is None


def test_silence_hides_only_what_runs_inside() -> None:
    with listening("tudo") as root:
        with silence():
            note_value("escondido", 1, article="x")
        note_value("visto", 2, article="x")
    assert [child.label for child in root.children] == ["visto"]


def test_a_step_is_as_good_as_the_worst_it_leans_on() -> None:
    leaf = Step("x", basis=Basis.TEST)
    assert (
        Step("y", children=[Step("z"), Step("w", basis=Basis.ILLUSTRATIVE)]).worst_basis is Basis.ILLUSTRATIVE
    )
    assert Step("y", children=[Step("z", children=[leaf])]).worst_basis is Basis.TEST
    assert leaf.lines() == ["x = —  [base: teste]"]


def test_inputs_are_given_by_name(invent: Invent) -> None:
    regulation = invent()
    with pytest.raises(AssertionError, match="by name"):
        regulation.rules["doubled"](regulation.law(DAY), 2021)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "—"),
        (True, "sim"),
        (False, "não"),
        (date(2027, 7, 30), "30/07/2027"),
        (Origin.PICKER_ENTITY, "entidade de catadores"),
        ({"glass": Mass.kg("30000")}, "vidro: 30.000 kg"),
        ({}, "nada"),
        ((Share.parse("22%"), Share.parse("24.5%")), "22%; 24,5%"),
        (ExactMass(Fraction(1, 3)), "0,000000… kg"),
        ("structuring", "estruturante"),
        (2026, "2026"),
    ],
)
def test_values_are_shown_as_people_read_them(value: object, text: str) -> None:
    assert shown(value) == text


@pytest.mark.parametrize("regulation", library.every(), ids=lambda r: r.norm.path)
def test_every_rule_of_a_norm_can_be_cited(regulation: Regulation) -> None:
    for rule in regulation.rules.values():
        assert regulation.norm.cite(rule.provisions).startswith(regulation.norm.short_title + ", ")
        assert rule.__doc__
