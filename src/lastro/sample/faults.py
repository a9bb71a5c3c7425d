"""What is planted: `faults.toml`, one thing wrong in a note; `stories.toml`, papers that do not fit together.

Both are one reading of the contract, written without the detectors.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

CODES = [
    "F04",
    "F05",
    "N03",
    "N04",
    "N06",
    "N07",
    "N08",
    "N09",
    "N10",
    "N14",
    "N15",
    "S01",
    "S02",
    "S03",
    "S05",
    "S06",
    "S07",
    "S09",
    "M01",
    "M02",
    "M03",
    "M04",
    "M06",
    "M09",
    "M14",
    "P01",
    "P03",
    "P05",
    "P07",
    "C01",
    "C02",
]
STORY_CODES = [
    "F01",
    "N16",
    "M15",
    "P06",
    "G05",
    "G06",
    "G07",
    "G08",
    "G09",
    "C03",
    "C04",
    "C05",
    "C06",
    "C07",
    "C08",
    "C09",
    "C10",
    "C11",
    "C12",
    "N11",
    "N12",
    "M05",
    "M07",
    "M08",
    "M10",
    "M11",
    "M12",
    "M13",
    "P02",
    "P04",
    "G01",
    "G04",
]
# Decision 9: these never change a verdict, so a detector may add them to anything.
HARMLESS = [
    "F11",
    "M04",
    "M10",
    "P06",
    "P09",
    "G01",
    "G02",
    "G03",
    "G04",
    "C05",
    "C06",
    "C07",
    "C08",
    "C12",
    "N18",
    "S08",
]


@dataclass(frozen=True)
class Fault:
    """One thing done wrong, or done right though it looks wrong (`near_miss`).

    `stage` says what has to be at hand to see it: the `file` alone (with the registry), the `batch` of
    documents around it, or the `store` with its lots.
    """

    id: str
    code: str
    kind: str
    what: str
    mutation: str
    params: Mapping[str, Any] = field(default_factory=dict)
    codes: tuple[str, ...] = ()
    verdict: str = ""
    stage: str = "file"
    tolerate: tuple[str, ...] = ()


def load_faults() -> tuple[Fault, ...]:
    """Every entry of both lists, in order: the stories come last, so that they move nothing before them."""
    return (*_listed("faults.toml"), *load_stories())


def load_stories() -> tuple[Fault, ...]:
    """The entries that take more than one paper to tell, in their order."""
    return _listed("stories.toml")


def _listed(name: str) -> tuple[Fault, ...]:
    text = files("lastro.sample").joinpath(name).read_text(encoding="utf-8")
    made = []
    for row in tomllib.loads(text)["fault"]:
        how = dict(row.pop("how"))
        mutation = str(how.pop("mutation"))
        codes = tuple(row.pop("expect"))
        tolerate = tuple(row.pop("tolerate", ()))
        made.append(Fault(mutation=mutation, params=how, codes=codes, tolerate=tolerate, **row))
    return tuple(made)
