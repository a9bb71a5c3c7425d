"""The room of fees: what an establishment owes for a quarter, by when, and what it is credit for.

Comes in: the facts of one establishment and quarter. Goes out: the answer, every part with its article. The
norm that charges is asked by its office `charges`.
"""

from lastro.fees.answer import answer, assess, sound
from lastro.fees.fee_file import parse

__all__ = ["answer", "assess", "parse", "sound"]
