"""Whose rows the database shows to this request: the bound that holds even where a page forgot to ask.

The tables of the web carry policies that compare each row with `lastro.sees`, a setting of the connection.
A program of our own (a worker, a verb, a migration) sees everything; a request sees nothing until somebody
is known, then that person's own rows, then the rows of the party that they act for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponse

EVERYTHING = "*"
"""What programs of our own see, and who looks after the whole."""

_sees: ContextVar[str] = ContextVar("lastro-sees", default=EVERYTHING)


def person_word(pk: int) -> str:
    """How a person's own rows are named among what is seen."""
    return f"p:{pk}"


@contextmanager
def seen(*who: str) -> Iterator[None]:
    """Within this block the database shows the rows of these (parties, `person_word`s, EVERYTHING)."""
    before = _sees.set(_said(who))
    _tell()
    try:
        yield
    finally:
        _sees.reset(before)
        _tell()


def narrow(*who: str) -> None:
    """From here on, until the request ends, the database shows the rows of these and no others."""
    _sees.set(_said(who))
    _tell()


def _said(who: Iterable[str]) -> str:
    named = [one for one in who if one]
    return EVERYTHING if EVERYTHING in named else ",".join(named)


def _tell() -> None:
    """Say it to the connection that stands; one that is opened later is told when it opens."""
    if connection.connection is None:
        return
    try:
        with connection.cursor() as cursor:
            cursor.execute("select set_config('lastro.sees', %s, false)", [_sees.get()])
    except DatabaseError:
        # A transaction that failed takes the setting back by itself; a connection that broke is opened anew.
        if not connection.in_atomic_block:
            connection.close()


def _tell_new(*, connection: Any, **_: Any) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("select set_config('lastro.sees', %s, false)", [_sees.get()])


def watch_connections() -> None:
    """Have every connection of Django told from its first moment."""
    connection_created.connect(_tell_new, dispatch_uid="lastro.web.rows")


def bounded(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Each request begins as a stranger's; who came in sees their own rows."""

    def middleware(request: HttpRequest) -> HttpResponse:
        who = ""
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            who = person_word(request.user.pk)
        with seen(who):
            return get_response(request)

    return middleware
