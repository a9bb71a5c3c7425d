"""What the draft wants to be published: plans, manuals, what consumers need, results."""

from __future__ import annotations

from lastro.lawkit.publications import Publication

_ALL = ("entity", "company", "gap")

PUBLISHES = (
    Publication("plan", "plano de comunicação e de educação ambiental", ("art47",)),
    Publication("consumer", "informação ao consumidor, com como participar", ("art49", "art49-pu")),
    Publication("manual", "manual operacional", ("art6", "art12"), _ALL),
    Publication("criteria", "critérios do grupo para planos e operação", ("art19-II", "art19-V"), ("gap",)),
    Publication("results", "resultados do sistema, divulgados pelo grupo", ("art19-VII",), ("gap",)),
)
