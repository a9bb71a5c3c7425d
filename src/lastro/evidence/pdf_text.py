"""The text of a PDF, and whether it is all of it; bounded, so that no file fills the memory or never ends.

What a PDF shows and what its text says may differ, and a scanned page has no text at all: nothing is read
from pictures. A defect met while reading is told, since a part of the text may be missing then.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from lastro.evidence.unfit import Unfit
from lastro.facts import Severity
from lastro.findings import finding

MOST_BYTES = 5 * 1024 * 1024
MOST_PAGES = 60
MOST_OPERATIONS = 100_000
MOST_TEXT = 400_000
_MOST_OPENED = 4_000_000
_LIMITS = {
    "maximum_declared_stream_length": MOST_BYTES,
    "array_based_stream_maximum_output_length": _MOST_OPENED,
    "array_maximum_element_count": 50_000,
    "dictionary_maximum_element_count": 20_000,
    "lzw_maximum_output_length": _MOST_OPENED,
    "run_length_maximum_output_length": _MOST_OPENED,
    "zlib_maximum_output_length": _MOST_OPENED,
    "zlib_maximum_recovery_input_length": 200_000,
    "brotli_maximum_output_length": _MOST_OPENED,
    "flate_maximum_row_length": 200_000,
    "stream_filters_maximum_length": 4,
    "stream_decoding_work_maximum_length": 4 * _MOST_OPENED,
    "stream_parsing_work_maximum_count": 250_000,
    "page_tree_maximum_entries": 1_000,
    "page_tree_maximum_depth": 20,
    "page_tree_maximum_page_entries": 20_000,
    "xform_maximum_invocations_per_extraction": 200,
}


@dataclass(frozen=True)
class Text:
    """The text of each page, and what was amiss while it was read (empty: nothing)."""

    pages: tuple[str, ...]
    defect: str = ""


def looks(data: bytes) -> bool:
    """Whether the bytes begin as a PDF does."""
    return data[:1024].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"%PDF-")


def text_of(data: bytes) -> Text:
    """The text of every page. Raises Unfit: F03 too large, F04 locked or without text, F05 broken."""
    if len(data) > MOST_BYTES:
        raise Unfit(finding("F03", found=f"PDF de {len(data)} bytes", expected=f"até {MOST_BYTES} bytes"))
    from pypdf import Configuration, PdfReader, apply_configuration
    from pypdf.errors import LimitReachedError

    with apply_configuration(Configuration().with_overwrites(**_LIMITS)), _listening() as heard:
        try:
            reader = PdfReader(io.BytesIO(data), xref_stream_maximum_entries=200_000)
            pages = tuple(_pages(reader))
        except (LimitReachedError, _TooMuch) as wrong:
            expected = f"até {MOST_PAGES} páginas de texto"
            raise Unfit(finding("F03", found="PDF que se expande demais", expected=expected)) from wrong
        except Unfit:
            raise
        except Exception as wrong:  # pypdf meets a broken PDF with whatever exception it stumbled on
            found = f"PDF quebrado ({type(wrong).__name__})"
            raise Unfit(finding("F05", found=found, expected="PDF inteiro, como o sistema o deu")) from wrong
    if not pages:
        raise Unfit(finding("F05", found="PDF sem páginas", expected="PDF inteiro, como o sistema o deu"))
    if not any(page.strip() for page in pages):
        raise Unfit(
            finding(
                "F04",
                found="PDF sem texto (imagem ou digitalização)",
                expected="PDF com texto, como o sistema o deu",
                severity=Severity.REVIEW,
            )
        )
    return Text(pages, heard[0] if heard else "")


class _TooMuch(Exception):
    """More pages, operations or text than a certificate ever has."""


def _pages(reader: Any) -> Iterator[str]:
    if reader.is_encrypted and not reader.decrypt(""):
        raise Unfit(finding("F04", found="PDF com senha", expected="PDF sem senha"))
    if len(reader.pages) > MOST_PAGES:
        raise _TooMuch
    operations = length = 0

    def counted(*_: object) -> None:
        nonlocal operations
        operations += 1
        if operations > MOST_OPERATIONS:
            raise _TooMuch

    for page in reader.pages:
        text = page.extract_text(visitor_operand_before=counted)
        length += len(text)
        # A form inside a page swallows what stops it: so the count is looked at again here.
        if length > MOST_TEXT or operations > MOST_OPERATIONS:
            raise _TooMuch
        yield text


@contextmanager
def _listening() -> Iterator[list[str]]:
    """What pypdf warns of meanwhile, which is about the file and not for the log of who runs this."""
    heard: list[str] = []

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard.append(record.getMessage()[:120])

    logger, ear = logging.getLogger("pypdf"), Ear(logging.WARNING)
    propagates = logger.propagate
    logger.addHandler(ear)
    logger.propagate = False
    try:
        yield heard
    finally:
        logger.removeHandler(ear)
        logger.propagate = propagates
