"""What every engine promises: the port stands with the thread that asks for it."""

from lastro.pipeline import Engine

__all__ = ["Engine"]
