"""The norms as anybody may read them: values in force, readings with their why, provisions, disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from lastro.lawkit import Norm, library
from lastro.lawkit.conflicts import Conflict, conflicts, conflicts_of
from lastro.lawkit.glossary import capital
from lastro.lawkit.parameters import Entry, Parameter, flat, load
from lastro.lawkit.provisions import STATUSES, Provision, provisions_of, reading_texts_of, readings_of
from lastro.lawkit.trace import shown
from lastro.units import portuguese
from lastro.web.downloads import Listed

STATUS = {"in_force": "em vigor", "draft": "minuta: só simulação", "revoked": "revogada"}
KEPT = {"coded": "em código", "not yet": "ainda não", "no effect": "nada a calcular"}
_NUMBERED = {"years": ("ano", "anos"), "months": ("mês", "meses"), "days": ("dia", "dias")}
_STATES = {"value": "vale", "missing": "fora do texto", "revoked": "revogado", "later": "ainda não vale"}


@dataclass(frozen=True)
class Value:
    """One value that a norm fixes, as it stands on a day; `state` is value, missing, revoked or later."""

    name: str
    label: str
    text: str
    article: str
    since: date
    state: str

    @property
    def state_words(self) -> str:
        return _STATES[self.state]


@dataclass(frozen=True)
class Reading:
    """What was chosen where the text leaves room, and why."""

    name: str
    taken: str
    why: str


@dataclass(frozen=True)
class Line:
    """One provision with its citation; `where` is the module that holds it, or why it is not in code."""

    provision: Provision
    article: str
    status: str


@dataclass(frozen=True)
class Brief:
    """A norm in the list of all."""

    norm: Norm
    status: str
    counts: Mapping[str, int]
    total: int


@dataclass(frozen=True)
class Whole:
    """Everything that the page of a norm shows."""

    brief: Brief
    values: tuple[Value, ...]
    readings: tuple[Reading, ...]
    lines: tuple[Line, ...]
    conflicts: tuple[Conflict, ...]

    @property
    def norm(self) -> Norm:
        return self.brief.norm


def known(path: str) -> bool:
    return path in library.paths()


def every() -> list[Brief]:
    """Every norm that is here, those in force first."""
    found = [brief(regulation.norm) for regulation in library.every()]
    return sorted(found, key=lambda one: (one.norm.status != "in_force", one.norm.short_title))


def brief(norm: Norm) -> Brief:
    """A norm with how many of its provisions stand where."""
    counted = Counter(line.provision.status for line in _lines(norm.path))
    counts = {KEPT[status]: counted[status] for status in STATUSES}
    return Brief(norm, STATUS[norm.status], counts, counted.total())


def whole(path: str, *, on: date) -> Whole:
    """A norm as it stands on a day. The path is one that is known."""
    norm = library.find(path).norm
    return Whole(
        brief=brief(norm),
        values=tuple(_value(norm, one, on) for one in flat(load(norm.package))),
        readings=_readings(norm.package),
        lines=_lines(path),
        conflicts=conflicts_of(path),
    )


@cache
def _lines(path: str) -> tuple[Line, ...]:
    norm = library.find(path).norm
    return tuple(Line(p, _cited(norm, (p.id,)), KEPT[p.status]) for p in provisions_of(norm.package))


@cache
def _readings(package: str) -> tuple[Reading, ...]:
    texts = reading_texts_of(package)
    return tuple(Reading(slug, title, texts[slug]) for slug, title in readings_of(package).items())


def _cited(norm: Norm, provisions: tuple[str, ...]) -> str:
    return norm.cite(provisions).removeprefix(f"{norm.short_title}, ")


def _value(norm: Norm, parameter: Parameter, on: date) -> Value:
    entry = parameter.on(on)
    state = "later" if entry is None else _state(entry)
    said = entry or parameter.entries[0]
    article = _cited(norm, said.provisions) if said.provisions else said.cite
    text = _text(parameter, said) if state in ("value", "later") else said.missing
    return Value(parameter.path, parameter.label, text, article, said.since, state)


def _state(entry: Entry) -> str:
    return "revoked" if entry.revoked else "missing" if entry.missing else "value"


def _text(parameter: Parameter, entry: Entry) -> str:
    if parameter.unit in _NUMBERED:
        one, many = _NUMBERED[parameter.unit]
        return f"{entry.value} {one if entry.value == 1 else many}"
    if parameter.unit == "count":
        return portuguese(str(entry.value))
    return shown(entry.value)


def chosen(lines: tuple[Line, ...], *, status: str, words: str) -> list[Line]:
    """The provisions of a status that hold some words, in their id, their citation or what they say."""
    wanted = words.casefold()
    return [
        one
        for one in lines
        if status in ("", one.provision.status)
        and wanted in f"{one.provision.id} {one.article} {one.provision.text}".casefold()
    ]


# ── lists to take along ──────────────────────────────────────────────────────────────────────────────

LISTS = ("valores", "leituras", "dispositivos", "divergencias", "lacunas")
"""The lists of a norm, by the name that stands in their address."""


def listed(found: Whole, what: str) -> Listed:
    """One of the lists of a norm, as rows."""
    made = {
        "valores": _values_listed, "leituras": _readings_listed, "dispositivos": _lines_listed,
        "divergencias": _conflicts_listed, "lacunas": _gaps_listed,
    }  # fmt: skip
    return made[what](found)


def _values_listed(found: Whole) -> Listed:
    rows = [(v.name, v.label, v.state_words, v.text, v.since.isoformat(), v.article) for v in found.values]
    return Listed(("nome", "o que é", "situação", "valor", "desde", "base"), tuple(rows))


def _readings_listed(found: Whole) -> Listed:
    rows = [(r.name, r.taken, r.why) for r in found.readings]
    return Listed(("leitura", "escolha", "por quê"), tuple(rows))


def _lines_listed(found: Whole) -> Listed:
    rows = [
        (one.provision.id, one.article, one.status, one.provision.text, one.provision.aside)
        for one in found.lines
    ]
    return Listed(("id", "dispositivo", "situação", "o que diz", "onde ou por quê"), tuple(rows))


def _gaps_listed(found: Whole) -> Listed:
    return Listed(("falta no texto",), tuple((capital(gap),) for gap in found.norm.lacking))


def _conflicts_listed(found: Whole) -> Listed:
    return conflicts_listed(found.conflicts)


def conflicts_listed(found: tuple[Conflict, ...]) -> Listed:
    """Each side of each disagreement is one row."""
    rows = [(one.topic, side.article, side.says, one.taken) for one in found for side in one.sides]
    return Listed(("sobre o quê", "norma", "diz", "toma-se"), tuple(rows))


def norms_listed() -> Listed:
    """Every norm, with its state."""
    rows = [
        (b.norm.path, b.norm.short_title, b.norm.title, b.status, b.norm.in_force_since.isoformat())
        for b in every()
    ]
    return Listed(("norma", "nome", "ementa", "situação", "vale desde"), tuple(rows))


def all_conflicts() -> tuple[Conflict, ...]:
    return conflicts()
