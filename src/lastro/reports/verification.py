"""The verifier's statement: which notes it covers, which tests were run and what they found, what collided.

Comes in: what stands for the entity and year. Goes out: a data set like any report's. What was not checked
is said in so many words.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from lastro.facts import Basis, Refusal
from lastro.findings import catalogue
from lastro.ids import masked
from lastro.lawkit import Regulation
from lastro.registry.records import record
from lastro.reports.cells import Block, Cell, DataSet, Row, Section, Source, digest_of, rows_of
from lastro.reports.checked_by_hand import by_hand
from lastro.reports.members import party_source, registry_source
from lastro.reports.sampling import NOTHING, ByHand
from lastro.reports.standing import Covered, Standing
from lastro.units import total

KIND = "verification"

TESTS = (
    "F01", "F02", "F03", "F04", "F05", "F06", "F07", "N01", "N02", "N03", "N04", "N05", "N06", "N07",
    "N08", "N09", "N10", "N11", "N12", "N13", "N14", "N15", "N16", "N17", "N18", "S01", "S02", "S03",
    "S04", "S05", "S06", "S07", "S09", "M01", "M02", "M03", "M04", "M05", "M06", "M07", "M08", "M09",
    "M10", "M11", "M12", "M13", "M14", "M15", "P01", "P02", "P03", "P04", "P05", "P06", "P07", "P08",
    "G01", "G04", "G05", "G06", "G07", "G08", "G09", "C01", "C02", "C03", "C04", "C05", "C06", "C07",
    "C08", "C09", "C10", "C11", "C12",
)  # fmt: skip
"""The findings that every note is examined for; a test holds this list to what the rooms really look for."""


def dataset(
    standing: Standing,
    *,
    regulation: Regulation,
    verifier: str,
    on: date,
    basis: Basis,
    looked: ByHand = NOTHING,
) -> DataSet | Refusal:
    """The statement of a verifier on an entity's notes of a year; T02 when it has no contract on that day.

    Sources: Decreto MT 1.455/2025, arts. 53, 60 and 69, sole paragraph, asked of the norm by office.
    """
    assert regulation.reports, "the norm knows no report"
    law = regulation.law(date(standing.year, 12, 31))
    articles = regulation.reports(law, year=standing.year).articles
    contract = _contract(standing, verifier, on)
    if contract is None:
        return Refusal(
            "T02",
            found=f"{masked(verifier)} sem contrato de verificador com {masked(standing.entity)}",
            expected=f"contrato em vigor em {on:%d/%m/%Y}",
            article=articles["verifier"],
        )
    covered = [one for one in standing.covered if one.verifier == verifier]
    party = standing.registry.party(standing.entity)
    nothing = Block("T02", "notes", "nenhum lote homologado por este verificador neste ano")
    return DataSet(
        kind=KIND,
        norm=standing.norm,
        norm_title=regulation.norm.short_title,
        entity=standing.entity,
        entity_name=party.name if party else "",
        year=standing.year,
        basis=basis,
        sections=(
            _identification(standing, verifier, contract, covered, articles["verifier"]),
            _documents(standing, articles["verification"]),
            _tests(standing, articles["evidence"]),
            _collisions(standing, articles["homologation"]),
            _destination(standing, articles["destination"]),
            *by_hand(standing, looked, articles["verification"]),
            _totals(standing, covered, articles["homologation"]),
            _notes(standing, covered, articles["verification"]),
        ),
        blocks=() if covered else (nothing,),
        bases=() if basis is Basis.OFFICIAL else (basis,),
    )


def covers(made: DataSet) -> str:
    """A digest of the notes that a statement covers, as they stand; while it is the same, it holds."""
    section = made.section("notes")
    return digest_of([[row.key, [cell.json() for cell in row.cells.values()]] for row in section.rows])


def _contract(standing: Standing, verifier: str, on: date) -> tuple[date, date | None, Source] | None:
    for row in standing.registry.tables["contracts"]:
        contract = record("contracts", row)
        mine = contract.verifier == verifier and contract.entity == standing.entity
        if mine and contract.period.holds(on):
            return contract.period.start, contract.period.end, registry_source(standing, "contracts", row)
    return None


def _identification(
    standing: Standing,
    verifier: str,
    contract: tuple[date, date | None, Source],
    covered: Sequence[Covered],
    article: str,
) -> Section:
    start, end, source = contract
    party, entity = standing.registry.party(verifier), standing.registry.party(standing.entity)
    days = sorted(one.issued_on for one in covered)
    pairs = [
        ("verifier", Cell(masked(verifier), "text", (source,))),
        ("verifier_name", Cell(party.name if party else None, "text", party_source(standing, verifier))),
        ("contract_from", Cell(start, "date", (source,))),
        ("contract_to", Cell(end, "date", (source,))),
        ("entity", Cell(masked(standing.entity), "text", party_source(standing, standing.entity))),
        ("name", Cell(entity.name if entity else None, "text", party_source(standing, standing.entity))),
        ("year", Cell(standing.year, "year")),
        ("first_note", Cell(days[0] if days else None, "date", code="" if days else "T02")),
        ("last_note", Cell(days[-1] if days else None, "date", code="" if days else "T02")),
        ("lots", Cell(len(covered), "count")),
        ("keys", Cell(len({one.access_key for one in covered}), "count")),
    ]
    return Section("identification", ("value",), rows_of(pairs), article)


def _verdicts(standing: Standing) -> tuple[Source, ...]:
    judged = standing.judged
    count = sum(judged.outcomes.values())
    return (Source("verdicts", ref=standing.entity, count=count, digest=judged.digest),)


def _documents(standing: Standing, article: str) -> Section:
    judged, source = standing.judged, _verdicts(standing)
    pairs = [(f"kind.{name}", Cell(n, "count", source)) for name, n in sorted(judged.kinds.items())]
    pairs += [(f"outcome.{name}", Cell(n, "count", source)) for name, n in sorted(judged.outcomes.items())]
    return Section("documents", ("value",), rows_of(pairs), article)


def _tests(standing: Standing, article: str) -> Section:
    judged, source, codes = standing.judged, _verdicts(standing), catalogue()
    rows = tuple(
        Row(
            code,
            {
                "code": Cell(code),
                "test": Cell(codes[code].message["pt"]),
                "severity": Cell(codes[code].severity.value, "label"),
                "documents": Cell(judged.codes.get(code, 0), "count", source),
            },
        )
        for code in sorted({*TESTS, *judged.codes}, key=list(codes).index)
    )
    notes = (
        "Quantos documentos tiveram cada achado no último exame; zero: procurou-se e não se achou.",
        "N18: notas cuja autorização é só a que o arquivo traz, ainda não confirmada na SEFAZ.",
    )
    return Section("tests", ("code", "test", "severity", "documents"), rows, article, notes)


def _collisions(standing: Standing, article: str) -> Section:
    rows = tuple(
        Row(
            f"{one.access_key}.{one.line}",
            {
                "access_key": Cell(one.access_key),
                "line": Cell(one.line, "count"),
                "code": Cell(one.code, "label"),
                "claimants": Cell(one.claimants, "count"),
                "decided": Cell(one.decided, "flag"),
                "won": Cell(one.won if one.decided else None, "flag"),
            },
        )
        for one in standing.contests
    )
    notes = (
        ("Enquanto a colisão não termina, a massa do item não conta para nenhum dos reclamantes.",)
        if rows
        else ("Nenhuma colisão: nenhum item desta entidade é reivindicado além do que contém.",)
    )
    columns = ("access_key", "line", "code", "claimants", "decided", "won")
    return Section("collisions", columns, rows, article, notes)


DESTINATION_CODES = ("C05", "C06", "C07", "C08", "C09", "C10", "C11", "C12")
"""What is looked for where a manifest or a certificate of destination stands beside a note."""


def _destination(standing: Standing, article: str) -> Section:
    """How many manifests and certificates were read beside the notes; none is said in words, not as zero."""
    judged, source = standing.judged, _verdicts(standing)
    kinds = [(f"kind.{name}", judged.kinds[name]) for name in ("mtr", "cdf") if judged.kinds.get(name)]
    rows = rows_of([(name, Cell(count, "count", source)) for name, count in kinds])
    if not rows:
        note = (
            "Nenhum manifesto (MTR) nem certificado de destinação final (CDF) foi recebido com estas notas: "
            "a destinação não foi conferida por papel."
        )
        return Section("destination", (), (), article, (note,))
    note = (
        f"Lidos e confrontados com as notas ({DESTINATION_CODES[0]} a {DESTINATION_CODES[-1]}, na lista de "
        "testes): conta a menor massa entre nota, MTR e CDF. A autenticidade do CDF no sistema que o emitiu "
        "não se confere por aqui."
    )
    return Section("destination", ("value",), rows, article, (note,))


def _totals(standing: Standing, covered: Sequence[Covered], article: str) -> Section:
    rows = []
    for material in sorted({one.material for one in covered}):
        mine = [one for one in covered if one.material is material]
        rows.append(Row(material.value, _sums(standing, material.value, mine)))
    if rows:
        rows.append(Row("total", _sums(standing, "total", covered)))
    return Section("covered", ("material", "lots", "stated", "entered"), tuple(rows), article)


def _sums(standing: Standing, name: str, rows: Sequence[Covered]) -> dict[str, Cell]:
    words = sorted(f"{one.access_key}/{one.line}/{one.stated.mg}" for one in rows)
    source = (Source("statement", ref=standing.entity, count=len(rows), digest=digest_of(words)),)
    return {
        "material": Cell(name, "label"),
        "lots": Cell(len(rows), "count", source),
        "stated": Cell(total(one.stated for one in rows), "kg", source),
        "entered": Cell(total(one.entered for one in rows), "kg", source),
    }


def _notes(standing: Standing, covered: Sequence[Covered], article: str) -> Section:
    rows = tuple(
        Row(
            f"{one.access_key}.{one.line}",
            {
                "access_key": Cell(one.access_key),
                "line": Cell(one.line, "count"),
                "issued_on": Cell(one.issued_on, "date"),
                "material": Cell(one.material.value, "label"),
                "stated": Cell(one.stated, "kg"),
                "entered": Cell(one.entered, "kg", code="T04" if one.entered.mg < one.stated.mg else ""),
                "state": Cell(one.state or None, "label"),
                "content": Cell(one.content),
            },
        )
        for one in covered
    )
    notes = ("Massa homologada: a que o verificador nomeou. Massa de pé: a que o item ainda sustenta hoje.",)
    columns = ("access_key", "line", "issued_on", "material", "stated", "entered", "state", "content")
    return Section("notes", columns, rows, article, notes)
