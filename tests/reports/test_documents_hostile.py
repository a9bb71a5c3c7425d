"""Whatever stands in a document of facts, it is read, told to be incomplete, or refused by its place."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest

from lastro.errors import LastroError
from lastro.lawkit import library
from lastro.reports.cells import DataSet
from lastro.reports.desk import Heading
from lastro.reports.form import parse
from lastro.reports.paper import paper
from tests.reports.documents import EXAMPLES, ON, RUNS

STRANGE: tuple[Any, ...] = (None, "", "x", "=1+1", -1, 0, 1.5, True, [], {}, [None], "9" * 40, "\u202e")
FORMS = sorted(name for name in RUNS if name.startswith("documentos/"))


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of a document, those within lists and objects too."""
    if path:
        yield path
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, below in items:
        yield from places(below, (*path, key))


def put(facts: Any, path: tuple[Any, ...], value: Any) -> Any:
    made = copy.deepcopy(facts)
    node = made
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    return made


@pytest.mark.parametrize("name", FORMS)
def test_no_value_anywhere_crashes(name):
    norm, kind = RUNS[name]
    regulation = library.find(norm)
    facts = json.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))
    seen: set[str] = set()
    for n, path in enumerate(places(facts)):
        for strange in STRANGE[n % 3 :: 3]:
            try:
                made = parse(regulation, kind, json.dumps(put(facts, path, strange)), today=ON)
            except LastroError:
                seen.add("refused")
                continue
            assert isinstance(made, DataSet)
            assert paper(made, Heading(ON))["title"]
            seen.add("blocked" if made.blocks else "whole")
    assert {"refused", "blocked"} <= seen
