"""The sales behind one sale as a drawing: who sold to whom, how much, and what of it counted. Plain SVG."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from lastro.custody.chain import Flow, Party
from lastro.units import Mass

MOST = 8
"""How many parties stand in one column; the others are told as a number."""

_WIDE, _HIGH, _APART, _BETWEEN = 180, 56, 30, 190


@dataclass(frozen=True)
class Edge:
    """What one party sold another, all notes of it together; masses None where they may not be shown.

    `told` is the sale whose story it is. `sales` are the lines of notes, by key and number.
    """

    seller: Party
    buyer: Party
    mass: Mass | None
    credited: Mass | None
    sales: tuple[tuple[str, int], ...]
    told: bool = False


@dataclass(frozen=True)
class Graph:
    """Parties in columns, from the buyer of the sale (0) to who sold to its seller's sellers, and the sales.

    `beyond` tells how many parties stand farther off than was asked, or had no room.
    """

    columns: tuple[tuple[Party, ...], ...]
    edges: tuple[Edge, ...]
    beyond: int


def graph(flows: Iterable[Flow], told: Flow, *, depth: int, hidden: Iterable[str] = ()) -> Graph:
    """The sales of the same material that came before one, `depth` steps back; of `hidden` keys no masses."""
    before = [
        one
        for one in flows
        if one.material is told.material and (one.at, one.sale) < (told.at, told.sale) and one.handed_mg
    ]
    columns: list[tuple[Party, ...]] = [(told.buyer,)]
    placed, edges = {told.buyer}, [_edge([told], set(), told=True)]
    edge, beyond, veiled = {told.seller}, 0, set(hidden)
    for _ in range(depth):
        weights = {who: sum(f.mass_mg for f in before if f.seller == who) for who in edge}
        column = sorted(edge, key=lambda who: (-weights[who], who))
        columns.append(tuple(column[:MOST]))
        beyond += len(column[MOST:])
        placed |= set(columns[-1])
        pairs: defaultdict[tuple[Party, Party], list[Flow]] = defaultdict(list)
        for flow in before:
            if flow.buyer in columns[-1]:
                pairs[flow.seller, flow.buyer].append(flow)
        edges += [_edge(found, veiled) for _, found in sorted(pairs.items())]
        edge = {seller for seller, _ in pairs} - placed
        if not edge:
            break
    beyond += len(edge)
    kept = tuple(one for one in edges if one.seller in placed and one.buyer in placed)
    return Graph(tuple(columns), kept, beyond)


def _edge(flows: list[Flow], hidden: set[str], *, told: bool = False) -> Edge:
    open_ = not any(flow.access_key in hidden for flow in flows)
    return Edge(
        flows[0].seller,
        flows[0].buyer,
        Mass(sum(flow.mass_mg for flow in flows)) if open_ else None,
        Mass(sum(flow.credited_mg for flow in flows)) if open_ else None,
        tuple(flow.sale for flow in flows),
        told,
    )


def picture(
    shown: Graph, *, labels: Mapping[Party, str], links: Mapping[tuple[str, int], str], title: str
) -> str:
    """The drawing: mass goes from left to right, each box a party, each line what one sold the other.

    `links` leads from the line of a note to its page; a line of one single note is such a link.
    """
    steps = len(shown.columns)
    tallest = max(len(column) for column in shown.columns)
    width = steps * _WIDE + (steps - 1) * _BETWEEN + 2 * _APART
    height = tallest * (_HIGH + _APART) + _APART
    places = _places(shown, height)
    parts = [_line(edge, places, links) for edge in shown.edges]
    parts += [_box(labels.get(who, who), *at) for who, at in places.items()]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" role="group" aria-label={quoteattr(title)}>'
        '<defs><marker id="seta" markerUnits="userSpaceOnUse" markerWidth="14" markerHeight="12" '
        'refX="13" refY="6" '
        'orient="auto">'
        '<path d="M0 0L14 6L0 12z" fill="#1351b4"/></marker></defs>'
        f"{''.join(parts)}</svg>"
    )


def _places(shown: Graph, height: int) -> dict[Party, tuple[int, int]]:
    """Where the box of each party begins: the buyer on the right, who sold first on the left."""
    found: dict[Party, tuple[int, int]] = {}
    for column, parties in enumerate(reversed(shown.columns)):
        taken = len(parties) * (_HIGH + _APART) - _APART
        for row, who in enumerate(parties):
            x = _APART + column * (_WIDE + _BETWEEN)
            found.setdefault(who, (x, (height - taken) // 2 + row * (_HIGH + _APART)))
    return found


def _box(label: str, x: int, y: int) -> str:
    words = _two_rows(label)
    rows = "".join(
        f'<text x="{x + _WIDE // 2}" y="{y + 22 + n * 17 + (0 if len(words) > 1 else 8)}" font-size="13" '
        f'text-anchor="middle" fill="#1b1b1b">{escape(row)}</text>'
        for n, row in enumerate(words)
    )
    box = f'<rect x="{x}" y="{y}" width="{_WIDE}" height="{_HIGH}" rx="6" fill="#edf5ff" stroke="#1351b4"/>'
    return box + rows


def _two_rows(label: str) -> list[str]:
    """A label in at most two rows of some twenty letters."""
    rows = [""]
    for word in label.split():
        if len(rows[-1]) + len(word) > 19 and rows[-1]:
            rows.append("")
        rows[-1] = f"{rows[-1]} {word}".strip()
    return [row[:22] for row in rows[:2]]


def _line(edge: Edge, places: Mapping[Party, tuple[int, int]], links: Mapping[tuple[str, int], str]) -> str:
    drawn, middle = _stroke(edge, *places[edge.seller], *places[edge.buyer])
    words = _said(edge)
    text = "".join(
        f'<text x="{middle[0]}" y="{middle[1] - 22 + n * 14}" font-size="11" text-anchor="middle" '
        f'stroke="#ffffff" stroke-width="3" paint-order="stroke" fill="#1b1b1b">{escape(row)}</text>'
        for n, row in enumerate(words)
    )
    link = links.get(edge.sales[0]) if len(edge.sales) == 1 and not edge.told else None
    return f"{drawn}<a href={quoteattr(link)}>{text}</a>" if link else drawn + text


def _stroke(edge: Edge, x1: int, y1: int, x2: int, y2: int) -> tuple[str, tuple[int, int]]:
    """The line of a sale and where its words stand; within a column it bends to the right."""
    dash = "" if edge.mass is not None else ' stroke-dasharray="6 5"'
    look = f'stroke="#1351b4" stroke-width="{4 if edge.told else 2}"{dash} marker-end="url(#seta)"'
    y1, y2 = y1 + _HIGH // 2, y2 + _HIGH // 2
    if x1 == x2:
        side, bend = x1 + _WIDE, x1 + _WIDE + 80
        curve = f"M{side} {y1 + 12}C{bend} {y1 + 12} {bend} {y2 - 12} {side} {y2 - 12}"
        path = f'<path d="{curve}" fill="none" {look}/>'
        return path, (side + 60, (y1 + y2) // 2 + 14)
    back = x2 < x1  # sold back to a column farther to the left: from the left side, downwards
    start, end = x1 if back else x1 + _WIDE, x2 + _WIDE if back else x2
    line = f'<line x1="{start}" y1="{y1}" x2="{end}" y2="{y2}" {look}/>'
    return line, ((start * 2 + end) // 3, (y1 * 2 + y2) // 3)


def _said(edge: Edge) -> list[str]:
    """What stands on a line: how many notes, how much, and how much of it counted."""
    if edge.mass is None or edge.credited is None:
        return ["nota de outro", "verificador"]
    many = "" if len(edge.sales) == 1 else f"{len(edge.sales)} itens: "
    return [f"{many}{edge.mass}", f"contam {edge.credited}"]
