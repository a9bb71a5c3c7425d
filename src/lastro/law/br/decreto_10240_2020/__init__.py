"""Decreto 10.240/2020: reverse logistics of household electronics.

Comes in: weight sold in the base year, weight destined with proof, credits. Goes out: targets and what was
met.
"""

from lastro.lawkit.regulation import Norm, Regulation, rules_of

from . import (
    documents,
    entities,
    group,
    obliges,
    operation,
    publications,
    requests,
    rules,
    schedules,
    sites,
)

REGULATION = Regulation(
    norm=Norm.read(__name__),
    rules=rules_of(rules) | rules_of(operation) | rules_of(entities) | rules_of(group),
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
    uncomputed=(
        "Metas de municípios e pontos (Anexo II): não calculadas, por faltar o anexo no texto que temos.",
    ),
)
