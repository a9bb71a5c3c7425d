"""Electronic signatures of papers: who signs them, how, and what a signed paper is worth offline.

Comes in: a PDF, and a key pair with its certificate. Goes out: the same PDF signed (PAdES), or a judgement
of one that is signed already. The library behind is slow to import, and is imported only when needed.
"""

from lastro.signing.check import Checked, State, verify
from lastro.signing.keys import PASSWORD_VARIABLE, PKCS12_VARIABLE, Signer, chosen_signer, known_roots
from lastro.signing.pades import sign
from lastro.signing.practice import practice_roots, test_signer

__all__ = [
    "PASSWORD_VARIABLE",
    "PKCS12_VARIABLE",
    "Checked",
    "Signer",
    "State",
    "chosen_signer",
    "known_roots",
    "practice_roots",
    "sign",
    "test_signer",
    "verify",
]
