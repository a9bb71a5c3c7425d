"""Workbooks: a report's data set written as `.xlsx`, one sheet a section, and one of what it is all made of.

Comes in: a data set and its heading. Goes out: the file's bytes, the same for the same data. Text stays text,
whatever it looks like: nothing that a name says is ever a formula, a link or a number.
"""

from lastro.workbooks.write import workbook

__all__ = ["workbook"]
