"""An entity's mass in lots by material, UF and year: a pool is a question put to the lots, not an account."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from lastro.ids import Material, uf_of
from lastro.stores.postgres.view import HeldLot
from lastro.units import Mass, total
from lastro.web import office


@dataclass(frozen=True)
class Row:
    """What is left of a material that was collected in a state, in the lots of a year.

    `uf` None: the lots do not say where they were collected, which is no state.
    """

    year: int
    material: Material
    uf: str | None
    lots: int
    verified: Mass
    homologated: Mass

    @property
    def waiting(self) -> Mass:
        """What the verifier has not stated yet."""
        return self.verified - self.homologated


def rows(entity: str) -> list[Row]:
    """Every pool of an entity, the latest year first, materials and states in order."""
    grouped: defaultdict[tuple[int, Material, str | None], list[HeldLot]] = defaultdict(list)
    for lot in office.store().lots(entity=entity):
        if lot.mass:
            grouped[lot.year, lot.material, uf_of(lot.municipality) if lot.municipality else None].append(lot)
    made = [
        Row(
            year, material, uf, len(held), total(lot.mass for lot in held),
            total(lot.mass for lot in held if lot.homologated),
        )
        for (year, material, uf), held in grouped.items()
    ]  # fmt: skip
    return sorted(made, key=lambda row: (-row.year, row.material.value, row.uf or "~"))
