"""Two spellings do not make two people."""

from __future__ import annotations

import pytest

from lastro.ids import person_named, same_person


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "ana"),
        ("Ana", "  ANA "),
        ("José", "Jose\u0301"),
        ("José", "jose"),
        ("ab", "a\u200bb"),
        ("bento@exemplo.invalid", "\uff22ENTO@exemplo.invalid"),
        ("Ana  Lima", "ana lima"),
    ],
)
def test_one_person_spelled_twice(one: str, other: str) -> None:
    assert same_person(one, other)
    assert same_person(person_named(one), person_named(other))


def test_two_people_are_two() -> None:
    assert not same_person("Ana", "Anna")


@pytest.mark.parametrize("text", ["", "  ", "\u200b", "\u0430na", "Ana\x00", "a" * 201, "Ан"])
def test_what_names_nobody_or_looks_like_another_alphabet_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="person"):
        person_named(text)


def test_a_name_is_kept_composed_and_with_single_blanks() -> None:
    assert person_named("  Jose\u0301   da\tSilva ") == "José da Silva"
