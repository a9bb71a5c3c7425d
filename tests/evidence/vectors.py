"""Invented notes and events, signed by an invented authority: no byte of them comes from anywhere else."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cache
from typing import Any

import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID, ObjectIdentifier
from lxml import etree

from lastro.ids import cnpj_check_digits, mod11

NFE = "http://www.portalfiscal.inf.br/nfe"
DS = "http://www.w3.org/2000/09/xmldsig#"
C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
TODAY = date(2027, 3, 15)


def cnpj(base: str) -> str:
    """An invented CNPJ with right check digits; the first twelve characters begin with ZZ."""
    assert len(base) == 12
    assert base.startswith("ZZ")
    return base + cnpj_check_digits(base)


COOP = cnpj("ZZC00P010001")
MILL = cnpj("ZZM1LL020001")
BRANCH = cnpj("ZZM1LL020002")
ENTITY = cnpj("ZZG3ST030001")
OTHER = cnpj("ZZ0THR040001")


# ── certificates ─────────────────────────────────────────────────────────────────────────────────────


@cache
def key(name: str) -> rsa.RSAPrivateKey:
    """A key by name, made once for all tests."""
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


def _day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@cache
def certificate(
    subject: str,
    *,
    issuer: str = "",
    cnpj: str = "",
    in_name: bool = False,
    start: str = "2025-01-01",
    end: str = "2029-12-31",
    ca: bool = False,
) -> x509.Certificate:
    """A certificate; `cnpj` goes into the ICP-Brasil name, or at the end of the common name if `in_name`."""
    issuer = issuer or subject
    common = f"{subject}:{cnpj}" if in_name else subject
    builder = (
        x509.CertificateBuilder()
        .subject_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)]))
        .issuer_name(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer)]))
        .public_key(key(subject).public_key())
        .serial_number(int.from_bytes(hashlib.sha256(f"{subject}{issuer}{start}{end}".encode()).digest()[:8]))
        .not_valid_before(_day(start))
        .not_valid_after(_day(end))
        .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
    )
    if cnpj and not in_name:
        value = b"\x13\x0e" + cnpj.encode()
        name = x509.OtherName(ObjectIdentifier("2.16.76.1.3.3"), value)
        builder = builder.add_extension(x509.SubjectAlternativeName([name]), critical=False)
    return builder.sign(key(issuer), hashes.SHA256())


def der(made: x509.Certificate) -> bytes:
    return made.public_bytes(Encoding.DER)


def root() -> x509.Certificate:
    return certificate("Raiz TESTE", ca=True)


def intermediate() -> x509.Certificate:
    return certificate("AC TESTE", issuer="Raiz TESTE", ca=True)


TRUST: tuple[bytes, ...] = (der(root()), der(intermediate()))


def signer(owner: str = COOP, **choices: Any) -> x509.Certificate:
    return certificate(f"Empresa {owner}", issuer="AC TESTE", cnpj=owner, **choices)


# ── notes ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Item:
    """One line of a note, as text."""

    ncm: str = "47071000"
    description: str = "Aparas de papelão ondulado"
    cfop: str = "5102"
    unit: str = "KG"
    quantity: str = "1250.0000"
    tax_unit: str = ""
    tax_quantity: str = ""
    value: str = "750.00"
    in_total: str = "1"

    def xml(self, number: int) -> str:
        tax_unit, tax_quantity = self.tax_unit or self.unit, self.tax_quantity or self.quantity
        return (
            f'<det nItem="{number}"><prod><cProd>{number}</cProd><cEAN>SEM GTIN</cEAN>'
            f"<xProd>{self.description}</xProd><NCM>{self.ncm}</NCM><CFOP>{self.cfop}</CFOP>"
            f"<uCom>{self.unit}</uCom><qCom>{self.quantity}</qCom><vUnCom>0.60</vUnCom>"
            f"<vProd>{self.value}</vProd><uTrib>{tax_unit}</uTrib><qTrib>{tax_quantity}</qTrib>"
            f"<indTot>{self.in_total}</indTot></prod></det>"
        )


@dataclass
class Note:
    """A note as its issuer would write it; every field may be set wrong on purpose."""

    number: int = 1
    issuer: str = COOP
    recipient: str = MILL
    issued_at: str = "2026-05-14T10:00:00-04:00"
    items: list[Item] = field(default_factory=lambda: [Item()])
    uf_code: str = "51"
    model: str = "55"
    series: str = "1"
    environment: str = "1"
    direction: str = "1"
    purpose: str = "1"
    random: str = "12345678"
    references: tuple[str, ...] = ()
    net: tuple[str, ...] = ()
    gross: tuple[str, ...] = ()
    municipality: str = "5103403"
    operation: str = "Venda"
    key_override: str = ""
    written_number: str = ""
    emission: str = "1"

    @property
    def access_key(self) -> str:
        if self.key_override:
            return self.key_override
        body = (
            f"{self.uf_code}{self.issued_at[2:4]}{self.issued_at[5:7]}{self.issuer.zfill(14)}{self.model}"
            f"{self.series.zfill(3)}{self.number:09d}{self.emission}{self.random}"
        )
        return body + mod11(body)

    def inside(self) -> str:
        references = "".join(f"<NFref><refNFe>{k}</refNFe></NFref>" for k in self.references)
        volumes = "".join(
            f"<vol><qVol>1</qVol><pesoL>{n}</pesoL>" + (f"<pesoB>{g}</pesoB>" if g else "") + "</vol>"
            for n, g in zip(self.net, self.gross or [""] * len(self.net), strict=True)
        )
        items = "".join(item.xml(i) for i, item in enumerate(self.items, start=1))
        who = "CNPJ" if len(self.issuer) == 14 else "CPF"
        to = "CNPJ" if len(self.recipient) == 14 else "CPF"
        return (
            f'<infNFe versao="4.00" Id="NFe{self.access_key}"><ide><cUF>{self.uf_code}</cUF>'
            f"<cNF>{self.random}</cNF><natOp>{self.operation}</natOp><mod>{self.model}</mod>"
            f"<serie>{self.series}</serie><nNF>{self.written_number or self.number}</nNF>"
            f"<dhEmi>{self.issued_at}</dhEmi><tpNF>{self.direction}</tpNF><tpEmis>{self.emission}</tpEmis>"
            f"<cDV>{self.access_key[43:44]}</cDV><tpAmb>{self.environment}</tpAmb>"
            f"<finNFe>{self.purpose}</finNFe>{references}</ide>"
            f"<emit><{who}>{self.issuer}</{who}><xNome>Cooperativa Inventada &amp; Irmãos</xNome>"
            f"<enderEmit><cMun>{self.municipality}</cMun><UF>MT</UF></enderEmit></emit>"
            f"<dest><{to}>{self.recipient}</{to}><xNome>Papeleira Inventada</xNome>"
            f"<enderDest><cMun>5107602</cMun><UF>MT</UF></enderDest></dest>{items}"
            f"<transp><modFrete>0</modFrete>{volumes}</transp></infNFe>"
        )

    def xml(self) -> str:
        return f'<NFe xmlns="{NFE}">{self.inside()}</NFe>'


SIGNATURE = (
    '<Signature xmlns="{ds}"><SignedInfo><CanonicalizationMethod Algorithm="{c14n}"/>'
    '<SignatureMethod Algorithm="{method}"/><Reference URI="#{uri}"><Transforms>'
    '<Transform Algorithm="{ds}enveloped-signature"/><Transform Algorithm="{c14n}"/></Transforms>'
    '<DigestMethod Algorithm="{digest}"/><DigestValue/></Reference></SignedInfo><SignatureValue/>'
    "<KeyInfo><X509Data><X509Certificate>{certificate}</X509Certificate></X509Data></KeyInfo></Signature>"
)


def sign(
    text: str, made: x509.Certificate | None = None, *, owner: str = COOP, sha256: bool = False
) -> bytes:
    """Sign the first child of a parent element (NFe, evento); gives the parent's bytes."""
    parent = etree.fromstring(text.encode())
    made = made or signer(owner)
    signed = parent[0]
    identity = signed.get("Id") or ""
    template = SIGNATURE.format(
        ds=DS,
        c14n=C14N,
        uri=identity,
        method="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256" if sha256 else DS + "rsa-sha1",
        digest="http://www.w3.org/2001/04/xmlenc#sha256" if sha256 else DS + "sha1",
        certificate=base64.b64encode(der(made)).decode(),
    )
    parent.append(etree.fromstring(template))
    common = made.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value
    name = str(common).partition(":")[0]
    pem = key(name).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    context = xmlsec.SignatureContext()
    context.register_id(signed, "Id")
    context.key = xmlsec.Key.from_memory(pem, xmlsec.KeyFormat.PEM)
    context.sign(parent[1])
    return etree.tostring(parent, encoding="utf-8")


def digest_of(signed: bytes) -> str:
    return etree.fromstring(signed).findtext(f".//{{{DS}}}DigestValue") or ""


def protocol(
    access_key: str,
    digest: str,
    *,
    status: str = "100",
    at: str = "2026-05-14T10:01:00-04:00",
    environment: str = "1",
) -> str:
    return (
        f'<protNFe versao="4.00"><infProt><tpAmb>{environment}</tpAmb><chNFe>{access_key}</chNFe>'
        f"<dhRecbto>{at}</dhRecbto><nProt>151260000000001</nProt><digVal>{digest}</digVal>"
        f"<cStat>{status}</cStat><xMotivo>Situação {status}</xMotivo></infProt></protNFe>"
    )


def proc(signed: bytes, prot: str, *, wrapper: str = "") -> bytes:
    """nfeProc around a signed note; `wrapper` adds attributes to its root."""
    head = f'<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="{NFE}" versao="4.00"{wrapper}>'
    return head.encode() + signed + prot.encode() + b"</nfeProc>"


def authorised(note: Note | None = None, made: x509.Certificate | None = None, **choices: Any) -> bytes:
    """A note with its signature and protocol, as SEFAZ would give it back."""
    note = note or Note()
    signed = sign(note.xml(), made, owner=note.issuer)
    choices.setdefault("at", note.issued_at)
    return proc(signed, protocol(note.access_key, digest_of(signed), **choices))


def event(
    access_key: str,
    *,
    kind: str = "110111",
    detail: str = "<descEvento>Cancelamento</descEvento><nProt>1</nProt><xJust>Erro de digitação</xJust>",
    owner: str = COOP,
    status: str = "135",
    made: x509.Certificate | None = None,
    registered: bool = True,
    sequence: str = "01",
) -> bytes:
    """procEventoNFe, or the bare evento if it was not registered."""
    who = "CNPJ" if len(owner) == 14 else "CPF"
    text = (
        f'<evento xmlns="{NFE}" versao="1.00"><infEvento Id="ID{kind}{access_key}{sequence}">'
        f"<cOrgao>51</cOrgao><tpAmb>1</tpAmb><{who}>{owner}</{who}><chNFe>{access_key}</chNFe>"
        f"<dhEvento>2026-05-15T08:00:00-04:00</dhEvento><tpEvento>{kind}</tpEvento>"
        f"<nSeqEvento>{int(sequence)}</nSeqEvento>"
        f'<verEvento>1.00</verEvento><detEvento versao="1.00">{detail}</detEvento></infEvento></evento>'
    )
    signed = sign(text, made, owner=owner)
    if not registered:
        return signed
    answer = (
        f'<retEvento versao="1.00"><infEvento><tpAmb>1</tpAmb><cStat>{status}</cStat><xMotivo>x</xMotivo>'
        f"<chNFe>{access_key}</chNFe><tpEvento>{kind}</tpEvento>"
        "<dhRegEvento>2026-05-15T08:00:01-04:00</dhRegEvento></infEvento></retEvento>"
    )
    return f'<procEventoNFe xmlns="{NFE}">'.encode() + signed + answer.encode() + b"</procEventoNFe>"


def old_cancellation(access_key: str, *, owner: str = COOP, status: str = "101") -> bytes:
    """procCancNFe: how a note was cancelled in layout 2.00, before events."""
    text = (
        f'<cancNFe xmlns="{NFE}" versao="2.00"><infCanc Id="ID{access_key}"><tpAmb>1</tpAmb>'
        f"<xServ>CANCELAR</xServ><chNFe>{access_key}</chNFe><nProt>151260000000001</nProt>"
        "<xJust>Erro de digitação do pedido</xJust></infCanc></cancNFe>"
    )
    answer = (
        f'<retCancNFe versao="2.00"><infCanc><tpAmb>1</tpAmb><cStat>{status}</cStat><xMotivo>x</xMotivo>'
        f"<chNFe>{access_key}</chNFe><dhRecbto>2026-05-15T08:00:01</dhRecbto></infCanc></retCancNFe>"
    )
    signed = sign(text, owner=owner)
    return (
        f'<procCancNFe xmlns="{NFE}" versao="2.00">'.encode() + signed + answer.encode() + b"</procCancNFe>"
    )
