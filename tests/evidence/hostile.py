"""Files that nobody should send: what each holds, and the codes of family F that it must give."""

from __future__ import annotations

import gzip
import io
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable

from tests.evidence import vectors as v

_HTML = b"<!DOCTYPE html><html><body>Erro 500</body></html>"
_LAUGHS = b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9))


def note() -> bytes:
    """A note with nothing against it."""
    return v.authorised()


def packed(members: Iterable[tuple[str, bytes]], *, stored: bool = False) -> bytes:
    """A zip of these members, names given twice included."""
    out = io.BytesIO()
    how = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w", how) as archive:
        warnings.simplefilter("ignore")
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def with_central(data: bytes, at: int, value: bytes) -> bytes:
    """A zip whose first central header says something else at an offset."""
    start = data.index(b"PK\x01\x02") + at
    return data[:start] + value + data[start + len(value) :]


def signed_with(inside: str) -> bytes:
    """A note that its issuer signed with this inside its infNFe."""
    return v.sign(v.Note().xml().replace("</infNFe>", inside + "</infNFe>"))


def expands(times: int) -> bytes:
    """A zip whose member of six million bytes holds noise that many times smaller, and then nothing new."""
    size = 6_000_000
    noise = b"".join(
        zlib.crc32(struct.pack("<L", n)).to_bytes(4, "little") for n in range(size // times // 4)
    )
    return packed([("nota.xml", b"<a>" + noise + b"0" * (size - len(noise)))])


def two_gigabytes() -> bytes:
    """A zip whose central header declares a member of 2 GB."""
    return with_central(packed([("nota.xml", note())]), 24, struct.pack("<L", 2**31))


def zip64_lie(size: int) -> bytes:
    """A zip that says in its zip64 field that its member has this size."""
    data = packed([("nota.xml", note())])
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    head = bytearray(data[start : start + 46])
    head[24:28] = b"\xff" * 4
    head[30:32] = struct.pack("<H", 12)
    extra = struct.pack("<HHQ", 1, 8, size)
    listing = bytes(head) + data[start + 46 : end] + extra
    tail = bytearray(data[end:])
    tail[12:16] = struct.pack("<L", len(listing))
    return data[:start] + listing + bytes(tail)


def encrypted() -> bytes:
    """A zip that says its member has a password."""
    data = packed([("nota.xml", note())])
    return with_central(data, 8, b"\x01\x00")


def overlapping(times: int) -> bytes:
    """A zip that names the same bytes many times over."""
    data = packed([("0.xml", b"nada" * 300_000)])
    start, end = data.index(b"PK\x01\x02"), data.index(b"PK\x05\x06")
    listing = data[start:end] * times
    tail = bytearray(data[end:])
    tail[8:12] = struct.pack("<HH", times, times)
    tail[12:16] = struct.pack("<L", len(listing))
    return data[:start] + listing + bytes(tail)


def link_in_zip() -> bytes:
    """A zip whose member is a symbolic link to a file of this computer."""
    entry = zipfile.ZipInfo("nota.xml")
    entry.create_system, entry.external_attr = 3, 0o120777 << 16
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    return out.getvalue()


def entries(number: int, data: bytes = b"") -> bytes:
    """A zip of so many small members."""
    return packed(((f"{n}.xml", data) for n in range(number)), stored=True)


FILES: dict[str, tuple[Callable[[], bytes], set[str]]] = {
    # what XML can do
    "doctype.xml": (lambda: b"<!DOCTYPE n>" + note()[38:], {"F05"}),
    "entidade-interna.xml": (lambda: b'<!DOCTYPE n [<!ENTITY q "9">]><NFe><qCom>&q;</qCom></NFe>', {"F05"}),
    "entidade-externa.xml": (lambda: b'<!DOCTYPE n [<!ENTITY q SYSTEM "file:///etc/passwd">]><NFe>&q;</NFe>',
                             {"F05"}),
    "entidade-de-parametro.xml": (lambda: b'<!DOCTYPE n [<!ENTITY % p SYSTEM "file:///x"> %p;]><NFe/>',
                                  {"F05"}),
    "dtd-externa.xml": (lambda: b'<!DOCTYPE n SYSTEM "http://127.0.0.1:1/n.dtd"><NFe/>', {"F05"}),
    "gargalhadas.xml": (lambda: b'<!DOCTYPE l [<!ENTITY a "ha">' + _LAUGHS + b"]><NFe>&j;</NFe>", {"F05"}),
    "doctype-utf16.xml": (lambda: "<!DOCTYPE n><NFe/>".encode("utf-16"), {"F05"}),
    "utf7.xml": (lambda: b'<?xml version="1.0" encoding="UTF-7"?><NFe>+ADwAYQAvAD4-</NFe>', {"F05"}),
    "utf16.xml": (lambda: note().decode().replace("UTF-8", "UTF-16").encode("utf-16"), set()),
    "utf16-que-diz-utf8.xml": (lambda: note().decode().encode("utf-16-le")[2:], {"F04"}),
    "utf8-que-diz-utf16.xml": (lambda: note().replace(b"UTF-8", b"UTF-16"), {"F05"}),
    "latin1-declarado.xml": (
        lambda: note().replace(b"UTF-8", b"ISO-8859-1").replace("ã".encode(), b"\xe3"), set(),
    ),
    "latin1-sem-dizer.xml": (lambda: note().replace("ã".encode(), b"\xe3"), {"F05"}),
    "nulo.xml": (lambda: note() + b"\0", {"F05"}),
    "nulo-no-meio.xml": (lambda: note().replace(b"<NFe ", b"\0<NFe ", 1), {"F05"}),
    "dois-documentos.xml": (lambda: note() + note()[38:], {"F05"}),
    "pagina.xml": (lambda: _HTML, {"F04"}),
    "pagina-xhtml.xml": (lambda: b'<?xml version="1.0"?>\n' + _HTML, {"F04"}),
    "pagina-sem-doctype.xml": (lambda: b"<HTML><HEAD><TITLE>502 Bad Gateway</TITLE></HEAD></HTML>", {"F04"}),
    "fundo.xml": (lambda: b"<NFe>" * 5_000 + b"</NFe>" * 5_000, {"F05"}),
    "vazio.xml": (lambda: b"", {"F02"}),
    # what fills the memory
    "elementos.xml": (lambda: b"<NFe>" + b"<a/>" * 1_500_000 + b"</NFe>", {"F03"}),
    "elementos-no-limite.xml": (lambda: signed_with("<z>" + "<a/>" * 119_000 + "</z>"), set()),
    "atributos.xml": (lambda: b"<NFe " + b" ".join(b'a%d=""' % n for n in range(600_000)) + b"/>", {"F03"}),
    "atributos-no-limite.xml": (
        lambda: signed_with("<z " + " ".join(f'a{n}=""' for n in range(15_000)) + "/>"), set(),
    ),
    "atributo-imenso.xml": (lambda: signed_with('<z a="' + "x" * 5_000_000 + '"/>'), set()),
    "espacos-de-nomes.xml": (
        lambda: b"<a " + b" ".join(b'xmlns:a%d="u:u"' % n for n in range(15_000)) + b"/>", {"F04"},
    ),
    "texto-longo.xml": (lambda: v.authorised(v.Note(operation="x" * 5_000_000)), set()),
    "texto-longo-demais.xml": (lambda: v.authorised(v.Note(operation="x" * 7_000_000)), {"F03"}),
    "990-itens.xml": (lambda: v.authorised(v.Note(items=[v.Item()] * 990)), set()),
    "grande-demais.xml": (lambda: b"<a>" + b" " * 21_000_000, {"F03"}),
    # what zips can do
    "cinquenta-para-um.zip": (lambda: expands(56), {"F03"}),
    "quarenta-para-um.zip": (lambda: expands(40), {"F05"}),
    "mil-para-um.zip": (lambda: packed([("nota.xml", b"\0" * 19_000_000)]), {"F03"}),
    "zip-em-zip.zip": (lambda: packed([("a.zip", packed([("nota.xml", note())]))]), set()),
    "zip-em-zip-em-zip.zip": (
        lambda: packed([("a.zip", packed([("b.zip", packed([("nota.xml", note())]))]))]), {"F03"},
    ),
    "para-fora.zip": (lambda: packed([("../../../../fora.xml", b"nada")]), {"F04"}),
    "caminho-absoluto.zip": (lambda: packed([("/fora.xml", note())]), set()),
    "dez-mil.zip": (lambda: entries(10_000), {"F02"}),
    "cem-mil-e-um.zip": (lambda: entries(100_001), {"F03"}),
    "dois-gigas.zip": (two_gigabytes, {"F03"}),
    "zip64-um-tera.zip": (lambda: zip64_lie(2**40), {"F03"}),
    "zip64-menor.zip": (lambda: zip64_lie(10), {"F05"}),
    "com-senha.zip": (encrypted, {"F04"}),
    "nomes-repetidos.zip": (lambda: packed([("nota.xml", note()), ("nota.xml", b"nada")]), {"F04"}),
    "sobrepostos.zip": (lambda: overlapping(200), {"F04", "F05"}),
    "atalho.zip": (link_in_zip, {"F04"}),
    "programa.zip": (lambda: packed([("nota.xml.exe", b"\x7fELF\x02\x01\x01")]), {"F01"}),
    "cortado.zip": (lambda: packed([("nota.xml", note())])[:200], {"F05"}),
    "vazio.zip": (lambda: packed([]), {"F02"}),
    # what gzip can do
    "bomba.xml.gz": (lambda: gzip.compress(b"\0" * 60_000_000, mtime=0), {"F03"}),
    "nota.xml.gz": (lambda: gzip.compress(note(), mtime=0), set()),
    "gzip-em-gzip.gz": (lambda: gzip.compress(gzip.compress(note(), mtime=0), mtime=0), {"F03"}),
    "gzip-cortado.gz": (lambda: gzip.compress(note(), mtime=0)[:300], {"F05"}),
}  # fmt: skip
"""By name: what makes the file, and its codes; of `sobrepostos` one of the two, by the age of the reader."""
EITHER = {"sobrepostos.zip"}
