"""The trace: what was asked, what the law said, what came out, as a tree.

A step is only kept while someone is listening, so a rule pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from fractions import Fraction
from typing import Any

from lastro.facts import Basis
from lastro.lawkit.glossary import label as label_of
from lastro.units import decimal_text, portuguese


@dataclass
class Step:
    """One line of an explanation: a rule with its result, an input, or a value read from the law."""

    label: str
    value: object = None
    article: str = ""
    reading: str = ""
    basis: Basis = Basis.OFFICIAL
    kind: str = "rule"  # "rule" | "input" | "value"
    children: list[Step] = field(default_factory=list)
    quiet: bool = False  # keeps the worst basis of what it hears, and nothing else

    @property
    def worst_basis(self) -> Basis:
        """The worst basis of all that this step leans on (decision 19)."""
        basis = self.basis
        for child in self.children:
            basis = basis.worst(child.worst_basis)
        return basis

    def walk(self) -> Iterator[Step]:
        """This step and every step below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def lines(self, *, depth: int = 0) -> list[str]:
        """The explanation in Portuguese, indented; rules say "=", inputs and values say ":"."""
        mark, sign = ("· ", ":") if self.kind == "value" else ("", ":" if self.kind == "input" else " =")
        notes = [n for n in (self.article, f"leitura: {self.reading}" if self.reading else "") if n]
        if self.basis is not Basis.OFFICIAL:
            notes.append(f"base: {label_of(self.basis.value)}")
        tail = f"  [{'; '.join(notes)}]" if notes else ""
        first = f"{'  ' * depth}{mark}{self.label}{sign} {shown(self.value)}{tail}"
        return [first] + [line for child in self.children for line in child.lines(depth=depth + 1)]

    def json(self) -> dict[str, Any]:
        """The explanation as the contract writes it (contract §3)."""
        return {
            "label": self.label,
            "value": shown(self.value),
            "article": self.article or None,
            "reading": self.reading or None,
            "basis": self.basis.value,
            "children": [child.json() for child in self.children],
        }


_quiet: ContextVar[bool] = ContextVar("lastro_quiet", default=False)
_listening: ContextVar[Step | None] = ContextVar("lastro_listening", default=None)


def listener() -> Step | None:
    """The step that is being filled now, or None when nobody listens."""
    return _listening.get()


@contextmanager
def listening(label: str = "", *, article: str = "") -> Iterator[Step]:
    """Listen to everything that runs inside, under one step; what fails half way keeps what it had."""
    parent = _listening.get()
    if parent is not None and parent.quiet:
        yield parent
        return
    step = Step(label=label, article=article, quiet=_quiet.get())
    if parent is not None:
        parent.children.append(step)
    token = _listening.set(step)
    try:
        yield step
    finally:
        _listening.reset(token)


@contextmanager
def quietly() -> Iterator[None]:
    """Let everything inside keep only the basis that it leans on: a million answers need no explanations."""
    token = _quiet.set(True)
    try:
        yield
    finally:
        _quiet.reset(token)


@contextmanager
def silence() -> Iterator[None]:
    """Let rules run unheard: what they do stands in another explanation already."""
    token = _listening.set(None)
    try:
        yield
    finally:
        _listening.reset(token)


def note_value(
    label: str, value: object, *, article: str, basis: Basis = Basis.OFFICIAL, reading: str = ""
) -> None:
    """Write down a value read from the law, if someone listens."""
    step = _listening.get()
    if step is not None and step.quiet:
        step.basis = step.basis.worst(basis)
    elif step is not None:
        step.children.append(Step(label, value, article, reading, basis, "value"))


def shown(value: object) -> str:
    """A value as a person reads it in Portuguese."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, date):
        return value.strftime("%d/%m/%Y")
    if isinstance(value, Enum):
        return label_of(str(value.value))
    if isinstance(value, Mapping):
        return "; ".join(f"{label_of(str(k))}: {shown(v)}" for k, v in value.items()) or "nada"
    if isinstance(value, (tuple, list)):
        return "; ".join(shown(v) for v in value) or "nada"
    if isinstance(value, Fraction):
        return portuguese(decimal_text(value))
    return label_of(value) if isinstance(value, str) else str(value)
