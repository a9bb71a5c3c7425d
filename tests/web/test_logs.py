"""What is written down of a failure: where it broke, and nobody's data."""

from __future__ import annotations

import json
import logging
import sys
from types import SimpleNamespace

from lastro.web.logs import Line

SECRET = "ana@exemplo.org"


def _record(**more: object) -> logging.LogRecord:
    try:
        raise ValueError(SECRET)
    except ValueError:
        record = logging.LogRecord("django.request", 40, "f", 1, "erro: %s", ("/c/segredo",), sys.exc_info())
    record.__dict__.update(more)
    return record


def test_a_failure_is_one_line_with_its_traceback_and_without_values() -> None:
    match = SimpleNamespace(url_name="login")
    request = SimpleNamespace(method="POST", resolver_match=match, path="/c/segredo")
    line = Line().format(_record(request=request, status_code=500))
    said = json.loads(line)
    assert "\n" not in line
    assert (said["page"], said["method"], said["status"]) == ("login", "POST", 500)
    assert said["exception"] == "ValueError"
    assert "test_logs.py" in said["traceback"][-1]
    assert "segredo" not in line
    assert SECRET not in line


def test_what_we_say_ourselves_is_kept() -> None:
    record = logging.LogRecord("lastro.web", 40, "f", 1, "morreu (%s)", (-9,), None)
    assert json.loads(Line().format(record))["said"] == "morreu (-9)"
