"""Whether a certificate may be sold, and what its paper must say: judged by the norm, on a day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Protocol

from lastro.certificates.fields import (
    Attainment,
    Fields,
    Lack,
    SignedBy,
    applicant,
    from_lots,
    lacks,
    told,
)
from lastro.certificates.port import BackedBy, Book, Certificate
from lastro.certificates.states import State, on_day
from lastro.errors import NotInForce, TextMissing
from lastro.facts import Basis, CompanyFacts, Refusal, Retired, TargetRow
from lastro.ids import Material, company_of, masked, uf_of
from lastro.lawkit import CertificateTerms, Regulation
from lastro.obligations import settle
from lastro.registry import Registry
from lastro.units import Mass, Money


class Hand(Protocol):
    """Whoever signs: see `lastro.signing.Signer`."""

    @property
    def name(self) -> str: ...
    @property
    def cnpj(self) -> str: ...
    @property
    def sha256(self) -> str: ...
    @property
    def is_test(self) -> bool: ...


@dataclass(frozen=True)
class Counter:
    """All that certificates under one norm are judged by, as known on a day.

    `company` tells what is known of a company (by its root) for a year: what it placed and what is retired
    for it. `basis` is that of the evidence.
    """

    book: Book
    regulation: Regulation
    registry: Registry
    targets: Sequence[TargetRow]
    company: Callable[[str, int], CompanyFacts]
    basis: Basis = Basis.OFFICIAL

    def terms(self, year: int, on: date) -> CertificateTerms | Refusal:
        """What the norm says of a certificate on a year's invoices, or T01 where it says nothing then."""
        assert self.regulation.certifies, "the norm knows certificates"
        try:
            return self.regulation.certifies(self.regulation.law(date(year, 12, 31)), year=year, on=on)
        except (NotInForce, TextMissing) as wrong:
            return Refusal("T01", found=str(wrong))


def may_sell(counter: Counter, *, entity: str, holder: str, year: int, on: date) -> Refusal | None:
    """Why the entity may not sell the establishment a certificate on a year's invoices that day, or None."""
    terms = counter.terms(year, on)
    if isinstance(terms, Refusal):
        return terms
    known, foreseen = counter.registry, _foreseen(counter, entity, on)
    no = _no_system(terms, entity, foreseen, on)
    if no is not None:
        return no
    adherent = any(m.entity == entity and m.term in foreseen for m in known.memberships(holder, on))
    if not terms.buys(adherent):
        return refusal(
            "K06",
            terms.articles,
            "buyer",
            found=f"{masked(holder)} não é aderente em {on:%d/%m/%Y}",
            expected=f"aderente de {', '.join(sorted(foreseen))}",
        )
    return _no_window(terms, year, on)


def may_offer(counter: Counter, *, entity: str, year: int, on: date) -> Refusal | None:
    """Why the entity may not offer certificates on a year's invoices that day, whoever buys, or None."""
    terms = counter.terms(year, on)
    if isinstance(terms, Refusal):
        return terms
    return _no_system(terms, entity, _foreseen(counter, entity, on), on) or _no_window(terms, year, on)


def _foreseen(counter: Counter, entity: str, on: date) -> set[str]:
    return {t.term for t in counter.registry.terms_of(entity, on) if t.certificates_allowed}


def _no_system(terms: CertificateTerms, entity: str, foreseen: set[str], on: date) -> Refusal | None:
    if terms.sells(bool(foreseen)):
        return None
    return refusal(
        "K08",
        terms.articles,
        "system",
        found=f"{masked(entity)} sem termo que preveja certificados em {on:%d/%m/%Y}",
        expected="termo de compromisso em vigor que preveja certificados",
    )


def _no_window(terms: CertificateTerms, year: int, on: date) -> Refusal | None:
    if year <= on.year and on <= terms.last_sale:
        return None
    until = f"de 01/01/{year} a {terms.last_sale:%d/%m/%Y}"
    return refusal("K05", terms.articles, "window", found=f"{on:%d/%m/%Y}", expected=until)


def wrong_amount(
    counter: Counter, materials: Sequence[Material], mass: Mass, *, year: int, on: date
) -> Refusal | None:
    """Why there can be no certificate of these materials and mass, whatever the lots hold, or None."""
    terms = counter.terms(year, on)
    assert not isinstance(terms, Refusal), "the terms were read a moment ago"
    groups = {counter.regulation.group(material) for material in materials}
    if len(groups) != 1 or None in groups:
        names = ", ".join(sorted(m.value for m in materials))
        return refusal("K07", terms.articles, "V", found=names, expected="materiais de um só grupo da norma")
    if mass.mg <= 0 or mass.mg % terms.step.mg:
        return refusal("K07", terms.articles, "VII", found=mass, expected="gramas inteiros, acima de zero")
    return None


def lacking(
    counter: Counter,
    holder: str,
    materials: Sequence[Material],
    investment: Money | None,
    *,
    year: int,
    on: date,
) -> Refusal | None:
    """What already shows, before any mass is set apart, to be missing on the paper."""
    terms = counter.terms(year, on)
    assert not isinstance(terms, Refusal), "the terms were read a moment ago"
    who = applicant(counter.registry, holder)
    missing = list(who) if isinstance(who, tuple) else []
    if investment is None or investment.cents < 0:
        missing.append(Lack("VI", "informe o valor em reais"))
    if missing:
        return refusal("K07", terms.articles, missing[0].item, found=told(missing))
    target = _attainment(counter, holder, materials, year=year, on=on, more=())
    return target if isinstance(target, Refusal) else None


def fields_of(
    counter: Counter, found: Certificate, *, on: date, signer: Hand, address: str
) -> Fields | Refusal:
    """Every item of the paper, or why one can't be filled."""
    terms = counter.terms(found.year, on)
    assert not isinstance(terms, Refusal), "the terms were read a moment ago"
    who = applicant(counter.registry, found.holder)
    if isinstance(who, tuple):
        return refusal("K07", terms.articles, "I", found=told(who))
    mine = tuple(_as_retired(lot, found.year) for lot in found.lots)
    target = _attainment(counter, found.holder, found.materials, year=found.year, on=on, more=mine)
    if isinstance(target, Refusal):
        return target
    known = Fields(
        applicant=who,
        target=target,
        investment=found.investment,
        issued_on=on,
        address=address,
        signer=SignedBy(signer.name, signer.cnpj, signer.sha256),
        **from_lots(found),  # type: ignore[arg-type]
    )
    empty = lacks(known)
    return refusal("K07", terms.articles, empty[0].item, found=told(empty)) if empty else known


def _attainment(
    counter: Counter,
    holder: str,
    materials: Sequence[Material],
    *,
    year: int,
    on: date,
    more: Sequence[Retired],
) -> Attainment | Refusal:
    """The target of the holder's company and what it attains with what is retired, held, and `more`."""
    terms = counter.terms(year, on)
    assert not isinstance(terms, Refusal), "the terms were read a moment ago"
    root = company_of(holder)
    facts = counter.company(root, year)
    facts = replace(facts, retired=(*facts.retired, *_held(counter, root, year, on), *more))
    group = counter.regulation.group(materials[0])
    positions = settle(
        counter.regulation, facts, year=year, targets=counter.targets, as_of=on, basis=Basis.OFFICIAL
    )
    mine = next((p for p in positions if p.material == group), None)
    if mine is not None and mine.code == "T01":
        return Refusal("T01", found=mine.message, article=terms.articles["III"])
    if mine is not None and mine.code == "T02":
        return refusal("K07", terms.articles, "III", found=told((Lack("III", mine.message),)))
    if mine is None or mine.base is None or mine.target is None or not mine.base.mg:
        nothing = f"{root} não colocou esse material no mercado no ano-base"
        return refusal("K06", terms.articles, "III", found=nothing)
    return Attainment(
        group or "", mine.target, terms.attained(mine.achieved, mine.base), mine.trace.worst_basis
    )


def _held(counter: Counter, root: str, year: int, on: date) -> tuple[Retired, ...]:
    """What the company holds in certificates that it may still use, as if it were used."""
    return tuple(
        _as_retired(lot, year)
        for one in counter.book.certificates(holder=root, year=year)
        # what was used since is among what was retired, also when the day asked about came before that
        if on_day(one.stored, one.valid_to, on) is State.ISSUED and not one.stale
        for lot in one.lots
    )


def _as_retired(lot: BackedBy, year: int) -> Retired:
    place = lot.municipality or ""
    return Retired(year, lot.material, uf_of(place) or "", place, lot.origin, lot.mass)


def refusal(
    code: str, articles: Mapping[str, str], about: str, *, found: object, expected: object = ""
) -> Refusal:
    """A refusal with the provision behind it."""
    return Refusal(code, found=str(found), expected=str(expected), article=articles.get(about, ""))
