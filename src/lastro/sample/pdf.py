"""A plain PDF made by hand: pages of rows, each with texts at places across, in one font and one size.

Enough for a printed certificate as the systems give it, and nothing more: the same texts give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

Row = Sequence[tuple[int, str]]
"""Texts of one row, each with how many points from the left it stands."""

_HIGH, _WIDE, _LEADING, _SIZE = 842, 595, 16, 9
_ROWS = 46
"""How many rows fit on a page."""


def pdf_bytes(rows: Sequence[Row]) -> bytes:
    """The rows on as many A4 pages as they need. Raises UnicodeEncodeError for letters outside cp1252."""
    pages = [rows[n : n + _ROWS] for n in range(0, len(rows), _ROWS)] or [[]]
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    for number, page in enumerate(pages):
        box = f"/MediaBox[0 0 {_WIDE} {_HIGH}]/Resources<</Font<</F1 3 0 R>>>>"
        objects.append(f"<</Type/Page/Parent 2 0 R{box}/Contents {5 + 2 * number} 0 R>>".encode())
        drawn = _drawn(page)
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn))
    return _file(objects)


def _drawn(page: Sequence[Row]) -> bytes:
    drawn = []
    for place, row in enumerate(page):
        high = _HIGH - 60 - _LEADING * place
        for across, text in row:
            drawn.append(b"BT /F1 %d Tf 1 0 0 1 %d %d Tm (%s) Tj ET" % (_SIZE, across, high, _escaped(text)))
    return b"\n".join(drawn)


def _escaped(text: str) -> bytes:
    data = text.encode("cp1252")
    for mark in (b"\\", b"(", b")"):
        data = data.replace(mark, b"\\" + mark)
    return data


def _file(objects: Sequence[bytes]) -> bytes:
    """The objects numbered from 1, with the table that says where each begins."""
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)
