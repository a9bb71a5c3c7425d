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
import hashlib
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

import xmlsec
from lxml import etree

from lastro.errors import LastroError
from lastro.evidence.elements import DS, Around, children, local, namespace
from lastro.evidence.papers import SignatureCheck
from lastro.evidence.shape import C14N, DIGESTS, ENVELOPED, Misshapen, NoCertificate, Parts, parts_of
from lastro.facts import Signature


def parser() -> Any:
    """A parser that fetches nothing, expands nothing and refuses huge trees."""
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False
    )


def content_of(check: SignatureCheck) -> Any:
    """The signed element, parsed from the very bytes whose signature was looked at."""
    return etree.fromstring(check.canonical, parser())


def check(parent: Any, signed: Any, *, identity: str, received: Around) -> SignatureCheck:
    """Verify the signature that is `parent`'s child over `signed`, parent's other child.

    `identity` is the Id that is read; `received` is what else stands in the document.
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
        parts = parts_of(signatures, identity, same_id=received.identities.get(identity, 0))
        if _key(parts.certificates[0]) is None:
            raise NoCertificate("certificado ilegível")
    except Misshapen as wrong:
        return _failed(plain, "S04", str(wrong), "uma assinatura ds:Signature sobre o elemento que se lê")
    except NoCertificate as wrong:
        return _failed(plain, "S03", str(wrong), "certificado X.509 do emitente", Signature.UNREADABLE)
    return _try_forms(plain, parts, parent, signed, cut, crowded=received.crowded)


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
    plain: SignatureCheck, parts: Parts, parent: Any, signed: Any, cut: Any, *, crowded: bool
) -> SignatureCheck:
    digest_matched = False
    for form, element, outcome in _forms(parent, signed, cut, crowded=crowded):
        canonical = _canonical(element)
        if DIGESTS[parts.digest_method](canonical).digest() != parts.digest_value:
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


def _digest(parts: Parts, plain: SignatureCheck) -> str:
    return base64.b64encode(DIGESTS[parts.digest_method](plain.canonical).digest()).decode()


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
    text = etree.tostring(copy, encoding="utf-8")
    del copy, element  # two trees of a large note less at once: its bytes are enough to make it anew
    return etree.fromstring(text, parser())


def _canonical(element: Any) -> bytes:
    """Canonical XML 1.0 without comments of one element, with the namespaces in scope.

    The element is re-parsed alone first, since canonicalising a subtree in place can add a false xmlns="".
    """
    alone = etree.fromstring(etree.tostring(element, encoding="utf-8", with_tail=False), parser())
    canonical: bytes = etree.tostring(alone, method="c14n", with_comments=False)
    return canonical


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


def confirms(certificate: bytes, value: bytes, text: bytes) -> bool:
    """Whether an RSA-SHA1 value was made over some bytes with the key of a certificate (DER)."""
    key = _key(certificate)
    if key is None:
        return False
    context = xmlsec.SignatureContext()
    context.key = key
    try:
        context.verify_binary(text, xmlsec.constants.TransformRsaSha1, value)
    except xmlsec.Error:
        return False
    return True


@cache
def ready() -> None:
    """See that this machine can verify RSA-SHA1, which NF-e prescribes. Raises LastroError if it cannot."""
    text = (
        f'<r xmlns="urn:r"><i Id="a"/><Signature xmlns="{DS}"><SignedInfo>'
        f'<CanonicalizationMethod Algorithm="{C14N}"/><SignatureMethod Algorithm="{DS}rsa-sha1"/>'
        f'<Reference URI="#a"><Transforms><Transform Algorithm="{ENVELOPED}"/>'
        f'<Transform Algorithm="{C14N}"/></Transforms><DigestMethod Algorithm="{DS}sha1"/>'
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
