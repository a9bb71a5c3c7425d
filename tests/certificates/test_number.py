"""A number that was copied with a slip is told from a right one, whatever the slip."""

from __future__ import annotations

import random
import re

import pytest

from lastro.certificates import number

RIGHT = [number.draw(2026, random.Random(seed).randbytes) for seed in range(20)]


def plain(text: str) -> str:
    return text.replace("-", "")[3:]


def test_a_number_reads_back_as_itself():
    for text in RIGHT:
        assert re.fullmatch(r"CRE-2026(-[0-9A-HJKMNP-TV-Z]{4}){5}", text)
        assert number.parse(text) == text
    assert len(set(RIGHT)) == len(RIGHT)


def test_what_a_person_types_is_read_as_it_was_meant():
    text = next(t for t in RIGHT if "0" in plain(t)[4:] and "1" in plain(t)[4:])
    body = plain(text)[4:].replace("0", "o").replace("1", "l").lower()
    assert number.parse(f" cre 2026 {body} ") == text


def test_every_single_wrong_character_shows():
    for text in RIGHT:
        right = plain(text)
        for at, old in enumerate(right):
            for new in number.ALPHABET:
                if new != old and (at >= 4 or new.isdecimal()):
                    assert number.parse(f"CRE{right[:at]}{new}{right[at + 1 :]}") is None


def test_every_two_characters_that_changed_places_show():
    for text in RIGHT:
        right = plain(text)
        for one in range(len(right)):
            for two in range(one + 1, len(right)):
                if right[one] != right[two]:
                    chars = list(right)
                    chars[one], chars[two] = chars[two], chars[one]
                    assert number.parse("CRE" + "".join(chars)) is None


@pytest.mark.parametrize(
    "wrong",
    ["", "CRE", "2026", RIGHT[0][:-1], RIGHT[0] + "0", RIGHT[0].replace("CRE", "CRA"), "CRE-" + "U" * 24],
)
def test_what_is_no_number_is_none(wrong):
    assert number.parse(wrong) is None


def test_ninety_five_bits_of_it_are_random():
    """Every character after the year takes every value somewhere: none is fixed by the maker."""
    source = random.Random(3).randbytes
    bodies = [plain(number.draw(2026, source))[4:] for _ in range(2000)]
    assert all({body[at] for body in bodies} == set(number.ALPHABET) for at in range(19))
