"""The counter at which certificates are asked for: what the norm, the registry and the store say, in order.

Nothing is decided twice: whether the buyer may buy and what the paper must say is judged here, by the norm;
whether there is mass, who authorises and what state the certificate is in is judged where the mass is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from lastro.certificates import number as numbers
from lastro.certificates.paper import paper_of
from lastro.certificates.port import Answer, Certificate, Part
from lastro.certificates.sale import (
    Counter,
    Hand,
    fields_of,
    lacking,
    may_offer,
    may_sell,
    refusal,
    wrong_amount,
)
from lastro.certificates.states import Move, State
from lastro.facts import Basis, Refusal
from lastro.ids import Material, masked
from lastro.units import Mass, Money


def prepare(
    counter: Counter,
    certificate: str,
    *,
    entity: str,
    holder: str,
    materials: Sequence[Material],
    mass: Mass,
    year: int,
    investment: Money | None,
    by: str,
    on: date,
    request: str = "",
) -> Answer:
    """Set mass apart for an establishment, if the norm lets the entity sell it to that buyer on the day.

    K05 outside the window of sale, K06 a buyer who does not adhere or owes nothing there, K07 an item of the
    paper that can't be filled, K08 an entity whose term foresees no certificates, T01 no target, K01 no mass.
    A repeated request is not judged again: its first answer stands.
    """
    if counter.book.find(certificate) is None:
        no = may_sell(counter, entity=entity, holder=holder, year=year, on=on)
        no = no or wrong_amount(counter, materials, mass, year=year, on=on)
        no = no or lacking(counter, holder, materials, investment, year=year, on=on)
        if no is not None:
            return no
    return counter.book.prepare(
        certificate,
        entity=entity,
        holder=holder,
        year=year,
        norm=counter.regulation.norm.path,
        materials=materials,
        mass=mass,
        investment=investment or Money(0),
        by=by,
        on=on,
        request=request,
        **_kind(counter, year, on),
    )


def _kind(counter: Counter, year: int, on: date) -> dict[str, Any]:
    """The kind of certificate that the norm knows, and the moves that it allows to it."""
    terms = counter.terms(year, on)
    if isinstance(terms, Refusal):  # a repeated request, after the norm's last day: its first answer stands
        return {}
    return {"kind": terms.kind, "allows": [Move(move) for move in sorted(terms.moves)]}


def offer(
    counter: Counter,
    certificate: str,
    *,
    entity: str,
    materials: Sequence[Material],
    mass: Mass,
    year: int,
    by: str,
    on: date,
    request: str = "",
) -> Answer:
    """Set mass apart for whoever buys, without a holder and without a number.

    K05 outside the window of sale, K07 mass or materials that no certificate could bear, K08 an entity whose
    term foresees no certificates, K01 no mass. The buyer is judged when it is sold.
    """
    if counter.book.find(certificate) is None:
        no = may_offer(counter, entity=entity, year=year, on=on)
        no = no or wrong_amount(counter, materials, mass, year=year, on=on)
        if no is not None:
            return no
    return counter.book.prepare(
        certificate,
        entity=entity,
        holder=None,
        year=year,
        norm=counter.regulation.norm.path,
        materials=materials,
        mass=mass,
        investment=Money(0),
        by=by,
        on=on,
        request=request,
        **_kind(counter, year, on),
    )


def sell(
    counter: Counter,
    certificate: str,
    *,
    sold: Part,
    by: str,
    on: date,
    request: str = "",
) -> Answer:
    """Prepare a certificate out of an offer, for one buyer; the rest stays offered under an id of its own.

    The buyer and the mass are judged as with `prepare` (K05, K06, K07, T01). K01: more than was offered. K03:
    it was sold already.
    """
    found = counter.book.find(certificate)
    assert found is not None, "who sells out of an offer knows it"
    if found.stored is State.OFFERED:
        no = may_sell(counter, entity=found.entity, holder=sold.holder, year=found.year, on=on)
        no = no or wrong_amount(counter, found.materials, sold.mass, year=found.year, on=on)
        no = no or lacking(counter, sold.holder, found.materials, sold.investment, year=found.year, on=on)
        if no is not None:
            return no
    rest = found.mass.mg - sold.mass.mg
    kept = [Part(f"{sold.id}-resto", Mass(rest))] if rest > 0 else []
    return counter.book.divide(found.id, Move.SELL, [sold, *kept], by=by, on=on, request=request)


def cancel(
    counter: Counter, certificate: str, *, reason: str, by: str, on: date, request: str = ""
) -> Answer:
    """The agency takes an issued certificate away, with a reason, also after its use: the deficit opens.

    Its mass goes back to nobody: whether the notes may be certified anew was not asked.
    """
    found = counter.book.find(certificate)
    assert found is not None, "who cancels a certificate knows it"
    return counter.book.cancel(found.id, reason=reason, by=by, on=on, request=request)


def issue_paper(
    counter: Counter,
    certificate: str,
    *,
    on: date,
    at: datetime,
    by: str,
    signer: Hand,
    render: Callable[[str, Mapping[str, Any]], bytes],
    sign: Callable[[bytes, str], bytes],
    address: Callable[[str], str],
    random_bytes: Callable[[int], bytes],
) -> Answer:
    """Number, write, sign and keep the paper of an authorised certificate: the sale itself.

    Safe to repeat after a crash at any point: the number is given once, the first signed paper stands, and
    a certificate that is issued already answers with what it is (K09). The sale is judged on this day again.
    """
    found = counter.book.find(certificate)
    assert found is not None, "who asks for a paper knows the certificate"
    if found.issued_on is not None:
        return {**issued_answer(found), "repeated": "K09"}
    no = may_sell(counter, entity=found.entity, holder=found.holder, year=found.year, on=on)
    if no is not None:
        return no
    drawn = numbers.draw(found.year, random_bytes, kind=found.kind)
    allotted = counter.book.allot(certificate, number=drawn, on=on)
    if isinstance(allotted, Refusal):
        return allotted
    number: str = allotted["number"]
    known = fields_of(counter, found, on=on, signer=signer, address=address(number))
    if isinstance(known, Refusal):
        return known
    terms = counter.terms(found.year, on)
    assert not isinstance(terms, Refusal), "the terms were read a moment ago"
    stood_for = counter.book.find(found.parent) if found.parent else None
    if stood_for is not None and stood_for.valid_to is not None:  # nothing lives longer by being passed on
        terms = replace(terms, valid_to=min(terms.valid_to, stood_for.valid_to))
    assert known.target is not None, "no item is empty"
    basis = counter.basis.worst(known.target.basis).worst(Basis.TEST if signer.is_test else Basis.OFFICIAL)
    data = paper_of(
        found, known, number=number, terms=terms, entity=_name(counter, found.entity), basis=basis, at=at
    )
    return counter.book.issue(
        certificate,
        number=number,
        issued_on=on,
        valid_to=terms.valid_to,
        fields=data,
        pdf=sign(render("cre", data), number),
        by=by,
    )


def retire(
    counter: Counter,
    certificate: str,
    *,
    by: str,
    on: date,
    entity: str | None = None,
    holder: str | None = None,
    year: int | None = None,
    request: str = "",
) -> Answer:
    """Use a certificate, whole and once, for its holder's year (art. 55, II).

    K03 used already, K04 expired, K08 not issued or for somebody else than its holder (there is no resale),
    K05 for another year than that of its invoices, K11 its evidence died.
    """
    found = counter.book.find(certificate)
    assert found is not None, "who uses a certificate knows it"
    no = not_its_own(counter, found, on=on, entity=entity, holder=holder, year=year)
    if no is not None:
        return no
    terms = counter.terms(found.year, on)
    articles = {} if isinstance(terms, Refusal) else terms.articles
    answer = counter.book.retire(found.id, by=by, on=on, request=request)
    if isinstance(answer, Refusal) and answer.code == "K04":
        until = f"até {found.valid_to:%d/%m/%Y}" if found.valid_to else ""
        return replace(answer, expected=until, article=articles.get("validity", ""))
    return answer


def not_its_own(
    counter: Counter,
    found: Certificate,
    *,
    on: date,
    entity: str | None = None,
    holder: str | None = None,
    year: int | None = None,
) -> Refusal | None:
    """What speaks against using a certificate for somebody, before anything is moved: K08 or K05."""
    terms = counter.terms(found.year, on)
    articles = {} if isinstance(terms, Refusal) else terms.articles
    for asked, right in ((holder, found.holder), (entity, found.entity)):
        if asked is not None and asked != right:
            return refusal("K08", articles, "once", found=masked(asked), expected=masked(right))
    if year is not None and year != found.year:
        return refusal("K05", articles, "window", found=year, expected=found.year)
    return None


def transfer(counter: Counter, certificate: str, *, on: date) -> Refusal:
    """A certificate is sold once and passed on to nobody (art. 62): always K08."""
    found = counter.book.find(certificate)
    assert found is not None, "who would pass on a certificate knows it"
    terms = counter.terms(found.year, on)
    assert isinstance(terms, Refusal) or not terms.resale, "a norm that allows resale needs the move first"
    articles = {} if isinstance(terms, Refusal) else terms.articles
    return refusal("K08", articles, "once", found="revenda", expected="uma só venda, pela entidade gestora")


def issued_answer(found: Certificate) -> dict[str, Any]:
    """What issuing a certificate answered, told from the certificate itself."""
    assert found.issued_on is not None, "an issued certificate has its days"
    assert found.valid_to is not None, "an issued certificate has its days"
    return {
        "certificate": found.id,
        "entity": found.entity,
        "move": "issue",
        "number": found.number,
        "issued_on": found.issued_on.isoformat(),
        "valid_to": found.valid_to.isoformat(),
        "sha256": found.sha256,
    }


def _name(counter: Counter, cnpj: str) -> tuple[str, str]:
    party = counter.registry.party(cnpj)
    return (party.name if party and party.name else masked(cnpj)), cnpj
