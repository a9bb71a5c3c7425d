"""The common note read straight from its bytes; whatever is unusual in them is left to `read`.

An authorised note is, inside its infNFe, already written as canonical XML writes it. So the bytes between
the tags of infNFe, with its start tag put in order, are the bytes that were signed: if they hash to the
signed digest and the signature over that digest holds, the note is what its signer wrote, and its fields are
read from those very bytes. Why that gives what the long way gives: docs/algorithms/fast-path.md.

This way only ever says that a signature is valid. Anything else it may see, it says nothing and the long way
answers.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache

from lastro.evidence import fields
from lastro.evidence.elements import DS
from lastro.evidence.fast_keys import key_of, plain_base64
from lastro.evidence.fast_shapes import Section, Shapes, Texts
from lastro.evidence.fields import GROSS_WEIGHTS, LINE_REFERENCES, LINE_TEXTS, NET_WEIGHTS, NOTE_REFERENCES
from lastro.evidence.papers import Protocol, Reading, SignatureCheck
from lastro.evidence.shape import C14N, ENVELOPED
from lastro.facts import Kind, Signature

_NFE = "http://www.portalfiscal.inf.br/nfe"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_LARGEST = 2_000_000

# ── what stands around the signed bytes ──────────────────────────────────────────────────────────────

_XMLNS = f' xmlns="{_NFE}"'
_HEAD = re.compile(
    r"(?:\xef\xbb\xbf)?"
    r'(?:<\?xml version="1\.0"(?: encoding="(?:UTF|utf)-8")?(?: standalone="(?:yes|no)")?\?>[ \t\r\n]*)?'
    rf"<nfeProc([^<>]*)>[ \t\r\n]*<NFe(?:{_XMLNS})?><infNFe({_XMLNS})?"
    rf'(?: Id="(NFe[0-9A-Z]{{44}})"({_XMLNS})? versao="([0-9]\.[0-9][0-9])"'
    rf'| versao="([0-9]\.[0-9][0-9])"({_XMLNS})? Id="(NFe[0-9A-Z]{{44}})")({_XMLNS})?>'.encode("latin-1")
)
_PROC = re.compile(rb' ([A-Za-z:]+)="([ !#-%\'-;=?-~]*)"')


def _empty(tag: str, algorithm: str) -> str:
    """A tag with its algorithm and nothing inside, in the three ways in which it is written."""
    return rf'<{tag} Algorithm="{re.escape(algorithm)}"(?: ?/>|></{tag}>)'


_TAIL = re.compile(
    (
        rf'</infNFe><Signature xmlns="{DS}"><SignedInfo(?: xmlns="{DS}")?>'
        + _empty("CanonicalizationMethod", C14N)
        + _empty("SignatureMethod", DS + "rsa-sha1")
        + r'<Reference URI="#(NFe[0-9A-Z]{44})"><Transforms>'
        + _empty("Transform", ENVELOPED)
        + _empty("Transform", C14N)
        + "</Transforms>"
        + _empty("DigestMethod", DS + "sha1")
        + r"<DigestValue>([A-Za-z0-9+/]{27}=)</DigestValue></Reference></SignedInfo>"
        r"<SignatureValue>([A-Za-z0-9+/=\n]+)</SignatureValue><KeyInfo><X509Data>"
        r"<X509Certificate>([^<]+)</X509Certificate></X509Data></KeyInfo></Signature></NFe>[ \t\r\n]*"
        rf'<protNFe(?:{_XMLNS} versao="[0-9.]{{4}}"| versao="[0-9.]{{4}}"(?:{_XMLNS})?)>'
    ).encode()
)
_END = re.compile(rb"</protNFe>[ \t\r\n]*</nfeProc>[ \t\r\n]*\Z")
_SIGNED_INFO = (
    f'<SignedInfo xmlns="{DS}"><CanonicalizationMethod Algorithm="{C14N}"></CanonicalizationMethod>'
    f'<SignatureMethod Algorithm="{DS}rsa-sha1"></SignatureMethod><Reference URI="#%b"><Transforms>'
    f'<Transform Algorithm="{ENVELOPED}"></Transform><Transform Algorithm="{C14N}"></Transform></Transforms>'
    f'<DigestMethod Algorithm="{DS}sha1"></DigestMethod><DigestValue>%b</DigestValue></Reference>'
    "</SignedInfo>"
).encode()
_START = f'<infNFe{_XMLNS} Id="%b" versao="%b">'.encode()


@lru_cache(maxsize=256)
def _wraps(attributes: bytes) -> bool:
    """Whether the start tag of nfeProc says only its namespace, its version and where its schema is."""
    found = _PROC.findall(attributes)
    said = dict(found)
    if len(said) != len(found) or b"".join(b' %b="%b"' % pair for pair in found) != attributes:
        return False
    schema = said.pop(b"xmlns:xsi", None), said.pop(b"xsi:schemaLocation", None)
    version = said.pop(b"versao", b"4.00")
    known = schema == (None, None) or schema[0] == _XSI.encode()
    return known and said == {b"xmlns": _NFE.encode()} and re.fullmatch(rb"[0-9.]{4}", version) is not None


# ── the parts of a note ──────────────────────────────────────────────────────────────────────────────

_PROTOCOL = ("chNFe", "digVal", "cStat", "xMotivo", "dhRecbto", "tpAmb")
_heads = Shapes(Section(fields.TEXTS, (NOTE_REFERENCES,), never=frozenset({"det", "transp"})))
_details = Shapes(
    Section(
        {
            "number": ("det/@nItem",),
            **{n: tuple(f"det/{p}" for p in paths) for n, paths in LINE_TEXTS.items()},
        },
        (f"det/{LINE_REFERENCES}",),
        only=frozenset({"det"}),
    )
)
_tails = Shapes(
    Section(
        fields.TAIL_TEXTS, (NET_WEIGHTS, GROSS_WEIGHTS, fields.LORRIES, fields.TRAILERS), never=frozenset({"det", "ide", "avulsa", "emit", "dest", "NFref"})
    )
)
_protocols = Shapes(
    Section(
        {name: (f"infProt/{name}",) for name in _PROTOCOL},
        ("infProt/@Id",),
        only=frozenset({"infProt"}),
        identities=frozenset({"infProt/@Id"}),
    )
)
_CONTROLS = bytes(set(range(32)) - {9, 10})
_NO_CHARACTERS = ("\ufffe".encode(), "\uffff".encode())
_ENTITIES = (b"&amp;", b"&lt;", b"&gt;")


def _plain(content: bytes) -> bool:
    """Whether no text holds what XML forbids or canonical XML writes otherwise: controls, ">", entities.

    The expressions of the parts have seen that every "<" begins a tag; each tag ends in one ">". What is not
    UTF-8, or half a character, is found in decoding.
    """
    if content.count(b"<") != content.count(b">"):
        return False
    if b"&" in content and content.count(b"&") != sum(map(content.count, _ENTITIES)):
        return False
    if any(wrong in content for wrong in _NO_CHARACTERS):
        return False
    return len(content.translate(None, _CONTROLS)) == len(content)


def read(data: bytes) -> Reading | None:
    """The note in the bytes of one file, signature proved; None where the long way has to be gone."""
    head = _HEAD.match(data)
    if head is None or len(data) > _LARGEST or not _wraps(head[1]):
        return None
    end = data.find(b"</infNFe>", head.end())
    tail = _TAIL.match(data, end) if end > 0 else None
    shut = data.rfind(b"</protNFe>")
    if tail is None or not _END.match(data, shut):
        return None
    identity, layout = head[3] or head[8], head[5] or head[6]
    if tail[1] != identity or sum(map(bool, head.group(2, 4, 7, 9))) > 1:
        return None
    content = data[head.end() : end]
    canonical = b"%b%b</infNFe>" % (_START % (identity, layout), content)
    digest = base64.b64encode(hashlib.sha1(canonical).digest())
    if digest != tail[2]:
        return None
    answer = data[tail.end() : shut]
    if not _plain(content) or not _plain(answer):
        return None
    try:
        told = _told(identity.decode(), layout.decode(), content.decode())
        protocol = _protocol(identity.decode(), answer.decode())
    except UnicodeDecodeError:
        return None
    if told is None or protocol is None:
        return None
    check = _check(tail, identity, digest, canonical)
    return _reading(told, protocol, check) if check else None


def _check(tail: re.Match[bytes], identity: bytes, digest: bytes, canonical: bytes) -> SignatureCheck | None:
    """The signature's arithmetic, where it holds."""
    key, value = key_of(tail[4]), plain_base64(tail[3])
    if key is None or value is None or not key.verifies(value, _SIGNED_INFO % (identity, digest)):
        return None
    return SignatureCheck(
        Signature.VALID,
        digest_value=digest.decode(),
        content_digest=hashlib.sha256(canonical).hexdigest(),
        canonical=canonical,
        certificates=key.chain,
        sha1=True,
    )


def _reading(told: fields.Written, protocol: Protocol, check: SignatureCheck) -> Reading:
    invoice, header, problem = fields.invoice(told)
    return Reading(
        Kind.NFE,
        "nfeProc",
        access_key=told.identity.removeprefix("NFe"),
        invoice=invoice,
        header=header,
        environment=told.texts[_ENVIRONMENT],
        protocol=protocol,
        protocols=1,
        check=check,
        findings=(problem,) if problem else (),
    )


_ENVIRONMENT = list(fields.TEXTS).index("environment")


# ── texts ────────────────────────────────────────────────────────────────────────────────────────────


def _told(identity: str, layout: str, content: str) -> fields.Written | None:
    """What an infNFe says, from its content; None where some part of it is not known well."""
    at = content.find("<det ")
    head = _heads.take(content, 0, at) if at > 0 else None
    if head is None:
        return None
    lines: list[tuple[str, Texts]] = []
    references = list(head[1][0])
    plain = "&" not in content
    while content.startswith("<det ", at):
        end = content.find("</det>", at) + 6
        detail = _details.take(content, at, end) if end > 5 else None
        if detail is None:
            return None
        texts = _stripped(detail[0], plain)
        lines.append((texts[0], texts[1:]))
        references += detail[1][0]
        at = end
    tail = _tails.take(content, at, len(content))
    if tail is None:
        return None
    return fields.Written(
        identity,
        layout,
        _stripped(head[0], plain),
        tuple(lines),
        net_weights=_unescaped(tail[1][0], plain),
        gross_weights=_unescaped(tail[1][1], plain),
        references=_stripped(tuple(references), plain),
        tail=_stripped(tail[0], plain),
        plates=_stripped((*tail[1][2], *tail[1][3]), plain),
    )


def _protocol(identity: str, content: str) -> Protocol | None:
    taken = _protocols.take(content, 0, len(content))
    if taken is None or identity in taken[1][0]:
        return None
    key, digest, status, reason, received, environment = _stripped(taken[0], "&" not in content)
    return Protocol(key, "".join(digest.split()), status, reason, received, environment)


def _stripped(texts: Texts, plain: bool) -> Texts:
    return tuple([text.strip() for text in _unescaped(texts, plain)])


def _unescaped(texts: Texts, plain: bool) -> Texts:
    """The texts with the three entities of canonical text resolved, each once; `plain` ones have none."""
    if plain:
        return texts
    return tuple([t.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for t in texts])
