"""The draft's deadlines, as a simulation: reports, audits, meetings, plans, phases and milestones."""

from __future__ import annotations

from datetime import date

from lastro.lawkit.schedules import YEARLY, Duty, Moves

from . import rules

SYSTEM = ("managing_entity", "company")
SCHEDULES = (
    Duty(
        "me_results", "Resultados ao grupo de acompanhamento", SYSTEM, YEARLY,
        lambda law, at: rules.results_due(law, year=at.year),
        ("art23-p3",), "os resultados entregues",
    ),
    Duty(
        "me_report", "Relatório consolidado ao ministério", ("gap",), YEARLY,
        lambda law, at: rules.report_due(law, year=at.year),
        ("art19-IV", "art59-pu"), "o relatório enviado",
    ),
    Duty(
        "me_audit", "Auditoria anual", SYSTEM, YEARLY,
        lambda law, at: date(at.year + 1, 12, 31),
        ("art23-p4", "art60"), "a auditoria entregue",
    ),
    Duty(
        "me_meeting", "Reunião do grupo de acompanhamento", ("gap",), "gap_met",
        lambda law, at: rules.meeting_due(law, last=at.on),
        ("art20",), "a reunião feita",
    ),
    Duty(
        "me_plans", "Reavaliação dos planos", SYSTEM, "plans_reviewed",
        lambda law, at: rules.plan_review(law, last=at.on),
        ("art48",), "os planos reavaliados",
    ),
    Duty(
        "me_phase_1", "Fim da Fase 1: grupo criado, modelo escolhido, finanças e planos", (*SYSTEM, "gap"),
        "in_force", lambda law, at: rules.first_phase_ends(law, in_force=at.on),
        (
            "art5-p1", "art5-p1-I", "art5-p1-II", "art5-p1-III", "art5-p1-IV", "art5-p1-V", "art5-p1-VI",
            "art18",
        ),
        "o que a Fase 1 pede", moves=Moves.NEVER,
    ),
    Duty(
        "me_manual", "Manual operacional e dados no Sinir", ("gap", "managing_entity"), "published",
        lambda law, at: rules.manual_due(law, published=at.on),
        ("art5-p1-VII", "art12"), "o manual publicado",
    ),
    Duty(
        "me_consolidation", "Um ponto de consolidação por estado", SYSTEM, "phase_2_began",
        lambda law, at: rules.consolidation_due(law, start=at.on),
        ("art55-I",), "os pontos em operação", moves=Moves.NEVER,
    ),
)  # fmt: skip
"""Every duty of the draft that has a day."""
