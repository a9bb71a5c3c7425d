"""The sections of a report that add masses up: placed, recovered, by origin, by place, and beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from lastro.facts import Placement
from lastro.ids import Material, uf_of
from lastro.lawkit import Regulation
from lastro.reports.cells import Cell, Row, Section, Source, combined, digest_of, rows_of
from lastro.reports.members import Members
from lastro.reports.standing import Declared, Fallen, Held, Moved, Standing
from lastro.units import total


def ordered(materials: Iterable[Material], regulation: Regulation) -> list[Material]:
    """Materials in the norm's order of groups; those it has no group for come last."""
    groups = {g: n for n, g in enumerate(regulation.groups)}
    names = list(Material)
    return sorted(
        set(materials), key=lambda m: (groups.get(regulation.group(m) or "", len(groups)), names.index(m))
    )


# ── placed ───────────────────────────────────────────────────────────────────────────────────────────


def placed(members: Members, *, regulation: Regulation, article: str, collective: str) -> Section:
    """What the adherents placed on the state's market in the base year: totals by material, no one's own."""
    uf = regulation.norm.jurisdiction
    rows = [(d, p) for d in members.of_base_year for p in d.placements if p.uf == uf or p.national]
    materials = ordered((p.material for _, p in rows), regulation)
    made = [
        _placed(members, m.value, [x for x in rows if x[1].material is m], uf, regulation) for m in materials
    ]
    every = [x for x in rows if regulation.group(x[1].material)]
    if made:
        made.append(_placed(members, "total", every, uf, regulation))
    notes = [f"Só totais do conjunto: a massa de cada empresa não se mostra ({collective})."]
    if members.silent:
        notes.append(f"Soma parcial: faltam as declarações de {len(members.silent)} estabelecimentos.")
    return Section("placed", ("material", "group", "mass", "returnable", "companies"), tuple(made), article,
                   tuple(notes))  # fmt: skip


def _placed(
    members: Members,
    key: str,
    rows: Sequence[tuple[Declared, Placement]],
    uf: str,
    regulation: Regulation,
) -> Row:
    here = [(d, p) for d, p in rows if p.uf == uf and not p.national]
    stated = {(d.number, p.material) for d, p in here}
    unknown = [d for d, p in rows if p.national and (d.number, p.material) not in stated]
    sources = members.source(list({d.number: d for d, _ in rows}.values()))
    code = "T01" if unknown else "T02" if members.silent or members.shared else ""
    group = "" if key == "total" else regulation.group(Material(key)) or ""
    companies = {d.company for d, _ in rows}
    return Row(
        key,
        {
            "material": Cell(key, "label"),
            "group": Cell(group or None, "label", code="" if group or key == "total" else "T03"),
            "mass": Cell(None if unknown else total(p.mass for _, p in here), "kg", sources, code),
            "returnable": Cell(
                None if unknown else total(p.returnable for _, p in here), "kg", sources, code
            ),
            "companies": Cell(len(companies), "count", sources, code="T12" if len(companies) == 1 else ""),
        },
    )


# ── recovered ────────────────────────────────────────────────────────────────────────────────────────


def moved_cell(standing: Standing, rows: Sequence[Moved], **where: Any) -> Cell:
    """The mass of some retired entries, and where to find them again."""
    parts = [(m.entries, m.digest) for m in rows]
    sources = combined("entries", standing.entity, through=standing.through, parts=parts, **where)
    return Cell(total(m.mass for m in rows), "kg", sources)


def fallen_cell(standing: Standing, rows: Sequence[Fallen], **where: Any) -> Cell:
    """Retired mass whose evidence fell, and where to find it again: by the names of its lots."""
    parts = [(one.entries, one.digest) for one in rows]
    lots = sorted({one.lot for one in rows})
    sources = combined("entries", standing.entity, through=standing.through, parts=parts, lots=lots, **where)
    return Cell(total(one.mass for one in rows), "kg", sources, code="T04" if rows else "")


def counted_cell(standing: Standing, rows: Sequence[Moved], fallen: Sequence[Fallen], **where: Any) -> Cell:
    """What still counts of some retired entries: all of them but those of the lots whose evidence fell."""
    if not fallen:
        return moved_cell(standing, rows, **where)
    lots = sorted({one.lot for one in fallen})
    count = sum(m.entries for m in rows) - sum(one.entries for one in fallen)
    digest = digest_of([sorted(m.digest for m in rows), sorted(one.digest for one in fallen)])
    asked = {name: value for name, value in where.items() if value is not None} | {"without_lots": lots}
    source = Source("entries", standing.entity, asked, count, digest, through=standing.through)
    return Cell(total(m.mass for m in rows) - total(one.mass for one in fallen), "kg", (source,))


def recovered(standing: Standing, *, regulation: Regulation, article: str) -> Section:
    """What was retired for the year, by material and by the way it came: proved lots, or certificates.

    Beside it what fell of it since, and what is left: that alone counts.
    """
    rows = []
    for material in ordered((m.material for m in standing.retired), regulation):
        mine = [m for m in standing.retired if m.material is material]
        rows.append(_recovered(standing, material.value, mine, regulation.group(material), material.value))
    if rows:
        rows.append(_recovered(standing, "total", standing.retired, None, None))
    notes = _fell_note(standing) if rows else (f"Nenhuma massa foi baixada para {standing.year}.",)
    columns = ("material", "group", "lots", "certificates", "total", "fallen", "counted")
    return Section("recovered", columns, tuple(rows), article, notes)


def _fell_note(standing: Standing) -> tuple[str, ...]:
    """That part of what a table adds up counts no more; nothing where nothing fell."""
    if not standing.fallen:
        return ()
    mass = total(one.mass for one in standing.fallen)
    return (f"Prova que caiu depois da baixa: {mass}, que estão na soma das baixas e não contam.",)


def _recovered(
    standing: Standing, key: str, rows: Sequence[Moved], group: str | None, material: str | None
) -> Row:
    fallen = [one for one in standing.fallen if material in (None, one.material.value)]

    def way(name: str) -> Cell:
        return moved_cell(standing, [m for m in rows if m.way == name], material=material, way=name)

    return Row(
        key,
        {
            "material": Cell(key, "label"),
            "group": Cell(group, "label"),
            "lots": way("lots"),
            "certificates": way("certificates"),
            "total": moved_cell(standing, rows, material=material),
            "fallen": fallen_cell(standing, fallen, material=material),
            "counted": counted_cell(standing, rows, fallen, material=material),
        },
    )


def origins(standing: Standing, *, regulation: Regulation, article: str) -> Section:
    """The same mass by the origin of the material, a column for each group of the norm."""

    def of(moved: Moved) -> str:
        return moved.origin.value if moved.origin else ""

    keys = sorted({of(m) for m in standing.retired})
    rows = [
        _spread(standing, key or "unknown", [m for m in standing.retired if of(m) == key], regulation,
                {"origin": Cell(key or None, "label", code="" if key else "T02")}, origin=key)
        for key in keys
    ]  # fmt: skip
    if rows:
        rows.append(
            _spread(standing, "total", standing.retired, regulation, {"origin": Cell("total", "label")})
        )
    columns = ("origin", *regulation.groups, "total")
    return Section("origins", columns, tuple(rows), article, _fell_note(standing))


def geography(standing: Standing, *, regulation: Regulation, article: str) -> Section:
    """The same mass by municipality of collection; G04 where only the note's municipality is known."""
    rows = []
    for place in sorted({m.municipality for m in standing.retired}):
        mine = [m for m in standing.retired if m.municipality == place]
        head = {
            "municipality": Cell(place or None, "town", code="" if place else "G04"),
            "uf": Cell(uf_of(place), "text", code="" if uf_of(place) else "G01"),
        }
        rows.append(_town(standing, place or "unknown", mine, regulation, head, municipality=place))
    if rows:
        head = {"municipality": Cell("total", "label"), "uf": Cell(None)}
        rows.append(_town(standing, "total", standing.retired, regulation, head))
    columns = ("municipality", "uf", *regulation.groups, "total", "by_note")
    return Section("geography", columns, tuple(rows), article, _fell_note(standing))


def _town(
    standing: Standing,
    key: str,
    rows: Sequence[Moved],
    regulation: Regulation,
    head: dict[str, Cell],
    **where: str,
) -> Row:
    by_note = [m for m in rows if m.municipality_source == "invoice"]
    cell = moved_cell(standing, by_note, municipality_source="invoice", **where)
    tail = {"by_note": Cell(cell.value, "kg", cell.provenance, code="G04" if by_note else "")}
    return Row(key, {**_spread(standing, key, rows, regulation, head, **where).cells, **tail})


def served(standing: Standing, *, regulation: Regulation, article: str) -> Section:
    """How many of the state's municipalities the mass that counts came from.

    The geographic target is not computed.
    """
    uf = regulation.norm.jurisdiction
    here = [m for m in standing.retired if uf_of(m.municipality) == uf]
    gone = [one for one in standing.fallen if uf_of(one.municipality) == uf]
    left: Counter[str] = Counter()
    for one in here:
        left[one.municipality] += one.mass.mg
    for fell in gone:
        left[fell.municipality] -= fell.mass.mg
    towns = sorted(town for town, mg in left.items() if mg)
    here = [m for m in here if m.municipality in towns]
    gone = [one for one in gone if one.municipality in towns]
    sources = counted_cell(standing, here, gone, municipality=towns).provenance
    pairs = [
        ("served", Cell(len(towns), "count", sources)),
        ("geographic_target", Cell(None, "text", (Source("rule", article=article),), code="T01")),
    ]
    return Section("served", ("value",), rows_of(pairs), article, tuple(regulation.uncomputed))


def _spread(
    standing: Standing,
    key: str,
    rows: Sequence[Moved],
    regulation: Regulation,
    head: dict[str, Cell],
    **where: str,
) -> Row:
    cells = dict(head)
    for group in regulation.groups:
        materials = [m.value for m in Material if regulation.group(m) == group]
        mine = [m for m in rows if m.material.value in materials]
        cells[group] = moved_cell(standing, mine, material=materials, **where)
    cells["total"] = moved_cell(standing, rows, **where)
    return Row(key, cells)


# ── beside ───────────────────────────────────────────────────────────────────────────────────────────


def beside(standing: Standing, *, regulation: Regulation, article: str) -> Section:
    """What is proved and not used: it stands beside the report and counts for nobody in it."""
    kinds: dict[str, tuple[str, bool | None]] = {
        "homologated": ("lot", True), "verified": ("lot", False), "certified": ("certificate", None),
    }  # fmt: skip

    def pick(account: str, named: bool | None) -> Callable[[Held], bool]:
        return lambda h: h.account == account and named in (None, h.homologated)

    rows = []
    materials = ordered((h.material for h in standing.held), regulation)
    for key, mine in [(m.value, [h for h in standing.held if h.material is m]) for m in materials]:
        cells = {"material": Cell(key, "label")}
        for name, (account, named) in kinds.items():
            held = [h for h in mine if pick(account, named)(h)]
            cells[name] = _held(standing, held, account, named, key)
        rows.append(Row(key, cells))
    if rows:
        cells = {"material": Cell("total", "label")}
        for name, (account, named) in kinds.items():
            held = [h for h in standing.held if pick(account, named)(h)]
            cells[name] = _held(standing, held, account, named, None)
        rows.append(Row("total", cells))
    notes = ("Massa comprovada e ainda não baixada para ninguém: não entra nas somas deste relatório.",)
    return Section("beside", ("material", *kinds), tuple(rows), article, notes)


def _held(
    standing: Standing, rows: Sequence[Held], account: str, named: bool | None, material: str | None
) -> Cell:
    where = {"account": account, "homologated": named, "material": material}
    parts = [(h.accounts, h.digest) for h in rows]
    sources = combined("lots", standing.entity, through=standing.through, parts=parts, **where)
    return Cell(total(h.mass for h in rows), "kg", sources)
