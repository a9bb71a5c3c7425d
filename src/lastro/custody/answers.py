"""The answer on one document, once everyone's claims and later events are known.

Evidence judges a file by itself; custody adds what only the others can tell: that the note was cancelled
(N10), corrected (N11), returned (N16) or told anew (M15) by another paper, that two contents share its key
(N15), that the same entity counted it already (C01), or that claims on it do not fit (C02).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from lastro.custody.count import KeyView, LineCount, LotState
from lastro.facts import LineVerdict, Outcome, Verdict
from lastro.findings import finding, verdict_of, with_finding
from lastro.ids import masked


def answer(
    own: Verdict,
    *,
    entity: str,
    authentic: bool,
    counts: Iterable[LineCount] = (),
    contents: int = 1,
    blocked: str = "",
    counted_by: str = "",
    view: KeyView | None = None,
) -> Verdict:
    """Merge a document's own verdict with what custody knows of its key.

    `contents` is how many authentic contents the key has; `blocked` is a code of BLOCKS or empty;
    `counted_by` is the digest of the file through which this entity already counts the content, if another.
    `view` is everything known of the key, for what other papers leave, ask and tell of it.
    """
    findings = list(own.findings)
    seen = {f.code for f in findings}
    if blocked and blocked not in seen and _touches(blocked, own):
        findings.append(finding(blocked, where="chave de acesso", found=_said(blocked, view)))
    if authentic and contents > 1 and "N15" not in seen:
        findings.append(finding("N15", where="infNFe", found=f"{contents} conteúdos assinados", expected="1"))
    if counted_by and own.outcome is Outcome.ADMITTED:
        findings.append(finding("C01", found=f"contada pelo arquivo {counted_by[:12]}…"))
    by_line = {count.line: count for count in counts}
    lines = tuple(_line(line, by_line.get(line.line), entity) for line in own.lines)
    if view is not None and authentic:
        findings += [told for told in view.notices.get(0, ()) if told.code not in seen]
        lines = tuple(_beside(line, by_line.get(line.line), view) for line in lines)
    return verdict_of(tuple(findings), lines)


_EVENTS = {
    "N10": "evento de cancelamento registrado",
    "N11": "carta de correção sobre o produto",
    "N16": "devolvida ou anulada por outra nota",
    "M15": "outra nota da mesma massa refere-se a esta e conta no lugar dela",
}


def _touches(code: str, own: Verdict) -> bool:
    """Whether a block changes anything: a note that is no sale is not told anew by the sale it is for."""
    return code != "M15" or any(line.outcome is Outcome.ADMITTED for line in own.lines)


def _said(code: str, view: KeyView | None) -> str:
    """By which notes of the family a note is blocked, where a note does it; else what happened."""
    family = view.family if view is not None else ()
    by = ", ".join(k.access_key for k in family if k.code == code and k.relation == "referred_by")
    return f"{_EVENTS[code]}: {by}" if by else _EVENTS[code]


def _line(line: LineVerdict, count: LineCount | None, entity: str) -> LineVerdict:
    if count is not None and entity in count.withdrawn:
        return with_finding(line, finding("C13", where=f"item {line.line}", found="reivindicação retirada"))
    if count is None or count.state is not LotState.CONTESTED or count.reason != "C02":
        return line
    if entity not in count.claims:
        return line
    others = ", ".join(masked(who) for who in sorted(count.claims) if who != entity)
    if not others:
        return line  # whoever contests it does so by another note of the mass, and the doubt says which
    return with_finding(
        line, finding("C02", where=f"item {line.line}", found=f"também reivindicado por {others}")
    )


def _beside(line: LineVerdict, count: LineCount | None, view: KeyView) -> LineVerdict:
    """The line with what other papers say: a doubt until it is decided, and how much they leave of it."""
    if line.material is None:
        return line
    told = list(view.notices.get(line.line, ()))
    if count is None or count.state is LotState.CONTESTED:
        told += view.doubts.get(line.line, ())
    limit = view.limit(line.line)
    if limit is not None and line.mass is not None and limit.mass < line.mass:
        line = replace(line, limited=limit.mass)
        told.append(limit.finding)
    for seen in told:
        line = with_finding(line, seen)
    return line


def counted_through(answers: Iterable[tuple[int, str, str]]) -> Mapping[str, tuple[int, str]]:
    """For each content, the first admitted document (id, digest of its file): the one that counts.

    `answers` are (document id, content digest, file digest) of one entity's admitted documents.
    """
    first: dict[str, tuple[int, str]] = {}
    for document, content, sha256 in sorted(answers):
        first.setdefault(content, (document, sha256))
    return first
