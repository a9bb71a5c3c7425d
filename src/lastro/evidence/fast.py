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
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from lastro.evidence import fields
from lastro.evidence.elements import DS
from lastro.evidence.fast_keys import Key, key_of, plain_base64
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
_HERE = re.escape(_XMLNS)
"""The same for an expression: a dot that stands for any character would take another namespace for ours."""
_SIGNED = re.escape(DS)
_HEAD = re.compile(
    r"(?:\xef\xbb\xbf)?"
    r'(?:<\?xml version="1\.0"(?: encoding="(?:UTF|utf)-8")?(?: standalone="(?:yes|no)")?\?>[ \t\r\n]*)?'
    rf"<nfeProc([^<>]*)>[ \t\r\n]*<NFe(?:{_HERE})?><infNFe({_HERE})?"
    rf'(?: Id="(NFe[0-9A-Z]{{44}})"({_HERE})? versao="([0-9]\.[0-9][0-9])"'
    rf'| versao="([0-9]\.[0-9][0-9])"({_HERE})? Id="(NFe[0-9A-Z]{{44}})")({_HERE})?>'.encode("latin-1")
)
_PROC = re.compile(rb' ([A-Za-z:]+)="([ !#-%\'-;=?-~]*)"')


def _empty(tag: str, algorithm: str) -> str:
    """A tag with its algorithm and nothing inside, in the three ways in which it is written."""
    return rf'<{tag} Algorithm="{re.escape(algorithm)}"(?: ?/>|></{tag}>)'


_TAIL = re.compile(
    (
        rf'</infNFe><Signature xmlns="{_SIGNED}"><SignedInfo(?: xmlns="{_SIGNED}")?>'
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
        rf'<protNFe(?:{_HERE} versao="[0-9.]{{4}}"| versao="[0-9.]{{4}}"(?:{_HERE})?)>'
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

ANSWER = ("chNFe", "digVal", "cStat", "xMotivo", "dhRecbto", "tpAmb")
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
        fields.TAIL_TEXTS,
        (NET_WEIGHTS, GROSS_WEIGHTS, fields.LORRIES, fields.TRAILERS),
        never=frozenset({"det", "ide", "avulsa", "emit", "dest", "NFref"}),
    )
)
_protocols = Shapes(
    Section(
        {name: (f"infProt/{name}",) for name in ANSWER},
        ("infProt/@Id",),
        only=frozenset({"infProt"}),
        identities=frozenset({"infProt/@Id"}),
    )
)
_ODD_REFERENCE = re.compile(r"&(?!amp;|lt;|gt;)")


def _plain(text: str) -> bool:
    """Whether no text holds what the expressions of the parts leave open: other references than the three
    that canonical XML writes, and two characters that XML forbids.
    """
    if "&" in text and _ODD_REFERENCE.search(text):
        return False
    return "\ufffe" not in text and "\uffff" not in text


class Seen(NamedTuple):
    """A note whose signature holds, as its bytes say it: every text as it stands there, blanks and all.

    `texts` by `fields.TEXTS`, each of `lines` its nItem and then by LINE_TEXTS, `tail` by TAIL_TEXTS,
    `answer` by `ANSWER`; `canonical` is what was signed.
    """

    identity: str
    layout: str
    texts: Texts
    lines: list[Texts]
    tail: Texts
    net_weights: Texts
    gross_weights: Texts
    plates: Texts
    references: list[str]
    answer: Texts
    digest: str
    canonical: bytes
    key: Key


def read(data: bytes) -> Reading | None:
    """The note in the bytes of one file, signature proved; None where the long way has to be gone."""
    found = seen(data)
    return reading(found) if found is not None else None


def seen(data: bytes) -> Seen | None:
    """What the bytes of one file say where they are a common note, signature proved; else None."""
    head = _HEAD.match(data)
    if head is None or len(data) > _LARGEST or not _wraps(head[1]):
        return None
    start = head.end()
    end = data.find(b"</infNFe>", start)
    tail = _TAIL.match(data, end) if end > 0 else None
    shut = data.rfind(b"</protNFe>")
    if tail is None or not _END.match(data, shut):
        return None
    _, first, identity, second, layout, other, third, name, last = head.groups()
    if identity is None:
        identity, layout = name, other
    if tail[1] != identity or (first, second, third, last).count(None) < 3:
        return None
    content = data[start:end]
    canonical = b"%b%b</infNFe>" % (_START % (identity, layout), content)
    digest = base64.b64encode(hashlib.sha1(canonical).digest())
    if digest != tail[2]:
        return None
    try:
        told = _told(content.decode())
        answer = _answer(data[tail.end() : shut].decode(), identity.decode())
    except UnicodeDecodeError:
        return None
    key = _signer(tail, identity, digest) if told is not None and answer is not None else None
    if told is None or answer is None or key is None:
        return None
    return Seen(identity.decode(), layout.decode(), *told, answer, digest.decode(), canonical, key)


def _signer(tail: re.Match[bytes], identity: bytes, digest: bytes) -> Key | None:
    """The key that made the signature, where the arithmetic of it holds."""
    key, value = key_of(tail[4]), plain_base64(tail[3])
    if key is None or value is None or not key.verifies(value, _SIGNED_INFO % (identity, digest)):
        return None
    return key


# ── texts ────────────────────────────────────────────────────────────────────────────────────────────

_Told = tuple[Texts, list[Texts], Texts, Texts, Texts, Texts, list[str]]


def _told(content: str) -> _Told | None:
    """What an infNFe says, from its content; None where some part of it is not known well."""
    at = content.find("<det ")
    head = _heads.take(content, 0, at) if at > 0 else None
    if head is None or not _plain(content):
        return None
    lines: list[Texts] = []
    references = list(head[1][0])
    while content.startswith("<det ", at):
        end = content.find("</det>", at) + 6
        detail = _details.take(content, at, end) if end > 5 else None
        if detail is None:
            return None
        lines.append(detail[0])
        references += detail[1][0]
        at = end
    tail = _tails.take(content, at, len(content))
    if tail is None:
        return None
    net, gross, lorries, trailers = tail[1]
    told = head[0], lines, tail[0], net, gross, (*lorries, *trailers), references
    return told if "&" not in content else _resolved(told)


def _resolved(told: _Told) -> _Told:
    texts, lines, tail, net, gross, plates, references = told
    lines = [_unescaped(line) for line in lines]
    weights = _unescaped(net), _unescaped(gross)
    return _unescaped(texts), lines, _unescaped(tail), *weights, _unescaped(plates), [*_unescaped(references)]


def _answer(content: str, identity: str) -> Texts | None:
    """What the protocol says, by `ANSWER`."""
    taken = _protocols.take(content, 0, len(content))
    if taken is None or identity in taken[1][0] or not _plain(content):
        return None
    return taken[0] if "&" not in content else _unescaped(taken[0])


def _unescaped(texts: Iterable[str]) -> Texts:
    """The texts with the three entities of canonical text resolved, each once."""
    return tuple(
        [t.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") if "&" in t else t for t in texts]
    )


# ── the reading ──────────────────────────────────────────────────────────────────────────────────────


def reading(found: Seen) -> Reading:
    """The same as the long way tells it."""
    texts = _stripped(found.texts)
    stripped = [_stripped(line) for line in found.lines]
    told = fields.Written(
        found.identity,
        found.layout,
        texts,
        tuple((line[0], line[1:]) for line in stripped),
        net_weights=found.net_weights,
        gross_weights=found.gross_weights,
        references=_stripped(found.references),
        tail=_stripped(found.tail),
        plates=_stripped(found.plates),
    )
    invoice, header, problem = fields.invoice(told)
    key, digest, status, reason, received, environment = _stripped(found.answer)
    return Reading(
        Kind.NFE,
        "nfeProc",
        access_key=found.identity.removeprefix("NFe"),
        invoice=invoice,
        header=header,
        environment=texts[_ENVIRONMENT],
        protocol=Protocol(key, "".join(digest.split()), status, reason, received, environment),
        protocols=1,
        check=SignatureCheck(
            Signature.VALID,
            digest_value=found.digest,
            content_digest=hashlib.sha256(found.canonical).hexdigest(),
            canonical=found.canonical,
            certificates=found.key.chain,
            sha1=True,
        ),
        findings=(problem,) if problem else (),
    )


def _stripped(texts: Iterable[str]) -> Texts:
    return tuple([text.strip() for text in texts])


_ENVIRONMENT = list(fields.TEXTS).index("environment")
