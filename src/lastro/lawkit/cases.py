"""Case sheets: worked examples beside the norm, in a lawyer's words, that a test runs as they stand.

A sheet is a TOML file in the norm's `cases` folder: the `rule` it speaks of, then cases, each with a name,
the day it is asked `on`, what is `given`, and what to `expect` or which error it `raises`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from importlib.resources import files

from lastro import errors
from lastro.lawkit.regulation import Regulation
from lastro.lawkit.rules import Rule
from lastro.lawkit.trace import shown
from lastro.lawkit.values import read_value


@dataclass(frozen=True)
class Case:
    """One worked example of one rule."""

    sheet: str
    rule: str
    name: str
    on: date
    given: Mapping[str, object]
    expect: object = None
    raises: str = ""


def cases_of(regulation: Regulation) -> tuple[Case, ...]:
    """Every case of a norm, in the order of its sheets."""
    folder = files(regulation.norm.package).joinpath("cases")
    sheets = sorted((f for f in folder.iterdir() if f.name.endswith(".toml")), key=lambda f: f.name)
    return tuple(case for sheet in sheets for case in _sheet(sheet.name, sheet.read_text("utf-8")))


def _sheet(name: str, text: str) -> list[Case]:
    raw = tomllib.loads(text)
    return [
        Case(
            sheet=name,
            rule=raw["rule"],
            name=one["name"],
            on=one["on"],
            given=one["given"],
            expect=one.get("expect"),
            raises=one.get("raises", ""),
        )
        for one in raw["case"]
    ]


def failure(regulation: Regulation, case: Case) -> str:
    """What a case shows to be wrong; empty when the rule answers as the sheet says."""
    if case.rule not in regulation.rules:
        return f"a norma não tem a regra {case.rule}"
    found = regulation.rules[case.rule]
    law = regulation.law(case.on)
    given = {name: read_value(found.inputs[name], raw) for name, raw in case.given.items()}
    if case.raises:
        return _raises(found, law, given, case.raises)
    expected = read_value(found.returns, case.expect)
    answer = found(law, **given)
    return "" if answer == expected else f"esperado {shown(expected)}, respondido {shown(answer)}"


def _raises(found: Rule[..., object], law: object, given: Mapping[str, object], name: str) -> str:
    try:
        answer = found(law, **given)  # type: ignore[arg-type]
    except getattr(errors, name):
        return ""
    return f"esperado o erro {name}, respondido {shown(answer)}"
