"""Values as a lawyer writes them, on a case sheet or a command line: "40%", "10000 kg", 2026-12-31, "sim"."""

from __future__ import annotations

import types
from collections.abc import Mapping
from datetime import date
from enum import Enum
from fractions import Fraction
from typing import Any, Union, get_args, get_origin

from lastro.units import ExactMass, Mass, Money, Share, exact

UNKNOWN = ("desconhecido", "unknown")
YES, NO = ("sim", "true"), ("não", "nao", "false")


def read_value(kind: Any, raw: object) -> Any:
    """Read a value of the kind a rule asks for. Raises ValueError with what was expected, in Portuguese."""
    parts = get_args(kind)
    if get_origin(kind) in (Union, types.UnionType):
        if raw is None or raw in UNKNOWN:
            return None
        return read_value(next(p for p in parts if p is not type(None)), raw)
    if get_origin(kind) is tuple:
        items = [t.strip() for t in raw.split(",")] if isinstance(raw, str) else raw
        assert isinstance(items, list), "several values are a list"
        return tuple(read_value(parts[0], item) for item in items)
    if kind is Mapping or get_origin(kind) is Mapping:
        return {name: read_value(parts[1], value) for name, value in _pairs(raw).items()}
    try:
        return _plain(kind, raw)
    except (ValueError, TypeError, AttributeError) as wrong:
        raise ValueError(f"esperado {_expected(kind)}") from wrong


def _pairs(raw: object) -> dict[str, object]:
    if isinstance(raw, dict):
        return raw
    pairs = [part.partition(":") for part in str(raw).split(",")]
    if not all(sign for _, sign, _ in pairs):
        raise ValueError("esperado material: massa, separados por vírgula, como glass: 30 t, paper: 60 t")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _plain(kind: Any, raw: Any) -> Any:
    if kind is bool:
        return _flag(raw)
    if kind is int:
        return int(raw) if isinstance(raw, str) else _same(int, raw)
    if kind is date:
        return date.fromisoformat(raw) if isinstance(raw, str) else _same(date, raw)
    if kind is Share or kind is Mass:
        return kind.parse(raw)
    if kind is ExactMass:
        return Mass.parse(raw).exact
    if kind is Money:
        return Money.brl(_same(str, raw).removeprefix("R$").strip())
    if kind is Fraction:
        return Fraction(_same(str, raw)) if "/" in raw else exact(_same(str, raw))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(raw)
    assert kind is str, f"no way to read a {kind}"
    return _same(str, raw)


def _flag(raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    if raw.lower() not in (*YES, *NO):
        raise ValueError
    return raw.lower() in YES


def _same(kind: type, raw: Any) -> Any:
    if type(raw) is not kind:
        raise ValueError
    return raw


def _expected(kind: Any) -> str:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "um de " + ", ".join(str(one.value) for one in kind)
    return {
        bool: "sim ou não",
        int: "um número inteiro",
        date: "uma data, como 2026-12-31",
        Share: "um percentual, como 40%",
        Mass: "uma massa, como 10000 kg",
        ExactMass: "uma massa, como 10000 kg",
        Money: "um valor em reais, como 1800.00",
        Fraction: "um número, como 1.5 ou 2/3",
        str: "um texto",
    }[kind]
