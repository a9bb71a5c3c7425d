"""What the verifier's statement says of the notes that people checked by hand, and what their errors tell."""

from __future__ import annotations

from collections.abc import Iterator

from lastro.ids import masked
from lastro.lawkit.glossary import label
from lastro.reports.cells import Cell, Row, Section, Source, rows_of
from lastro.reports.sampling import CERTAIN, ByHand, Projected, Result, Sampled
from lastro.reports.standing import Standing
from lastro.units import ExactMass, Mass, Share


def by_hand(standing: Standing, looked: ByHand, article: str) -> Iterator[Section]:
    """What people checked by hand, by which draw, and what it tells; that nobody did so is said too."""
    sampled = looked.sampled
    why = rows_of([("unchecked_reason", Cell(looked.reason, "text"))]) if looked.reason else ()
    if sampled is None:
        note = "Nenhum plano de amostragem: nenhum item deste ano foi conferido à mão, papel por papel."
        yield Section("sampling", ("value",) if why else (), why, article, (note,))
        return
    result = sampled.result
    rows = (*_plan_rows(standing, sampled, result), *(() if looked.whole else why))
    yield Section("sampling", ("value",), rows, article, _notes_of(result))
    yield Section("sample_strata", _STRATA, _strata(result), article)
    yield Section("sample_checks", _CHECKS, _checks(sampled), article)


_STRATA = ("stratum", "units", "mass", "drawn", "checked", "over", "projected")
_CHECKS = ("access_key", "line", "stratum", "stated", "right", "reason")


def _sample_source(standing: Standing, sampled: Sampled) -> tuple[Source, ...]:
    plan = sampled.plan
    where = {"version": sampled.version}
    return (Source("sample", standing.entity, where, count=len(plan.drawn), digest=plan.frame),)


def _plan_rows(standing: Standing, sampled: Sampled, result: Result) -> tuple[Row, ...]:
    plan, source = sampled.plan, _sample_source(standing, sampled)
    projected, rate = result.projected_mg, result.rate
    pairs = [
        ("seed", Cell(plan.seed, "text", source)),
        ("draws", Cell(sampled.version, "count", source)),
        ("draw_reason", Cell(sampled.reason or None, "text", source)),
        ("frame_units", Cell(plan.units, "count", source)),
        ("frame_mass", Cell(plan.mass, "kg", source)),
        ("heavy_from", Cell(plan.threshold, "kg", source)),
        ("drawn", Cell(result.size, "count", source)),
        ("checked", Cell(result.checked, "count", source)),
        ("checked_wrong", Cell(result.wrong, "count", source)),
        ("found_over", Cell(result.over, "kg", source)),
        ("projected", Cell(None if projected is None else ExactMass(projected), "kg", source)),
        ("projected_rate", Cell(None if rate is None else Share(rate), "share", source)),
    ]
    return rows_of(pairs)


def _notes_of(result: Result) -> tuple[str, ...]:
    notes = (
        "Estratos por operador e material, e um dos itens pesados, que se conferem todos. Tamanho pela NBR "
        "ISO 2859-1 (nível II, amostragem simples); sorteio por SHA-256 de semente/chave/item, os "
        "menores.",
        "Erro estimado (NBC TA 530, item 14): em cada estrato, a massa a mais vezes a massa do estrato sobre "
        "a conferida; massa a menos não compensa massa a mais. Não é intervalo de confiança.",
    )
    left = result.size - result.checked
    unfinished = f"A conferência não terminou: faltam {left} itens, e por isso não há erro estimado do ano."
    return (*notes, unfinished) if left else notes


def _strata(result: Result) -> tuple[Row, ...]:
    return tuple(
        Row(
            row.stratum.name,
            {
                "stratum": Cell(stratum_said(row.stratum.name)),
                "units": Cell(row.stratum.units, "count"),
                "mass": Cell(row.stratum.mass, "kg"),
                "drawn": Cell(row.stratum.size, "count"),
                "checked": Cell(row.checked, "count"),
                "over": Cell(row.over, "kg"),
                "projected": Cell(_projected(row), "kg"),
            },
        )
        for row in result.rows
    )


def _projected(row: Projected) -> ExactMass | None:
    """What the stratum's errors tell of it; None until all of its items were looked at."""
    if row.checked < row.stratum.size or row.projected_mg is None:
        return None
    return ExactMass(row.projected_mg)


def stratum_said(name: str) -> str:
    """A stratum in words: the heavy items, or an operator and a material."""
    if name == CERTAIN:
        return "itens pesados, todos"
    operator, _, material = name.partition("/")
    return f"{masked(operator)}, {label(material)}"


def _checks(sampled: Sampled) -> tuple[Row, ...]:
    rows = []
    for one in sampled.plan.drawn:
        found = sampled.checks.get(one.unit.item)
        right: Mass | None = found.right if found else None
        cells = {
            "access_key": Cell(one.unit.access_key),
            "line": Cell(one.unit.line, "count"),
            "stratum": Cell(stratum_said(one.stratum)),
            "stated": Cell(one.unit.mass, "kg"),
            "right": Cell(right, "kg"),
            "reason": Cell(found.reason if found else None),
        }
        rows.append(Row(f"{one.unit.access_key}.{one.unit.line}", cells))
    return tuple(rows)
