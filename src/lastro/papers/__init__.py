"""Papers: what a person holds in the hand, as PDF/A-2a with tags for those who listen instead of look.

Comes in: a kind of paper and its data, all of it text already written for people. Goes out: the PDF's bytes.
A paper decides nothing and computes nothing: what stands on it was decided in a room.
"""

from lastro.papers.render import KINDS, render
from lastro.papers.seal import seal
from lastro.papers.square import qr_svg

__all__ = ["KINDS", "qr_svg", "render", "seal"]
