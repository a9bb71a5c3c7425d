"""The annual results report of a managing entity: one data set, from which every output is written.

Comes in: what stands for the entity and year, and the norm. Goes out: sections of cells that know what they
are made of, and what keeps the report from being submitted. Placed mass is told in totals only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from lastro.facts import Basis
from lastro.ids import masked
from lastro.lawkit import Regulation
from lastro.reports.cells import Block, Cell, DataSet, Row, Section, Source, digest_of, rows_of
from lastro.reports.masses import beside, fallen_cell, geography, origins, placed, recovered, served
from lastro.reports.members import Members, party_source, registry_source
from lastro.reports.standing import Standing
from lastro.reports.targets import Judgement, targets
from lastro.units import total

KIND = "rar-mt"


@dataclass(frozen=True)
class Stated:
    """A verifier's statement that a report can lean on, and whether it still says what stands."""

    number: str
    verifier: str
    on: date
    notes: int
    mass_mg: int
    digest: str
    current: bool


def dataset(
    standing: Standing,
    *,
    regulation: Regulation,
    on: date,
    basis: Basis,
    statements: Sequence[Stated] = (),
) -> DataSet:
    """The report on a year, as things stand; `basis` is that of the evidence (test roots make it a test).

    A target that is not loaded is a cell without a value (T01) and keeps the report from being submitted.
    Sources: Decreto MT 1.455/2025, arts. 21, 45, 66 to 73, asked of the norm by office.
    """
    assert regulation.reports, "the norm knows no report"
    law = regulation.law(date(standing.year, 12, 31))
    terms = regulation.reports(law, year=standing.year)
    members = Members(standing, terms.base_year)
    judged = Judgement.of(members, regulation=regulation, on=on, basis=basis)
    article = terms.articles
    sections = (
        _identification(standing, regulation, terms.base_year, terms.due, article["report"]),
        _verification(statements, article["verification"]),
        _members(members, article["members"]),
        placed(members, regulation=regulation, article=article["placed"], collective=article["collective"]),
        recovered(standing, regulation=regulation, article=article["recovered"]),
        origins(standing, regulation=regulation, article=article["origins"]),
        beside(standing, regulation=regulation, article=article["homologation"]),
        targets(judged, article=article["targets"], attained=article["attained"]),
        geography(standing, regulation=regulation, article=article["geography"]),
        served(standing, regulation=regulation, article=article["geography"]),
        _partnerships(standing, article["partnerships"]),
        _make_up(terms.make_up, article["make_up"]),
        _fallen(standing, article["evidence"]),
    )
    party = standing.registry.party(standing.entity)
    return DataSet(
        kind=KIND,
        norm=standing.norm,
        norm_title=regulation.norm.short_title,
        entity=standing.entity,
        entity_name=party.name if party else "",
        year=standing.year,
        basis=judged.basis,
        sections=sections,
        blocks=tuple(_blocks(members, judged, statements)),
        bases=judged.bases,
    )


# ── sections without masses ──────────────────────────────────────────────────────────────────────────


def _identification(
    standing: Standing, regulation: Regulation, base_year: int, due: date, article: str
) -> Section:
    party, who = standing.registry.party(standing.entity), party_source(standing, standing.entity)
    rule = (Source("rule", article=article),)
    pairs = [
        ("entity", Cell(masked(standing.entity), "text", who)),
        ("name", _known(party.name if party else "", who)),
        ("address", _known(party.address if party else "", who)),
        ("licence", _known(party.licence_number if party else "", who)),
        ("year", Cell(standing.year, "year")),
        ("base_year", Cell(base_year, "year", rule)),
        ("due", Cell(due, "date", rule)),
        ("norm", Cell(regulation.norm.short_title)),
    ]
    terms = [row for row in standing.registry.tables["terms"] if row["entity"] == standing.entity]
    pairs += [
        (f"term.{n}", Cell(str(row["term"]), "text", (registry_source(standing, "terms", row),)))
        for n, row in enumerate(sorted(terms, key=lambda r: str(r["term"])), 1)
    ]
    return Section("identification", ("value",), rows_of(pairs), article)


def _known(text: str, sources: tuple[Source, ...]) -> Cell:
    return Cell(text or None, "text", sources, code="" if text else "T02")


def _town(code: str, sources: tuple[Source, ...]) -> Cell:
    return Cell(code or None, "town", sources, code="" if code else "T02")


def _verification(statements: Sequence[Stated], article: str) -> Section:
    rows = tuple(
        Row(
            one.number,
            {
                "number": Cell(one.number, "text", (_statement(one),)),
                "verifier": Cell(masked(one.verifier), "text", (_statement(one),)),
                "date": Cell(one.on, "date", (_statement(one),)),
                "notes": Cell(one.notes, "count", (_statement(one),)),
                "current": Cell(one.current, "flag", (_statement(one),), code="" if one.current else "T04"),
            },
        )
        for one in statements
    )
    notes = () if rows else ("Nenhuma declaração de verificação foi emitida para este ano.",)
    return Section("verification", ("number", "verifier", "date", "notes", "current"), rows, article, notes)


def _statement(one: Stated) -> Source:
    return Source("statement", ref=one.number, digest=one.digest)


def _members(members: Members, article: str) -> Section:
    registry, rows = members.standing.registry, []
    for adherent in members.listed:
        who, period = adherent.establishment, adherent.membership.period
        party, about = registry.party(who), party_source(members.standing, who)
        rows.append(
            Row(
                f"{who}.{period.start.isoformat()}",
                {
                    "cnpj": Cell(masked(who), "text", adherent.sources),
                    "name": _known(party.name if party else "", about),
                    "municipality": _town(registry.municipality(who) or "", about),
                    "from": Cell(period.start, "date", adherent.sources),
                    "to": Cell(period.end, "date", adherent.sources),
                    "term": Cell(adherent.membership.term or None, "text", adherent.sources),
                },
            )
        )
    establishments = len({a.establishment for a in members.listed})
    notes = [f"{establishments} estabelecimentos de {len(members.companies)} empresas."]
    moved = sorted({a.establishment for a in members.listed} - members.own)
    if moved:
        notes.append(
            f"{len(moved)} estabelecimentos terminaram o ano em outra entidade, que informa a massa deles."
        )
    columns = ("cnpj", "name", "municipality", "from", "to", "term")
    return Section("members", columns, tuple(rows), article, tuple(notes))


def _partnerships(standing: Standing, article: str) -> Section:
    rows = tuple(
        Row(
            f"{p.cnpj}.{p.start.isoformat()}",
            {
                "cnpj": Cell(masked(p.cnpj), "text", (_said(p.cnpj, p.name, p.instrument),)),
                "name": Cell(p.name, "text", (_said(p.cnpj, p.name, p.instrument),)),
                "instrument": Cell(p.instrument, "text", (_said(p.cnpj, p.name, p.instrument),)),
                "from": Cell(p.start, "date"),
                "to": Cell(p.end, "date"),
            },
        )
        for p in standing.partnerships
    )
    notes = () if rows else ("Nenhuma parceria formal foi informada para este relatório.",)
    return Section("partnerships", ("cnpj", "name", "instrument", "from", "to"), rows, article, notes)


def _said(*words: str) -> Source:
    return Source("input", ref="partnerships", digest=digest_of(list(words)))


def _make_up(allowed: bool, article: str) -> Section:
    note = (
        "A compensação da meta não cumprida, no ano seguinte, está prevista."
        if allowed
        else "Compensação desligada: o texto que a autoriza não está carregado; nada se compensa aqui."
    )
    return Section("make_up", (), (), article, (note,))


def _fallen(standing: Standing, article: str) -> Section:
    """Each lot whose evidence fell after its mass was retired: what it held counts for nobody any more."""
    rows = []
    for (key, line), found in groupby(standing.fallen, key=lambda one: (one.access_key, one.line)):
        mine = list(found)
        mass = fallen_cell(standing, mine)
        rows.append(
            Row(
                f"{key}.{line}",
                {
                    "access_key": Cell(key, "text", mass.provenance),
                    "line": Cell(line, "count"),
                    "material": Cell(mine[0].material.value, "label"),
                    "mass": mass,
                    "reason": Cell(mine[0].reason, "label"),
                },
            )
        )
    if rows:
        told = f"{total(one.mass for one in standing.fallen)}, não contam"
        notes = [f"Prova que caiu depois da baixa: {told}. A baixa fica no livro; a meta é julgada sem ela."]
    else:
        notes = ["Nenhuma massa baixada perdeu a sua prova."]
    if standing.contested:
        notes.append(f"{standing.contested} itens contestados não contam para ninguém até que se decida.")
    columns = ("access_key", "line", "material", "mass", "reason")
    return Section("fallen", columns, tuple(rows), article, tuple(notes))


# ── what keeps it from being submitted ───────────────────────────────────────────────────────────────


def _blocks(members: Members, judged: Judgement, statements: Sequence[Stated]) -> Iterator[Block]:
    if not members.listed:
        yield Block("T02", "members", "nenhum aderente na lista da entidade neste ano")
    for who in members.silent:
        text = f"{masked(who)} não declarou a massa colocada no mercado em {members.base_year}"
        yield Block("T02", "placed", text)
    for company in members.shared:
        text = f"a declaração da empresa {company} é do todo, e ela tem estabelecimentos em outra entidade"
        yield Block("T03", "placed", text)
    yield from judged.blocks()
    if not statements:
        yield Block("T02", "verification", "falta a declaração de verificação")
    elif not any(one.current for one in statements):
        last = statements[-1]
        text = f"o que a declaração {last.number} verificou mudou; o verificador emite outra"
        yield Block("T04", "verification", text)
