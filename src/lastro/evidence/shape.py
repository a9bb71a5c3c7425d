"""The one shape of XML signature that NF-e prescribes; every other is refused before any arithmetic."""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from typing import Any

from lastro.evidence.elements import DS, children, local, namespace

C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
ENVELOPED = DS + "enveloped-signature"
DIGESTS = {DS + "sha1": hashlib.sha1, "http://www.w3.org/2001/04/xmlenc#sha256": hashlib.sha256}
_METHODS = {DS + "rsa-sha1", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"}


class Misshapen(Exception):
    """The signature is built in a form that is not accepted (S04)."""


class NoCertificate(Exception):
    """There is no certificate that can be used (decision 11: unreadable)."""


@dataclass(frozen=True)
class Parts:
    """What a well-formed signature carries: the digest it signs, how it was made, and its certificates."""

    digest_method: str
    digest_value: bytes
    certificates: tuple[bytes, ...]
    sha1: bool


def parts_of(signatures: list[Any], identity: str, *, same_id: int) -> Parts:
    """Take a signature apart; `same_id` is how many elements of the document carry the Id that is read.

    Raises Misshapen for any form but the one NF-e prescribes, NoCertificate without a certificate.
    """
    if len(signatures) > 1:
        raise Misshapen(f"{len(signatures)} assinaturas")
    signature = signatures[0]
    if namespace(signature) != DS:
        raise Misshapen("Signature fora do espaço de nomes XML-DSig")
    if identity and same_id != 1:
        raise Misshapen(f"{same_id} elementos com o mesmo Id")
    elements = [c for c in signature if isinstance(c.tag, str)]
    if [local(c) for c in elements if local(c) != "KeyInfo"] != ["SignedInfo", "SignatureValue"]:
        raise Misshapen("partes da assinatura: " + ", ".join(local(c) for c in elements))
    info = elements[0]
    _algorithm(info, "CanonicalizationMethod", {C14N})
    method = _algorithm(info, "SignatureMethod", _METHODS)
    references = children(info, "Reference")
    if len(references) != 1:
        raise Misshapen(f"{len(references)} referências")
    reference = references[0]
    if not identity or reference.get("URI") != f"#{identity}":
        raise Misshapen(f"referência a {reference.get('URI')!r}, e o que se lê é '#{identity}'")
    _transforms(reference)
    digest_method = _algorithm(reference, "DigestMethod", set(DIGESTS))
    digest = _base64(_only(reference, "DigestValue").text or "")
    if digest is None:
        raise Misshapen("DigestValue ilegível")
    return Parts(digest_method, digest, _certificates(signature), method.endswith("#rsa-sha1"))


def _only(element: Any, name: str) -> Any:
    found = children(element, name, of=DS)
    if len(found) != 1:
        raise Misshapen(f"{len(found)} elementos {name}")
    return found[0]


def _algorithm(element: Any, name: str, allowed: set[str]) -> str:
    found = _only(element, name)
    algorithm = found.get("Algorithm") or ""
    if algorithm not in allowed or len(found):
        raise Misshapen(f"{name} {algorithm or 'sem algoritmo'}")
    return algorithm


def _transforms(reference: Any) -> None:
    steps = [c for c in _only(reference, "Transforms") if isinstance(c.tag, str)]
    names = [c.get("Algorithm") for c in steps]
    if len(steps) != 2 or any(n not in (ENVELOPED, C14N) for n in names) or any(len(c) for c in steps):
        raise Misshapen("transformações " + ", ".join(str(n) for n in names))


def _certificates(signature: Any) -> tuple[bytes, ...]:
    """The certificates of KeyInfo as DER, the signer's first. Raises NoCertificate."""
    found = [
        _base64(element.text or "")
        for info in children(signature, "KeyInfo", of=DS)
        for data in children(info, "X509Data", of=DS)
        for element in children(data, "X509Certificate", of=DS)
    ]
    usable = tuple(der for der in found if der)
    if not usable:
        raise NoCertificate("certificado ausente ou ilegível")
    return usable


def _base64(text: str) -> bytes | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
