"""What the decree asks of a system of one's own (art. 25) and of an importer (art. 34)."""

from __future__ import annotations

from lastro.lawkit import Law
from lastro.lawkit.contents import Contents, Field, Part


def dossier(law: Law, *, year: int) -> Contents:
    """What a company outside every entity keeps for the agencies: its plan, its points, where it all went."""
    article = law.norm.cite(("art25",))
    parts = (
        Part("plan_version", article, (Field("version"), Field("on", "date"), Field("document")), many=False),
        Part("points", article, (Field("id"), Field("address"), Field("municipality", "town"))),
        Part(
            "destined", article, (Field("certificate"), Field("recycler", "cnpj"), Field("mass", "kg")),
            sums=("mass",),
        ),
    )  # fmt: skip
    return Contents({}, parts)


def importer(law: Law, *, year: int) -> Contents:
    """Who runs the system of an importer, as it is told on the day of a statement."""
    article = law.norm.cite(("art34-II",))
    who = (Field("system"), Field("cnpj", "cnpj"), Field("name"), Field("on", "date"))
    return Contents({}, (Part("system_runner", article, who, many=False),))


INDIVIDUAL = {"individual-file": dossier, "importer-statement": importer}
