"""Who sold and who bought, on the day (P01, P03, P05, P07)."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

from lastro.sample.bench import Bench
from lastro.sample.digits import bad_cnpj, cnpj, company_root, cpf
from lastro.sample.faults import Fault
from lastro.sample.note import Note
from lastro.sample.people import ALWAYS, Party, Span, Vetting
from lastro.sample.places import MATO_GROSSO
from lastro.sample.plants.registry import mutation
from lastro.sample.plants.signature import branch_of
from lastro.sample.trade import at


def _on(bench: Bench, entity: Party, operator: Party, day: str) -> Note:
    return bench.draft(entity, operator=operator, issued=at(dt.date.fromisoformat(day), "09:40:00", operator))


@mutation
def bad_number(bench: Bench, fault: Fault) -> None:
    """A party's CNPJ or CPF that its check digits do not close."""
    entity = bench.entity()
    who = fault.params["who"]
    note = bench.draft(entity, entry=who == "cpf")
    if who == "issuer":
        note = replace(note, issuer_cnpj=bad_cnpj(note.issuer.cnpj))
    elif who == "recipient":
        note = replace(note, recipient_cnpj=bad_cnpj(note.recipient.cnpj))
    else:
        note = replace(note, recipient_cnpj=bad_cnpj(cpf(f"{bench.rnd.randrange(10**9):09d}")))
    bench.note(fault, entity, note)


@mutation
def zero_digits(bench: Bench, fault: Fault) -> None:
    """A recycler whose check digits are both zero, by a rest of 0 or 1."""
    entity = bench.entity()
    root = company_root(bench.rnd, set())
    while not cnpj(root).endswith("00"):
        root = company_root(bench.rnd, set())
    made = bench.cast.party("{} FIBRAS LTDA", "recycler", MATO_GROSSO[1], root=root)
    bench.cast.others.append(made)
    bench.note(fault, entity, bench.draft(entity, recipient=made, family="paper"))


@mutation
def of_branch(bench: Bench, fault: Fault) -> None:
    """A second establishment, whose digits differ from the first one's, sells in its own name."""
    entity = bench.entity()
    bench.note(fault, entity, bench.draft(entity, operator=branch_of(bench, entity)))


@mutation
def vetted(bench: Bench, fault: Fault) -> None:
    """The claimant vetted the operator over some span, with some papers, or another entity did."""
    entity = bench.entity()
    params = fault.params
    spans = tuple(Span(*pair) for pair in params.get("spans", ()))
    by = (
        bench.cast.entities[(bench.cast.entities.index(entity) + 1) % 3]
        if params.get("by_another")
        else entity
    )
    operator = bench.newcomer(by, spans=ALWAYS if params.get("by_another") else spans)
    if "papers" in params:
        papers = (params["papers"][0], params["papers"][1], params["papers"][2], params["papers"][3])
        bench.cast.vettings.append(Vetting(operator.cnpj, entity.cnpj, ALWAYS[2], papers))
    bench.note(fault, entity, _on(bench, entity, operator, params["day"]))


@mutation
def licensed(bench: Bench, fault: Fault) -> None:
    """The operator's licence ends on a day; with `head_office`, so does that of its first establishment."""
    entity = bench.entity()
    params = fault.params
    if "head_office" in params:
        operator = branch_of(bench, entity, licences=(params["head_office"], params["until"]))
    else:
        operator = bench.newcomer(entity, licence_to=params["until"])
    bench.note(fault, entity, _on(bench, entity, operator, params["day"]))


@mutation
def sold_to(bench: Bench, fault: Fault) -> None:
    """The scrap went to a dealer, to somebody nobody knows, or to a recycler of certain days only."""
    entity = bench.entity()
    who = fault.params["who"]
    if who == "dealer":
        buyer = bench.rnd.choice(bench.cast.dealers)
    elif who == "unknown":
        buyer = bench.cast.party("{} APARAS LTDA", "recycler", MATO_GROSSO[2])
    else:
        buyer = bench.cast.party("{} RECICLAGEM INDUSTRIAL LTDA", "recycler", MATO_GROSSO[1])
        bench.cast.others.append(buyer)
        bench.cast.role_spans[buyer.cnpj] = Span(*fault.params["span"])
    operator = bench.rnd.choice(bench.cast.operators[entity.cnpj])
    issued = at(dt.date.fromisoformat(fault.params.get("day", "2026-08-18")), "15:05:00", operator)
    note = bench.draft(entity, operator=operator, recipient=buyer, issued=issued)
    bench.note(fault, entity, note)
