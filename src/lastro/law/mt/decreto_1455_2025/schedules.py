"""The decree's deadlines: what is due, to whom, and what starts each clock."""

from __future__ import annotations

from datetime import date

from lastro.lawkit import Law
from lastro.lawkit.schedules import YEARLY, Duty, Moment, Moves

from . import duties, plans, rules


def _breach(law: Law, at: Moment) -> date:
    return plans.breach_after(law, ended_on=at.on, closed=at.closed)


SYSTEM = ("managing_entity", "company")
SCHEDULES = (
    Duty(
        "mt_rar", "Relatório Anual de Resultados", SYSTEM, YEARLY,
        lambda law, at: rules.report_due(law, year=at.year),
        ("art21", "art67-pu"), "o relatório entregue",
    ),
    Duty(
        "mt_declaration", "Declaração anual de embalagens", ("small_firm",), YEARLY,
        lambda law, at: duties.declaration_due(law, year=at.year),
        ("art14-II-b",), "a declaração entregue",
    ),
    Duty(
        "mt_first_declaration", "Primeira declaração de empreendimento novo", ("small_firm",),
        "licence_issued", lambda law, at: duties.first_declaration(law, licensed_on=at.on),
        ("art14-p2",), "a declaração entregue",
    ),
    Duty(
        "mt_plan_at_licence", "Plano ou adesão no pedido ou na renovação da licença", ("company",),
        "licence_requested", lambda law, at: at.on,
        ("art15-I",), "constar em um plano nesse dia", moves=Moves.NEVER,
    ),
    Duty(
        "mt_new_plan", "Novo plano ou adesão a outro", ("company",), "left_plan",
        lambda law, at: plans.new_plan_due(law, ended_on=at.on),
        ("art19",), "o plano cadastrado ou a adesão listada", late_after=_breach,
    ),
    Duty(
        "mt_plan_after_term", "Novo plano depois do fim do termo", ("company",), "term_ended",
        lambda law, at: plans.term_plan_due(law, ended_on=at.on, continued=False),
        ("art20",), "o plano cadastrado", late_after=_breach,
    ),
    Duty(
        "mt_homologation", "Nova homologação do operador", ("managing_entity",), "homologated",
        lambda law, at: rules.vetting_last_day(law, vetted_on=at.on),
        ("art59",), "a homologação renovada", moves=Moves.NEVER,
    ),
    Duty(
        "mt_certificate", "Uso do certificado", ("company", "managing_entity"), "certificate_issued",
        lambda law, at: rules.certificate_last_day(law, issued_on=at.on),
        ("art65",), "o certificado usado", moves=Moves.NEVER,
    ),
)  # fmt: skip
"""Every duty of the decree that has a day."""
