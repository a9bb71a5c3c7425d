"""What the agency of Mato Grosso may ask a managing entity for."""

from __future__ import annotations

from lastro.lawkit.asks import ENTITY, Ask

ASKS = (
    Ask(
        "qualification", ("agency",), ("art54",),
        "qualificação da entidade gestora e do verificador", (ENTITY,),
    ),
)  # fmt: skip
