"""Is this paper what it says it is: key, signature, signer, protocol, environment.

Comes in: a `Reading`. Goes out: a `Document` with its findings. One wrong field gives one finding: what
only follows from another finding is not said again.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache

from lastro.evidence import certificates, waste_checks, waste_values
from lastro.evidence.context import Context, Place
from lastro.evidence.events import environment, event_findings
from lastro.evidence.papers import DENIED, Header, Protocol, Reading
from lastro.evidence.series import in_key, misfits, signers
from lastro.evidence.signer import SIGNED, moment, signature_findings
from lastro.facts import Basis, Document, Finding, Invoice, Kind, Severity, Signature, Status
from lastro.findings import finding
from lastro.ids import AccessKey, company_of, is_cnpj, is_cpf, masked, mod11

__all__ = ["Context", "Place", "authenticate", "stands"]

_LAYOUTS = {"1.10", "2.00", "3.00", "3.10", "4.00"}
_AUTHORISED = {"100", "150"}
_CANCELLED = {"101", "151", "155"}


def authenticate(reading: Reading, *, place: Place, context: Context) -> Document:
    """Judge the identity and signature of one reading; the mass is judged by whoever admits it."""
    check, seen, status = reading.check, list(reading.findings), Status.UNKNOWN
    if reading.kind is Kind.NFE and check is not None:
        status = _status(reading)
        seen += _note(reading, context, status)
    elif reading.kind is Kind.EVENT and check is not None:
        seen += event_findings(reading, context)
    elif reading.manifest is not None or reading.destination is not None:
        status = waste_checks.status_of(reading)
        seen += waste_checks.seen_on(reading, context.today)
    signer, basis = _signed_by(reading, context)
    return Document(
        place.file,
        place.member,
        place.sha256,
        reading.kind,
        reading.name,
        access_key=reading.access_key[:60],
        content_digest=check.content_digest if check else _digest_of_facts(reading),
        digest_value=check.digest_value if check else "",
        invoice=reading.invoice,
        event=reading.event,
        signature=check.outcome if check else Signature.ABSENT,
        signer=signer,
        status=status,
        authorised_at=reading.protocol.received_at if reading.protocol else "",
        basis=basis,
        findings=tuple(f for f in seen if f.code not in context.mask),
        manifest=reading.manifest,
        destination=reading.destination,
        part=reading.part,
    )


def _digest_of_facts(reading: Reading) -> str:
    """What names the content of a paper that nobody signed: its facts, as read."""
    told = reading.manifest or reading.destination
    return waste_values.digest_of(told) if told is not None else ""


def _signed_by(reading: Reading, context: Context) -> tuple[str, Basis]:
    """The signer's CNPJ, and the basis: what hangs on a test root is a test."""
    check = reading.check
    if check is None or check.outcome not in SIGNED:
        return "", Basis.OFFICIAL
    when = moment(reading)
    under_roots = when is not None and certificates.trusted(check.certificates, context.trust, when)
    basis = context.basis if under_roots else Basis.OFFICIAL
    return certificates.signer(check.certificates[0]).cnpj, basis


def _note(reading: Reading, context: Context, status: Status) -> Iterator[Finding]:
    if reading.header is not None and reading.header.layout not in _LAYOUTS:
        found, expected = reading.header.layout or "vazio", ", ".join(sorted(_LAYOUTS))
        yield finding("F06", where="/NFe/infNFe/@versao", found=found, expected=expected)
    about_key = list(_key(reading))
    yield from about_key
    yield from environment(reading)
    yield from _protocol(reading, key_is_wrong=any(f.code in ("N02", "N03") for f in about_key))
    if reading.invoice is not None:
        yield from _parties(reading.invoice, context.today)
    yield from signature_findings(reading, context, where="/NFe/Signature", owners=_owners(reading))
    if status is Status.AUTHORISED:
        yield _unconfirmed()


@cache
def _unconfirmed() -> Finding:
    """N18, which stands on every note that only its own file calls authorised."""
    return finding("N18", where="/nfeProc/protNFe", found="protocolo do arquivo", expected="consulta à SEFAZ")


# ── the access key ───────────────────────────────────────────────────────────────────────────────────


def _key(reading: Reading) -> Iterator[Finding]:
    """N02, N03, N04, N05: in that order, and only the first that explains the others."""
    where = "/NFe/infNFe/@Id"
    try:
        key = AccessKey.parse(reading.access_key)
    except ValueError:
        found = f"{len(reading.access_key)} caracteres: {reading.access_key[:60]}"
        yield finding(
            "N02", where=where, found=found, expected="44 caracteres, letras só nas posições 7 a 18"
        )
        return
    if not key.right_digit:
        right = key.text[:43] + mod11(key.text[:43])
        yield finding("N03", where=where, found=key.text, expected=right)
    elif reading.header is not None:
        wrong = list(_disagreements(key, reading.header))
        if wrong:
            found = "; ".join(f"{name} {_said(name, in_note)}" for name, in_note, _ in wrong)
            expected = "; ".join(f"{name} {_said(name, asked)}" for name, _, asked in wrong)
            yield finding(
                "N04", where=f"/NFe/infNFe/{wrong[0][0]}", found=found, expected=f"na chave: {expected}"
            )
    if key.model != "55":
        yield finding("N05", where="/NFe/infNFe/ide/mod", found=key.model, expected="55")


def _disagreements(key: AccessKey, header: Header) -> Iterator[tuple[str, str, str]]:
    """The parts of the key that the content does not repeat: name, as written, as in the key."""
    if _repeated(key, header):
        return
    old = header.layout.startswith("1.")  # layout 1.10 had no tpEmis in the key: a ninth digit of cNF instead
    name, issuer = in_key(key, header)
    pairs: list[tuple[str, str, str, str]] = [
        ("ide/cUF", header.uf_code, header.uf_code, key.uf_code),
        ("ide/dhEmi", header.issued_at[:10], header.issued_at[2:4] + header.issued_at[5:7], key.year_month),
        ("ide/mod", header.model, header.model, key.model),
        ("ide/serie", header.series, header.series.zfill(3), key.series),
        ("ide/nNF", header.number, header.number.zfill(9), key.number),
        ("ide/cDV", header.check_digit, header.check_digit, key.check_digit),
        (name, issuer, issuer.zfill(14), key.issuer),
    ]
    if old:
        pairs.append(("ide/cNF", header.random_code, header.random_code.zfill(9), key.text[34:43]))
    else:
        pairs.append(("ide/tpEmis", header.emission_type, header.emission_type, key.emission_type))
        pairs.append(("ide/cNF", header.random_code, header.random_code.zfill(8), key.random_code))
    wrong = [(name, written, asked) for name, written, as_key, asked in pairs if as_key != asked]
    yield from wrong or misfits(key, header)


def _said(name: str, written: str) -> str:
    """A part of the key in words; a person's number, even one filled up with zeros, is not repeated."""
    padded = len(written) == 14 and written.startswith("000") and is_cpf(written[3:])
    if name == "emit/CPF" or (padded and name == "emit/CNPJ"):
        return "de pessoa" if written else "vazio"
    return written or "vazio"


def _repeated(key: AccessKey, header: Header) -> bool:
    """Whether the content plainly repeats the key, as nearly every note does; else each part is looked at."""
    t, issued = key.text, header.issued_at
    if t[22:25] >= "890" or header.layout < "2":
        return False
    return (
        header.uf_code,
        issued[2:4] + issued[5:7],
        header.issuer.zfill(14),
        header.model,
        header.series.zfill(3),
        header.number.zfill(9),
        header.emission_type,
        header.random_code.zfill(8),
        header.check_digit,
    ) == (t[:2], t[2:6], t[6:20], t[20:22], t[22:25], t[25:34], t[34], t[35:43], t[43])


# ── environment, protocol, parties ───────────────────────────────────────────────────────────────────


def _protocol(reading: Reading, *, key_is_wrong: bool) -> Iterator[Finding]:
    protocol = reading.protocol
    if protocol is None or not protocol.status:
        yield finding(
            "N07", where="/nfeProc/protNFe", found="sem protocolo", expected="protNFe com cStat 100 ou 150"
        )
        return
    code = _status_code(protocol)
    if code:
        found = f"{protocol.status} {protocol.reason}".strip()
        yield finding(code, where="/nfeProc/protNFe/infProt/cStat", found=found, expected="100 ou 150")
    other = _of_another(reading, protocol, key_is_wrong=key_is_wrong)
    if other:
        yield other


def _status_code(protocol: Protocol) -> str:
    if protocol.status in DENIED:
        return "N17"
    if protocol.status in _CANCELLED:
        return "N10"
    return "" if protocol.status in _AUTHORISED else "N09"


def _status(reading: Reading) -> Status:
    if any(f.code == "N10" for f in reading.findings):  # the file itself carries the cancellation
        return Status.CANCELLED
    if reading.protocol is None or not reading.protocol.status:
        return Status.UNKNOWN
    by_code = {"N17": Status.DENIED, "N10": Status.CANCELLED, "N09": Status.UNAUTHORISED}
    return by_code.get(_status_code(reading.protocol), Status.AUTHORISED)


def _of_another(reading: Reading, protocol: Protocol, *, key_is_wrong: bool) -> Finding | None:
    """Whether the protocol names another note, or another version of this one (N08).

    A key that is wrong in itself explains why the protocol names another: then only the digest is compared.
    """
    where = "/nfeProc/protNFe/infProt"
    if reading.protocols > 1:
        return finding("N08", where=where, found=f"{reading.protocols} protocolos", expected="1")
    if protocol.access_key != reading.access_key and not key_is_wrong:
        return finding("N08", where=f"{where}/chNFe", found=protocol.access_key, expected=reading.access_key)
    check = reading.check
    if check is None or not protocol.digest or not check.digest_value:
        return None
    # An altered note (S02) has two digests, the signed one and its present one: either explains the protocol.
    own = {check.digest_value} | ({check.found} if check.code == "S02" else set())
    if protocol.digest in own:
        return None
    return finding("N08", where=f"{where}/digVal", found=protocol.digest, expected=check.digest_value)


def _parties(invoice: Invoice, today: date) -> Iterator[Finding]:
    both = invoice.issuer, invoice.recipient
    if invoice.unnamed_seller:
        # A day's small purchases from individuals may stand in one note, in the buyer's own name or in none.
        found = "entrada em nome do próprio emitente" if both[1] else "entrada sem vendedor"
        expected = "vendedor identificado, ou relação das compras"
        where, review = "/NFe/infNFe/dest", Severity.REVIEW
        yield finding("N12", where=where, found=found, expected=expected, severity=review)
    elif all(len(who) == 14 for who in both) and company_of(both[0]) == company_of(both[1]):
        yield finding("N12", where="/NFe/infNFe/dest/CNPJ", found=masked(both[1]), expected="outra empresa")
    elif both[0] and both[0] == both[1]:
        yield finding("N12", where="/NFe/infNFe/dest", found="o mesmo CPF", expected="outra pessoa")
    if invoice.issued_on > today:
        found, expected = invoice.issued_on.isoformat(), f"até {today.isoformat()}"
        yield finding("N13", where="/NFe/infNFe/ide/dhEmi", found=found, expected=expected)
    for name, who in (("emit", both[0]), ("dest", both[1])):
        if who and not is_cnpj(who) and not is_cpf(who):
            # A number of eleven characters may be a person's: it is not repeated.
            found = who if len(who) == 14 else f"{len(who)} caracteres"
            expected = "dígitos verificadores certos"
            yield finding("P01", where=f"/NFe/infNFe/{name}", found=found, expected=expected)


def _owners(reading: Reading) -> tuple[str, ...]:
    """Who may have signed the note: the issuer, and the tax office where the series says so."""
    header = reading.header
    if header is None:
        return ()
    try:
        return signers(AccessKey.parse(reading.access_key), header)
    except ValueError:
        return (header.issuer,)


def stands(document: Document) -> bool:
    """Whether nothing seen on the document refuses it."""
    return all(f.severity is not Severity.REFUSE for f in document.findings)
