"""The keys that a reader knows stand in the document that tells people how to write the file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from lastro import deadlines, fees, incentives, points
from lastro.jsonfile import JsonRefused
from lastro.lawkit import library

DOCS = Path(__file__).parents[1] / "docs"
ODD: dict[str, Any] = {"odd": 1}


def keys(read: Callable[[str], object], raw: dict[str, Any]) -> set[str]:
    """The keys that a reader names when it meets one that it does not know."""
    with pytest.raises(JsonRefused) as refused:
        read(json.dumps(raw))
    named = [one.rpartition("esperado uma das chaves ")[2] for one in refused.value.problems if "odd" in one]
    assert named
    return {key for one in named for key in re.findall(r"[a-z_0-9]+", one)}


@pytest.mark.parametrize(
    ("page", "read", "raw", "least"),
    [
        (
            "prazos", lambda text: deadlines.parse(text, regulations=library.every()),
            ODD | {"events": [ODD], "done": [ODD]}, 10,
        ),
        (
            "pontos", lambda text: points.parse(text, coordinates=False),
            ODD | {"points": [ODD], "schedule": [ODD]}, 13,
        ),
        (
            "tfa", lambda text: fees.parse(text, today=date(2026, 11, 30)),
            ODD | dict.fromkeys(("exemption", "municipal_fee", "notice"), ODD)
            | {"activities": [ODD], "selic": [ODD]}, 30,
        ),
        (
            "bolsa", incentives.parse,
            ODD | {"coefficients": [ODD], "organisations": [ODD | {"sales": [ODD]}]}, 35,
        ),
    ],
)  # fmt: skip
def test_every_key_of_the_file_is_in_its_page(
    page: str, read: Callable[[str], object], raw: dict[str, Any], least: int
) -> None:
    found = keys(read, raw)
    assert len(found) >= least
    text = (DOCS / f"{page}.md").read_text("utf-8")
    assert {key for key in found if not re.search(rf"[`.]{key}(`|\[\])", text)} == set()


def test_every_event_of_a_deadline_is_in_its_page() -> None:
    text = (DOCS / "prazos.md").read_text("utf-8")
    starts = {duty.starts for one in library.every() for duty in one.schedules} - {"year", "quarter"}
    assert {event for event in starts if f"`{event}`" not in text} == set()
