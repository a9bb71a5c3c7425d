"""A small invented norm, written to disk, for what the lawkit promises of any norm."""

from __future__ import annotations

import importlib
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lastro.lawkit.regulation import Norm, Regulation, rules_of

NORM = """
title = "Norma inventada"
short_title = "Norma 1/2020"
kind = "decreto"
number = "1"
date = 2020-01-01
published = 2020-01-02
in_force_since = 2020-01-02
jurisdiction = "MT"
status = "in_force"
provisions = "xx-1-2020"
"""
PARAMETERS = """
[rate]
label = "Percentual"
unit = "share"
since.2020-01-02 = { is = "10%", provision = "art1" }
since.2021-01-01 = { is = "20%", cite = "Norma 2/2020, art. 3º" }
since.2022-01-01 = { revoked = true, cite = "Norma 3/2021" }
since.2023-01-01 = { missing = "o anexo se perdeu", provision = "art1" }
"""
RULES = '''
from lastro.lawkit import Law, rule
from lastro.units import Share


@rule(provisions=("art1",), label="Percentual dobrado", reading="dobro")
def doubled(law: Law, *, year: int) -> Share:
    """Twice the rate."""
    rate: Share = law.rate
    return rate * 2
'''
TEXT = "- `art1` · coded · Fixa o percentual\n- `art2` · not yet · Outra coisa · falta a sala\n"
READINGS = "## dobro — O percentual se dobra\n"

_numbers = itertools.count()


@pytest.fixture
def invent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Regulation]]:
    """Write a norm's folder and take it in; any of its files may be given otherwise."""
    monkeypatch.syspath_prepend(str(tmp_path))
    made: list[str] = []

    def write(
        *, parameters: str = PARAMETERS, rules: str = RULES, text: str = TEXT, readings: str = READINGS
    ) -> Regulation:
        package = f"invented_norm_{next(_numbers)}"
        folder = tmp_path / package
        (folder / "cases").mkdir(parents=True)
        for name, content in {
            "__init__.py": "",
            "norm.toml": NORM,
            "parameters.toml": parameters,
            "rules.py": rules,
            "text.md": text,
            "readings.md": readings,
        }.items():
            (folder / name).write_text(content, "utf-8")
        importlib.invalidate_caches()
        made.append(package)
        return Regulation(
            norm=Norm.read(package), rules=rules_of(importlib.import_module(f"{package}.rules"))
        )

    yield write
    for package in made:
        for name in [m for m in sys.modules if m.partition(".")[0] == package]:
            del sys.modules[name]
