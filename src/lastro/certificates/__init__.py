"""Certificates of recycling: mass set apart, authorised by a second person, sold once, signed, used once.

Comes in: homologated lots, who buys, who prepares and who authorises. Goes out: a certificate with the fields
that the norm asks for, its paper, and the reason whenever a move is refused.
"""

from lastro.certificates.port import BackedBy, Book, Certificate, Dead, Done
from lastro.certificates.states import STEPS, TERMINAL, Move, State

__all__ = [
    "STEPS",
    "TERMINAL",
    "BackedBy",
    "Book",
    "Certificate",
    "Dead",
    "Done",
    "Move",
    "State",
]
