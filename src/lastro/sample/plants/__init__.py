"""The mutations that `faults.toml` names: in each, one thing is wrong, or only looks wrong."""

from lastro.sample.plants import claims, files, identity, lines, parties, signature, status
from lastro.sample.plants.registry import MUTATIONS, Mutation

__all__ = ["MUTATIONS", "Mutation", "claims", "files", "identity", "lines", "parties", "signature", "status"]
