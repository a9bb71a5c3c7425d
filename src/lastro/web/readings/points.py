"""Collection points as anybody finds them: from the lists that systems filed, on a map and in a list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from html import escape
from typing import Any

from lastro import points
from lastro.filings import Filing, Kind, Subject
from lastro.ids import UF_BY_CODE, uf_of
from lastro.lawkit import library
from lastro.lawkit.glossary import label
from lastro.points import Asked, Point
from lastro.stores.postgres.filings import NOBODY, Filings
from lastro.tables.populations import in_state, places
from lastro.units import decimal_text
from lastro.web import office

KINDS = {"receiving": "recebimento", "consolidation": "consolidação"}
UFS = tuple(sorted(UF_BY_CODE.values()))


# ── to file ──────────────────────────────────────────────────────────────────────────────────────────


def subject(entity: str, norm: str) -> Subject:
    """One list of points for each entity and norm, in versions."""
    return Subject(Kind.POINTS, entity, norm=norm)


def parsed(norm: str, text: str) -> Asked:
    """The file that `lastro points` reads, read as the norm asks. Raises LastroError saying what to mend."""
    regulation = library.find(norm)
    asked_for = False
    if regulation.sites is not None:
        asked_for = regulation.sites(regulation.law(office.today())).coordinates
    return points.parse(text, coordinates=asked_for)


def file_list(entity: str, norm: str, text: str, *, by: str, after: int = 0) -> Filing:
    """File an entity's points, for everybody to see; `after` is the version that was looked at.

    Raises LastroError saying what to mend, or that somebody filed another version meanwhile.
    """
    asked = parsed(norm, text)
    body: dict[str, Any] = {"points": [_row(one) for one in asked.points], "file": json.loads(text)}
    mine = Filings(office.store(), sees=entity)
    return mine.add(subject(entity, norm), body, by=by, on=office.today(), after=after, public=True)


def _row(one: Point) -> dict[str, Any]:
    told = (one.latitude, one.longitude)
    return {
        "municipality": one.municipality,
        "kind": one.kind,
        "since": one.since.isoformat(),
        "until": one.until.isoformat() if one.until else None,
        "at": None if None in told else [decimal_text(degrees) for degrees in told if degrees is not None],
        "name": one.name,
        "address": one.address,
        "hours": one.hours,
        "materials": [m.value for m in one.materials],
    }


# ── to find ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Found:
    """A point that works today, and whose list it stands in."""

    number: int
    entity: str
    norm: str
    told_on: date
    body: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.body["name"]) or f"Ponto de {self.kind}"

    @property
    def kind(self) -> str:
        return KINDS[self.body["kind"]]

    @property
    def municipality(self) -> str:
        return str(self.body["municipality"])

    @property
    def town(self) -> str:
        return places()[self.municipality].name

    @property
    def uf(self) -> str:
        return uf_of(self.municipality) or ""

    @property
    def materials(self) -> tuple[str, ...]:
        return tuple(self.body["materials"])

    @property
    def materials_words(self) -> str:
        return ", ".join(label(m) for m in self.materials) or "não informado"

    @property
    def where(self) -> tuple[Fraction, Fraction]:
        """Latitude and longitude: the point's own, or its municipality's seat where it tells none."""
        if self.body["at"]:
            return Fraction(self.body["at"][0]), Fraction(self.body["at"][1])
        seat = places()[self.municipality]
        return seat.latitude, seat.longitude

    @property
    def coordinates(self) -> str:
        return ", ".join(self.body["at"]) if self.body["at"] else ""


def working(on: date) -> list[Found]:
    """Every point that works on a day, by the lists that stand and are public."""
    lists = Filings(office.store(), sees=NOBODY).standing(Kind.POINTS)
    rows = [(filing, row) for filing in lists for row in filing.body["points"] if _works(row, on)]
    found = [
        Found(n, filing.subject.party, filing.subject.norm, filing.on, row)
        for n, (filing, row) in enumerate(rows, 1)
    ]
    return sorted(found, key=lambda one: (one.uf, one.town, one.name))


def _works(row: dict[str, Any], on: date) -> bool:
    until = row["until"]
    return date.fromisoformat(row["since"]) <= on and (until is None or on <= date.fromisoformat(until))


def chosen(found: Iterable[Found], *, uf: str = "", town: str = "", material: str = "") -> list[Found]:
    """Those of a state, a municipality and a material; what a point does not tell it may still take."""
    return [
        one
        for one in found
        if (not uf or one.uf == uf)
        and (not town or one.municipality == town)
        and (not material or not one.materials or material in one.materials)
    ]


def usual_state(found: Sequence[Found]) -> str:
    """The state with most points, where the map begins; Mato Grosso where there is none yet."""
    ufs = [one.uf for one in found]
    return max(sorted(set(ufs)), key=ufs.count) if ufs else "MT"


# ── the map ──────────────────────────────────────────────────────────────────────────────────────────

_WIDE = 640


def drawn(uf: str, found: Sequence[Found]) -> str:
    """A state as a picture: the seats of its municipalities in grey, the points in colour over them."""
    here, towns = [one for one in found if one.uf == uf], in_state(uf)
    every = [*((one.latitude, one.longitude) for one in towns), *(one.where for one in here)]
    north, south = max(lat for lat, _ in every), min(lat for lat, _ in every)
    west, east = min(lon for _, lon in every), max(lon for _, lon in every)
    scale = _WIDE / max(east - west, north - south, Fraction(1, 100))
    wide, high = round((east - west) * scale), round((north - south) * scale)

    def at(latitude: Fraction, longitude: Fraction) -> tuple[int, int]:
        return round(scale * (longitude - west)), round(scale * (north - latitude))

    seats = "".join(_dot(*at(one.latitude, one.longitude), 2, "seat") for one in towns)
    marks = "".join(
        _dot(*at(*one.where), 7, one.body["kind"], f"{one.name}, {one.town}: {one.materials_words}")
        for one in here
    )
    return (
        f'<svg viewBox="-15 -15 {wide + 30} {high + 30}" role="img" class="map" '
        f'aria-label="Mapa de {uf} com os pontos; a lista abaixo diz o mesmo">{seats}{marks}</svg>'
    )


def _dot(x: int, y: int, size: int, kind: str, title: str = "") -> str:
    if not title:
        return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{size}"/>'
    return f'<circle class="{kind}" cx="{x}" cy="{y}" r="{size}"><title>{escape(title)}</title></circle>'
