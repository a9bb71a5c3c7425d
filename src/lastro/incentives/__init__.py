"""The room of incentives: what a quarter of sales brings to the organisations of pickers, and why.

Comes in: the facts of one quarter (a document or the store's). Goes out: the answer with every amount, what
stands against whom, and the explanation. The norm that pays is asked by its office `pays`.
"""

from lastro.incentives.answer import answer, granted, sound
from lastro.incentives.quarter_file import parse

__all__ = ["answer", "granted", "parse", "sound"]
