"""Bytes of one file → the manifests (MTR) and certificates (CDF) in it, recognised by what they hold."""

from __future__ import annotations

from lastro.evidence import jsonread, mtr_sheet, pdf_text
from lastro.evidence.cdf import read_pdf
from lastro.evidence.mtr import read_json
from lastro.evidence.papers import Reading


def read(data: bytes) -> list[Reading]:
    """Every manifest and certificate in the bytes, in order; nothing where they are of another kind of file.

    A file of a kind that manifests come in, and that holds none, gives one reading that says so.
    """
    if jsonread.looks(data):
        return read_json(data)
    if mtr_sheet.looks(data):
        return mtr_sheet.read_sheet(data)
    if pdf_text.looks(data):
        return read_pdf(data)
    return []
