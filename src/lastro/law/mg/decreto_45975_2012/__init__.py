"""Decreto MG 45.975/2012: Bolsa Reciclagem, money for pickers in return for an environmental service.

Comes in: facts of a quarter. Goes out: who receives, how much, and why, by article.
"""

from lastro.lawkit.regulation import Norm, Regulation, rules_of

from . import committee, documents, grant, pays, registration, schedules

REGULATION = Regulation(
    norm=Norm.read(__name__),
    rules=rules_of(committee) | rules_of(registration) | rules_of(grant),
    schedules=schedules.SCHEDULES,
    pays=pays.pays,
    documents=documents.DOCUMENTS,
)
