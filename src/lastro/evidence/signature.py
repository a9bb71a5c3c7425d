"""The arithmetic of an XML signature, and nothing else: whether to trust the signer is asked elsewhere.

Comes in: an element (NFe, evento) that should hold one signed child and one ds:Signature. Goes out: a
`SignatureCheck` with the canonical bytes of the signed child, the only bytes anyone may read facts from.

A signature is tried in up to three forms: the signed parent cut out of its wrapper, the bytes as received
(a wrapper may lend namespaces that canonical XML takes in), and the parent without white space between tags.
Whatever xmlsec says, the bytes read must themselves hash to the signed digest: so no wrapping attack can
make one element verify and another be read.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import xmlsec
from lxml import etree

from lastro.errors import LastroError
from lastro.evidence.papers import SignatureCheck
from lastro.facts import Signature

DS = "http://www.w3.org/2000/09/xmldsig#"
_C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
_ENVELOPED = DS + "enveloped-signature"
_SHA256 = "http://www.w3.org/2001/04/xmlenc#sha256"
_METHODS = {DS + "rsa-sha1", "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"}
_DIGESTS = {DS + "sha1": hashlib.sha1, _SHA256: hashlib.sha256}
_IN_PLACE_UP_TO = 50
"""A lot carries at most 50 notes; canonicalising in place costs the whole document for each signature."""


class Misshapen(Exception):
    """The signature is built in a form that is not accepted (S04)."""


class NoCertificate(Exception):
    """There is no certificate that can be used (decision 11: unreadable)."""


@dataclass(frozen=True)
class _Parts:
    digest_method: str
    digest_value: bytes
    certificates: tuple[bytes, ...]
    sha1: bool


def parser() -> Any:
    """A parser that fetches nothing, expands nothing and refuses huge trees."""
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False
    )


def local(element: Any) -> str:
    """An element's name without its namespace; empty for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def namespace(element: Any) -> str:
    """An element's namespace, or empty."""
    tag = element.tag
    return tag[1:].partition("}")[0] if isinstance(tag, str) and tag.startswith("{") else ""


def children(element: Any, name: str, *, of: str | None = None) -> list[Any]:
    """The children with a local name, in a namespace if one is asked for."""
    return [c for c in element if local(c) == name and (of is None or namespace(c) == of)]


def check(parent: Any, signed: Any, *, identity: str, crowded: bool = False) -> SignatureCheck:
    """Verify the signature that is `parent`'s child over `signed`, parent's other child.

    `identity` is the Id that is read; `crowded` says that many signed parents share one document.
    """
    cut = _cut_out(parent)
    canonical = _canonical(_same(cut, parent, signed))
    plain = SignatureCheck(
        Signature.INVALID, content_digest=hashlib.sha256(canonical).hexdigest(), canonical=canonical
    )
    signatures = children(parent, "Signature")
    if not signatures:
        return _without(plain, parent)
    try:
        parts = _parts(parent, signed, signatures, identity)
    except Misshapen as wrong:
        return _failed(plain, "S04", str(wrong), "uma assinatura ds:Signature sobre o elemento que se lê")
    except NoCertificate as wrong:
        return _failed(plain, "S03", str(wrong), "certificado X.509 do emitente", Signature.UNREADABLE)
    return _try_forms(plain, parts, parent, signed, cut, crowded=crowded)


def _without(plain: SignatureCheck, parent: Any) -> SignatureCheck:
    """No signature where it belongs: absent, unless one stands at a place where it signs something else."""
    inside = any(local(e) == "Signature" for e in parent.iter())
    beside = parent.getparent() is not None and children(parent.getparent(), "Signature")
    if inside or beside:
        return _failed(plain, "S04", "assinatura fora do lugar", "ds:Signature dentro do documento assinado")
    return _failed(plain, "S01", "sem assinatura", "ds:Signature do emitente", Signature.ABSENT)


def _failed(
    plain: SignatureCheck, code: str, found: str, expected: str, outcome: Signature = Signature.INVALID
) -> SignatureCheck:
    return SignatureCheck(
        outcome, code, found, expected, content_digest=plain.content_digest, canonical=plain.canonical
    )


def _try_forms(
    plain: SignatureCheck, parts: _Parts, parent: Any, signed: Any, cut: Any, *, crowded: bool
) -> SignatureCheck:
    digest_matched = False
    for form, element, outcome in _forms(parent, signed, cut, crowded=crowded):
        canonical = _canonical(element)
        if _DIGESTS[parts.digest_method](canonical).digest() != parts.digest_value:
            continue
        digest_matched = True
        signature = children(form, "Signature")[0]
        if not _verifies(signature, element, parts.certificates[0]):
            continue
        return SignatureCheck(
            outcome,
            "S09" if outcome is Signature.REFORMATTED else "",
            digest_value=base64.b64encode(parts.digest_value).decode(),
            content_digest=hashlib.sha256(canonical).hexdigest(),
            canonical=canonical,
            certificates=parts.certificates,
            sha1=parts.sha1,
        )
    signed = base64.b64encode(parts.digest_value).decode()
    code, found = ("S03", "valor da assinatura") if digest_matched else ("S02", _digest(parts, plain))
    return SignatureCheck(
        Signature.INVALID,
        code,
        found,
        signed if code == "S02" else "valor feito com a chave do certificado",
        digest_value=signed,
        content_digest=plain.content_digest,
        canonical=plain.canonical,
        certificates=parts.certificates,
        sha1=parts.sha1,
    )


def _digest(parts: _Parts, plain: SignatureCheck) -> str:
    return base64.b64encode(_DIGESTS[parts.digest_method](plain.canonical).digest()).decode()


def _forms(parent: Any, signed: Any, cut: Any, *, crowded: bool) -> Iterator[tuple[Any, Any, Signature]]:
    yield cut, _same(cut, parent, signed), Signature.VALID
    if parent.getparent() is not None and not crowded:
        yield parent, signed, Signature.VALID
    bare = _without_blanks(cut)
    yield bare, _same(bare, parent, signed), Signature.REFORMATTED


def _same(form: Any, parent: Any, signed: Any) -> Any:
    """The element of a re-parsed parent that stands where `signed` stands."""
    return form[parent.index(signed)]


def _cut_out(parent: Any) -> Any:
    """The signed parent alone, as its own document, without namespaces that only a wrapper lent it."""
    wrapper = parent.getparent()
    text = etree.tostring(parent, encoding="utf-8", with_tail=False)
    if wrapper is None or wrapper.nsmap.keys() <= {parent.prefix}:
        return etree.fromstring(text, parser())
    used = _used(parent)
    own = {p: uri for p, uri in parent.nsmap.items() if wrapper.nsmap.get(p) != uri or (p, uri) in used}
    if own == parent.nsmap:
        return etree.fromstring(text, parser())
    alone = etree.Element(parent.tag, nsmap=own, attrib=dict(parent.attrib))
    alone.text = parent.text
    for child in list(etree.fromstring(text, parser())):
        alone.append(child)
    return etree.fromstring(etree.tostring(alone, encoding="utf-8"), parser())


def _used(parent: Any) -> set[tuple[str | None, str]]:
    """The namespaces, with their prefixes, that names inside the parent use."""
    used: set[tuple[str | None, str]] = set()
    for element in parent.iter(etree.Element):
        used.add((element.prefix, namespace(element)))
        for name in element.attrib:
            if name.startswith("{"):
                uri = name[1:].partition("}")[0]
                used.update((p, u) for p, u in element.nsmap.items() if u == uri)
    return used


def _without_blanks(cut: Any) -> Any:
    copy = etree.fromstring(etree.tostring(cut, encoding="utf-8"), parser())
    for element in copy.iter():
        if len(element) and element.text and not element.text.strip():
            element.text = None
        if element.tail and not element.tail.strip():
            element.tail = None
    return etree.fromstring(etree.tostring(copy, encoding="utf-8"), parser())


def _canonical(element: Any) -> bytes:
    """Canonical XML 1.0 without comments of one element, with the namespaces in scope.

    The element is re-parsed alone first, since canonicalising a subtree in place can add a false xmlns="".
    """
    alone = etree.fromstring(etree.tostring(element, encoding="utf-8", with_tail=False), parser())
    canonical: bytes = etree.tostring(alone, method="c14n", with_comments=False)
    return canonical


# ── the shape of a signature ─────────────────────────────────────────────────────────────────────────


def _parts(parent: Any, signed: Any, signatures: list[Any], identity: str) -> _Parts:
    """Take a signature apart. Raises Misshapen for any form but the one NF-e prescribes."""
    if len(signatures) > 1:
        raise Misshapen(f"{len(signatures)} assinaturas")
    signature = signatures[0]
    if namespace(signature) != DS:
        raise Misshapen("Signature fora do espaço de nomes XML-DSig")
    _unique_identity(signed, identity)
    elements = [c for c in signature if isinstance(c.tag, str)]
    if [local(c) for c in elements if local(c) != "KeyInfo"] != ["SignedInfo", "SignatureValue"]:
        raise Misshapen("partes da assinatura: " + ", ".join(local(c) for c in elements))
    info = elements[0]
    _algorithm(info, "CanonicalizationMethod", {_C14N})
    method = _algorithm(info, "SignatureMethod", _METHODS)
    references = children(info, "Reference")
    if len(references) != 1:
        raise Misshapen(f"{len(references)} referências")
    reference = references[0]
    if not identity or reference.get("URI") != f"#{identity}":
        raise Misshapen(f"referência a {reference.get('URI')!r}, e o que se lê é '#{identity}'")
    _transforms(reference)
    digest_method = _algorithm(reference, "DigestMethod", set(_DIGESTS))
    digest = _base64(_only(reference, "DigestValue").text or "")
    if digest is None:
        raise Misshapen("DigestValue ilegível")
    return _Parts(digest_method, digest, _certificates(signature), method.endswith("#rsa-sha1"))


def _unique_identity(signed: Any, identity: str) -> None:
    root = signed.getroottree().getroot()
    same = root.xpath(
        "count(//*[@Id=$id or @ID=$id or @id=$id or @*[local-name()='id']=$id])", id=identity or "\x01"
    ) if identity else 1  # fmt: skip
    if same != 1:
        raise Misshapen(f"{int(same)} elementos com o mesmo Id")


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
    if len(steps) != 2 or any(n not in (_ENVELOPED, _C14N) for n in names) or any(len(c) for c in steps):
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
    if _key(usable[0]) is None:
        raise NoCertificate("certificado ilegível")
    return usable


def _base64(text: str) -> bytes | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


# ── xmlsec ───────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=4096)
def _key(der: bytes) -> Any:
    try:
        return xmlsec.Key.from_memory(der, xmlsec.constants.KeyDataFormatCertDer)
    except (xmlsec.Error, ValueError, TypeError):
        return None


def _verifies(signature: Any, signed: Any, certificate: bytes) -> bool:
    context = xmlsec.SignatureContext()
    context.register_id(signed, "Id")
    context.key = _key(certificate)
    try:
        context.verify(signature)
    except xmlsec.Error:
        return False
    return True


@cache
def ready() -> None:
    """See that this machine can verify RSA-SHA1, which NF-e prescribes. Raises LastroError if it cannot."""
    text = (
        f'<r xmlns="urn:r"><i Id="a"/><Signature xmlns="{DS}"><SignedInfo>'
        f'<CanonicalizationMethod Algorithm="{_C14N}"/><SignatureMethod Algorithm="{DS}rsa-sha1"/>'
        f'<Reference URI="#a"><Transforms><Transform Algorithm="{_ENVELOPED}"/>'
        f'<Transform Algorithm="{_C14N}"/></Transforms><DigestMethod Algorithm="{DS}sha1"/>'
        "<DigestValue/></Reference></SignedInfo><SignatureValue/></Signature></r>"
    )
    try:
        root = etree.fromstring(text, parser())
        context = xmlsec.SignatureContext()
        context.register_id(root[0], "Id")
        context.key = xmlsec.Key.generate(
            xmlsec.constants.KeyDataRsa, 2048, xmlsec.constants.KeyDataTypeSession
        )
        context.sign(root[1])
        again = xmlsec.SignatureContext()
        again.key = context.key
        again.verify(root[1])
    except Exception as wrong:
        raise LastroError(
            "Este computador não consegue conferir assinaturas RSA-SHA1, que a NF-e usa: a política de "
            "criptografia do sistema as desligou, ou lxml e xmlsec não combinam. Permita SHA-1 para "
            f"assinaturas (no Red Hat: update-crypto-policies --set DEFAULT:SHA1) e repita. ({wrong})"
        ) from wrong
