"""The decree's deadlines: the yearly report, the revision of targets, meetings, audits, plans."""

from __future__ import annotations

from datetime import date

from lastro.lawkit.schedules import YEARLY, Duty

from . import rules

SCHEDULES = (
    Duty(
        "el_report", "Relatório de desempenho ao ministério", ("gap",), YEARLY,
        lambda law, at: rules.report_due(law, year=at.year),
        ("art56-p2",), "o relatório enviado",
    ),
    Duty(
        "el_revision", "Proposta anual de revisão de cronograma e metas", ("gap",), YEARLY,
        lambda law, at: date(at.year + 1, 12, 31),
        ("art20-VI", "art50"), "a proposta enviada",
    ),
    Duty(
        "el_audit", "Auditoria anual", ("managing_entity", "company"), YEARLY,
        lambda law, at: date(at.year + 1, 12, 31),
        ("art56-p4",), "a auditoria entregue",
    ),
    Duty(
        "el_meeting", "Reunião do grupo de acompanhamento", ("gap",), "gap_met",
        lambda law, at: rules.meeting_due(law, last=at.on),
        ("art23",), "a reunião feita",
    ),
    Duty(
        "el_plans", "Reavaliação dos planos", ("managing_entity", "company"), "plans_reviewed",
        lambda law, at: rules.plan_review(law, last=at.on),
        ("art46",), "os planos reavaliados", recommended=True,
    ),
)  # fmt: skip
"""Every duty of the decree that has a day."""
