"""What an entity tells the agency: the annual results report, and the verifier's statement it leans on.

Comes in: what stands for an entity and year (`standing.Standing`), a norm, a day. Goes out: a data set whose
every number knows what it is made of; PDF, sheets and JSON are written from it and say the same.
"""

from lastro.reports.cells import Block, Cell, DataSet, Row, Section, Source
from lastro.reports.desk import Case, Heading, issue_statement, preview, state, submit
from lastro.reports.standing import Made, Memory, Partnership, Standing, Version

__all__ = [
    "Block", "Case", "Cell", "DataSet", "Heading", "Made", "Memory", "Partnership", "Row", "Section",
    "Source", "Standing", "Version", "issue_statement", "preview", "state", "submit",
]  # fmt: skip
