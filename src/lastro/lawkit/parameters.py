"""Dated parameters: the value in force on a day, and the provision that set it.

A parameter has a label, a unit and dated entries. An entry says what the value `is` since that day, or that
it is `missing` from the text at hand, or `revoked`, and names its `provision` (or `cite`, for another act).
The value in force is the one at the latest date not after the day asked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from lastro.errors import LastroError, NotInForce, TextMissing
from lastro.facts import TargetRow
from lastro.lawkit.tables import Targets
from lastro.lawkit.trace import listener, note_value
from lastro.units import Mass, Money, Share, exact

if TYPE_CHECKING:
    from lastro.lawkit.regulation import Norm


@dataclass(frozen=True, order=True)
class MonthDay:
    """A day of every year, such as 30 July, written "07-30"."""

    month: int
    day: int

    @classmethod
    def parse(cls, text: str) -> MonthDay:
        month, day = text.split("-")
        date(2000, int(month), int(day))
        return cls(int(month), int(day))

    def of(self, year: int) -> date:
        return date(year, self.month, self.day)

    def __str__(self) -> str:
        return f"{self.day:02d}/{self.month:02d}"


def _typed(kind: type) -> Callable[[Any], Any]:
    def take(value: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"expected {kind.__name__}, got {value!r}")
        return value

    return take


UNITS: Mapping[str, Callable[[Any], Any]] = {
    "share": Share.parse,
    "mass": Mass.parse,
    "money": Money.brl,
    "count": _typed(int),
    "years": _typed(int),
    "months": _typed(int),
    "days": _typed(int),
    "factor": exact,
    "flag": _typed(bool),
    "text": _typed(str),
    "month_day": MonthDay.parse,
    "table": _typed(str),
}


@dataclass(frozen=True)
class Entry:
    """One dated line of a parameter."""

    since: date
    value: Any
    missing: str
    revoked: bool
    provisions: tuple[str, ...]
    cite: str


@dataclass(frozen=True)
class Parameter:
    """One value that a norm fixes, with every date at which it changed, oldest first."""

    path: str
    label: str
    unit: str
    entries: tuple[Entry, ...]

    def on(self, day: date) -> Entry | None:
        """The entry in force on a day, or None before the first."""
        return max((e for e in self.entries if e.since <= day), key=lambda e: e.since, default=None)


Branch = dict[str, "Parameter | Branch"]


@cache
def load(package: str) -> Branch:
    """The parameters of a norm's package. Raises LastroError naming the entry that is badly written."""
    text = files(package).joinpath("parameters.toml").read_text("utf-8")
    return _branch(tomllib.loads(text), package, "")


def _branch(raw: Mapping[str, Any], package: str, path: str) -> Branch:
    out: Branch = {}
    for name, node in raw.items():
        here = f"{path}.{name}".lstrip(".")
        try:
            out[name] = _parameter(here, node) if "since" in node else _branch(node, package, here)
        except (KeyError, ValueError, TypeError, AttributeError) as wrong:
            raise LastroError(
                f"{package}/parameters.toml, [{here}]: entrada malformada ({wrong})."
            ) from wrong
    return out


def _parameter(path: str, node: Mapping[str, Any]) -> Parameter:
    unit = node["unit"]
    entries = [_entry(date.fromisoformat(day), entry, UNITS[unit]) for day, entry in node["since"].items()]
    return Parameter(path, node["label"], unit, tuple(sorted(entries, key=lambda e: e.since)))


def _entry(since: date, raw: Mapping[str, Any], read: Callable[[Any], Any]) -> Entry:
    says = [word for word in ("is", "missing", "revoked") if word in raw]
    if len(says) != 1:
        raise ValueError("an entry says exactly one of is, missing, revoked")
    provision = raw.get("provision", [])
    provisions = (provision,) if isinstance(provision, str) else tuple(provision)
    if bool(provisions) == ("cite" in raw):
        raise ValueError("an entry names its provision or its cite")
    value = read(raw["is"]) if "is" in raw else None
    return Entry(since, value, raw.get("missing", ""), "revoked" in raw, provisions, raw.get("cite", ""))


def flat(branch: Branch) -> Iterator[Parameter]:
    """Every parameter below a branch, in the order of the file."""
    for node in branch.values():
        if isinstance(node, Parameter):
            yield node
        else:
            yield from flat(node)


class Law:
    """One norm as it stood on one day: `law.returnables.step` is the value in force, its reading traced.

    Raises NotInForce before the first date or after a revocation, TextMissing where the text at hand does not
    show the value. `law.targets` is the table of targets loaded, in the same spirit.
    """

    def __init__(
        self,
        norm: Norm,
        on: date,
        branch: Branch,
        *,
        targets: Sequence[TargetRow] = (),
        path: str = "",
    ) -> None:
        self.norm = norm
        self.on = on
        self._branch = branch
        self._rows = tuple(targets)
        self._path = path
        self._below: dict[str, Law] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._below:
            return self._below[name]
        node = self._branch.get(name)
        if node is None:
            where = f"{self._path}.{name}".lstrip(".")
            raise AttributeError(f"{self.norm.short_title} has no parameter {where!r}")
        if isinstance(node, Parameter):
            return self._value(node)
        path = f"{self._path}.{name}".lstrip(".")
        below = self._below[name] = Law(self.norm, self.on, node, targets=self._rows, path=path)
        return below

    def _value(self, parameter: Parameter) -> Any:
        entry = parameter.on(self.on)
        if entry is None or entry.revoked:
            raise NotInForce(self._not_in_force(parameter, entry))
        heard = listener()
        if (heard is None or heard.quiet) and not entry.missing and parameter.unit != "table":
            return entry.value
        article = f"{self._article(entry)}, desde {entry.since:%d/%m/%Y}"
        if parameter.unit == "table":
            return Targets(
                rows=self._rows, label=parameter.label, article=self._article(entry),
                norm_path=self.norm.path, lacking=entry.missing,
            )  # fmt: skip
        if entry.missing:
            raise TextMissing(
                f"{parameter.label}: não carregada ({entry.missing}; {self._article(entry)}). "
                "Informe o valor oficial com a fonte."
            )
        note_value(parameter.label, entry.value, article=article)
        return entry.value

    def _article(self, entry: Entry) -> str:
        return self.norm.cite(entry.provisions) if entry.provisions else entry.cite

    def _not_in_force(self, parameter: Parameter, entry: Entry | None) -> str:
        day = f"{self.on:%d/%m/%Y}"
        if entry is None:
            first = parameter.entries[0].since
            return (
                f"{parameter.label}: não estava em vigor em {day} "
                f"({self.norm.short_title}; vale desde {first:%d/%m/%Y}). Peça um dia posterior."
            )
        return (
            f"{parameter.label}: revogado desde {entry.since:%d/%m/%Y} ({self._article(entry)}); "
            f"sem valor em {day}."
        )
