"""Decreto MT 1.455/2025: reverse logistics of packaging in Mato Grosso.

Comes in: facts of a line or of a company. Goes out: objections, obligations and what was met, by article.
"""

from lastro.lawkit.regulation import Norm, Regulation, rules_of

from . import (
    admits,
    certifies,
    documents,
    duties,
    obliges,
    order,
    plans,
    reports,
    requests,
    rules,
    schedules,
    settles,
)

REGULATION = Regulation(
    norm=Norm.read(__name__),
    rules=rules_of(rules) | rules_of(admits) | rules_of(duties) | rules_of(plans) | rules_of(order),
    schedules=schedules.SCHEDULES,
    groups=obliges.GROUPS,
    grouping=obliges.GROUPING,
    admits=admits.admits,
    vets=admits.vetting_years,
    obliges=obliges.obliges,
    settles=settles.settles,
    options=settles.OPTIONS,
    certifies=certifies.certifies,
    reports=reports.reports,
    documents=documents.DOCUMENTS,
    asks=requests.ASKS,
    orders=order.orders,
    uncomputed=(
        "Meta geográfica (Anexo Único, item 2; art. 71): apurada só onde a massa traz o município de coleta.",
    ),
)
