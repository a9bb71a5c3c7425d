"""Routes that list what a reading lists, and a program's JSON put as the form of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.http import HttpRequest, QueryDict
from django.utils.datastructures import MultiValueDict
from ninja import Router

from lastro.web.api.keys import Opens
from lastro.web.api.plain import page
from lastro.web.api.shapes import Page
from lastro.web.scopes import Scope


def lists(
    router: Router, path: str, scope: Scope, summary: str, rows: Callable[[HttpRequest], Iterable[Any]],
    *, name: str, also: Sequence[str] = (),
) -> None:  # fmt: skip
    """A route that lists what the page of the same scope lists, in parts; `also` are words of each row."""

    def route(request: HttpRequest, after: int = 0) -> Page:
        return page(rows(request), *also, after=after)

    route.__name__ = name
    route.__doc__ = f"{summary}, in parts of 500."
    router.get(path, response=Page, summary=summary, auth=Opens(scope))(route)


def as_form(
    request: HttpRequest, said: Mapping[str, Any], files: Mapping[str, Sequence[Any]] | None = None
) -> None:
    """Put what a program said as the page's own form says it, so that one reader reads both."""
    form = QueryDict(mutable=True)
    for name, value in said.items():
        if value is not None:
            form.setlist(name, [str(v) for v in value] if isinstance(value, list | tuple) else [str(value)])
    request.POST = form  # type: ignore[assignment]
    request._files = MultiValueDict({name: list(found) for name, found in (files or {}).items()})  # type: ignore[attr-defined]
