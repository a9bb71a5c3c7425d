"""Targets and what was attained, for the whole of an entity's adherents: sums of exact obligations, by group.

Each company is judged under the norm with the mass that this entity retired for it; only sums and counts of
companies leave this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from lastro.facts import Basis
from lastro.lawkit import Regulation
from lastro.lawkit.glossary import label
from lastro.obligations import Position, settle
from lastro.reports.cells import Block, Cell, Row, Section, Source, digest_of
from lastro.reports.masses import fallen_cell
from lastro.reports.members import Members
from lastro.units import ExactMass, Mass, Share, total


@dataclass(frozen=True)
class Judgement:
    """The positions of all companies concerned, of adherents and of those that mass was retired for."""

    members: Members
    regulation: Regulation
    positions: tuple[Position, ...]
    basis: Basis

    @classmethod
    def of(cls, members: Members, *, regulation: Regulation, on: date, basis: Basis) -> Judgement:
        """Settle every company with what this entity knows of it, targets as loaded by `on`."""
        standing = members.standing
        positions = [
            position
            for facts in members.facts()
            for position in settle(
                regulation, facts, year=standing.year, targets=standing.targets, as_of=on, basis=basis
            )
        ]
        worst = basis
        for position in positions:
            worst = worst.worst(position.basis)
        return cls(members, regulation, tuple(positions), worst)

    @property
    def bases(self) -> tuple[Basis, ...]:
        """Every basis other than the official one that a number here leans on, in the order of gravity."""
        seen = {p.basis for p in self.positions} | {self.basis}
        seen |= {step.basis for p in self.positions for step in p.trace.walk()}
        return tuple(b for b in Basis if b in seen and b is not Basis.OFFICIAL)

    def group(self, name: str) -> tuple[Position, ...]:
        """The positions of one group."""
        return tuple(p for p in self.positions if p.material == name)

    def own(self, name: str) -> tuple[Position, ...]:
        """Those of the companies whose obligation this report tells."""
        return tuple(p for p in self.group(name) if p.company in self.members.companies)

    def blocks(self) -> Iterator[Block]:
        """What is not loaded (T01), and materials that the norm has no group for (T03)."""
        for group in self.regulation.groups:
            if any(p.code == "T01" for p in self.own(group)):
                text = f"meta de {label(group)} não carregada ou fora de vigor"
                yield Block("T01", f"targets/{group}", text)
        for name in dict.fromkeys(p.material for p in self.positions if p.code == "T03"):
            yield Block("T03", "placed", f"{label(name)}: material sem grupo na norma; linhas não usadas")


def targets(judged: Judgement, *, article: str, attained: str) -> Section:
    """A line for each group: what was placed, what is owed, what counts of what was retired, the result."""
    rows = tuple(_row(judged, group, article, attained) for group in judged.regulation.groups)
    notes = ["O resultado é o da soma do sistema, por material; a posição de cada empresa se apura à parte."]
    if judged.members.silent:
        notes.append(
            "Faltam declarações: a obrigação é parcial, e o resultado só se afirma se já falta massa."
        )
    columns = ("material", "base", "target", "owed", "achieved", "fallen", "left_out", "balance", "attained",
               "met", "companies_met", "companies_short", "companies_unknown")  # fmt: skip
    return Section("targets", columns, rows, article, tuple(notes))


def _row(judged: Judgement, group: str, article: str, attained: str) -> Row:
    own, every = judged.own(group), judged.group(group)
    unknown = next((p.code for p in own if p.obligation is None), "")
    partial = "T02" if unknown == "T02" or judged.members.silent or judged.members.shared else unknown
    owed_sum = _sum([p.obligation for p in own])
    owed = None if unknown == "T01" else owed_sum.ceiling
    base = _sum([p.base for p in own])
    achieved = total(p.achieved for p in every)
    retired = total(
        m.mass for m in judged.members.standing.retired if judged.regulation.group(m.material) == group
    )
    rule = _rule(own, article)
    counted = _rule(every, article)
    shares = {p.target for p in own if p.target is not None}
    target = next(iter(shares)) if len(shares) == 1 else None
    fell = [one for one in judged.members.standing.fallen if judged.regulation.group(one.material) == group]
    names = sorted({one.material.value for one in fell})
    fallen = fallen_cell(judged.members.standing, fell, material=names)
    return Row(
        group,
        {
            "material": Cell(group, "label"),
            "base": Cell(_whole(base), "kg", rule, partial),
            "target": Cell(
                target, "share", (*rule, *_loaded(judged, group)), unknown if target is None else ""
            ),
            "owed": Cell(owed, "kg", rule, partial),
            "achieved": Cell(achieved, "kg", counted),
            "fallen": fallen,
            "left_out": Cell(retired - total(one.mass for one in fell) - achieved, "kg", counted),
            "balance": Cell(None if owed is None or partial else achieved - owed, "kg", rule, partial),
            "attained": _attained(achieved, base, partial, attained, counted),
            "met": Cell(_met(achieved, owed_sum, owed, partial), "flag", rule, partial),
            **_companies(own, rule),
        },
    )


def _loaded(judged: Judgement, group: str) -> tuple[Source, ...]:
    """The rows of the norm's table that were loaded for a group and year."""
    standing = judged.members.standing
    rows = [r for r in standing.targets if (r.material, r.year) == (group, standing.year)]
    if not rows:
        return ()
    said = [[r.sector, r.share, r.source, r.basis.value, str(r.loaded_on)] for r in rows]
    where = {"material": group, "through": max(str(r.loaded_on) for r in rows)}
    return (Source("targets", ref=standing.norm, where=where, count=len(rows), digest=digest_of(said)),)


def _met(achieved: Mass, owed_sum: ExactMass, owed: Mass | None, partial: str) -> bool | None:
    """Obligations only add up: what falls short of a part of them falls short of all of them."""
    if owed is None:
        return None
    if achieved.exact < owed_sum:
        return False
    return None if partial else True


def _attained(
    achieved: Mass, base: ExactMass, partial: str, article: str, sources: tuple[Source, ...]
) -> Cell:
    if partial == "T02" or not base.mg:
        return Cell(None, "share", sources, partial)
    share = Share(Fraction(achieved.mg) / base.mg)
    return Cell(share, "share", (*sources, Source("rule", article=article)))


def _companies(own: Sequence[Position], rule: tuple[Source, ...]) -> dict[str, Cell]:
    counts = {"companies_met": True, "companies_short": False, "companies_unknown": None}
    return {name: Cell(sum(p.met is met for p in own), "count", rule) for name, met in counts.items()}


def _rule(positions: Sequence[Position], article: str) -> tuple[Source, ...]:
    """The rules that made the positions, as one digest of their traces."""
    if not positions:
        return ()
    digest = digest_of([p.json(explain=True) for p in positions])
    return (Source("rule", ref=positions[0].material, count=len(positions), digest=digest, article=article),)


def _sum(masses: Sequence[ExactMass | None]) -> ExactMass:
    return ExactMass(sum((m.mg for m in masses if m is not None), Fraction(0)))


def _whole(mass: ExactMass) -> Mass | ExactMass:
    return mass.floor if mass.mg.denominator == 1 else mass
