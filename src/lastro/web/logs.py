"""What is written down when something fails: one line of JSON on standard error, with nobody's data in it.

The words of an exception are left out on purpose: a database puts into them the values that it refused.
"""

from __future__ import annotations

import json
import logging
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "lastro.web.logs.Line"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.request": {"handlers": ["stderr"], "level": "ERROR", "propagate": True},
        "lastro": {"handlers": ["stderr"], "level": "WARNING", "propagate": True},
    },
}


class Line(logging.Formatter):
    """A record as one line: when, how bad, who says it, which address (its name only), and where it broke."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "from": record.name,
        }
        request = getattr(record, "request", None)
        if request is None:
            said["said"] = record.getMessage()
        else:
            found = getattr(request, "resolver_match", None)
            said |= {"method": request.method, "page": found.url_name if found else None}
            said["status"] = getattr(record, "status_code", None)
        if record.exc_info and record.exc_info[0] is not None:
            said["exception"] = record.exc_info[0].__qualname__
            said["traceback"] = _frames(record.exc_info[2])
        return json.dumps(said, ensure_ascii=False)


def _frames(found: TracebackType | None) -> list[str]:
    """Where it went through, outermost first: file, line and function; no values."""
    return [
        f"{frame.filename}:{frame.lineno} {frame.name}: {frame.line}" for frame in traceback.extract_tb(found)
    ]
