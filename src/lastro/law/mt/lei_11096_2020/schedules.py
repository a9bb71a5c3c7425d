"""The law's deadlines: the fee of each quarter, the yearly report, the registration."""

from __future__ import annotations

from lastro.lawkit.schedules import QUARTERLY, YEARLY, Duty, Moves

from . import fee, register

SCHEDULES = (
    Duty(
        "tfa", "Taxa de fiscalização ambiental do trimestre", ("taxpayer",), QUARTERLY,
        lambda law, at: fee.due(law, year=at.year, quarter=at.quarter, closed=at.closed),
        ("art9",), "a taxa paga", moves=Moves.NEVER, begins="activity_registered",
    ),
    Duty(
        "tfa_report", "Relatório anual das atividades", ("taxpayer",), YEARLY,
        lambda law, at: register.report_due(law, year=at.year),
        ("art11",), "o relatório entregue", begins="activity_registered",
    ),
    Duty(
        "cte", "Inscrição no cadastro estadual", ("taxpayer",), "activity_registered",
        lambda law, at: register.registration_due(law, active_since=at.on),
        ("art3-p1",), "a inscrição feita",
    ),
)  # fmt: skip
"""Every duty of the law that has a day; the fee's is a business day by itself."""
