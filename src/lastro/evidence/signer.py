"""Who signed, when, and under which root: what the arithmetic of a signature does not say."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lastro.evidence import certificates
from lastro.evidence.context import Context
from lastro.evidence.papers import Reading
from lastro.facts import Finding, Signature
from lastro.findings import finding
from lastro.ids import company_of, masked

SIGNED = {Signature.VALID, Signature.REFORMATTED}
"""The signature's arithmetic holds, over the bytes as they are or as they were before someone spaced them."""


def moment(reading: Reading) -> certificates.Moment | None:
    """When the certificate had to hold: at the authorisation, else at the issue."""
    written = reading.protocol.received_at if reading.protocol else ""
    issued = reading.header.issued_at if reading.header else ""
    happened = reading.event.registered_at if reading.event else ""
    parse: Callable[[str], certificates.Moment | None] = certificates.Moment.parse
    return parse(written) or parse(issued) or parse(happened)


def signature_findings(
    reading: Reading, context: Context, *, where: str, owners: tuple[str, ...]
) -> Iterator[Finding]:
    check = reading.check
    if check is None:
        return
    if check.code and check.code != "S09":
        yield finding(check.code, where=where, found=check.found, expected=check.expected)
    if check.outcome not in SIGNED:
        return
    if check.code == "S09":
        yield finding("S09", where=where, found="espaços entre as marcas", expected="os bytes assinados")
    yield from _certificate(reading, context, where=f"{where}/KeyInfo", owners=owners)
    if check.sha1 and context.show_sha1:
        yield finding("S08", where=where, found="RSA-SHA1")


def _certificate(
    reading: Reading, context: Context, *, where: str, owners: tuple[str, ...]
) -> Iterator[Finding]:
    chain = reading.check.certificates if reading.check else ()
    when = moment(reading)
    if certificates.parsed(chain[0]) is None or when is None:
        found = "certificado fora do DER" if when else "sem data de autorização"
        yield finding("S05", where=where, found=found, expected="certificado e data que se possam conferir")
        return
    if not certificates.held(chain[0], when):
        found = f"{when.start:%d/%m/%Y %H:%M} (UTC)"
        yield finding("S06", where=where, found=found, expected=certificates.validity(chain[0]))
    elif not certificates.trusted(chain, context.trust, when):
        found = "nenhuma raiz configurada" if not context.trust else "cadeia não chega a uma raiz configurada"
        yield finding("S05", where=where, found=found, expected="raiz da ICP-Brasil configurada")
    if owners and not any(_same_company(certificates.signer(chain[0]), owner) for owner in owners):
        cnpj = certificates.signer(chain[0]).cnpj
        found = masked(cnpj) if cnpj else "certificado sem CNPJ"
        yield finding(
            "S07",
            where=where,
            found=found,
            expected=masked(owners[0]) if len(owners[0]) == 14 else "o emitente",
        )


def _same_company(signer: certificates.Signer, owner: str) -> bool:
    if len(owner) == 14:
        return len(signer.cnpj) == 14 and company_of(signer.cnpj) == company_of(owner)
    return bool(owner) and signer.cpf == owner
