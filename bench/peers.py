"""The others: how a note is read and verified with the libraries there are, and the least that any way costs.

Each takes the bytes of a note and gives the same few facts, or raises ValueError where the signature fails.
"""

from __future__ import annotations

import base64
import hashlib
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

import nfelib
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from lxml import etree
from nfelib.nfe.bindings.v4_0.proc_nfe_v4_00 import NfeProc
from signxml import (
    CanonicalizationMethod,
    DigestAlgorithm,
    SignatureConfiguration,
    SignatureMethod,
    XMLVerifier,
)
from xsdata.formats.dataclass.context import XmlContext
from xsdata.formats.dataclass.parsers import XmlParser
from xsdata.formats.dataclass.parsers.handlers import XmlEventHandler

from lastro.facts import Document, Signature

N, D = "{http://www.portalfiscal.inf.br/nfe}", "{http://www.w3.org/2000/09/xmldsig#}"
DETAIL = ("xProd", "NCM", "CFOP", "uCom", "qCom", "uTrib", "qTrib", "vProd")


@dataclass(frozen=True)
class Facts:
    """What every contender must say of a note, alike."""

    key: str
    issued_at: str
    issuer: str
    recipient: str
    lines: tuple[tuple[str, ...], ...]


def facts_of(document: Document) -> Facts:
    """The same facts from a document that lastro has judged."""
    made = document.invoice
    if made is None or document.signature is not Signature.VALID:
        raise ValueError(f"{document.member}: {document.signature}")
    lines = tuple(
        (
            d.description,
            d.ncm,
            d.cfop,
            d.commercial_unit,
            d.commercial_quantity,
            d.taxable_unit,
            d.taxable_quantity,
            d.value,
        )
        for d in made.lines
    )
    return Facts(document.access_key, made.issued_at, made.issuer, made.recipient, lines)


def members(path: Path, step: int = 1) -> Iterator[bytes]:
    """Every so many notes of a zip, in order of their names, by the standard library."""
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist())[::step]:
            yield archive.read(name)


# ── P1: nfelib and signxml ───────────────────────────────────────────────────────────────────────────

_nfelib = XmlParser(context=XmlContext(), handler=XmlEventHandler)
"""One parser with one context: with a new one for each note, as its pages show, it is ten times slower."""
_expected = SignatureConfiguration(
    signature_methods=frozenset({SignatureMethod.RSA_SHA1}),
    digest_algorithms=frozenset({DigestAlgorithm.SHA1}),
    default_reference_c14n_method=CanonicalizationMethod.CANONICAL_XML_1_0,
)
XMLVerifier.excise_empty_xmlns_declarations = True  # without it signxml refuses every NF-e


def parser() -> Any:
    return etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)


def p1(data: bytes) -> Facts:
    """nfelib with a shared parser, then signxml with the certificate in the note."""
    note = _nfelib.from_bytes(data, NfeProc).NFe
    info = note.infNFe
    root = etree.fromstring(data, parser())
    written = root.findtext(f".//{D}X509Certificate") or ""
    certificate = x509.load_der_x509_certificate(base64.b64decode(written))
    then = replace(_expected, verification_time=datetime.fromisoformat(info.ide.dhEmi))
    try:
        XMLVerifier().verify(root, x509_cert=certificate, expect_config=then)
    except Exception as wrong:
        raise ValueError(str(wrong)) from wrong
    lines = tuple(tuple(_plain(getattr(one.prod, name)) for name in DETAIL) for one in info.det)
    key = info.Id.removeprefix("NFe")
    return Facts(key, info.ide.dhEmi, info.emit.CNPJ, info.dest.CNPJ or info.dest.CPF, lines)


def _plain(value: Any) -> str:
    return str(getattr(value, "value", value))


# ── P2: lxml, XSD, canonical XML, cryptography ───────────────────────────────────────────────────────

_schema = etree.XMLSchema(
    etree.parse(str(Path(nfelib.__file__).parent / "nfe/schemas/v4_0/procNFe_v4.00.xsd"))
)
_padding, _sha1 = padding.PKCS1v15(), hashes.SHA1()


@lru_cache(maxsize=4096)
def key_of(written: bytes | str) -> Any:
    return x509.load_der_x509_certificate(base64.b64decode(written)).public_key()


def p2(data: bytes) -> Facts:
    """A careful program: parse, validate, canonicalise, verify with a kept key, walk to the fields."""
    root = etree.fromstring(data, parser())
    if not _schema.validate(root):
        raise ValueError("XSD")
    info, signature = root[0][0], root[0].find(D + "Signature")
    signed_info = signature[0]
    # Inclusive canonicalisation of an element inside a tree adds a false xmlns="" in lxml; for a note, which
    # has one namespace, the exclusive one gives the same bytes as the prescribed one should.
    canonical = etree.tostring(info, method="c14n", exclusive=True, with_tail=False)
    digest = base64.b64encode(hashlib.sha1(canonical).digest()).decode()
    if digest != signed_info.findtext(f"{D}Reference/{D}DigestValue"):
        raise ValueError("digest")
    value = base64.b64decode(signature.findtext(D + "SignatureValue"))
    text = etree.tostring(signed_info, method="c14n", exclusive=True, with_tail=False)
    key_of(signature.findtext(f"{D}KeyInfo/{D}X509Data/{D}X509Certificate")).verify(
        value, text, _padding, _sha1
    )
    head, lines = {}, []
    for section in info:
        name = section.tag.removeprefix(N)
        if name == "det":
            texts = {child.tag: child.text for child in section[0]}
            lines.append(tuple(texts[N + wanted] for wanted in DETAIL))
        elif name in ("ide", "emit", "dest"):
            head[name] = {child.tag.removeprefix(N): child.text for child in section}
    dest = head["dest"]
    return Facts(
        info.get("Id").removeprefix("NFe"),
        head["ide"]["dhEmi"],
        head["emit"]["CNPJ"],
        dest.get("CNPJ") or dest["CPF"],
        tuple(lines),
    )


# ── F: the floor ─────────────────────────────────────────────────────────────────────────────────────


def floor(path: Path) -> Callable[[], int]:
    """The least a note costs with these libraries: inflate it, hash what was signed, verify one RSA value.

    Where everything stands is found out beforehand and costs nothing.
    """
    work = []
    raw = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        for entry in archive.infolist():
            data = archive.read(entry)
            start = entry.header_offset + 30
            start += int.from_bytes(raw[start - 4 : start - 2], "little") + int.from_bytes(
                raw[start - 2 : start], "little"
            )
            root = etree.fromstring(data, parser())
            signature = root[0].find(D + "Signature")
            work.append(
                (
                    start,
                    start + entry.compress_size,
                    data.index(b">", data.index(b"<infNFe ")) + 1,
                    data.index(b"</infNFe>") + 9,
                    base64.b64decode(signature.findtext(D + "SignatureValue")),
                    etree.tostring(signature[0], method="c14n", exclusive=True, with_tail=False),
                    key_of(signature.findtext(f"{D}KeyInfo/{D}X509Data/{D}X509Certificate")),
                )
            )

    def run() -> int:
        opened = path.read_bytes()
        for start, end, first, last, value, text, key in work:
            data = zlib.decompress(opened[start:end], -15)
            hashlib.sha1(data[first:last]).digest()
            key.verify(value, text, _padding, _sha1)
        return len(work)

    return run
