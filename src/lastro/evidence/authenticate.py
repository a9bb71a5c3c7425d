"""Is this paper what it says it is: key, signature, signer, protocol, environment.

Comes in: a `Reading`. Goes out: a `Document` with its findings. One wrong field gives one finding: what
only follows from another finding is not said again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from lastro.evidence import certificates
from lastro.evidence.papers import Header, Protocol, Reading
from lastro.facts import Basis, Document, Finding, Invoice, Kind, Severity, Signature, Status
from lastro.findings import finding
from lastro.ids import AccessKey, company_of, is_cnpj, is_cpf, masked, mod11

_AUTHORISED = {"100", "150"}
_DENIED = {"110", "205", "301", "302", "303"}
_CANCELLED = {"101", "151", "155"}
_REGISTERED = {"135", "136", "155"}
_SIGNED = {Signature.VALID, Signature.REFORMATTED}


@dataclass(frozen=True)
class Context:
    """What authentication leans on: the day, the trusted certificates (DER) and what they are good for.

    `mask` leaves codes out, for tests only; `show_sha1` asks for S08.
    """

    today: date
    trust: tuple[bytes, ...] = ()
    basis: Basis = Basis.OFFICIAL
    mask: frozenset[str] = frozenset()
    show_sha1: bool = False


@dataclass(frozen=True)
class Place:
    """Where a document was found."""

    file: str
    member: str | None
    sha256: str


def authenticate(reading: Reading, *, place: Place, context: Context) -> Document:
    """Judge the identity and signature of one reading; the mass is judged by whoever admits it."""
    seen = list(reading.findings)
    document = Document(
        place.file,
        place.member,
        place.sha256,
        reading.kind,
        reading.name,
        access_key=reading.access_key[:60],
        content_digest=reading.check.content_digest if reading.check else "",
        invoice=reading.invoice,
        event=reading.event,
        signature=reading.check.outcome if reading.check else Signature.ABSENT,
        authorised_at=reading.protocol.received_at if reading.protocol else "",
    )
    if reading.kind is Kind.NFE and reading.check is not None:
        seen += _note(reading, context)
        document = replace(document, status=_status(reading))
    elif reading.kind is Kind.EVENT and reading.check is not None:
        seen += _event(reading, context)
    document = _signed_by(document, reading, context)
    shown = tuple(f for f in seen if f.code not in context.mask)
    return replace(document, findings=shown)


def _signed_by(document: Document, reading: Reading, context: Context) -> Document:
    """Name the signer by CNPJ, and the basis: what hangs on a test root is a test."""
    check = reading.check
    if check is None or check.outcome not in _SIGNED:
        return document
    moment = _moment(reading)
    under_roots = moment is not None and certificates.trusted(check.certificates, context.trust, moment)
    basis = context.basis if under_roots else Basis.OFFICIAL
    return replace(document, signer=certificates.signer(check.certificates[0]).cnpj, basis=basis)


def _note(reading: Reading, context: Context) -> Iterator[Finding]:
    about_key = list(_key(reading))
    yield from about_key
    yield from _environment(reading)
    yield from _protocol(reading, key_is_wrong=any(f.code in ("N02", "N03") for f in about_key))
    if reading.invoice is not None:
        yield from _parties(reading.invoice, context.today)
    yield from _signature(reading, context, where="/NFe/Signature", owner=_owner(reading))
    if _status(reading) is Status.AUTHORISED:
        yield finding(
            "N18", where="/nfeProc/protNFe", found="protocolo do arquivo", expected="consulta à SEFAZ"
        )


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
            found = "; ".join(f"{name} {in_note or 'vazio'}" for name, in_note, _ in wrong)
            expected = "; ".join(f"{name} {in_key}" for name, _, in_key in wrong)
            yield finding(
                "N04", where=f"/NFe/infNFe/{wrong[0][0]}", found=found, expected=f"na chave: {expected}"
            )
    if key.model != "55":
        yield finding("N05", where="/NFe/infNFe/ide/mod", found=key.model, expected="55")


def _disagreements(key: AccessKey, header: Header) -> Iterator[tuple[str, str, str]]:
    """The parts of the key that the content does not repeat: name, as written, as in the key."""
    old = header.layout.startswith("1.")  # layout 1.10 had no tpEmis in the key: a ninth digit of cNF instead
    pairs: list[tuple[str, str, str, str]] = [
        ("ide/cUF", header.uf_code, header.uf_code, key.uf_code),
        ("ide/dhEmi", header.issued_at[:10], header.issued_at[2:4] + header.issued_at[5:7], key.year_month),
        ("ide/mod", header.model, header.model, key.model),
        ("ide/serie", header.series, header.series.zfill(3), key.series),
        ("ide/nNF", header.number, header.number.zfill(9), key.number),
        ("ide/cDV", header.check_digit, header.check_digit, key.check_digit),
    ]
    if old:
        pairs.append(("ide/cNF", header.random_code, header.random_code.zfill(9), key.text[34:43]))
    else:
        pairs.append(("ide/tpEmis", header.emission_type, header.emission_type, key.emission_type))
        pairs.append(("ide/cNF", header.random_code, header.random_code.zfill(8), key.random_code))
    by_sefaz = header.substitute_issuer if _by_sefaz(key) else ""
    issuer = by_sefaz or header.issuer
    if not (_by_sefaz(key) and not by_sefaz):
        pairs.append(("emit/CNPJ", issuer, issuer.zfill(14), key.issuer))
    for name, written, as_key, in_key in pairs:
        if as_key != in_key:
            yield name, written, in_key


def _by_sefaz(key: AccessKey) -> bool:
    """Series 890 to 899: SEFAZ issues for the seller, and its own CNPJ stands in the key (MOC NF-e)."""
    return "890" <= key.series <= "899"


# ── environment, protocol, parties ───────────────────────────────────────────────────────────────────


def _environment(reading: Reading) -> Iterator[Finding]:
    protocol = reading.protocol
    places = [
        ("/NFe/infNFe/ide/tpAmb", reading.environment),
        ("protNFe/tpAmb", protocol.environment if protocol else ""),
    ]
    for where, value in places:
        if value == "2":
            yield finding("N06", where=where, found="2 (homologação)", expected="1 (produção)")
            return


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
    if protocol.status in _DENIED:
        return "N17"
    if protocol.status in _CANCELLED:
        return "N10"
    return "" if protocol.status in _AUTHORISED else "N09"


def _status(reading: Reading) -> Status:
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
    if all(len(who) == 14 for who in both) and company_of(both[0]) == company_of(both[1]):
        yield finding("N12", where="/NFe/infNFe/dest/CNPJ", found=masked(both[1]), expected="outra empresa")
    elif both[0] and both[0] == both[1]:
        yield finding("N12", where="/NFe/infNFe/dest", found="o mesmo CPF", expected="outra pessoa")
    if invoice.issued_on > today:
        found, expected = invoice.issued_on.isoformat(), f"até {today.isoformat()}"
        yield finding("N13", where="/NFe/infNFe/ide/dhEmi", found=found, expected=expected)
    for name, who in (("emit", both[0]), ("dest", both[1])):
        if who and not is_cnpj(who) and not is_cpf(who):
            yield finding(
                "P01", where=f"/NFe/infNFe/{name}", found=who[:20], expected="dígitos verificadores certos"
            )


# ── signature and signer ─────────────────────────────────────────────────────────────────────────────


def _owner(reading: Reading) -> str | None:
    """Who must have signed the note; None where SEFAZ signs for the issuer (series 890 to 899)."""
    try:
        if _by_sefaz(AccessKey.parse(reading.access_key)):
            return None
    except ValueError:
        pass
    return reading.header.issuer if reading.header else None


def _moment(reading: Reading) -> certificates.Moment | None:
    """When the certificate had to hold: at the authorisation, else at the issue."""
    written = reading.protocol.received_at if reading.protocol else ""
    issued = reading.header.issued_at if reading.header else ""
    happened = reading.event.registered_at if reading.event else ""
    parse: Callable[[str], certificates.Moment | None] = certificates.Moment.parse
    return parse(written) or parse(issued) or parse(happened)


def _signature(reading: Reading, context: Context, *, where: str, owner: str | None) -> Iterator[Finding]:
    check = reading.check
    if check is None:
        return
    if check.code and check.code != "S09":
        yield finding(check.code, where=where, found=check.found, expected=check.expected)
    if check.outcome not in _SIGNED:
        return
    if check.code == "S09":
        yield finding("S09", where=where, found="espaços entre as marcas", expected="os bytes assinados")
    yield from _certificate(reading, context, where=f"{where}/KeyInfo", owner=owner)
    if check.sha1 and context.show_sha1:
        yield finding("S08", where=where, found="RSA-SHA1")


def _certificate(reading: Reading, context: Context, *, where: str, owner: str | None) -> Iterator[Finding]:
    chain = reading.check.certificates if reading.check else ()
    moment = _moment(reading)
    if certificates.parsed(chain[0]) is None or moment is None:
        found = "certificado fora do DER" if moment else "sem data de autorização"
        yield finding("S05", where=where, found=found, expected="certificado e data que se possam conferir")
        return
    if not certificates.held(chain[0], moment):
        found = f"{moment.start:%d/%m/%Y %H:%M} (UTC)"
        yield finding("S06", where=where, found=found, expected=certificates.validity(chain[0]))
    elif not certificates.trusted(chain, context.trust, moment):
        found = "nenhuma raiz configurada" if not context.trust else "cadeia não chega a uma raiz configurada"
        yield finding("S05", where=where, found=found, expected="raiz da ICP-Brasil configurada")
    if owner is not None and not _same_company(certificates.signer(chain[0]), owner):
        cnpj = certificates.signer(chain[0]).cnpj
        found = masked(cnpj) if cnpj else "certificado sem CNPJ"
        yield finding(
            "S07", where=where, found=found, expected=masked(owner) if len(owner) == 14 else "o emitente"
        )


def _same_company(signer: certificates.Signer, owner: str) -> bool:
    if len(owner) == 14:
        return len(signer.cnpj) == 14 and company_of(signer.cnpj) == company_of(owner)
    return bool(owner) and signer.cpf == owner


# ── events ───────────────────────────────────────────────────────────────────────────────────────────


def _event(reading: Reading, context: Context) -> Iterator[Finding]:
    """An event counts when SEFAZ registered it and the note's own issuer (or a tax office) signed it."""
    event = reading.event
    assert event is not None, "an event's reading carries the event"
    yield from _environment(reading)
    protocol = reading.protocol
    if protocol is None:
        yield finding(
            "N01", where="/evento", found="pedido de evento", expected="evento registrado (procEventoNFe)"
        )
    elif protocol.status not in _REGISTERED:
        found = f"{protocol.status} {protocol.reason}".strip()
        yield finding("N09", where="/procEventoNFe/retEvento", found=found, expected="135, 136 ou 155")
    elif (protocol.access_key and protocol.access_key != event.access_key) or (
        protocol.digest and protocol.digest != event.type
    ):
        found = f"{protocol.digest} {protocol.access_key}"
        yield finding(
            "N08", where="/procEventoNFe/retEvento", found=found, expected=f"{event.type} {event.access_key}"
        )
    try:
        issuer = AccessKey.parse(event.access_key).issuer
    except ValueError:
        found = f"{len(event.access_key)} caracteres"
        yield finding("N02", where="/evento/infEvento/chNFe", found=found, expected="44 caracteres")
        issuer = ""
    yield from _signature(reading, context, where="/evento/Signature", owner=_event_owner(reading, issuer))


def _event_owner(reading: Reading, issuer: str) -> str | None:
    """Who must have signed: the issuer for its own events; a tax office's event is not measured by that."""
    event = reading.event
    if event is None or not event.type.startswith("110"):
        return None
    return issuer.removeprefix("000") if issuer.startswith("000") and is_cpf(issuer[3:]) else issuer


def stands(document: Document) -> bool:
    """Whether nothing seen on the document refuses it."""
    return all(f.severity is not Severity.REFUSE for f in document.findings)
