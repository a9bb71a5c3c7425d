"""Where a mutation is found by the name that `faults.toml` gives it."""

from __future__ import annotations

from collections.abc import Callable

from lastro.sample.bench import Bench
from lastro.sample.faults import Fault

Mutation = Callable[[Bench, Fault], None]
MUTATIONS: dict[str, Mutation] = {}


def mutation(function: Mutation) -> Mutation:
    """Registers a function under its own name."""
    assert function.__name__ not in MUTATIONS
    MUTATIONS[function.__name__] = function
    return function
