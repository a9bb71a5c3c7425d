"""Documents of which several norms ask the same contents: each norm gives the provision behind its own."""

from __future__ import annotations

from lastro.lawkit.contents import Contents, Field, Part


def dossier(article: str) -> Contents:
    """What a company outside every entity keeps for the agencies: its plan, its points, where it all went."""
    parts = (
        Part("plan_version", article, (Field("version"), Field("on", "date"), Field("document")), many=False),
        Part("points", article, (Field("id"), Field("address"), Field("municipality", "town"))),
        Part(
            "destined", article, (Field("certificate"), Field("recycler", "cnpj"), Field("mass", "kg")),
            sums=("mass",),
        ),
    )  # fmt: skip
    return Contents({}, parts)


def importer(article: str) -> Contents:
    """Who runs the system of an importer, as it is told on the day of a statement."""
    who = (Field("system"), Field("cnpj", "cnpj"), Field("name"), Field("on", "date"))
    return Contents({}, (Part("system_runner", article, who, many=False),))


def by_system(article: str) -> Part:
    """What a group tells the ministry of each system: sums, and no weight of a company."""
    fields = (
        Field("cnpj", "cnpj"), Field("name"), Field("delivered_on", "date"), Field("municipalities", "count"),
        Field("points", "count"), Field("received", "kg"), Field("destined", "kg"), Field("owed", "kg"),
    )  # fmt: skip
    return Part("systems", article, fields, sums=("municipalities", "points", "received", "destined", "owed"))
