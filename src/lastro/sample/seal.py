"""How a note leaves its writer: signed (XML-DSig, RSA-SHA1, C14N 1.0, enveloped), authorised, wrapped.

The signature is computed over the canonical form, which is built here directly and not read back from a file;
whoever verifies it has to canonicalise, so the two sides check each other.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from dataclasses import dataclass, replace

from lastro.sample.layout import El, tree
from lastro.sample.note import Note
from lastro.sample.pki import Signer

NFE = "http://www.portalfiscal.inf.br/nfe"
DSIG = "http://www.w3.org/2000/09/xmldsig#"
C14N = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"


@dataclass(frozen=True)
class Dress:
    """The ways in which writers of files differ while they say the same."""

    prefix: str = ""
    signature_prefix: str = ""
    declaration: str = '<?xml version="1.0" encoding="UTF-8"?>'
    bom: bool = False
    wrapper: str = ""
    repeat_namespace: bool = True
    cdata: bool = False
    references: bool = False
    id_last: bool = False
    broken_base64: bool = False
    gap: str = ""
    indented: bool = False

    def name(self, tag: str) -> str:
        """A tag of the NF-e's namespace."""
        return f"{self.prefix}:{tag}" if self.prefix else tag

    def sign_name(self, tag: str) -> str:
        """A tag of the signature's namespace."""
        return f"{self.signature_prefix}:{tag}" if self.signature_prefix else tag

    @property
    def namespace(self) -> str:
        """The declaration of the NF-e's namespace."""
        return f' xmlns:{self.prefix}="{NFE}"' if self.prefix else f' xmlns="{NFE}"'

    @property
    def sign_namespace(self) -> str:
        """The declaration of the signature's namespace."""
        return f' xmlns:{self.signature_prefix}="{DSIG}"' if self.signature_prefix else f' xmlns="{DSIG}"'


PLAIN = Dress()


def escape(text: str) -> str:
    """Text as canonical XML writes it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _attributes(element: El) -> str:
    return "".join(f' {name}="{value}"' for name, value in element.attributes)


def canonical(element: El, dress: Dress, depth: int = 0, namespace: str | None = None) -> str:
    """The canonical form of an element and all it holds; the outermost one declares the namespace."""
    name = dress.name(element.name)
    opened = f"<{name}{dress.namespace if namespace is None else namespace}{_attributes(element)}>"
    if isinstance(element.content, str):
        return f"{opened}{escape(element.content)}</{name}>"
    inner = [canonical(child, dress, depth + 1, "") for child in element.content]
    if dress.indented:
        margin = "\n" + "  " * (depth + 1)
        return opened + "".join(margin + child for child in inner) + "\n" + "  " * depth + f"</{name}>"
    return f"{opened}{''.join(inner)}</{name}>"


def _styled(text: str, dress: Dress) -> str:
    """The same element in other bytes, alike once canonical."""
    if dress.id_last:
        head, rest = text.split(">", 1)
        start, middle = head.split(' Id="', 1)
        value, tail = middle.split('"', 1)
        text = f'{start}{tail} Id="{value}">{rest}'
    if dress.cdata:
        for tag in (dress.name("xProd"), dress.name("infCpl")):
            text = _in_cdata(text, tag)
    if dress.references:
        text = "".join(char if ord(char) < 128 else f"&#{ord(char)};" for char in text)
    return text


def _in_cdata(text: str, tag: str) -> str:
    pieces = text.split(f"<{tag}>")
    done = pieces[0]
    for piece in pieces[1:]:
        inner, rest = piece.split(f"</{tag}>", 1)
        plain = inner.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        done += f"<{tag}><![CDATA[{plain}]]></{tag}>{rest}"
    return done


def digest(text: str) -> str:
    """SHA-1 in base64, as the signature and the protocol write it."""
    return base64.b64encode(hashlib.sha1(text.encode()).digest()).decode()


def _signed_info(identifier: str, value: str, dress: Dress, *, canonical_form: bool) -> str:
    name = dress.sign_name

    def algorithm(tag: str, uri: str) -> str:
        opened = f'<{name(tag)} Algorithm="{uri}"'
        return f"{opened}></{name(tag)}>" if canonical_form else f"{opened}/>"

    scope = ""
    if canonical_form:
        # Inclusive canonicalisation repeats every namespace in scope, the default one first.
        known = {dress.namespace, dress.sign_namespace}
        if not dress.prefix and not dress.signature_prefix:
            known = {dress.sign_namespace}
        scope = "".join(sorted(known, key=lambda text: text.split("=")[0]))
    transforms = algorithm("Transform", f"{DSIG}enveloped-signature") + algorithm("Transform", C14N)
    return (
        f"<{name('SignedInfo')}{scope}>{algorithm('CanonicalizationMethod', C14N)}"
        f"{algorithm('SignatureMethod', DSIG + 'rsa-sha1')}"
        f'<{name("Reference")} URI="#{identifier}"><{name("Transforms")}>{transforms}</{name("Transforms")}>'
        f"{algorithm('DigestMethod', DSIG + 'sha1')}<{name('DigestValue')}>{value}</{name('DigestValue')}>"
        f"</{name('Reference')}></{name('SignedInfo')}>"
    )


def _folded(text: str, width: int = 76) -> str:
    return "\n".join(text[at : at + width] for at in range(0, len(text), width))


def signature(identifier: str, value: str, signer: Signer, dress: Dress) -> str:
    """The signature element over an element of the given identifier and digest."""
    name = dress.sign_name
    signed = signer.sign(_signed_info(identifier, value, dress, canonical_form=True).encode())
    certificate = signer.certificate_base64
    if dress.broken_base64:
        signed, certificate = _folded(signed), _folded(certificate)
    info = _signed_info(identifier, value, dress, canonical_form=False)
    return (
        f"<{name('Signature')}{dress.sign_namespace}>{info}"
        f"<{name('SignatureValue')}>{signed}</{name('SignatureValue')}>"
        f"<{name('KeyInfo')}><{name('X509Data')}><{name('X509Certificate')}>{certificate}"
        f"</{name('X509Certificate')}></{name('X509Data')}></{name('KeyInfo')}></{name('Signature')}>"
    )


@dataclass(frozen=True)
class Protocol:
    """What SEFAZ answered, as the file claims it."""

    key: str
    received: dt.datetime
    number: str
    digest: str
    status: int = 100
    reason: str = "Autorizado o uso da NF-e"
    environment: int = 1
    application: str = "MTNFE_4.00"

    def xml(self, dress: Dress) -> str:
        """The protNFe element."""
        shut = f"<digVal>{self.digest}</digVal>" if self.digest else ""
        numbered = f"<nProt>{self.number}</nProt>" if self.number else ""
        body = (
            f'<infProt Id="ID{self.number}"><tpAmb>{self.environment}</tpAmb>'
            f"<verAplic>{self.application}</verAplic><chNFe>{self.key}</chNFe>"
            f"<dhRecbto>{self.received.isoformat(timespec='seconds')}</dhRecbto>{numbered}{shut}"
            f"<cStat>{self.status}</cStat><xMotivo>{self.reason}</xMotivo></infProt>"
        )
        text = f'<protNFe versao="4.00">{body}</protNFe>'
        if dress.prefix:
            text = (
                text.replace("</", "\0").replace("<", f"<{dress.prefix}:").replace("\0", f"</{dress.prefix}:")
            )
        return text


@dataclass(frozen=True)
class Sealed:
    """A signed and authorised note in its three parts, each still open to whoever wants to spoil it."""

    note: Note
    info: str
    signature: str
    protocol: Protocol | None
    dress: Dress = PLAIN

    def envelope(self) -> str:
        """The NFe element."""
        dress = self.dress
        scope = dress.namespace if dress.repeat_namespace else ""
        return f"<{dress.name('NFe')}{scope}>{self.info}{self.signature}</{dress.name('NFe')}>"

    def text(self) -> str:
        """The whole file as text."""
        dress = self.dress
        proof = self.protocol.xml(dress) if self.protocol else ""
        tag = dress.name("nfeProc")
        wrapped = (
            f'<{tag} versao="4.00"{dress.namespace}{dress.wrapper}>{dress.gap}{self.envelope()}{dress.gap}'
            f"{proof}{dress.gap}</{tag}>"
        )
        return dress.declaration + dress.gap + wrapped

    def bare(self) -> str:
        """The NFe alone, as it was before it was sent."""
        return self.dress.declaration + self.envelope()

    def data(self) -> bytes:
        """The bytes of the file."""
        return (b"\xef\xbb\xbf" if self.dress.bom else b"") + self.text().encode()


def seal(note: Note, signer: Signer, dress: Dress = PLAIN) -> Sealed:
    """Signs the note and has it authorised."""
    full = canonical(tree(note), dress)
    value = digest(full)
    protocol = Protocol(
        key=note.key,
        received=note.authorised,
        number=protocol_number(note),
        digest=value,
        environment=note.environment,
        application="SVRS202611" if note.emission == 7 else "MTNFE_4.00",
    )
    inner = full.replace(dress.namespace, "", 1)
    signed = signature(f"NFe{note.key}", value, signer, dress)
    return Sealed(note, _styled(inner, dress), signed, protocol, dress)


def redress(sealed: Sealed, dress: Dress) -> Sealed:
    """The same signed note in another wrapping: the signature is kept, character by character."""
    plain = canonical(tree(sealed.note), dress).replace(dress.namespace, "", 1)
    return replace(sealed, info=_styled(plain, dress), dress=dress)


def protocol_number(note: Note) -> str:
    """An invented authorisation number: authority, state, year, sequence."""
    authority = "1" if note.emission == 1 else "4"
    sequence = (note.code * 7919 + note.number) % 10**10
    return f"{authority}{note.issuer.place.uf_code}{note.authorised:%y}{sequence:010d}"
