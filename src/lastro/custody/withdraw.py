"""Taking a claim back: an entity gives up a line that it has not used, for good, and says why."""

from __future__ import annotations

from datetime import date

from lastro.custody.port import Memory
from lastro.custody.settle import settle
from lastro.errors import LastroError
from lastro.ids import masked
from lastro.units import ZERO


def withdraw(memory: Memory, key: str, line: int, *, entity: str, reason: str, by: str, on: date) -> None:
    """Write down that an entity claims nothing of a line any more, and settle what that changes.

    A withdrawal holds for good: claiming the line again adds nothing, so that the order plays no part.
    What was certified or retired is no longer the entity's alone, and is not taken back this way. Raises
    LastroError if nothing is claimed, something was used, or the reason or the person is blank.
    """
    reason = reason.strip()
    if not reason or not by.strip():
        raise LastroError("Uma retirada tem um motivo e alguém que a faz: nenhum dos dois fica em branco.")

    def write() -> None:
        memory.hold_chains([key])
        view = memory.key_views([key])[key]
        if not any(one.entity == entity and one.line == line for one in view.claims):
            raise LastroError(
                f"{masked(entity)} não reivindica o item {line} da nota {key}, ou ele já não conta por outra "
                "razão; não há o que retirar."
            )
        used = view.spent.get((line, entity), ZERO)
        if used:
            raise LastroError(
                f"Do item {line} da nota {key}, {used} já se certificaram ou baixaram; o que foi usado não "
                "se retira. Se a prova não vale, diga-o ao verificador, e o que se apoia nela fica marcado."
            )
        memory.write_withdrawal(key, line, entity=entity, reason=reason, by=by, on=on)

    settle(memory, memory.hold([key], write), on=on)
