"""The catalogue of finding codes: stable codes, their weight, and words a person can act on.

The list is data (`findings.toml`): code, severity, article, message and cure in Portuguese and English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from lastro.facts import Finding, LineVerdict, Outcome, Refusal, Severity, Verdict


@dataclass(frozen=True)
class Code:
    """One code of the catalogue."""

    code: str
    severity: Severity
    article: str
    message: dict[str, str]
    cure: dict[str, str]


@cache
def catalogue() -> dict[str, Code]:
    """Every code, by its name, in the order of the file."""
    raw = tomllib.loads(files("lastro").joinpath("findings.toml").read_text("utf-8"))
    return {
        name: Code(
            code=name,
            severity=Severity(row["severity"]),
            article=row.get("article", ""),
            message={"pt": row["message"], "en": row["message_en"]},
            cure={"pt": row["cure"], "en": row["cure_en"]},
        )
        for name, row in raw.items()
    }


def finding(
    code: str,
    *,
    where: str = "",
    found: object = "",
    expected: object = "",
    article: str = "",
    severity: Severity | None = None,
) -> Finding:
    """A finding with the catalogue's severity and article, unless the caller knows better."""
    entry = catalogue()[code]
    return Finding(
        code=code,
        severity=severity or entry.severity,
        where=where,
        found=str(found)[:200],
        expected=str(expected)[:200],
        article=article or entry.article,
    )


def finding_json(seen: Finding, *, lang: str = "pt") -> dict[str, str]:
    """A finding as the contract writes it, with message and cure in the asked language."""
    entry = catalogue()[seen.code]
    return {
        "code": seen.code,
        "severity": seen.severity.value,
        "where": seen.where,
        "found": seen.found,
        "expected": seen.expected,
        "article": seen.article,
        "message": entry.message[lang],
        "cure": entry.cure[lang],
    }


def refusal_json(refusal: Refusal, *, lang: str = "pt") -> dict[str, Any]:
    """Why a move was not made, as the contract writes it, with message and cure in the asked language."""
    entry = catalogue()[refusal.code]
    return {
        "refusal": refusal.code,
        "found": refusal.found,
        "expected": refusal.expected,
        "article": refusal.article or entry.article,
        "message": entry.message[lang],
        "cure": entry.cure[lang],
        **refusal.detail,
    }


def outcome_of(findings: Iterable[Finding]) -> Outcome:
    """What findings alone make of a line or document: any refusal refuses, else any review asks a person.

    A line that counts nothing (`zero`) is not admitted either, so that the masses of admitted lines add up
    to what counts; what it does to the document is nothing (`verdict_of`).
    """
    severities = {seen.severity for seen in findings}
    if severities & {Severity.REFUSE, Severity.ZERO}:
        return Outcome.REFUSED
    return Outcome.REVIEW if Severity.REVIEW in severities else Outcome.ADMITTED


def with_finding(line: LineVerdict, seen: Finding) -> LineVerdict:
    """The line with one more finding, and what that makes of it; a code is said once."""
    if any(known.code == seen.code for known in line.findings):
        return line
    findings = (*line.findings, seen)
    outcome = outcome_of(findings)
    counts = line.counts and outcome is Outcome.ADMITTED
    return replace(line, findings=findings, outcome=outcome, counts=counts)


def verdict_of(findings: tuple[Finding, ...], lines: tuple[LineVerdict, ...]) -> Verdict:
    """A document's verdict from its own findings and its lines' (decision 9).

    Any refusal, on the document or on one of its lines, refuses it; else any review sends it to a person;
    else it is admitted when a line is. Lines that count nothing (`zero`) hurt nobody: they speak only where
    no other line does. A document without lines is judged by itself.
    """
    every = [*findings, *(f for line in lines for f in line.findings)]
    outcome = outcome_of(f for f in every if f.severity is not Severity.ZERO)
    if outcome is Outcome.ADMITTED and lines:
        outcomes = {line.outcome for line in lines}
        for known in (Outcome.ADMITTED, Outcome.REVIEW, Outcome.REFUSED):
            if known in outcomes:
                return Verdict(known, findings, lines)
    return Verdict(outcome, findings, lines)
