"""Bytes of one file → the fiscal documents in it, recognised, named and read.

The facts of a note or event are read from its signed element only, re-parsed from the canonical bytes that
were signed; nothing outside it can speak for it. What is not XML, or not whole, becomes a finding.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from lxml import etree

from lastro.evidence import fields
from lastro.evidence.bounds import beyond
from lastro.evidence.elements import Around, around, children, local, namespace
from lastro.evidence.papers import DENIED, Protocol, Reading
from lastro.evidence.read_events import (
    bare_cancellation,
    bare_event,
    cancelled_in,
    event_lot,
    proc_cancellation,
    proc_event,
)
from lastro.evidence.signature import check, content_of, parser
from lastro.facts import Finding, Kind
from lastro.findings import finding

NFE = "http://www.portalfiscal.inf.br/nfe"
_ID = {"infNFe": "NFe", "infCte": "CTe", "infCTeNorm": "CTe", "infMDFe": "MDFe"}
_KINDS = {
    "resNFe": Kind.SUMMARY, "resEvento": Kind.SUMMARY, "resCTe": Kind.SUMMARY,
    "inutNFe": Kind.INUT, "procInutNFe": Kind.INUT, "ProcInutNFe": Kind.INUT, "inutCTe": Kind.INUT,
    "CTe": Kind.CTE, "cteProc": Kind.CTE, "CTeOS": Kind.CTE, "cteOSProc": Kind.CTE, "CTeSimp": Kind.CTE,
    "cteSimpProc": Kind.CTE, "GTVe": Kind.CTE, "GTVeProc": Kind.CTE, "enviCTe": Kind.CTE,
    "MDFe": Kind.MDFE, "mdfeProc": Kind.MDFE, "enviMDFe": Kind.MDFE,
    "eventoCTe": Kind.EVENT, "procEventoCTe": Kind.EVENT, "eventoMDFe": Kind.EVENT,
    "procEventoMDFe": Kind.EVENT,
}  # fmt: skip
_MESSAGE = re.compile(
    r"(ret|cons|dist|ConsCad|downloadNFe|procEmi|nfeDadosMsg|nfeResultMsg|cteDadosMsg|admCscNFCe)"
)
_BOM = b"\xef\xbb\xbf"


class Unreadable(Exception):
    """The file holds no document that is read here; carries the finding."""

    def __init__(self, seen: Finding) -> None:
        super().__init__(seen.code)
        self.finding = seen


def read(data: bytes) -> list[Reading]:
    """Every fiscal document in the bytes of one file, in order; a file without any gives one reading."""
    try:
        root = _parse(data)
        return _documents(root)
    except Unreadable as wrong:
        return [Reading(Kind.UNKNOWN, "", findings=(wrong.finding,))]
    except (
        etree.XMLSyntaxError
    ) as wrong:  # a part of it cannot stand alone: the parser lets some prefixes pass
        seen = finding("F05", found=_why(data, wrong), expected="XML bem formado em UTF-8")
        return [Reading(Kind.UNKNOWN, "", findings=(seen,))]
    except etree.C14NError:  # a namespace that is no absolute URI: canonical XML has no form for it
        seen = finding(
            "F05", found="espaço de nomes que não é um URI absoluto", expected="XML canonicalizável"
        )
        return [Reading(Kind.UNKNOWN, "", findings=(seen,))]


# ── bytes → XML ──────────────────────────────────────────────────────────────────────────────────────


def root_of(data: bytes) -> Any:
    """The root of one whole XML document, read as carefully as evidence is. Raises Unreadable."""
    return _parse(data)


def schema_in(file: Path) -> Any:
    """An XML schema, ready to be asked, from a file that came with an installed package."""
    return etree.XMLSchema(file=str(file))


def _parse(data: bytes) -> Any:
    _sniff(data)
    try:
        root = etree.fromstring(data, parser())
    except (etree.XMLSyntaxError, ValueError) as wrong:
        raise Unreadable(
            finding("F05", found=_why(data, wrong), expected="XML bem formado em UTF-8")
        ) from wrong
    if root.getroottree().docinfo.doctype:
        raise Unreadable(finding("F05", found="DOCTYPE", expected="XML sem DOCTYPE"))
    return root


def _sniff(data: bytes) -> None:
    """Tell what is plainly not XML. Raises Unreadable."""
    if not data.strip(b" \t\r\n\0\x1a" + _BOM):
        raise Unreadable(finding("F02", found=f"{len(data)} bytes"))
    head = data[:1024].lstrip(_BOM + b" \t\r\n")
    lower = head.lower()
    if lower.startswith((b"<!doctype html", b"<html")) or re.match(
        rb"<\?xml[^>]*>\s*(<!doctype\s+html|<html)", lower
    ):
        raise _other("página HTML")
    for magic, name in _MAGIC:
        if head.startswith(magic):
            raise _other(name)
    if not head.startswith(b"<") and not _wide(data):
        raise _other("texto que não é XML")
    if b"<!DOCTYPE" in data or any(
        "<!DOCTYPE".encode(c) in data for c in ("utf-16-le", "utf-16-be", "utf-32-le")
    ):
        raise Unreadable(finding("F05", found="DOCTYPE", expected="XML sem DOCTYPE"))
    too_much = beyond(data)
    if too_much is not None:
        raise Unreadable(too_much)


_MAGIC = (
    (b"%PDF", "PDF"), (b"\xff\xd8\xff", "imagem JPEG"), (b"\x89PNG", "imagem PNG"), (b"GIF8", "imagem GIF"),
    (b"PK", "zip"), (b"\x1f\x8b", "arquivo gzip"), (b"Rar!", "arquivo RAR"), (b"7z\xbc\xaf", "arquivo 7-Zip"),
    (b"\xd0\xcf\x11\xe0", "documento de escritório antigo"), (b"{", "JSON"), (b"MZ", "programa"),
)  # fmt: skip


def _wide(data: bytes) -> bool:
    """Whether the bytes begin as UTF-16 or UTF-32 do."""
    return data[:2] in (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<") or data[:4] in (b"\0\0\xfe\xff", b"\0\0\0<")


def _other(found: str) -> Unreadable:
    return Unreadable(finding("F04", found=found, expected="XML de NF-e ou de evento"))


def _why(data: bytes, wrong: Exception) -> str:
    """Say in Portuguese why the bytes are not one well-formed document."""
    text = str(wrong)
    if b"\0" in data and not _wide(data):
        return f"byte nulo na posição {data.index(0)}"
    declared = re.match(rb"(?:\xef\xbb\xbf)?\s*<\?xml[^>]*encoding=[\"']([A-Za-z0-9._-]+)", data[:200])
    encoding = declared.group(1).decode("ascii") if declared else "UTF-8"
    if encoding.upper() in ("UTF-8", "UTF8"):
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as bad:
            return f"bytes que não são UTF-8 na posição {bad.start} (parecem Latin-1)"
    if data.startswith(_BOM * 2):
        return "dois BOM no começo"
    if "Extra content" in text:
        return "sobra conteúdo depois do fim do documento (dois documentos em um arquivo?)"
    if "XML or text declaration not at start" in text or "declaration allowed only at the start" in text:
        return "há algo antes da declaração XML (linha em branco ou segundo BOM)"
    if "ncoding" in text:
        return f"os bytes não são do tipo declarado ({encoding})"
    line = getattr(wrong, "lineno", None)
    return f"XML malformado{f' na linha {line}' if line else ''}: {text.partition(', line')[0]}"


# ── XML → documents ──────────────────────────────────────────────────────────────────────────────────


def _documents(root: Any) -> list[Reading]:
    name = local(root)
    if name == "Envelope":
        inner = _inside_envelope(root)
        if inner is None:
            return [_paper(Kind.ANSWER, "SOAP", "envelope SOAP sem documento")]
        return _known(inner, f"SOAP:{local(inner)}")
    return _known(root, name)


def _inside_envelope(root: Any) -> Any:
    """The first element of the SOAP body that we know by name."""
    for body in children(root, "Body"):
        for element in body.iter(etree.Element):
            name = local(element)
            if element is not body and (name in _READERS or name in _KINDS or name.startswith("ret")):
                if name in ("nfeResultMsg", "nfeDadosMsg"):
                    continue
                return element
    return None


def _known(root: Any, name: str) -> list[Reading]:
    own = local(root)
    reader = _READERS.get(own)
    if reader is not None and namespace(root) in ("", NFE):
        return reader(root, name) or [_paper(Kind.UNKNOWN, name, f"{own} sem documento dentro")]
    if own in _KINDS:
        return [_other_paper(root, name, _KINDS[own])]
    if _MESSAGE.match(own):
        return _answer(root, name)
    seen = finding("F04", found=f"elemento raiz {own or '?'}", expected="XML de NF-e ou de evento")
    return [Reading(Kind.UNKNOWN, name[:60], findings=(seen,))]


def _paper(kind: Kind, name: str, found: str, *, code: str = "N01", key: str = "") -> Reading:
    seen = finding(code, where=name, found=found, expected="a NF-e com protocolo (nfeProc)")
    return Reading(kind, name, access_key=key, findings=(seen,))


def _other_paper(root: Any, name: str, kind: Kind) -> Reading:
    """A paper that is recognised and is not the note: a summary, another model, a gap in numbering."""
    if kind in (Kind.CTE, Kind.MDFE):
        return _paper(kind, name, f"{kind.name}: outro modelo", code="N05", key=_foreign_key(root))
    key = next((fields.text(e) for e in root.iter(etree.Element) if local(e).lower().startswith("ch")), "")
    words = {
        Kind.SUMMARY: "resumo",
        Kind.INUT: "inutilização de numeração",
        Kind.EVENT: "evento de outro documento",
    }
    return _paper(kind, name, words[kind], key=key)


def _foreign_key(root: Any) -> str:
    for element in root.iter(etree.Element):
        prefix = _ID.get(local(element))
        if prefix:
            return (element.get("Id") or "").removeprefix(prefix)
    return ""


def _answer(root: Any, name: str) -> list[Reading]:
    """A message to or from SEFAZ; registered events inside it are documents of their own."""
    received, found = around(root), list[Reading]()
    for element in root.iter(etree.Element):
        if namespace(element) not in ("", NFE):
            continue
        if local(element) == "procEventoNFe":
            found += proc_event(element, "procEventoNFe", received)
        elif local(element) == "procCancNFe":
            found += proc_cancellation(element, "procCancNFe", received)
    if found:
        return found
    leaves = [e for e in root.iter(etree.Element) if not len(e)]
    said = {local(e): fields.text(e).strip() for e in reversed(leaves)}
    words = " ".join(filter(None, (said.get("cStat"), said.get("xMotivo"))))
    about = f"mensagem do serviço da SEFAZ{': ' if words else ''}{words}"
    return [_paper(Kind.ANSWER, name, about, key=said.get("chNFe", ""))]


def _proc(root: Any, name: str) -> list[Reading]:
    """nfeProc: one note with its protocol; some programs put its events inside too."""
    notes = children(root, "NFe")
    received = around(root)
    found = [_note(note, name, _protocols(root), received, notes=len(notes)) for note in notes[:1]]
    undone = cancelled_in(root, found[0].access_key) if found else None
    if undone is not None:
        found = [replace(found[0], findings=(*found[0].findings, undone))]
    for event in children(root, "procEventoNFe"):
        found += proc_event(event, "procEventoNFe", received)
    return found + proc_event(root, "procEventoNFe", received)


def _protocols(root: Any) -> list[Any]:
    """The protocols beside a note; where there is none, those in a whole answer of SEFAZ put there."""
    own = children(root, "protNFe")
    answers = [] if own else [e for e in root if local(e) in _WITH_PROTOCOL]
    return own or [e for a in answers for e in a.iter(etree.Element) if children(e, "infProt")] or answers


_WITH_PROTOCOL = ("retEnviNFe", "retConsReciNFe", "retConsSitNFe")


def _bare(root: Any, name: str) -> list[Reading]:
    return [_note(root, name, [], around(root))]


def _lot(root: Any, name: str) -> list[Reading]:
    received = around(root)
    return [_note(note, name, [], received) for note in children(root, "NFe")]


def _note(note: Any, name: str, protocols: list[Any], received: Around, *, notes: int = 1) -> Reading:
    signed = children(note, "infNFe", of=namespace(note))
    if len(signed) != 1 or notes != 1:
        many = f"{notes} notas em um nfeProc" if notes != 1 else f"{len(signed)} elementos infNFe"
        seen = finding("S04", where="/NFe/infNFe", found=many, expected="uma nota, um infNFe")
        return Reading(Kind.NFE, name, findings=(seen,))
    identity = signed[0].get("Id") or ""
    checked = check(note, signed[0], identity=identity, received=received)
    content = content_of(checked)
    told = fields.written(content)
    invoice, header, problem = fields.invoice(told)
    return Reading(
        Kind.NFE,
        name,
        access_key=identity.removeprefix("NFe"),
        invoice=invoice,
        header=header,
        environment=fields.at(content, "ide/tpAmb"),
        protocol=_protocol(protocols[0], identity.removeprefix("NFe")) if protocols else None,
        protocols=len(protocols),
        check=checked,
        findings=(*_unnamed(identity), *((problem,) if problem else ())),
    )


def _unnamed(identity: str) -> tuple[Finding, ...]:
    """N02 for a key that stands bare where "NFe" and the key must stand; other shapes are judged later."""
    if identity.startswith("NFe") or len(identity) != 44:
        return ()
    return (finding("N02", where="/NFe/infNFe/@Id", found=identity, expected="NFe e os 44 caracteres"),)


def _protocol(element: Any, access_key: str) -> Protocol | None:
    """The protocol in an element; a note that SEFAZ denied may have none, only the answer that says so."""
    information = children(element, "infProt")
    if not information:
        status = fields.at(element, "cStat")
        if status not in DENIED:
            return None
        return Protocol(access_key, "", status, fields.at(element, "xMotivo"), "", "")
    one = information[0]
    return Protocol(
        access_key=fields.at(one, "chNFe"),
        digest="".join(fields.at(one, "digVal").split()),
        status=fields.at(one, "cStat"),
        reason=fields.at(one, "xMotivo"),
        received_at=fields.at(one, "dhRecbto"),
        environment=fields.at(one, "tpAmb"),
    )


_READERS = {
    "nfeProc": _proc, "NFe": _bare, "enviNFe": _lot,
    "procEventoNFe": proc_event, "evento": bare_event, "envEvento": event_lot,
    "procCancNFe": proc_cancellation, "cancNFe": bare_cancellation,
}  # fmt: skip
