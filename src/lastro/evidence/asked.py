"""What evidence asks a registry of the parties of a note."""

from __future__ import annotations

from datetime import date
from typing import Protocol

from lastro.ids import Origin


class Parties(Protocol):
    """What the registry answers on a day; None means not known."""

    def vetted(self, operator: str, entity: str, on: date) -> bool: ...
    def vettings_at(self, operator: str, entity: str, on: date) -> int: ...
    def licence_valid(self, cnpj: str, on: date) -> bool | None: ...
    def is_recycler(self, cnpj: str, on: date) -> bool | None: ...
    def origin(self, operator: str, on: date) -> Origin | None: ...
    def municipality(self, cnpj: str) -> str | None: ...
    def closed(self, cnpj: str, on: date) -> bool: ...
    def listed(self, cnpj: str) -> bool | None: ...


class Asked:
    """The registry, asked about one note: what was answered once is not looked up again for each line."""

    def __init__(self, registry: Parties) -> None:
        self._registry = registry
        self._recycler: dict[tuple[str, date], bool | None] = {}
        self._origin: dict[tuple[str, date], Origin | None] = {}
        self.vetted = registry.vetted
        self.vettings_at = registry.vettings_at
        self.licence_valid = registry.licence_valid
        self.municipality = registry.municipality
        self.closed = registry.closed
        self.listed = registry.listed

    def is_recycler(self, cnpj: str, on: date) -> bool | None:
        if (cnpj, on) not in self._recycler:
            self._recycler[cnpj, on] = self._registry.is_recycler(cnpj, on)
        return self._recycler[cnpj, on]

    def origin(self, operator: str, on: date) -> Origin | None:
        if (operator, on) not in self._origin:
            self._origin[operator, on] = self._registry.origin(operator, on)
        return self._origin[operator, on]
