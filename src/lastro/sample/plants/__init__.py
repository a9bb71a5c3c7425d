"""The mutations that `faults.toml` names: in each, one thing is wrong, or only looks wrong."""

from lastro.sample.plants import (
    chains,
    claims,
    files,
    hauls,
    identity,
    kin,
    lines,
    parties,
    roads,
    signature,
    slips,
    status,
)
from lastro.sample.plants.registry import MUTATIONS, Mutation

__all__ = [
    "MUTATIONS",
    "Mutation",
    "chains",
    "claims",
    "files",
    "hauls",
    "identity",
    "kin",
    "lines",
    "parties",
    "roads",
    "signature",
    "slips",
    "status",
]
