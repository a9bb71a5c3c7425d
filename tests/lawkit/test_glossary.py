"""The glossary knows every word that a person may be shown, and holds no other."""

from __future__ import annotations

import dataclasses

from lastro import facts
from lastro.ids import Material, Origin
from lastro.lawkit import library
from lastro.lawkit.glossary import capital, glossary, label
from lastro.obligations import Position
from lastro.obligations.facts_file import SCHEMES, SIZES

NOUNS = (
    facts.Candidate,
    facts.CompanyFacts,
    facts.Placement,
    facts.Retired,
    facts.TargetRow,
    Position,
)


def words() -> set[str]:
    """Public names of facts, of what rules are given, and of the values that screens show."""
    found = {field.name for noun in NOUNS for field in dataclasses.fields(noun)}
    found |= {str(one) for kind in (Material, Origin, facts.Basis) for one in kind}
    for regulation in library.every():
        found |= set(regulation.groups)
        found |= {name for rule in regulation.rules.values() for name in rule.inputs}
    return found | set(SIZES) | set(SCHEMES)


def test_every_public_word_has_a_label() -> None:
    assert sorted(words() - set(glossary())) == []


def test_every_entry_has_both_languages() -> None:
    assert [name for name, entry in glossary().items() if set(entry) != {"pt", "en"}] == []


def test_labels_come_in_the_language_asked() -> None:
    assert label("glass") == "vidro"
    assert label("glass", lang="en") == "glass"
    assert label("no such word") == "no such word"
    assert capital("índice") == "Índice"
