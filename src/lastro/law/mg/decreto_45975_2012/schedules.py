"""The decree's deadlines: proofs of each quarter, the transfer of what was granted."""

from __future__ import annotations

from lastro.lawkit.schedules import QUARTERLY, Duty, Moves

from . import grant

SCHEDULES = (
    Duty(
        "bolsa_proofs", "Comprovantes de venda do trimestre", ("cooperative",), QUARTERLY,
        lambda law, at: grant.proofs_due(law, year=at.year, quarter=at.quarter, closed=at.closed),
        ("art12",), "os comprovantes entregues", moves=Moves.NEVER,
    ),
    Duty(
        "bolsa_transfer", "Transferência do incentivo concedido", ("agency",), "granted",
        lambda law, at: grant.transfer_due(law, granted_on=at.on),
        ("art15-p2",), "a transferência feita",
    ),
)  # fmt: skip
"""Every duty of the decree that has a day; the proofs' is a business day by itself."""
