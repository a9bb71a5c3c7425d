"""The sequence of tags of a part of a note, met before, as one expression that checks it and takes its texts.

Notes of one program in one tax regime repeat their tags and differ in their texts. A part is walked once, tag
by tag: it must be well-formed and written as canonical XML writes it, with text in leaves only. What was met
a few times becomes an expression made of those very tags, in which each leaf holds anything but "<", ">" and
the characters that XML forbids. Text that such an expression matches is therefore as well-formed, and as
canonical, as the part that it was made from; what is left, "&" and two characters far up in Unicode, is asked
of the whole note once (`fast._plain`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter

Texts = tuple[str, ...]

_TAG = re.compile(r'<(/?)([A-Za-z_][A-Za-z0-9_.-]*)(?: ([A-Za-z][A-Za-z0-9_.-]*)="([^"<>&\t\n\r]*)")?>')
_TEXT = re.compile(r">[^<]+")
_VALUE = re.compile(r'="[^"]*"')
_ANY_TEXT = r"[^<>\x00-\x08\x0b-\x1f]*"
_ANY_VALUE = r'[^"<>&\x00-\x1f]*'
_WORTH_AN_EXPRESSION = 3
"""To make an expression costs some milliseconds, as much as a few notes read the long way."""
_LONGEST = 100_000
_DEEPEST = 20
_ALIKE = 12
_MOST = 2_000
_REMEMBERED = 4_000


@dataclass(frozen=True)
class Section:
    """A part of a note: which texts are wanted of it, and which elements may stand at its top.

    `texts` are the alternatives of each name (see `fields.TEXTS`), `lists` paths of which every text is
    wanted; the path of an attribute ends in "/@" and its name.
    """

    texts: Mapping[str, tuple[str, ...]]
    lists: tuple[str, ...] = ()
    only: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    identities: frozenset[str] = frozenset()

    def tops_fit(self, tops: list[str]) -> bool:
        """Whether the elements at the top are those that may stand here; a sole one stands once."""
        if self.only:
            return len(tops) == 1 and tops[0] in self.only
        return bool(tops) and not self.never.intersection(tops)


@dataclass(frozen=True)
class Shape:
    """A sequence of tags; `pick` takes the wanted texts out of the groups, `lists` says where others are.

    The last group of the expression is always empty: it stands for what the sequence does not hold.
    """

    pattern: re.Pattern[str]
    pick: Callable[[Texts], Texts]
    lists: tuple[tuple[int, ...], ...]

    def taken(self, groups: Texts) -> Taken:
        """The wanted texts among the groups of a match."""
        texts = self.pick(groups)
        if self.bare:
            return texts, self.lists_of_none
        return texts, tuple([tuple([groups[n] for n in where]) for where in self.lists])

    @cached_property
    def bare(self) -> bool:
        """Whether none of the lists has a text here."""
        return not any(self.lists)

    @cached_property
    def lists_of_none(self) -> tuple[Texts, ...]:
        return tuple(() for _ in self.lists)


Taken = tuple[Texts, tuple[Texts, ...]]
"""The wanted texts of a part, and of its lists, still with the entities of XML in them."""


class Unshaped(Exception):
    """The part is not written in the one way that is taken here; says nothing against it."""


@dataclass
class Shapes:
    """What was learned of one section. Alike shapes stand together, the latest used first."""

    section: Section
    _known: dict[int, tuple[Shape, ...]] = field(default_factory=dict)
    _count: int = 0
    _met: dict[str, int] = field(default_factory=dict)

    def take(self, text: str, start: int, end: int) -> Taken | None:
        """The texts of a part; None where its tags were not met often enough, or are of no known kind."""
        tags = text.count("<", start, end)
        alike = self._known.get(tags, ())
        for n, shape in enumerate(alike):
            found = shape.pattern.fullmatch(text, start, end)
            if found is not None:
                if n:
                    self._known[tags] = (shape, *alike[:n], *alike[n + 1 :])
                return shape.taken(found.groups())
        return self._learn(text[start:end], tags)

    def _learn(self, part: str, tags: int) -> Taken | None:
        if len(part) > _LONGEST:
            return None
        bare = _VALUE.sub('=""', _TEXT.sub(">", part))
        times = self._met.get(bare, 0) + 1
        if len(self._met) >= _REMEMBERED:
            self._met.clear()
        self._met[bare] = times
        if times < _WORTH_AN_EXPRESSION:
            return None
        try:
            shape = shape_of(part, self.section)
        except Unshaped:
            return None
        if self._count >= _MOST:
            self._known.clear()
            self._count = 0
        self._known[tags] = (shape, *self._known.get(tags, ()))[:_ALIKE]
        self._count += 1
        found = shape.pattern.fullmatch(part)
        return shape.taken(found.groups()) if found else None


def shape_of(part: str, section: Section) -> Shape:
    """Its shape. Raises Unshaped where it is not well-formed, canonical, with text in leaves only."""
    wanted = {path for paths in section.texts.values() for path in paths}.union(section.lists)
    expression: list[str] = []
    groups: dict[str, list[int]] = {}
    tops: list[str] = []
    number = 0
    for piece in _walk(part, section):
        if piece.element and "/" not in piece.element:
            tops.append(piece.element)
        if piece.element in wanted and piece.path != piece.element:
            raise Unshaped(f"{piece.element} holds elements")
        expression.append(re.escape(piece.literal))
        if piece.path in wanted:
            expression.append(f"({piece.holds})")
            groups.setdefault(piece.path, []).append(number)
            number += 1
        else:
            expression.append(piece.holds)
    if not section.tops_fit(tops):
        raise Unshaped("elements at the top")
    wheres = [_where(paths, groups, number) for paths in section.texts.values()]
    pick: Callable[[Texts], Texts] = itemgetter(*wheres) if len(wheres) > 1 else _nothing
    lists = tuple(tuple(groups.get(path, ())) for path in section.lists)
    return Shape(re.compile("".join(expression) + "()"), pick, lists)


def _nothing(_: Texts) -> Texts:
    return ()


def _where(paths: tuple[str, ...], groups: Mapping[str, list[int]], none: int) -> int:
    """The group of the one text that a name has; `none` where it has none."""
    found = [groups[path][0] for path in paths if path in groups]
    if len(found) > 1:
        raise Unshaped(f"several of {paths}")
    return found[0] if found else none


@dataclass(frozen=True)
class _Piece:
    """Literal characters, then what a text may hold; `path` is that text's, `element` a tag's opened here."""

    literal: str
    path: str = ""
    holds: str = ""
    element: str = ""


def _walk(part: str, section: Section) -> Iterator[_Piece]:
    """The part as pieces, in order. Raises Unshaped at what is not a plain tag or the text of a leaf."""
    stack: list[str] = []
    at = 0
    while at < len(part):
        tag = _TAG.match(part, at)
        if tag is None:
            raise Unshaped("no plain tag")
        shut, name, attribute, _ = tag.groups()
        at = tag.end()
        if shut:
            if not stack or stack.pop() != name or attribute:
                raise Unshaped("tags that do not nest")
            yield _Piece(tag.group())
            continue
        stack.append(name)
        path, close = "/".join(stack), f"</{name}>"
        yield from _opened(tag, path, section)
        follows = part.find("<", at)
        if follows < 0 or len(stack) > _DEEPEST:
            raise Unshaped("too deep, or not closed")
        if part.startswith(close, follows):
            yield _Piece("", path, _ANY_TEXT, path)
        elif follows == at:
            yield _Piece("", element=path)
        else:
            raise Unshaped("text between tags")
        at = follows
    if stack:
        raise Unshaped("tags that do not nest")


def _opened(tag: re.Match[str], path: str, section: Section) -> Iterator[_Piece]:
    name, attribute = tag.group(2, 3)
    if not attribute:
        yield _Piece(tag.group())
        return
    where = f"{path}/@{attribute}"
    if attribute.lower() == "xmlns" or (attribute.lower() == "id" and where not in section.identities):
        raise Unshaped("an attribute that matters elsewhere")
    yield _Piece(f'<{name} {attribute}="', where, _ANY_VALUE)
    yield _Piece('">')
