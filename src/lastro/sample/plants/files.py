"""Files that are no notes, files that are broken, and good files in odd clothes (F01, F04, F05)."""

from __future__ import annotations

from dataclasses import replace

from lastro.sample.bench import Bench
from lastro.sample.faults import Fault
from lastro.sample.pdf import pdf_bytes
from lastro.sample.plants.registry import mutation

_PDF = pdf_bytes(
    [
        [(40, "DANFE")],
        [(40, "Documento Auxiliar da Nota Fiscal Eletrônica")],
        [(40, "PAPELÃO PARA RECICLAGEM"), (300, "1.250,5 KG")],
    ]
)
_JPEG = (
    bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffdb004300") + bytes(range(1, 65)) + b"\xff\xd9"
)
_CSV = "chave;peso;material\n;1250,5;papelão\n;830;vidro\n".encode()
_SCRIPT = b"#!/bin/sh\necho 'boleto em anexo'\n"
_OTHERS = {
    "script": ("boleto-{}.xml", _SCRIPT),
    "pdf": ("danfe-{}.pdf", _PDF),
    "csv": ("romaneio-{}.csv", _CSV),
    "jpeg": ("foto-da-carga-{}.xml", _JPEG),
    "pdf_as_xml": ("nota-{}.xml", _PDF + b"%\n"),
}


@mutation
def other_type(bench: Bench, fault: Fault) -> None:
    """Somebody put into the folder what is no fiscal document."""
    pattern, data = _OTHERS[fault.params["shape"]]
    name = pattern.format(f"{bench.rnd.randrange(1000):03d}")
    bench.put(fault, bench.entity(), None, data, name=name, zipped=False)


@mutation
def odd_name(bench: Bench, fault: Fault) -> None:
    """A right note under a name that does not say so."""
    entity = bench.entity()
    note = bench.draft(entity)
    name = fault.params["pattern"].format(key=note.key)
    bench.put(fault, entity, note, bench.seal(note).data(), name=name)


@mutation
def broken(bench: Bench, fault: Fault) -> None:
    """A note whose bytes are no well-formed XML, or carry a DOCTYPE."""
    entity = bench.entity()
    note = bench.draft(entity)
    note = replace(note, remarks="Coleta & triagem em Várzea Grande; pesagem às 14 h.")
    data = _BREAKS[fault.params["way"]](bench.seal(note).data())
    bench.put(fault, entity, note, data)


def _cut(data: bytes) -> bytes:
    return data[: data.index(b"<SignatureValue>") + 60]


def _ampersand(data: bytes) -> bytes:
    return data.replace(b"Coleta &amp; triagem", b"Coleta & triagem")


def _latin1(data: bytes) -> bytes:
    head, body = data.split(b"?>", 1)
    assert head.startswith(b"<?xml")
    return body.decode().encode("latin-1")


def _doctype(data: bytes) -> bytes:
    head, body = data.split(b"?>", 1)
    return head + b'?><!DOCTYPE nfeProc [<!ENTITY q "99999">]>' + body


def _glued(data: bytes) -> bytes:
    return data + b"\n" + data


_BREAKS = {"cut": _cut, "ampersand": _ampersand, "latin1": _latin1, "doctype": _doctype, "glued": _glued}


@mutation
def harmless_markup(bench: Bench, fault: Fault) -> None:
    """A note that only speaks of a DOCTYPE, or opens with a comment and an instruction."""
    entity = bench.entity()
    note = bench.draft(entity)
    if fault.params["way"] == "spoken":
        note = replace(note, remarks='Sistema não aceita "<!DOCTYPE" nem "<!ENTITY" no arquivo; ver manual.')
        data = bench.seal(note).data()
    else:
        opening = b'?>\n<!-- copia do emitente -->\n<?xml-stylesheet type="text/xsl" href="nfe.xsl"?>\n'
        data = bench.seal(note).data().replace(b"?>", opening, 1)
    bench.put(fault, entity, note, data)
