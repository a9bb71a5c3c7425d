"""One small world for all tests of the sample."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastro.sample.world import World, build_world

SEED = 7
NOTES = 40


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    out: Path = tmp_path_factory.mktemp("world")
    return build_world(out, seed=SEED, notes=NOTES)
