"""A paper is set: template and data in, PDF out, the same bytes for the same data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from lastro.errors import LastroError
from lastro.papers.clean import cleaned
from lastro.papers.seal import seal
from lastro.papers.shapes import CERTIFICATE_ITEMS, check_certificate, check_report
from lastro.papers.square import qr_svg

_HERE = Path(__file__).parent
_REPORTS = (
    "report", "rar-mt", "verification", "quarter-memory", "transfers", "fee-assessment", "credit-statement",
    "activities-report", "performance", "group-results", "ministry-report", "packaging-declaration",
    "operator-file", "communication-plan", "audit-report", "qualification",
    "brand-owner-statement", "returnables-report", "individual-file", "importer-statement",
    "instrument", "provider", "system-budget", "operating-manual", "system-plan", "system-follow-up",
    "municipal-agreement", "entity-compensation", "municipal-compensation",
)  # fmt: skip
_TEMPLATE = {"cre": "cre.typ"} | dict.fromkeys(_REPORTS, "report.typ")
KINDS = tuple(_TEMPLATE)
_BANDS = {
    "official": [],
    "illustrative": ["METAS ILUSTRATIVAS — SEM VALOR LEGAL"],
    "test": ["TESTE — SEM VALOR"],
}
STANDARDS = ("a-2a", "ua-1")
"""ISO 19005-2 level A (kept for decades) and ISO 14289-1 (read aloud)."""


def render(kind: str, data: Mapping[str, Any]) -> bytes:
    """The paper as PDF. `data` by kind is described in `lastro.papers.shapes`; all values are text.

    `created` (ISO 8601 with its offset) dates the file: nothing here reads a clock, so the same data gives
    the same bytes. `basis` other than official prints a band on every page (decisions 13 and 19). `address`,
    where given, is printed in words and as a QR code. Text is data only: no mark in it is obeyed.
    Raises LastroError when the typesetter is missing.
    """
    assert kind in _TEMPLATE, f"no such paper: {kind}"
    whole = _whole(kind, data)
    typst = _typesetter()
    return bytes(
        typst.compile(
            str(_HERE / _TEMPLATE[kind]),
            root=str(_HERE),
            font_paths=_fonts(),
            sys_inputs={"data": json.dumps(whole, ensure_ascii=False)},
            pdf_standards=list(STANDARDS),
            timestamp=datetime.fromisoformat(data["created"]),
            format="pdf",
        )
    )


def _whole(kind: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """The data as the template takes it: cleaned, with its bands, its QR code and its seal."""
    basis = data.get("basis", "official")
    assert basis in _BANDS, f"no such basis: {basis}"
    moment = datetime.fromisoformat(data["created"])
    assert moment.tzinfo is not None, "a paper's moment knows its offset"
    (check_certificate if kind == "cre" else check_report)(data)
    whole: dict[str, Any] = cleaned(data)
    whole["bands"] = [*_BANDS[basis], *whole.get("bands", [])]
    whole["qr"] = qr_svg(data["address"]) if data.get("address") else ""
    whole["seal"] = whole.get("seal") or seal(data)
    if kind == "cre":
        whole["items"] = [[item, label, whole["fields"][item]] for item, label in CERTIFICATE_ITEMS.items()]
    return whole


def _typesetter() -> Any:
    try:
        import typst
    except ImportError as wrong:
        raise LastroError("Falta a biblioteca typst, que compõe os PDFs: rode ./run setup.") from wrong
    return typst


@cache
def _fonts() -> Any:
    """The fonts that come with the typesetter: the same letters on every machine."""
    return _typesetter().Fonts(include_system_fonts=False, include_embedded_fonts=True)
