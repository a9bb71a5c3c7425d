"""What the verifier hands back of sealed declarations: sums by group, signed, and the rows counted in them.

A declaration is all boxes of one company for one year; the latest version stands. A sum is told only where
lastro.disclosure lets it stand beside the others. The list of commitments is what each company looks its own
rows up in; the verifier's signature is what it answers with for the sums.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from lastro.blackbox.seal import Box, Row, Unreadable, commitment, open_box
from lastro.disclosure import Atom, publishable
from lastro.errors import LastroError
from lastro.facts import Placement
from lastro.units import Mass, Money, total

FEW, UNKNOWN, ALL = "few", "unknown", ""
Owes = Callable[[str, Sequence[Placement]], Mapping[str, Mass | None]]
"""What a company owes, by the norm's groups, from what it placed; None where it cannot be told."""


@dataclass(frozen=True)
class Sealed:
    """All sealed rows of one company for one year, in one version."""

    company: str
    year: int
    version: int
    boxes: tuple[Box, ...]

    def to_json(self) -> dict[str, Any]:
        boxes = [box.to_json() for box in self.boxes]
        return {"company": self.company, "year": self.year, "version": self.version, "boxes": boxes}

    @classmethod
    def of_json(cls, told: Any) -> Sealed:
        """Read a sealed declaration. Raises ValueError where it is none."""
        try:
            boxes = tuple(Box.of_json(one) for one in told["boxes"])
            made = cls(str(told["company"]), int(told["year"]), int(told["version"]), boxes)
        except (KeyError, TypeError) as wrong:
            raise ValueError("not a sealed declaration") from wrong
        if not boxes or any((box.company, box.year) != (made.company, made.year) for box in boxes):
            raise ValueError("boxes of another company or year")
        return made


def standing(declared: Iterable[Sealed]) -> list[Sealed]:
    """The latest version of each company and year. Raises LastroError where one version says two things."""
    latest: dict[tuple[str, int], Sealed] = {}
    for one in declared:
        before = latest.get((one.company, one.year))
        if before and before.version == one.version and before != one:
            raise LastroError(
                f"A empresa {one.company} tem duas declarações lacradas de {one.year} com a versão "
                f"{one.version}, e são diferentes. Peça a ela qual vale, com uma versão nova."
            )
        if not before or before.version < one.version:
            latest[one.company, one.year] = one
    return [latest[key] for key in sorted(latest)]


def open_all(declared: Iterable[Sealed], secret: bytes, *, verifier: str) -> list[Row]:
    """Every row of the declarations that stand. Raises LastroError, naming the box that does not open."""
    rows: list[Row] = []
    for one in standing(declared):
        mine = [_opened(box, secret, verifier) for box in one.boxes]
        what = [(r.placement.material, r.placement.uf) for r in mine]
        if len(set(what)) != len(what):
            raise LastroError(
                f"A empresa {one.company} declarou duas vezes o mesmo material e UF em {one.year}; peça uma "
                "versão nova com os dois somados."
            )
        rows += mine
    return rows


def _opened(box: Box, secret: bytes, verifier: str) -> Row:
    try:
        if box.verifier == verifier:
            return open_box(box, secret)
    except Unreadable:
        pass
    raise LastroError(
        f"A caixa {box.commitment[:12]} da empresa {box.company} não abre com a chave de {verifier}: foi "
        "lacrada a outra chave ou alterada. Nada foi somado; peça à empresa que a lacre de novo."
    )


@dataclass(frozen=True)
class Sum:
    """One sum by group: how many companies, and the mass, or why it is not told."""

    kind: str
    what: str
    uf: str
    group: str
    companies: int
    mass: Mass | None
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        mg = None if self.mass is None else str(self.mass.mg)
        return {
            "kind": self.kind, "what": self.what, "uf": self.uf, "group": self.group,
            "companies": self.companies, "mass_mg": mg, "why": self.why,
        }  # fmt: skip

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> Sum:
        """Read a sum of a signed statement."""
        mass = None if told["mass_mg"] is None else Mass(int(told["mass_mg"]))
        key = (told["kind"], told["what"], told["uf"], told["group"])
        return cls(*key, int(told["companies"]), mass, str(told["why"]))


_Key = tuple[str, str, str, str]
_Part = tuple[str, Mass | None]


def sums(rows: Sequence[Row], *, group_of: Callable[[str], str], owes: Owes | None = None) -> list[Sum]:
    """Placed and returnable by material and state, and owed by the norm's groups: of all, then by group.

    What is owed follows from what was placed: it is told only where the placed mass behind it may be too.
    """
    assert len({row.placement.year for row in rows}) <= 1, "sums are of one year"
    atoms, cells = _placed(rows, group_of)
    owed = _owed(rows, group_of, owes) if owes else {}
    of: defaultdict[str, list[Any]] = defaultdict(list)
    for name, atom in atoms.items():
        of[atom.company].append(name)
    ways = {key: [name for name, _ in parts] for key, parts in cells.items() if key[0] == "placed"}
    ways |= {key: [name for company, _ in parts for name in of[company]] for key, parts in owed.items()}
    may = publishable(dict(sorted(ways.items(), key=_first)), atoms)
    parts_of: dict[_Key, list[_Part]] = {
        key: [(name[0], mass) for name, mass in parts] for key, parts in cells.items()
    }
    apart = _apart({key: parts for key, parts in parts_of.items() if key[0] == "returnable"})
    told = may - owed.keys() | apart | may & _apart(owed)
    every: dict[_Key, Sequence[_Part]] = {**parts_of, **owed}
    found = [_sum(key, parts, key in told) for key, parts in every.items()]
    return sorted(found, key=lambda one: (one.kind, one.what, one.uf, one.group))


def _right(key: _Key) -> tuple[bool, str, _Key]:
    """Sums of all before those of groups; what was placed before what is owed."""
    return key[3] != ALL, {"placed": "1"}.get(key[0], "2"), key


def _placed(
    rows: Sequence[Row], group_of: Callable[[str], str]
) -> tuple[dict[Any, Atom], dict[_Key, list[tuple[Any, Mass]]]]:
    atoms: dict[Any, Atom] = {}
    cells: defaultdict[_Key, list[tuple[Any, Mass]]] = defaultdict(list)
    for row in rows:
        p = row.placement
        name = (row.company, p.year, p.material.value, p.uf)
        atoms[name] = Atom(row.company, p.mass.mg)
        for group in sorted({ALL, group_of(row.company)}):
            cells["placed", p.material.value, p.uf, group].append((name, p.mass))
            cells["returnable", p.material.value, p.uf, group].append((name, p.returnable))
    return atoms, cells


def _owed(rows: Sequence[Row], group_of: Callable[[str], str], owes: Owes) -> dict[_Key, list[_Part]]:
    mine: defaultdict[str, list[Placement]] = defaultdict(list)
    for row in rows:
        mine[row.company].append(row.placement)
    cells: defaultdict[_Key, list[_Part]] = defaultdict(list)
    for company, placements in sorted(mine.items()):
        for material, mass in owes(company, placements).items():
            for group in sorted({ALL, group_of(company)}):
                cells["owed", material, "", group].append((company, mass))
    return dict(cells)


def _apart(cells: Mapping[_Key, Sequence[_Part]]) -> frozenset[_Key]:
    """Which of one kind's sums may stand side by side."""
    atoms = {
        (key[:3], c): Atom(c, 0 if mass is None else mass.mg)
        for key, parts in cells.items()
        for c, mass in parts
    }
    inside = {key: [(key[:3], c) for c, _ in parts] for key, parts in sorted(cells.items(), key=_first)}
    return publishable(inside, atoms)


def _first(cell: tuple[_Key, Any]) -> tuple[bool, str, _Key]:
    return _right(cell[0])


def _sum(key: _Key, parts: Sequence[_Part], may: bool) -> Sum:
    known = [mass for _, mass in parts if mass is not None]
    count = len({company for company, mass in parts if mass is None or mass.mg})
    if not may:
        return Sum(*key, count, None, FEW)
    if len(known) != len(parts):
        return Sum(*key, count, None, UNKNOWN)
    return Sum(*key, count, total(known))


def fees(told: Iterable[Sum], *, per_tonne: Mapping[str, Money]) -> dict[_Key, Money | None]:
    """What each group pays for what it placed, R$ per tonne, cut to whole cents; None: not told."""
    return {
        ("fee", one.what, one.uf, one.group): None
        if one.mass is None
        else Money(one.mass.mg * per_tonne[one.what].cents // 1_000_000_000)
        for one in told
        if one.kind == "placed" and one.what in per_tonne
    }


# ── signed ───────────────────────────────────────────────────────────────────────────────────────────


def statement(
    rows: Sequence[Row], told: Sequence[Sum], *, verifier: str, year: int, missing: Sequence[str]
) -> dict[str, Any]:
    """What the verifier signs: the sums, every row counted in them, and who has not declared (no values)."""
    return {
        "verifier": verifier,
        "year": year,
        "sums": [one.to_json() for one in told],
        "counted": sorted(commitment(row.plain()) for row in rows),
        "missing": sorted(missing),
    }


def sign(said: Mapping[str, Any], secret: bytes) -> dict[str, Any]:
    """A statement with its signature (Ed25519, over JSON with sorted names and no blanks)."""
    key = Ed25519PrivateKey.from_private_bytes(secret)
    return {"said": dict(said), "signature": key.sign(_spelled(said)).hex()}


def signed(told: Any, *, public: str) -> Mapping[str, Any]:
    """What a verifier said. Raises LastroError where its key did not sign it."""
    try:
        said: Mapping[str, Any] = told["said"]
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(told["signature"]), _spelled(said))
    except (KeyError, TypeError, ValueError, InvalidSignature) as wrong:
        raise LastroError(
            "Estes totais não estão assinados por este verificador: peça a ele o arquivo que assinou."
        ) from wrong
    return said


def _spelled(value: Any) -> bytes:
    return b"lastro blackbox totals v1\0" + json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def uncounted(mine: Iterable[Row], said: Mapping[str, Any]) -> list[Row]:
    """Which of one's own rows are not in a verifier's totals."""
    counted = set(said["counted"])
    return [row for row in mine if commitment(row.plain()) not in counted]
