"""A small sample world that all walks share, and how to type a verb."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

NORM, YEAR, TODAY = "mt/decreto_1455_2025", "2026", "2027-03-15"
LASTRO = [sys.executable, "-c", "import sys; from lastro.cli import main; sys.exit(main())"]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An invented year with few plain notes and every planted fault."""
    folder = tmp_path_factory.mktemp("world")
    command = [sys.executable, "-m", "lastro.sample", str(folder), "--seed", "7", "--notes", "60"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


class Typist:
    """Types verbs on one data folder (or database), as a person or a script would."""

    def __init__(self, data: Path, env: Mapping[str, str] | None = None) -> None:
        self.data = data
        self.env = {**os.environ, "LASTRO_DATA": str(data), **(env or {})}

    def command(self, *words: str | Path) -> list[str]:
        return [*LASTRO, "--data", str(self.data), "--today", TODAY, *(str(w) for w in words)]

    def start(self, *words: str | Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*words), env=self.env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

    def type(self, *words: str | Path, codes: tuple[int, ...] = (0,)) -> str:
        done = subprocess.run(self.command(*words), env=self.env, text=True, capture_output=True, check=False)
        assert done.returncode in codes, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def rows(self, *words: str | Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.type(*words, "--json").splitlines()]

    def set_up(self, world: Path) -> None:
        for root in sorted((world / "trust").glob("*.pem")):
            self.type("trust", "add", root, "--kind", "test")
        self.type("registry", "load", world / "cadastro.json")

    def enter_words(self, world: Path, entity: str, folder: Path | None = None) -> list[str | Path]:
        place = folder or world / "notas" / entity
        words: list[str | Path] = ["enter", place, "--entity", entity, "--norm", NORM, "--year", YEAR]
        return [*words, "--workers", "1"]

    def standing(self) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """What stands: every lot's mass, and every contested line with who claims it."""
        lots = [(x["account"], x["mass_mg"], x["municipality"], x["material"]) for x in self.rows("lots")]
        contested = [
            (x["access_key"], x["line"], x["reason"], json.dumps(x["claims"]))
            for x in self.rows("lots", "--contested")
        ]
        return sorted(lots), sorted(contested)


def entities(world: Path) -> list[str]:
    return sorted(folder.name for folder in (world / "notas").iterdir())
