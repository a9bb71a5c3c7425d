"""What the draft asks of a system of one's own (art. 29) and of an importer (art. 39)."""

from __future__ import annotations

from lastro.lawkit import Law, forms
from lastro.lawkit.contents import Contents


def dossier(law: Law, *, year: int) -> Contents:
    """What a company outside every entity keeps for the agencies."""
    return forms.dossier(law.norm.cite(("art29",)))


def importer(law: Law, *, year: int) -> Contents:
    """Who runs the system of an importer."""
    return forms.importer(law.norm.cite(("art39-II",)))


INDIVIDUAL = {"individual-file": dossier, "importer-statement": importer}
