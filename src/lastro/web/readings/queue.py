"""What waits for a person of the verifier: contested lines, notes for review, loads that buyers deny."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from django.urls import reverse

from lastro.custody.count import LotState
from lastro.facts import Outcome, Severity
from lastro.findings import catalogue
from lastro.stores.postgres import cases as store
from lastro.stores.postgres.cases import HandedNote
from lastro.stores.postgres.custody import LotStanding, PostgresCustody, custody
from lastro.units import Mass
from lastro.web import office
from lastro.web.marked import gettext_noop
from lastro.web.readings import cases, documents, loads
from lastro.web.translating import said, tongue

LOOK_AT = {
    "C02": gettext_noop(
        "Quem vendeu a quem, e por qual entidade o operador foi homologado: compare as reivindicações."
    ),
    "C03": gettext_noop("As duas notas lado a lado: placas, hora, peso, romaneio. É uma carga ou são duas?"),
    "C04": gettext_noop("A cadeia antes desta venda: de quem o vendedor comprou, e o que daquilo já contou."),
    "N15": gettext_noop("Os dois conteúdos assinados lado a lado: qual deles a SEFAZ autorizou."),
    "M15": gettext_noop("As duas notas lado a lado: a segunda conta a mesma massa ou outra?"),
    "G05": gettext_noop("O peso da nota contra o ticket da balança e o veículo."),
    "G06": gettext_noop("As cargas do mesmo veículo no dia: placas, horas e municípios."),
    "G07": gettext_noop("A capacidade na licença do operador contra o que ele vendeu no mês."),
    "G08": gettext_noop("O documento de transporte da carga (CT-e, MDF-e ou MTR)."),
    "G09": gettext_noop("Se a massa vai e volta entre as duas empresas: veja a cadeia."),
}
"""What to look at first, by code; for others the catalogue's cure says what would settle it."""


def _look_at(code: str) -> str:
    words = LOOK_AT.get(code)
    return said(words) if words else catalogue()[code].cure[tongue()]


DENIED, SHORT = "recebimento negado", "recebido a menos"


@dataclass(frozen=True)
class Waiting:
    """One thing that waits for a person, with why and what to look at.

    `mass` is what hangs on it, None where it cannot be told. `since` is the day it was handed in. `step` says
    what is missing: two people, the second one, an opinion, a paper of the entity.
    """

    key: str
    line: int
    what: str
    code: str
    why: str
    look_at: str
    entity: str
    mass: Mass | None
    issued_on: date | None
    since: date | None
    step: str
    address: str


def queue(entities: Collection[str], *, verifier: str) -> list[Waiting]:
    """Everything that waits for people among what these entities handed in, the heaviest first."""
    reviewed = [(entity, row) for entity in entities for row in _reviewed(entity)]
    with custody(office.store()) as memory:
        contested = [one for one in memory.standing(state="contested") if set(one.claims) & set(entities)]
        denied = loads.waiting(entities, verifier=verifier)
        keys = {one.access_key for one in contested} | {row.key for _, row in reviewed if row.key}
        known = _by_key(store.handed(memory.db, sorted(keys | {d.key for d in denied}), entities=entities))
        since = store.handed_on(memory.db, sorted(known))
        found = [_contest(one, memory, known, since, entities) for one in contested]
    open_keys = {one.access_key for one in contested}
    for entity, row in reviewed:
        if row.key not in open_keys:
            found.append(_review(entity, row, known, since))
    found += [_denial(one, known, since) for one in denied]
    return sorted(found, key=lambda one: (-(one.mass.mg if one.mass else 0), one.key, one.line))


def _by_key(notes: Iterable[HandedNote]) -> dict[str, list[HandedNote]]:
    found = defaultdict(list)
    for note in notes:
        found[note.key].append(note)
    return found


def _reviewed(entity: str) -> Iterator[documents.Row]:
    """The documents of an entity whose answer waits for a person, each once, whatever the year."""
    seen = set()
    for whom in office.claimed(entity):
        for row in documents.rows(whom):
            if row.outcome is Outcome.REVIEW and (row.sha256, row.ordinal) not in seen:
                seen.add((row.sha256, row.ordinal))
                yield row


def _contest(
    row: LotStanding,
    memory: PostgresCustody,
    known: dict[str, list[HandedNote]],
    since: dict[str, date],
    entities: Collection[str],
) -> Waiting:
    assert row.state == LotState.CONTESTED
    notes = known.get(row.access_key, [])
    said = memory.proposals(row.access_key, row.line)
    confirmed = {one["confirms"] for one in said if one["confirms"] is not None}
    open_ = any(one["confirms"] is None and one["id"] not in confirmed for one in said)
    mine = sorted(set(row.claims) & set(entities))
    return Waiting(
        key=row.access_key,
        line=row.line,
        what="item contestado",
        code=row.reason,
        why=_message(row.reason),
        look_at=_look_at(row.reason),
        entity=mine[0],
        mass=cases.mass_by_line(notes).get(row.line),
        issued_on=_issued(notes),
        since=since.get(row.access_key),
        step="falta a segunda pessoa" if open_ else "duas pessoas decidem",
        address=reverse("note-case", args=[row.access_key]),
    )


def _review(
    entity: str, row: documents.Row, known: dict[str, list[HandedNote]], since: dict[str, date]
) -> Waiting:
    asks = [code for code, severity in row.codes if severity is Severity.REVIEW]
    code = asks[0] if asks else (row.codes[0][0] if row.codes else "")
    notes = known.get(row.key, []) if row.kind == "nfe" else []
    return Waiting(
        key=row.key or row.file,
        line=0,
        what="documento para revisão",
        code=", ".join(asks) or code,
        why=_message(code),
        look_at=_look_at(code) if code else "",
        entity=entity,
        mass=cases.whole(notes),
        issued_on=row.issued_on,
        since=since.get(row.key),
        step="a entidade traz o papel",
        address=reverse("note-case", args=[row.key]) if notes else "",
    )


def _denial(one: loads.Receipt, known: dict[str, list[HandedNote]], since: dict[str, date]) -> Waiting:
    notes = known.get(one.key, [])
    return Waiting(
        key=one.key,
        line=0,
        what=DENIED if one.denied else SHORT,
        code="",
        why=one.reason or "O comprador não escreveu por quê.",
        look_at="O ticket da balança de quem vendeu e de quem comprou, o MTR e o CDF da carga.",
        entity=one.entity,
        mass=cases.whole(notes) or one.stated,
        issued_on=_issued(notes),
        since=one.on,
        step="o seu parecer",
        address=reverse("load-look", args=[one.key, one.recycler]),
    )


def _message(code: str) -> str:
    return catalogue()[code].message[tongue()] if code in catalogue() else code


def _issued(notes: list[HandedNote]) -> date | None:
    days = [note.document.invoice.issued_on for note in notes if note.document.invoice]
    return min(days, default=None)
