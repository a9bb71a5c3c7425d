"""Whether an establishment is in order with the decree on a day, as the licensing asks (arts. 9º to 21)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from lastro.lawkit import Law, rule
from lastro.lawkit.glossary import label
from lastro.lawkit.order import Check, Known, with_stated
from lastro.lawkit.trace import silence
from lastro.tables.days_off import closed_days

from . import duties, plans, rules

DAY = timedelta(days=1)


@rule(provisions=("art9", "art10"), label="O que uma notificação lembra")
def warning(law: Law, *, lacks: int) -> tuple[str, ...]:
    """A notice of a lack says that the duty is of relevant interest, and that sanctions may follow.

    No amount is in it: the decree leaves each sanction to the environmental laws.
    """
    if not lacks:
        return ()
    return (
        f"Cumprir o decreto é obrigação de relevante interesse ambiental ({law.norm.cite(('art9',))}).",
        "O descumprimento sujeita às sanções administrativas, civis e penais da legislação ambiental, "
        f"apuradas em processo próprio ({law.norm.cite(('art10',))}).",
    )


def orders(law: Law, known: Known) -> tuple[Check, ...]:
    """The plan, the term, the report or declaration of the last year due, its targets, and the licence."""
    with silence():
        small = rules.exempt_from_plan(
            law, size=known.sizes.get(_declared_year(law, known), ""), declared=True
        )
        found = [*_small(law, known)] if small else [*_plan(law, known), *_report(law, known)]
        found += [replace(one, counts=one.counts and not small) for one in _targets(law, known)]
        found.append(_licence(law, known))
    return tuple(with_stated(one, known.stated) for one in found)


def _declared_year(law: Law, known: Known) -> int:
    """The last year whose declaration was due before the day."""
    year = known.on.year - 1
    return year if duties.declaration_due(law, year=year) < known.on else year - 1


def _small(law: Law, known: Known) -> Iterator[Check]:
    """A small firm owes its declaration, and while it delivers it neither plan nor report."""
    year = _declared_year(law, known)
    due = duties.declaration_due(law, year=year)
    here = year in known.declared
    yield Check(
        f"declaration/{year}", f"Declaração anual de embalagens de {year}", True if here else None,
        "Entregue; dispensa plano e relatório pelo porte." if here
        else f"Venceu em {due:%d/%m/%Y} e não consta aqui.",
        law.norm.cite(("art14-I", "art14-II-b")), "Conferir no processo, ou pedir que a entregue.",
    )  # fmt: skip


def _plan(law: Law, known: Known) -> Iterator[Check]:
    """On an entity's list under a term that stands, or with a plan of its own; else in the days for one."""
    asks, cited = "Plano de logística reversa, ou lugar na lista de um plano", ("art15-I", "art18")
    now = [c for c in known.covers if c.start <= known.on and (c.end is None or known.on <= c.end)]
    past = [c.end for c in known.covers if c.end is not None and c.end < known.on]
    if now:
        one = now[0]
        since = f"desde {one.start:%d/%m/%Y}"
        yield Check("plan", asks, True, f"Aderente de {one.name}, {since}.", law.norm.cite(cited))
        yield from _term(law, known, tuple(now))
    elif known.alone:
        yield Check("plan", asks, True, "Plano próprio entregue.", law.norm.cite(("art15-II", "art17")))
    elif past:
        yield _left(law, known, "plan", asks, max(past), "Saiu do plano", ("art19",))
    else:
        yield Check(
            "plan", asks, None, "Não está em lista de aderentes, e não consta plano próprio aqui.",
            law.norm.cite(cited), "Conferir se há plano individual, ou notificar para que adira a um plano.",
        )  # fmt: skip


def _term(law: Law, known: Known, now: tuple[object, ...]) -> Iterator[Check]:
    asks = "Termo de compromisso em vigor"
    covers = [c for c in known.covers if c in now and c.term]
    stands = [c for c in covers if c.term_ends is None or known.on <= c.term_ends]
    if stands:
        until = stands[0].term_ends
        told = f", até {until:%d/%m/%Y}" if until else ""
        yield Check("term", asks, True, f"Termo {stands[0].term}{told}.", law.norm.cite(("art15-III",)))
    elif covers:
        ended = max(c.term_ends for c in covers if c.term_ends is not None)
        yield _left(law, known, "term", asks, ended, f"O termo {covers[0].term} venceu", ("art20",))


def _left(
    law: Law, known: Known, key: str, asks: str, ended: date, what: str, cited: tuple[str, ...]
) -> Check:
    """What ended leaves thirty days for another plan; the lack opens when as many business days are over."""
    due = plans.new_plan_due(law, ended_on=ended)
    last = max(due, plans.breach_after(law, ended_on=ended, closed=_closed(law, ended, known)))
    said = f"{what} em {ended:%d/%m/%Y}"
    late = known.on > last
    return Check(
        key, asks, not late, f"{said}, sem outro." if late else f"{said}; no prazo de outro plano.",
        law.norm.cite(cited), "Aderir a um plano em vigor ou apresentar plano próprio.",
        since=last + DAY if late else None, until=due,
    )  # fmt: skip


def _report(law: Law, known: Known) -> Iterator[Check]:
    """The last report that was due; where several owe it, one is enough."""
    year = known.on.year - 1
    if _until(law, rules.report_due(law, year=year), known) >= known.on:
        year -= 1
    due = rules.report_due(law, year=year)
    if due < law.norm.in_force_since:
        return
    asks, article = f"Relatório Anual de Resultados de {year}", law.norm.cite(("art21",))
    cure = "Entregar o relatório, com a declaração do verificador."
    owed = [one for one in known.reports if one.year == year]
    came = [one for one in owed if one.on is not None]
    if came:
        first = min(came, key=lambda one: one.on or date.max)
        yield Check(f"report/{year}", asks, True, f"Entregue por {first.by} em {first.on:%d/%m/%Y}.", article)
    elif owed:
        last = _until(law, due, known)
        yield Check(
            f"report/{year}", asks, False, f"Não entregue por {owed[0].by}; venceu em {due:%d/%m/%Y}.",
            article, cure, since=last + DAY,
        )  # fmt: skip
    else:
        found = f"Venceu em {due:%d/%m/%Y} e não consta aqui."
        yield Check(f"report/{year}", asks, None, found, article, "Conferir no processo.")


def _targets(law: Law, known: Known) -> Iterator[Check]:
    """The targets of each year ended under the decree; until its report is due, a lack does not count."""
    for year in sorted(known.positions, reverse=True):
        due = rules.report_due(law, year=year)
        if date(year, 12, 31) < law.norm.in_force_since or date(year, 12, 31) >= known.on:
            continue
        open_still = _until(law, due, known) >= known.on
        yield _target(law, known.positions[year], year, due, open_still)


def _target(
    law: Law, groups: tuple[tuple[str, bool | None], ...], year: int, due: date, open_still: bool
) -> Check:
    asks, article = f"Metas de {year}", law.norm.cite(("art7-p5", "art15-III", "art21"))
    short = [label(group) for group, met in groups if met is False]
    untold = [label(group) for group, met in groups if met is None]
    until = due if open_still else None
    if short:
        met: bool | None = None if open_still else False
        found = f"Não cumpridas: {', '.join(short)}."
    elif untold or not groups:
        met = None
        found = (
            f"Não se apuram: {', '.join(untold)}." if untold
            else "Nada declarado nem comprovado (ausência não é zero)."
        )  # fmt: skip
    else:
        met, found = True, "Todas cumpridas."
    if open_still and not met:
        found += f" O ano ainda se prova até {due:%d/%m/%Y}; não conta na resposta."
    return Check(
        f"targets/{year}", asks, met, found, article, "" if met else "Comprovar a massa que falta.",
        since=_after(due) if met is False else None, until=until, counts=met is True or not open_still,
    )  # fmt: skip


def _licence(law: Law, known: Known) -> Check:
    """The licence is not the decree's: it is told because its request and renewal are when this is asked."""
    end = known.licence_to
    found = (
        "Validade não informada no cadastro."
        if end is None
        else (f"Vale até {end:%d/%m/%Y}." if known.on <= end else f"Venceu em {end:%d/%m/%Y}.")
    )
    met = None if end is None else known.on <= end
    return Check("licence", "Licença de operação", met, found, law.norm.cite(("art15-I",)), counts=False)


def _after(day: date) -> date:
    return day + DAY


def _closed(law: Law, around: date, known: Known) -> tuple[date, ...]:
    off = closed_days((around.year, around.year + 1), scopes=("BR", law.norm.jurisdiction))
    return tuple(sorted({*off, *known.closed}))


def _until(law: Law, due: date, known: Known) -> date:
    """The day until which something due on a day is in time: itself, or the next business day."""
    off, day = _closed(law, due, known), due
    while day.weekday() >= 5 or day in off:
        day += DAY
    return day
