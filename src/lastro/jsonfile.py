"""A JSON document read strictly: whole, or refused whole with everything there is to mend named by its place.

Numbers are taken as they are written, so no binary fraction ever touches a mass or an amount.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any, TypeVar

from lastro.errors import LastroError
from lastro.ids import bare, is_cnpj
from lastro.units import ZERO, Mass, Money, Share, exact, how_many

MOST_SHOWN = 20
T = TypeVar("T")


class JsonRefused(LastroError):
    """A document that cannot be used, with everything there is to mend in it."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        shown = [f"  {p}" for p in problems[:MOST_SHOWN]]
        if len(problems) > MOST_SHOWN:
            shown.append(f"  … e mais {len(problems) - MOST_SHOWN}.")
        head = f"o arquivo tem {how_many(len(problems), 'correção', 'correções')} a fazer:"
        super().__init__("\n".join([head, *shown]))


def spelled(value: Any) -> bytes:
    """A JSON value in the one spelling that is signed and digested: names sorted, no blanks, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def read_document(text: str, read: Callable[[Node], T]) -> T:
    """Read a document by its top object. Raises JsonRefused naming every place that has to be mended."""
    try:
        raw = json.loads(text, parse_float=str, parse_constant=_no_constant, object_pairs_hook=_once)
    except json.JSONDecodeError as wrong:
        where = f"linha {wrong.lineno}, coluna {wrong.colno}"
        raise JsonRefused([f"não é um JSON bem formado a partir da {where}."]) from wrong
    except RecursionError as wrong:
        raise JsonRefused(
            ["não é um JSON que se leia: há listas ou objetos demais, um dentro do outro."]
        ) from wrong
    except ValueError as wrong:
        said = str(wrong) if isinstance(wrong, Expected) else "há um número longo demais"
        raise JsonRefused([f"não é um JSON bem formado ({said})."]) from wrong
    if "\\ud" in text.lower() and _halved(raw):
        raise JsonRefused(["há um texto com meio caractere (um \\ud… sem o seu par); escreva-o de novo."])
    problems: list[str] = []
    made = read(Node(raw, "", problems))
    if problems:
        raise JsonRefused(problems)
    return made


class Expected(ValueError):
    """What a reader says was expected, where it knows better than the place that asked."""


def _halved(raw: Any) -> bool:
    """Whether half of a letter stands somewhere: a text that no file and no screen can hold."""
    try:
        json.dumps(raw, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _no_constant(text: str) -> None:
    raise Expected(f"{text} não é um número")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Expected(f"a chave “{twice}” aparece duas vezes num mesmo objeto")
    return made


class Node:
    """One JSON object at a place in the file; wrong or unknown keys are noted as problems."""

    def __init__(self, raw: Any, place: str, problems: list[str]) -> None:
        self.problems, self.place = problems, place
        if not isinstance(raw, dict):
            self.wrong("", raw, "um objeto {…}")
        self.raw: Mapping[str, Any] = raw if isinstance(raw, dict) else {}
        self.asked: set[str] = set()

    def wrong(self, key: str, found: object, expected: str) -> None:
        where = writable(".".join(part for part in (self.place, key) if part)) or "o documento"
        seen = "nada" if found is None else f"“{_seen(found)}”"
        self.problems.append(f"{where}: encontrado {seen}; esperado {expected}.")

    def take(self, key: str, read: Callable[[Any], T], default: T, expected: str, *, required: bool) -> T:
        self.asked.add(key)
        value = self.raw.get(key)
        if value is None:
            if required:
                self.wrong(key, None, expected)
            return default
        try:
            return read(value)
        except Expected as wrong:
            self.wrong(key, value, str(wrong))
        except (ValueError, TypeError, AttributeError):
            self.wrong(key, value, expected + _quotes(value, read))
        return default

    def need(self, key: str, read: Callable[[Any], T], default: T, expected: str) -> T:
        return self.take(key, read, default, expected, required=True)

    def may(self, key: str, read: Callable[[Any], T], default: T, expected: str) -> T:
        return self.take(key, read, default, expected, required=False)

    def each(self, key: str, read: Callable[[Node], T]) -> tuple[T, ...]:
        """Read a list of objects; a missing list is an empty one."""
        self.asked.add(key)
        found = self.raw.get(key)
        if found is None:
            return ()
        if not isinstance(found, list):
            self.wrong(key, found, "uma lista […]")
            return ()
        place = ".".join(part for part in (self.place, key) if part)
        return tuple(_closed(Node(one, f"{place}[{i}]", self.problems), read) for i, one in enumerate(found))

    def part(self, key: str, read: Callable[[Node], T]) -> T | None:
        """Read an object that may be there; None when it is not."""
        self.asked.add(key)
        found = self.raw.get(key)
        if found is None:
            return None
        return _closed(Node(found, ".".join(p for p in (self.place, key) if p), self.problems), read)

    def close(self) -> None:
        """Say which keys nobody asked for: a misspelt key must not be lost."""
        for key in self.raw:
            if key not in self.asked:
                self.wrong(key, key, f"uma das chaves {', '.join(sorted(self.asked))}")


def writable(value: str) -> str:
    """A text in which what no document may hold (control characters, halves of letters) is marked "\ufffd".

    The end of a line and the tab stay.
    """
    if value.isprintable():
        return value
    return "".join("\ufffd" if _unwritable(letter) else letter for letter in value)


def _unwritable(letter: str) -> bool:
    if letter in "\t\n\r":
        return False
    return unicodedata.category(letter) in ("Cc", "Cs") or ord(letter) & 0xFFFE == 0xFFFE


def _seen(found: object) -> str:
    """What was found, short and as JSON writes it."""
    words = {True: "true", False: "false"}
    return words[found] if isinstance(found, bool) else writable(str(found))[:60]


def _quotes(value: Any, read: Callable[[Any], object]) -> str:
    """Whether the same value, with or without its quotation marks, would do."""
    other: object = None
    if isinstance(value, str):
        plain = {"true": True, "false": False}.get(value.strip())
        other = int(value) if value.isascii() and value.isdigit() and len(value) <= 20 else plain
        hint = ", sem aspas"
    else:
        other = str(value) if type(value) is int else None
        hint = ", entre aspas"
    if other is None:
        return ""
    try:
        read(other)
    except (ValueError, TypeError, AttributeError):
        return ""
    return hint


def _closed(one: Node, read: Callable[[Node], T]) -> T:
    made = read(one)
    one.close()
    return made


def once_each(node: Node, key: str, names: Sequence[object]) -> None:
    """Of two rows that answer one question, neither may silently win."""
    for i, name in enumerate(names):
        if name in names[:i]:
            shown = ", ".join(map(str, name)) if isinstance(name, tuple) else name
            node.wrong(f"{key}[{i}]", shown, f"uma linha só para isto; {key}[{names.index(name)}] já o diz")


MASS = 'quilogramas como texto decimal, como "48000" ou "0.5", até o miligrama'


def text(value: Any) -> str:
    """A text that is not blank, of characters that can be written anywhere."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError
    if value != writable(value):
        raise Expected("um texto sem caracteres de controle")
    return value.strip()


def year(value: Any) -> int:
    """A year from 2000 to 2100."""
    if type(value) is not int or not 2000 <= value <= 2100:
        raise ValueError
    return value


def flag(value: Any) -> bool | None:
    """true or false, and nothing that only looks like them."""
    if not isinstance(value, bool):
        raise ValueError
    return value


def share(value: Any) -> str:
    """A share as written, above nothing and at most the whole."""
    read = Share.parse(value)
    if not 0 < read.of_one <= 1:
        raise ValueError
    return str(value).strip()


def mass(value: Any) -> Mass:
    """Kilograms as a decimal text or a whole number; never below zero."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError
    read = Mass.kg(str(value))
    if read < ZERO:
        raise ValueError
    return read


def cnpj(value: Any) -> str:
    """A CNPJ, masked or not, or the eight characters of its root."""
    read = bare(text(value))
    if not is_cnpj(read) and not (len(read) == 8 and read.isascii() and read.isalnum()):
        raise ValueError
    return read


MONEY = 'reais como texto decimal, como "1800.00", até o centavo'


def money(value: Any) -> Money:
    """Reais as a decimal text or a whole number; never below zero."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError
    read = Money.brl(str(value))
    if read < Money(0):
        raise ValueError
    return read


def day(value: Any) -> date:
    """A day, written 2026-12-31."""
    return date.fromisoformat(text(value))


def factor(value: Any) -> Fraction:
    """A plain decimal number, taken exactly; never below zero."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError
    read = exact(str(value))
    if read < 0:
        raise ValueError
    return read


def count(value: Any) -> int:
    """A whole number of things; never below zero."""
    if type(value) is not int or value < 0:
        raise ValueError
    return value


def one_of(allowed: Sequence[str]) -> Callable[[Any], str]:
    """A reader of one word out of those allowed."""

    def read(value: Any) -> str:
        if value not in allowed:
            raise ValueError
        return str(value)

    return read
