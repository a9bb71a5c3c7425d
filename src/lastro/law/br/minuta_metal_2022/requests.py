"""Who may ask whom for information under the draft, and how protected information is marked."""

from __future__ import annotations

from lastro.lawkit import Law
from lastro.lawkit.asks import COMPANY, ENTITY, Ask, Seals

from . import entities

_SISNAMA = ("agency", "ministry")

ASKS = (
    Ask(
        "direct", ("ministry",), ("art25", "art30"),
        "dados e informações das ações e dos resultados, que iriam pelo Sinir",
    ),
    Ask(
        "maker-report", _SISNAMA, ("art36-XI",),
        "relatório para verificar o que cabe a fabricante e importador de embalagem", (COMPANY,),
    ),
    Ask(
        "packer-report", _SISNAMA, ("art38-X",),
        "relatório para verificar o que cabe a fabricante e importador de produto embalado", (COMPANY,),
    ),
    Ask(
        "distributor-report", _SISNAMA, ("art35-VIII",),
        "relatório para verificar o que cabe ao distribuidor", (COMPANY,),
    ),
    Ask(
        "retailer-report", _SISNAMA, ("art34-V",),
        "relatório para verificar o que cabe ao comerciante", (COMPANY,),
    ),
    Ask("audit", _SISNAMA, ("art60-pu",), "relatório da auditoria independente"),
    Ask("gap-report", ("gap",), ("art23-III",), "relatório de resultados do ano anterior", (ENTITY,)),
    Ask("gap-audit", ("gap",), ("art60-pu",), "relatório da auditoria independente"),
    Ask("data", _SISNAMA, ("art69",), "dados de interesse guardados no sistema", opens=True),
)  # fmt: skip
"""Reports are asked for with a reason, and keep what the answer marks as protected."""


def _marked(law: Law, express: bool, ground: bool) -> bool:
    return entities.secrecy_marked(law, marked=express, ground=ground)


SEALS = Seals(("art68",), _marked)
