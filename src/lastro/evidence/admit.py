"""What each line of an authentic note counts, under a norm and for a managing entity.

Comes in: a `Document`, and what is known of the parties. Goes out: a `Verdict`, by the algebra of
decision 9. Works from stored facts alone, so it can be asked again when the registry or the norm changes.

What cannot be told is never a yes: without a norm nothing is more than `review`; with a norm but without
a registry, or without an entity, the vetting is unknown and P03 asks a person.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache

from lastro.evidence import waste_admit
from lastro.evidence import weigh as scales
from lastro.evidence.asked import Asked, Parties
from lastro.evidence.classify import Class, classify, operation
from lastro.facts import (
    Candidate,
    Collection,
    Document,
    Finding,
    Invoice,
    Kind,
    Line,
    LineVerdict,
    Objection,
    Outcome,
    Severity,
    Verdict,
)
from lastro.findings import finding, outcome_of, verdict_of
from lastro.ids import Material, Origin, masked, uf_of
from lastro.lawkit import Law
from lastro.lawkit.regulation import Regulation
from lastro.lawkit.trace import listener

_ABOUT_THE_NOTE = "FNSP"
"""Families whose findings are about the whole note: said once, not on every line."""

_NOT_A_PLACE = (
    "2201919",
    "2201988",
    "2202251",
    "2611533",
    "3117836",
    "3152131",
    "4305871",
    "5203939",
    "5203962",
)
"""Nine municipality codes that IBGE gave with a check digit that does not follow its own rule."""


Collected = Callable[[str, int], Collection | None]
"""Where a line (key, number) was collected, as the lots file says; None where it says nothing."""


@dataclass(frozen=True)
class Case:
    """Under what a document is judged: norm and law on a day, registry, claimant and year."""

    regulation: Regulation | None = None
    law: Law | None = None
    registry: Parties | None = None
    entity: str | None = None
    year: int | None = None
    collection: Collected | None = None
    mask: frozenset[str] = frozenset()
    objections: dict[Candidate, tuple[Objection, ...]] = field(default_factory=dict)


def admit(
    document: Document,
    *,
    regulation: Regulation | None = None,
    law: Law | None = None,
    registry: Parties | None = None,
    entity: str | None = None,
    year: int | None = None,
    collection: Collected | None = None,
    mask: frozenset[str] = frozenset(),
) -> Verdict:
    """The verdict on a document and its lines; `law` is the norm on the day it is read (decision 15)."""
    assert (regulation is None) == (law is None), "a norm is asked with its law on a day"
    asked = Asked(registry) if registry is not None else None
    case = Case(regulation, law, asked, entity, year, collection, mask)
    own = list(document.findings)
    invoice = document.invoice
    if document.manifest is not None or document.destination is not None:
        own += waste_admit.parties_of(document, asked)
        return _capped(verdict_of(_shown(own, mask), waste_admit.lines_of(document, mask=mask)), regulation)
    if document.kind is not Kind.NFE or invoice is None:
        return _capped(verdict_of(_shown(own, mask), ()), regulation)
    own += _parties(invoice, case)
    lines = [_line(document, invoice, line, case) for line in invoice.lines]
    own += _too_heavy(invoice, lines)
    own += _said_once(lines)
    return _capped(verdict_of(_shown(own, mask), tuple(_own(line, mask) for line in lines)), regulation)


def _capped(verdict: Verdict, regulation: Regulation | None) -> Verdict:
    """Without a norm that admits notes, nothing is more than `review` (decision 14)."""
    if regulation is not None and regulation.admits is not None:
        return verdict
    outcome = Outcome.REVIEW if verdict.outcome is Outcome.ADMITTED else verdict.outcome
    return replace(verdict, outcome=outcome, lines=tuple(_at_most_review(v) for v in verdict.lines))


def _too_heavy(invoice: Invoice, lines: list[LineVerdict]) -> list[Finding]:
    """M12, where a line counts at all and no slip of unit (M03) explains it."""
    if all(v.material is None for v in lines) or any(f.code == "M03" for v in lines for f in v.findings):
        return []
    heavy = scales.exceeds_gross(invoice, (v.mass for v in lines))
    return [heavy] if heavy else []


def _shown(findings: Iterable[Finding], mask: frozenset[str]) -> tuple[Finding, ...]:
    unique = {(f.code, f.where): f for f in findings if f.code not in mask}
    return tuple(unique.values())


def _said_once(lines: list[LineVerdict]) -> list[Finding]:
    """What a norm has against the whole note, gathered from the lines that asked."""
    found = {f.code: f for v in lines for f in v.findings if f.code[0] in _ABOUT_THE_NOTE}
    return list(found.values())


def _own(line: LineVerdict, mask: frozenset[str]) -> LineVerdict:
    """A line with its own findings only, and its outcome by them; without a mass it is never admitted."""
    if not line.findings:
        return line
    findings = tuple(f for f in line.findings if f.code[0] not in _ABOUT_THE_NOTE and f.code not in mask)
    outcome = outcome_of(findings)
    if outcome is Outcome.ADMITTED and line.mass is None:
        outcome = Outcome.REVIEW
    return LineVerdict(
        line.line,
        line.ncm,
        line.cfop,
        line.unit,
        line.material,
        line.mass,
        outcome,
        outcome is Outcome.ADMITTED,
        findings,
        line.collection,
    )


def _at_most_review(line: LineVerdict) -> LineVerdict:
    admitted = line.outcome is Outcome.ADMITTED
    return replace(line, outcome=Outcome.REVIEW if admitted else line.outcome, counts=False)


# ── the parties ──────────────────────────────────────────────────────────────────────────────────────


def _parties(invoice: Invoice, case: Case) -> list[Finding]:
    """What the registry has against the note's parties on its date."""
    registry, on = case.registry, invoice.issued_on
    if registry is None:
        return [_untold("cadastro não informado")] if case.regulation else []
    found = [
        finding(
            "P02", where=f"/NFe/infNFe/{role}", found=f"{_who(cnpj)} em {on.isoformat()}", expected="ativa"
        )
        for role, cnpj in (("emit", invoice.issuer), ("dest", invoice.recipient))
        if cnpj and registry.closed(cnpj, on)
    ]
    found += [
        finding("P06", where=where, found=_who(cnpj), expected="um estabelecimento do cadastro da empresa")
        for where, cnpj in (("operador", invoice.seller), ("destinatário", invoice.buyer))
        if registry.listed(cnpj) is False
    ]
    found += [
        finding("P05", where=where, found=f"{_who(cnpj)} em {on.isoformat()}", expected="licença em vigor")
        for where, cnpj in (("operador", invoice.seller), ("destinatário", invoice.buyer))
        if cnpj and registry.licence_valid(cnpj, on) is False
    ]
    if case.regulation is None and not registry.is_recycler(invoice.buyer, on):
        found.append(finding("P07", where="destinatário", found=_who(invoice.buyer), expected="reciclador"))
    if case.entity is None:
        return [*found, _untold("entidade não informada")] if case.regulation else found
    standing = registry.vettings_at(invoice.seller, case.entity, on)
    if not registry.vetted(invoice.seller, case.entity, on):
        expected = f"homologação por {masked(case.entity)} em {on.isoformat()}"
        found.append(finding("P03", where="operador", found=_who(invoice.seller), expected=expected))
    elif standing > 1:
        found.append(finding("P04", where="operador", found=f"{standing} homologações", expected="1"))
    return found


def _untold(found: str) -> Finding:
    """A vetting that cannot be told is a question for a person, not yet a refusal."""
    expected = "cadastro e entidade, para conferir a homologação"
    return finding("P03", where="operador", found=found, expected=expected, severity=Severity.REVIEW)


def _who(number: str) -> str:
    """A company by its CNPJ; of a person no number is shown."""
    return masked(number) if len(number) == 14 else "pessoa física"


# ── one line ─────────────────────────────────────────────────────────────────────────────────────────


def _line(document: Document, invoice: Invoice, line: Line, case: Case) -> LineVerdict:
    """One line with everything seen on it; what is about the whole note is taken out later."""
    made = classify(line)
    weighed = scales.weigh(invoice, line, made.material)
    findings = [*made.findings]
    if made.material is not None:
        findings += [*operation(invoice, line), *weighed.findings]
    collected = _collected(document, invoice, line, case)
    if made.material is not None and collected is not None:
        findings += _place(line, collected)
    if made.material is not None and case.regulation is not None:
        findings = _with_norm(findings, _objections(invoice, made, collected, case), line)
    plain = not findings and weighed.mass is not None
    return LineVerdict(
        line.number,
        line.ncm,
        line.cfop,
        line.commercial_unit,
        made.material,
        weighed.mass,
        Outcome.ADMITTED if plain else Outcome.REVIEW,
        plain,
        tuple(findings),
        collected,
    )


def _collected(document: Document, invoice: Invoice, line: Line, case: Case) -> Collection | None:
    """Where the line was collected: by the lots file, else the operator's record, else the note itself."""
    if case.registry is None and case.collection is None and case.regulation is None:
        return None
    said = case.collection(document.access_key, line.number) if case.collection else None
    origin = said.origin if said else None
    if origin is None and case.registry is not None:
        origin = case.registry.origin(invoice.seller, invoice.issued_on)
    if said is not None and said.municipality:
        return Collection(said.municipality, said.source, origin)
    registered = case.registry.municipality(invoice.seller) if case.registry else None
    if registered:
        return Collection(registered, "operator", origin)
    return Collection(invoice.issuer_municipality, "invoice", origin)


def _place(line: Line, collected: Collection) -> list[Finding]:
    found = []
    where = f"item {line.number}"
    if collected.source == "invoice":
        found.append(
            finding("G04", where=where, found=collected.municipality, expected="município da coleta")
        )
    if not known_municipality(collected.municipality):
        found.append(finding("G01", where=where, found=collected.municipality, expected="código do IBGE"))
    return found


@lru_cache(maxsize=8192)
def known_municipality(code: str) -> bool:
    """Whether seven digits can be a municipality of IBGE: its state exists and its check digit is right."""
    if uf_of(code) is None:
        return False
    products = (int(d) * (1 + i % 2) for i, d in enumerate(code[:6]))
    digit = -sum(p // 10 + p % 10 for p in products) % 10
    return code in _NOT_A_PLACE or digit == int(code[6])


def _objections(
    invoice: Invoice, made: Class, collected: Collection | None, case: Case
) -> tuple[Objection, ...]:
    regulation, law = case.regulation, case.law
    if regulation is None or law is None or regulation.admits is None:
        return ()
    recycler = case.registry.is_recycler(invoice.buyer, invoice.issued_on) if case.registry else None
    candidate = candidate_of(
        issued_on=invoice.issued_on,
        material=made.material,
        aerosol=made.aerosol,
        origin=collected.origin if collected else None,
        recycler=recycler,
        year=case.year,
    )
    objections = case.objections.get(candidate)
    if objections is None:
        objections = case.objections[candidate] = objections_to(regulation, law, candidate)
    if candidate.origin is None and _vetted(invoice, case):
        objections += (Objection("M14", "", "origem não informada", "uma origem que a norma aceita"),)
    return objections


def candidate_of(
    *,
    issued_on: date,
    material: Material | None,
    aerosol: bool,
    origin: Origin | None,
    recycler: bool | None,
    year: int | None,
) -> Candidate:
    """What a norm is asked of a line, wherever it is asked."""
    return Candidate(
        issued_on=issued_on,
        material=material,
        aerosol=aerosol,
        origin=origin,
        reenters_production=recycler,
        target_year=year,
    )


def objections_to(regulation: Regulation, law: Law, candidate: Candidate) -> tuple[Objection, ...]:
    """What a norm that admits lines has against one."""
    assert regulation.admits is not None, "only a norm that admits lines is asked of them"
    return _asked(regulation.admits, law, candidate)


def _asked(
    admits: Callable[[Law, Candidate], tuple[Objection, ...]], law: Law, candidate: Candidate
) -> tuple[Objection, ...]:
    """What the norm objects to; while someone listens the question is put anew, for the trace it leaves."""
    return admits(law, candidate) if listener() is not None else _remembered(admits, law, candidate)


@lru_cache(maxsize=4096)
def _remembered(
    admits: Callable[[Law, Candidate], tuple[Objection, ...]], law: Law, candidate: Candidate
) -> tuple[Objection, ...]:
    return admits(law, candidate)


def _vetted(invoice: Invoice, case: Case) -> bool:
    """Whether the operator is known here; of one that is not, P03 already says why its origin is unknown."""
    if case.registry is None or case.entity is None:
        return False
    return case.registry.vetted(invoice.seller, case.entity, invoice.issued_on)


def _with_norm(findings: list[Finding], objections: tuple[Objection, ...], line: Line) -> list[Finding]:
    """The line's findings with the norm's objections; where both say the same, the norm's words stand."""
    said = {o.code for o in objections}
    kept = [f for f in findings if f.code not in said]
    return kept + [_objection(o, line) for o in objections]


def _objection(objection: Objection, line: Line) -> Finding:
    unknown_origin = objection.code == "M14" and not objection.article
    return finding(
        objection.code,
        where="/NFe" if objection.code[0] in _ABOUT_THE_NOTE else f"/NFe/infNFe/det[{line.number}]",
        found=objection.found,
        expected=objection.expected,
        article=objection.article,
        severity=Severity.REVIEW if unknown_origin else None,
    )
