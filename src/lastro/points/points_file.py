"""The points of a system as a JSON document, with the municipalities in question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from lastro import jsonfile
from lastro.ids import UF_BY_CODE, Material, uf_of
from lastro.jsonfile import Expected, Node, once_each
from lastro.points.need import CONSOLIDATION, RECEIVING, Point
from lastro.tables import box_of
from lastro.tables.populations import Place, in_state, places
from lastro.units import decimal_text, exact

DAY = "uma data, como 2026-03-31"
NEVER = date.min
DATUM = "SIRGAS 2000"
_NONE: tuple[str, ...] = ()
MATERIALS = f"uma lista de materiais, entre {', '.join(one.value for one in Material)}"


@dataclass(frozen=True)
class Due:
    """Points that a schedule asks of a municipality by the end of a year."""

    municipality: str
    year: int
    points: int


@dataclass(frozen=True)
class Asked:
    """The municipalities in question and the points that stand or stood in them."""

    towns: tuple[Place, ...]
    points: tuple[Point, ...]
    phase_began: date | None
    schedule: tuple[Due, ...] = ()


def parse(text: str, *, coordinates: bool) -> Asked:
    """Read the document; `coordinates` must be told where the norm asks for them. Raises JsonRefused."""
    return jsonfile.read_document(text, lambda top: _asked(top, coordinates))


def _asked(top: Node, coordinates: bool) -> Asked:
    states = top.may("states", _states, _NONE, "uma lista de siglas de estados")
    codes = top.may("municipalities", _codes, _NONE, "uma lista de códigos IBGE de 7 dígitos")
    points = top.each("points", lambda row: _point(row, coordinates))
    towns = {one.code: one for uf in states for one in in_state(uf)} | {c: places()[c] for c in codes}
    if not towns:
        top.wrong("states", None, "ao menos um estado ou município")
    for i, point in enumerate(points):
        if point.municipality and point.municipality not in towns:
            top.wrong(f"points[{i}].municipality", point.municipality, "um dos municípios em questão")
    began = top.may("phase_began", _day, None, DAY)
    schedule = top.each("schedule", _due)
    once_each(top, "schedule", [(one.municipality, one.year) for one in schedule])
    top.close()
    return Asked(tuple(towns[code] for code in sorted(towns)), points, began, schedule)


def _due(row: Node) -> Due:
    return Due(
        municipality=row.need("municipality", _code, "", "um código IBGE de 7 dígitos"),
        year=row.need("year", jsonfile.year, 0, "o ano até cujo fim os pontos se instalam"),
        points=row.need("points", jsonfile.count, 0, "quantos pontos, zero ou mais"),
    )


def _point(row: Node, coordinates: bool) -> Point:
    made = Point(
        municipality=row.need("municipality", _code, "", "um código IBGE de 7 dígitos"),
        kind=row.need("kind", jsonfile.one_of((RECEIVING, CONSOLIDATION)), "", "receiving ou consolidation"),
        since=row.need("since", jsonfile.day, NEVER, DAY),
        until=row.may("until", _day, None, DAY),
        latitude=row.may("latitude", _degrees(-34, 6), None, 'graus como texto, como "-15.601", no país'),
        longitude=row.may("longitude", _degrees(-74, -28), None, 'graus como texto, como "-56.097", no país'),
        name=row.may("name", jsonfile.text, "", "o nome do ponto"),
        address=row.may("address", jsonfile.text, "", "o endereço, como se acha na rua"),
        hours=row.may("hours", jsonfile.text, "", "os dias e as horas em que atende"),
        materials=row.may("materials", _materials, (), MATERIALS),
    )
    if made.latitude is not None and made.longitude is not None:
        _in_its_state(row, made.municipality, made.latitude, made.longitude)
    datum = row.may("datum", jsonfile.text, "", DATUM)
    if (made.latitude is None) != (made.longitude is None):
        row.wrong("longitude", None, "latitude e longitude, as duas")
    if coordinates and made.latitude is None:
        row.wrong("latitude", None, f"as coordenadas do ponto, em {DATUM}")
    if made.latitude is not None and datum.replace("-", " ").upper() not in (DATUM, "SIRGAS2000"):
        row.wrong("datum", datum or None, DATUM)
    return made


def _in_its_state(row: Node, municipality: str, latitude: Fraction, longitude: Fraction) -> None:
    """A point stands in the state of its municipality; signs lost or exchanged degrees put it elsewhere."""
    uf = uf_of(municipality) or ""
    box = box_of(uf)
    if box is None:
        return
    for key, found, least, most in (
        ("latitude", latitude, box.south, box.north),
        ("longitude", longitude, box.west, box.east),
    ):
        if not least <= found <= most:
            between = f"{decimal_text(least)} e {decimal_text(most)}"
            row.wrong(key, decimal_text(found), f"graus do estado do município ({uf}: entre {between})")


def _degrees(least: int, most: int) -> Any:
    def read(value: Any) -> Fraction | None:
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise ValueError
        found = exact(str(value))
        if not least <= found <= most:
            raise ValueError
        return found

    return read


def _states(value: Any) -> tuple[str, ...]:
    return _listed(value, set(UF_BY_CODE.values()))


def _codes(value: Any) -> tuple[str, ...]:
    return _listed(value, set(places()))


def _materials(value: Any) -> tuple[Material, ...]:
    return tuple(Material(one) for one in _listed(value, {one.value for one in Material}))


def _listed(value: Any, known: set[str]) -> tuple[str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or any(one not in known for one in value):
        raise ValueError
    return tuple(value)


def _code(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    if uf_of(value) is not None and value not in places():
        raise Expected("o código IBGE de um município (este não existe)")
    if value not in places():
        raise ValueError
    return str(value)


def _day(value: Any) -> date | None:
    return jsonfile.day(value)
