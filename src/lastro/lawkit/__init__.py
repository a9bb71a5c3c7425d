"""How law is written down here: citations, dated parameters, tables, rules, traces, norms, library.

Comes in: a norm's folder and a day. Goes out: values with their article, rules that explain themselves,
and one `Regulation` per norm. Nothing here knows the name of a norm.
"""

from lastro.errors import NotInForce, TextMissing
from lastro.lawkit.parameters import Law
from lastro.lawkit.regulation import CertificateTerms, Norm, Note, Obliged, Regulation, ReportTerms, Settled
from lastro.lawkit.rules import Rule, explain, rule
from lastro.lawkit.trace import Step, listening

__all__ = [
    "CertificateTerms",
    "Law",
    "Norm",
    "NotInForce",
    "Note",
    "Obliged",
    "Regulation",
    "ReportTerms",
    "Rule",
    "Settled",
    "Step",
    "TextMissing",
    "explain",
    "listening",
    "rule",
]
