"""Certificates as every door asks for them: the counter opened on a store, and the paper made and signed.

Comes in: a store, its data folder, the day, and who asks. Goes out: what was done, or the refusal.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

from lastro import papers, signing
from lastro.certificates import counter as room
from lastro.certificates import number as numbers
from lastro.certificates.port import Answer, Certificate
from lastro.certificates.sale import Counter
from lastro.certificates.states import State
from lastro.desk import basis_of, companies
from lastro.errors import LastroError
from lastro.facts import CompanyFacts, Refusal
from lastro.ids import company_of
from lastro.lawkit import Regulation, library
from lastro.stores.postgres import Store
from lastro.stores.postgres.certificates import Certificates, known
from lastro.stores.postgres.registry import registry, targets

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
        found = companies(store, who, year=year, company=root, as_of=today)
        nothing = CompanyFacts(root, who.size(root, year) or "", who.scheme(root, year) or "", (), ())
        return next((one for one, _ in found if one.cnpj == company_of(root)), nothing)

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
        sign=lambda pdf, number: signing.sign(
            pdf, signer=signer, at=at, reason=f"Emissão do certificado {number}", location="Cuiabá/MT"
        ),
        address=address,
        random_bytes=secrets.token_bytes,
    )


# ── checking ─────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Check:
    """What can be said of a certificate that somebody holds: of the file, of the number, of the register.

    `registered` None: no register is at hand, or it knows none of that name. `same_file` says whether the
    file is, byte by byte, the one that was kept when the certificate was issued.
    """

    asked: str
    signature: signing.Checked | None = None
    refusal: Refusal | None = None
    number: str = ""
    registered: Certificate | None = None
    same_file: bool | None = None
    looked_up: bool = False

    def holds(self, on: date) -> bool:
        """Whether nothing speaks against it: signed as a whole, issued or used, evidence alive.

        Who signed is vouched for by a root at hand, or by the register that kept this very file.
        """
        if self.refusal is not None or (self.signature is not None and not self.signature.holds):
            return False
        if self.signature and self.signature.state is signing.State.UNTRUSTED and not self.same_file:
            return False
        if not self.looked_up:
            return self.signature is not None
        found = self.registered
        good = found is not None and found.state(on) in (State.ISSUED, State.RETIRED) and not found.stale
        return good and self.same_file is not False


def check_file(pdf: bytes, *, name: str, data: Path, book: Certificates | None, now: datetime) -> Check:
    """Judge a paper by its signature, offline; with a register at hand, also what it knows of it."""
    signature = signing.verify(pdf, roots=signing.known_roots(data), at=now)
    digest = hashlib.sha256(pdf).hexdigest()
    number = next((n for word in signature.reason.split() if (n := numbers.parse(word))), "")
    if book is None:
        return Check(name, signature, number=number)
    found = book.of_file(digest) or (book.find(number) if number else None)
    same = found.sha256 == digest if found is not None else None
    return Check(
        name,
        signature,
        number=found.number if found else number,
        registered=found,
        same_file=same,
        looked_up=True,
    )


def check_name(text: str, *, book: Certificates | None) -> Check:
    """Judge a number, an id, or the address in a QR code: K10 where a number was copied with a slip."""
    name = name_in(text)
    number = numbers.parse(name) or ""
    if numbers.looks_like(name) and not number:
        return Check(text, refusal=Refusal("K10", found=name, expected="CRE-AAAA-XXXX-XXXX-XXXX-XXXX-XXXX"))
    if book is None:
        return Check(text, number=number)
    found = book.find(number or name)
    return Check(text, number=number or (found.number if found else ""), registered=found, looked_up=True)


def store_at_hand(data: Path) -> bool:
    """Whether there is a store to ask, without making one."""
    return bool(os.environ.get("DATABASE_URL")) or any(
        (data / name).exists() for name in ("postgres", "postgres.home")
    )


def address(number: str) -> str:
    """The public page of a certificate: LASTRO_PUBLIC_URL, or the local address (decision 20)."""
    base = (os.environ.get("LASTRO_PUBLIC_URL") or LOCAL).rstrip("/")
    return f"{base}/c/{number}"


def name_in(payload: str) -> str:
    """The number or id in what a person holds: itself, or the last part of the address in a QR code."""
    return payload.strip().rstrip("/").rpartition("/c/")[2]


def moment(today: date, now: datetime | None = None) -> datetime:
    """The moment of signing in Mato Grosso: now, if that is on the day asked for; else noon of that day."""
    if now is not None and now.astimezone(CUIABA).date() == today:
        return now.astimezone(CUIABA)
    return datetime(today.year, today.month, today.day, 12, tzinfo=CUIABA)
