"""Every route of the API, with the scope that opens it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lastro.web.scopes import Scope


@dataclass(frozen=True)
class Route:
    """One route: its method, its address with parts in braces, and its scope."""

    method: str
    address: str
    scope: Scope


def routes() -> Iterator[Route]:
    """All of them, as the API itself knows them."""
    from lastro.web.api import api

    for prefix, router in api._routers:
        for path, found in router.path_operations.items():
            for operation in found.operations:
                scope = _scope(operation)
                for method in operation.methods:
                    yield Route(method, f"/api/v1{prefix}{path}", scope)


def _scope(operation: Any) -> Scope:
    """What opens an operation; one that asks for no key is for anybody."""
    from lastro.web.api.keys import Opens

    asked = list(operation.auth_callbacks)
    assert all(isinstance(one, Opens) for one in asked)
    return asked[0].scope if asked else Scope.PUBLIC


def listed() -> str:
    """The routes as the page of the API lists them, desk by desk: address, what it is for, its right."""
    from lastro.web.api import api

    desks: dict[str, list[str]] = {}
    for prefix, router in api._routers:
        for path, view in router.path_operations.items():
            for operation in view.operations:
                tag = str((operation.tags or router.tags or ["outros"])[0])
                address = f"{prefix}{path}".replace("int:", "").replace("uuid:", "").replace("path:", "")
                cells = (
                    operation.methods[0],
                    f"`{address}`",
                    str(operation.summary),
                    _scope(operation).value,
                )
                desks.setdefault(tag, []).append(f"| {' | '.join(cells)} |")
    head = "| | Endereço | Para quê | Alcance |\n|---|---|---|---|\n"
    return "\n".join(f"### {tag}\n\n{head}" + "\n".join(lines) + "\n" for tag, lines in desks.items())
