"""From placed mass and law to what is owed, what was proved, and whether it is enough.

Comes in: a regulation, the facts of a company, rows of targets, a day. Goes out: one `Position` per company,
material group and scope, each number with its article, reading and basis.
"""

from lastro.obligations.positions import Position
from lastro.obligations.settle import settle, undeclared

__all__ = ["Position", "settle", "undeclared"]
