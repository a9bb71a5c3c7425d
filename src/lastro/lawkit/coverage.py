"""How much of a norm is code, and whether everything that cites it resolves."""

from __future__ import annotations

import importlib.util
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lastro.errors import LastroError
from lastro.lawkit.citation import cite
from lastro.lawkit.parameters import flat, load
from lastro.lawkit.provisions import STATUSES, Provision, provisions_of, readings_of
from lastro.lawkit.regulation import Regulation


@dataclass(frozen=True)
class Coverage:
    """The count of one norm's provisions by status, its rules and values, and what does not hold."""

    norm: str
    counts: dict[str, int]
    rules: int
    parameters: int
    problems: tuple[str, ...]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def coverage(regulation: Regulation, *, catalogue: frozenset[str] | None = None) -> Coverage:
    """Count a norm's provisions, and check that every citation resolves and every "coded" is true.

    `catalogue`: the ids that the norm's text is known to have, when that list is at hand.
    """
    provisions = provisions_of(regulation.norm.package)
    counted = Counter(p.status for p in provisions)
    parameters = list(flat(load(regulation.norm.package)))
    problems = [
        *_ids(regulation, provisions, catalogue),
        *_citations(regulation, provisions),
        *_honesty(regulation, provisions),
    ]
    return Coverage(
        regulation.norm.path,
        {status: counted[status] for status in STATUSES},
        len(regulation.rules),
        len(parameters),
        tuple(problems),
    )


def read_catalogue(path: Path, *, prefix: str) -> frozenset[str]:
    """The ids of one norm in a table of provisions (tab-separated, `prefix:id` in the first column)."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as wrong:
        raise LastroError(f"{path}: não se abre ({wrong.strerror}).") from wrong
    firsts = (line.split("\t", 1)[0] for line in lines)
    return frozenset(one.removeprefix(f"{prefix}:") for one in firsts if one.startswith(f"{prefix}:"))


def _ids(
    regulation: Regulation, provisions: tuple[Provision, ...], catalogue: frozenset[str] | None
) -> Iterator[str]:
    for one, times in Counter(p.id for p in provisions).items():
        if times > 1:
            yield f"text.md: {one} aparece {times} vezes"
        try:
            cite((one,), names=regulation.norm.citations)
        except ValueError:
            yield f"text.md: {one} não se escreve como citação; nomeie-o em [citations] de norm.toml"
    here = {p.id for p in provisions}
    for one in sorted((catalogue or frozenset()) - here):
        yield f"text.md: falta {one}"
    for one in sorted(here - catalogue) if catalogue is not None else ():
        yield f"text.md: {one} não está na lista de dispositivos"
    for one in sorted(set(regulation.norm.citations) - here):
        yield f"norm.toml: a citação {one} não está em text.md"


def _citations(regulation: Regulation, provisions: tuple[Provision, ...]) -> Iterator[str]:
    known = {p.id for p in provisions}
    readings = readings_of(regulation.norm.package)
    for name, found in regulation.rules.items():
        for one in found.provisions:
            if one not in known:
                yield f"regra {name}: cita {one}, que não está em text.md"
        if found.reading and found.reading not in readings:
            yield f"regra {name}: a leitura {found.reading} não está em readings.md"
    for parameter in flat(load(regulation.norm.package)):
        for entry in parameter.entries:
            for one in entry.provisions:
                if one not in known:
                    yield f"valor {parameter.path}: cita {one}, que não está em text.md"


def _honesty(regulation: Regulation, provisions: tuple[Provision, ...]) -> Iterator[str]:
    ruled = {one for found in regulation.rules.values() for one in found.provisions}
    for p in provisions:
        if p.status != "coded":
            if p.id in ruled:
                yield f"text.md: {p.id} está em uma regra e se diz “{p.status}”"
            if not p.aside:
                yield f"text.md: {p.id} se diz “{p.status}” sem motivo"
        elif p.id not in ruled and not _module(p.aside):
            yield f"text.md: {p.id} se diz “coded”, e nenhuma regra o cita nem o módulo “{p.aside}” existe"


def _module(name: str) -> bool:
    try:
        return name.startswith("lastro.") and importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False
