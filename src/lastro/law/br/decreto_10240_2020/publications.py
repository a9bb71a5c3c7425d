"""What the decree on electronics wants to be published: list of products, manual, schedule, plans."""

from __future__ import annotations

from lastro.lawkit.publications import Publication

_ALL = ("entity", "company", "gap")

PUBLISHES = (
    Publication("products", "lista de produtos do sistema, atualizada", ("art4-p2",), _ALL),
    Publication("manual", "manual operacional básico", ("art3-VIII", "art15"), _ALL),
    Publication("schedule", "cronograma com os municípios atendidos", ("art8-p2",), _ALL),
    Publication("plan", "plano de comunicação e de educação ambiental", ("art45",)),
    Publication(
        "criteria", "critérios do grupo para planos e operação", ("art20-VIII", "art20-XI"), ("gap",)
    ),
)
