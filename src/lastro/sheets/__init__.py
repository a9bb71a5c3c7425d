"""Tables as people and programs write them, read cell by cell: `.xlsx`, `.csv` and `.json`.

Comes in: a file's name and bytes. Goes out: sheets of cells, exactly as written; what a cell means is for
whoever asked for the table to say, and nothing is guessed here.
"""

from lastro.sheets.cells import Cell, Issue, Row, Sheet, letter
from lastro.sheets.files import read
from lastro.sheets.heads import Head, Heading, find_heading, folded
from lastro.sheets.numbers import Ambiguous, decimal, safe_text, two_readings
from lastro.sheets.pause import cells_stay
from lastro.sheets.stream import bounded, stream

__all__ = [
    "Ambiguous",
    "Cell",
    "Head",
    "Heading",
    "Issue",
    "Row",
    "Sheet",
    "bounded",
    "cells_stay",
    "decimal",
    "find_heading",
    "folded",
    "letter",
    "read",
    "safe_text",
    "stream",
    "two_readings",
]
