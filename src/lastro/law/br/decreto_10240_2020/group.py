"""Of whom the group that follows the system of electronics is made."""

from __future__ import annotations

from lastro.lawkit import Law, rule

SEATS = ("manufacturers", "importers", "distributors", "merchants", "entities")


@rule(provisions=("art21",), label="Categorias sem assento no grupo")
def seats_lacking(law: Law, *, held: tuple[str, ...]) -> tuple[str, ...]:
    """National entities of five categories make up the group; each has somebody in it."""
    return tuple(one for one in SEATS if one not in held)
