"""The federal draft on metal packaging (2022): a simulation, never law in force.

Comes in: mass placed and recycled by metal and region, choices. Goes out: targets, what was met, the best
choice.
"""

from lastro.lawkit.regulation import Norm, Regulation, rules_of

from . import (
    black_box,
    documents,
    entities,
    obliges,
    operation,
    publications,
    requests,
    rules,
    schedules,
    sites,
    targets,
)

REGULATION = Regulation(
    norm=Norm.read(__name__),
    rules=rules_of(rules)
    | rules_of(targets)
    | rules_of(operation)
    | rules_of(entities)
    | rules_of(black_box),
    schedules=schedules.SCHEDULES,
    sites=sites.sites,
    groups=obliges.GROUPS,
    grouping=obliges.GROUPING,
    obliges=obliges.obliges,
    settles=obliges.settles,
    options=obliges.OPTIONS,
    documents=documents.DOCUMENTS,
    asks=requests.ASKS,
    seals=requests.SEALS,
    publishes=publications.PUBLISHES,
    elects=obliges.METAL,
    uncomputed=(
        "Simulação: minuta de consulta pública que nunca foi norma em vigor.",
        "Metas geográficas (art. 55): os pontos de cada município se calculam à parte.",
    ),
)
