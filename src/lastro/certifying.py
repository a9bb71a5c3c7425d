"""Certificates as every door asks for them: the counter opened on a store, and the paper made and signed.

Comes in: a store, its data folder, the day, and who asks. Goes out: what was done, or the refusal.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

from lastro import papers, signing
from lastro.certificates import counter as room
from lastro.certificates.port import Answer
from lastro.certificates.sale import Counter
from lastro.desk import basis_of
from lastro.errors import LastroError
from lastro.facts import CompanyFacts
from lastro.ids import company_of
from lastro.lawkit import Regulation, library
from lastro.pipeline import company_facts
from lastro.stores.postgres import Store
from lastro.stores.postgres.certificates import Certificates, known
from lastro.stores.postgres.registry import placed, registry, targets

LOCAL = "http://127.0.0.1:8000"
CUIABA = timezone(timedelta(hours=-4), "America/Cuiaba")
"""Mato Grosso's time: no summer time since 2019 (Decreto federal 9.772/2019)."""


def certifying_norm(norm: str | None = None) -> Regulation:
    """The norm that certificates are asked for under: the one named, or the only one that knows them."""
    if norm is not None:
        found = library.find(norm)
        if found.certifies is None:
            raise LastroError(f"{found.norm.short_title} não prevê certificados.")
        return found
    every = [one for one in library.every() if one.certifies is not None]
    if len(every) != 1:
        names = ", ".join(one.norm.path for one in every)
        raise LastroError(f"Mais de uma norma prevê certificados ({names}); diga qual com --norm.")
    return every[0]


def counter_of(store: Store, *, data: Path, today: date, norm: str | None = None) -> Counter:
    """All that certificates are judged by, as the store knows it today."""
    regulation, who = certifying_norm(norm), registry(store)

    def company(root: str, year: int) -> CompanyFacts:
        found = company_facts(
            placed(store, company=root, as_of=today), store.retired(company=root, year=year), who, year=year
        )
        nothing = CompanyFacts(root, who.size(root, year) or "", who.scheme(root, year) or "", (), ())
        return next((one for one in found if one.cnpj == company_of(root)), nothing)

    return Counter(
        book=Certificates(store),
        regulation=regulation,
        registry=who,
        targets=targets(store, regulation.norm.path, as_of=today),
        company=company,
        basis=basis_of(data / "trust"),
    )


def issue_paper(
    store: Store,
    certificate: str,
    *,
    data: Path,
    today: date,
    by: str,
    now: datetime | None = None,
    ask: Callable[[str], str] | None = None,
) -> Answer:
    """Number, write, sign and keep the paper of an authorised certificate; a job may repeat it safely.

    The signer is the entity's PKCS#12 that the environment names, else the practice authority's (a test).
    Raises LastroError when the certificate is unknown, or when who signs is of another company.
    """
    book = Certificates(store)
    found = known(book.find(certificate), certificate)
    counter = counter_of(store, data=data, today=today, norm=found.norm)
    party = counter.registry.party(found.entity)
    signer = signing.chosen_signer(data, cnpj=found.entity, name=party.name if party else "", ask=ask)
    at = moment(today, now)
    return room.issue_paper(
        counter,
        certificate,
        on=today,
        at=at,
        by=by,
        signer=signer,
        render=papers.render,
        sign=lambda pdf: signing.sign(
            pdf, signer=signer, at=at, reason="Emissão de certificado de reciclagem", location="Mato Grosso"
        ),
        address=address,
        random_bytes=secrets.token_bytes,
    )


def address(number: str) -> str:
    """The public page of a certificate: LASTRO_PUBLIC_URL, or the local address (decision 20)."""
    base = (os.environ.get("LASTRO_PUBLIC_URL") or LOCAL).rstrip("/")
    return f"{base}/c/{number}"


def number_in(payload: str) -> str:
    """What a person holds: a number, an id, or the address that a QR code carries; its last part."""
    return payload.strip().rstrip("/").rpartition("/c/")[2]


def moment(today: date, now: datetime | None = None) -> datetime:
    """The moment of signing in Mato Grosso: now, if that is on the day asked for; else noon of that day."""
    if now is not None and now.astimezone(CUIABA).date() == today:
        return now.astimezone(CUIABA)
    return datetime(today.year, today.month, today.day, 12, tzinfo=CUIABA)
