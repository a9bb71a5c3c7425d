"""Whether an establishment is in order with the register and the fee on a day (arts. 3º, 9º, 11 and 12)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from lastro.lawkit import Law, rule
from lastro.lawkit.order import Check, Known, with_stated
from lastro.lawkit.trace import silence
from lastro.quarters import quarter_of

from . import fee, register

QUARTERS = 4


@rule(provisions=("art12-III",), label="O que uma notificação lembra")
def warning(law: Law, *, lacks: int) -> tuple[str, ...]:
    """A notice says which fine it brings, and that the smaller one is of who pays by its day."""
    if not lacks:
        return ()
    return (
        f"Recebida a notificação, a multa de mora é de {law.late.after_notice} do valor da taxa, ou de "
        f"{law.late.within_notice} se paga até o dia que ela fixa ({law.norm.cite(('art12-III',))}).",
    )


def orders(law: Law, known: Known) -> tuple[Check, ...]:
    """The registration, the fee of every quarter since, and the yearly report of activities."""
    with silence():
        found = [_entry(law, known), *_fees(law, known), *_report(law, known)]
    return tuple(with_stated(one, known.stated) for one in found)


def _entry(law: Law, known: Known) -> Check:
    asks, article = "Inscrição no cadastro técnico estadual", law.norm.cite(("art3",))
    if known.registered_on is None:
        return Check(
            "entry", asks, None, "Não consta inscrição; só a deve quem exerce atividade do Anexo Único.",
            article, "Conferir a atividade; se é do anexo, notificar para que se inscreva.",
        )  # fmt: skip
    return Check("entry", asks, True, f"Inscrito em {known.registered_on:%d/%m/%Y}.", article)


def _fees(law: Law, known: Known) -> Iterator[Check]:
    """Quarters with something left to pay are a lack each; those never assessed are told together."""
    article = law.norm.cite(("art9", "art12-II"))
    there = {(one.year, one.number) for one in known.quarters}
    owed = [one for one in known.quarters if not one.paid and one.due < known.on]
    for one in sorted(owed, key=lambda one: one.due):
        yield Check(
            f"fee/{one.year}-T{one.number}", f"Taxa do {one.number}º trimestre de {one.year}", False,
            f"Lançada e não paga; venceu em {one.due:%d/%m/%Y}.", article, "Pagar com os acréscimos do dia.",
            since=one.due + timedelta(days=1),
        )  # fmt: skip
    lacking = [q for q in _past(law, known) if q not in there]
    if lacking:
        names = [f"{number}º de {year}" for year, number in lacking]
        told = f"{names[0]} a {names[-1]}" if len(names) > 2 else " e ".join(names)
        yield Check(
            "fees", "Taxa dos trimestres vencidos", None, f"Sem lançamento: {told}.", article,
            "Lançar os trimestres na mesa da taxa.",
        )  # fmt: skip
    elif known.began is not None and not owed:
        yield Check("fees", "Taxa dos trimestres vencidos", True, "Todos pagos ou sem valor.", article)


def _past(law: Law, known: Known) -> Iterator[tuple[int, int]]:
    """The quarters with an activity whose fee was due before the day, since the law is in force."""
    if known.began is None:
        return
    first = max(known.began, law.norm.in_force_since)
    year, number = first.year, quarter_of(first)
    while fee.due(law, year=year, quarter=number, closed=known.closed) < known.on:
        yield year, number
        year, number = (year, number + 1) if number < QUARTERS else (year + 1, 1)


def _report(law: Law, known: Known) -> Iterator[Check]:
    if known.began is None:
        return
    year = known.on.year - 1
    if register.report_due(law, year=year) >= known.on:
        year -= 1
    if date(year, 12, 31) < known.began:
        return
    due = register.report_due(law, year=year)
    yield Check(
        f"activities/{year}", f"Relatório de atividades de {year}", None,
        f"Venceu em {due:%d/%m/%Y} e não consta aqui.", law.norm.cite(("art11",)), "Conferir no processo.",
    )  # fmt: skip
