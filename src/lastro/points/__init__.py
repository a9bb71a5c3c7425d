"""The room of points: how many a norm asks for, how many stand, and where the next ones serve most people.

Comes in: points with their days and places, the municipalities in question. Goes out: what lacks in each, and
proposed sites with how far from the best they can be at most.
"""

from lastro.points.need import Need, Point, Whole, needs, scheduled, whole, years_ended
from lastro.points.points_file import Asked, parse
from lastro.points.propose import Proposal, propose

__all__ = [
    "Asked", "Need", "Point", "Proposal", "Whole", "needs", "parse", "propose", "scheduled", "whole",
    "years_ended",
]  # fmt: skip
