"""Who may ask whom for information about electronics, and how protected information is marked."""

from __future__ import annotations

from lastro.lawkit import Law
from lastro.lawkit.asks import COMPANY, ENTITY, Ask, Seals

from . import entities

_SISNAMA = ("agency", "ministry")

ASKS = (
    Ask(
        "direct", ("ministry",), ("art30", "art30-pu"),
        "informações para acompanhar e avaliar os resultados",
    ),
    Ask(
        "maker-report", _SISNAMA, ("art33-IV",),
        "relatório para verificar o que cabe a fabricante e importador", (COMPANY, ENTITY),
    ),
    Ask(
        "distributor-report", _SISNAMA, ("art35-IV",),
        "relatório para verificar o que cabe ao distribuidor", (COMPANY,),
    ),
    Ask(
        "retailer-report", _SISNAMA, ("art36-IV",),
        "relatório para verificar o que cabe ao comerciante", (COMPANY,),
    ),
    Ask("audit", _SISNAMA, ("art56-p7",), "relatório da auditoria"),
    Ask(
        "gap-results", ("gap",), ("art30",),
        "informações para acompanhar e avaliar os resultados do sistema",
    ),
    Ask("gap-audit", ("gap",), ("art56-p7",), "relatório da auditoria"),
    Ask("data", _SISNAMA, ("art69",), "dados de interesse guardados no sistema", opens=True),
)  # fmt: skip
"""Reports are asked for with a reason, and keep what the answer marks as protected."""


def _marked(law: Law, express: bool, ground: bool) -> bool:
    return entities.secrecy_marked(law, asked=express, ground=ground)


SEALS = Seals(("art27-III", "art33-IV", "art68"), _marked)
