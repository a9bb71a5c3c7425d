"""What people read in a template, found by itself: templates are written in plain Portuguese, without marks.

A template is cut at tags that begin something new (a paragraph, a cell, a button, a block) and at template
tags that reach over such a cut. What stays together is one message: words, `{{ values }}`, marks inside a
line (`<a>`, `<strong>`, …) and conditions inside a sentence. Attributes that are read out or shown are
messages too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

_TEMPLATE = r"\{\{.*?\}\}|\{%.*?%\}|\{\#.*?\#\}"
_TOKEN = re.compile(
    rf"""(?P<comment>\{{\#.*?\#\}}) | (?P<tag>\{{%.*?%\}}) | (?P<value>\{{\{{.*?\}}\}})
    | (?P<html></?!?[a-zA-Z](?:{_TEMPLATE}|"(?:{_TEMPLATE}|[^"])*"|'(?:{_TEMPLATE}|[^'])*'|[^>"'])*>)
    | (?P<text>(?:(?!\{{[{{%\#]|</?!?[a-zA-Z]).)+)""",
    re.VERBOSE | re.DOTALL,
)
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "cite",
        "code",
        "em",
        "i",
        "kbd",
        "q",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "time",
        "var",
    ]
)
_ENDS = {f"end{name}": name for name in ("if", "for", "with")}
_BRANCHES = {"elif": "if", "else": "", "empty": "for"}
_VALUES = frozenset(("url", "norm_address", "with_query", "firstof"))
_READ = re.compile(
    rf'( (?:aria-label|title|placeholder|alt|data-label)=")((?:{_TEMPLATE}|[^"])*)(")', re.DOTALL
)
_NAMED = re.compile(r'(\b(?:words|title|caption|help)=")([^"]*)(")')
_LISTED = re.compile(r'(\{% norm_files \S+ "[^"]*" ")([^"]*)(")')
_SPOKEN = re.compile(r"""\|(?:default|default_if_none|yesno|pluralize):["'][^"']*[^\W\d_]""")
_LETTER = re.compile(r"[^\W\d_]")
_SPACE = re.compile(r"\s+")

Lookup = Callable[[str], str]


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str

    @property
    def name(self) -> str:
        """The tag's name: `if`, `endif`, `p`, `/p`."""
        inner = self.text[2:].strip() if self.kind == "tag" else self.text[1:]
        found = re.match(r"/?!?\w+", inner)
        return found[0].lower() if found else ""

    @property
    def words(self) -> bool:
        """Whether a person reads words here."""
        if self.kind == "text":
            return bool(_LETTER.search(re.sub(r"&\w+;", "", self.text)))
        return self.kind == "value" and bool(_SPOKEN.search(self.text))


@dataclass
class _Pairs:
    """Which tags belong together, and where something new begins."""

    tokens: list[_Token]
    groups: dict[int, list[int]] = field(default_factory=dict)  # first token of a group → all of its tags
    cuts: set[int] = field(default_factory=set)


def translated(source: str, lookup: Lookup) -> str:
    """A template with each of its messages replaced; all else stays byte by byte."""
    tokens = [_Token(hit.lastgroup or "", hit[0]) for hit in _TOKEN.finditer(source)]
    assert "".join(token.text for token in tokens) == source, "a template with a tag that never ends"
    pairs = _paired(tokens)
    out: list[str] = []
    begin = 0
    for at in [*sorted(pairs.cuts), len(tokens)]:
        out += _run(pairs, begin, at, lookup)
        if at < len(tokens):
            out.append(_tag(tokens[at], lookup))
        begin = at + 1
    return "".join(out)


def messages(source: str) -> list[str]:
    """The messages of a template, in their order, each once."""
    found: dict[str, None] = {}

    def keep(message: str) -> str:
        found[message] = None
        return message

    translated(source, keep)
    return list(found)


def _run(pairs: _Pairs, begin: int, end: int, lookup: Lookup) -> Iterator[str]:
    """What stands between two cuts: one message where it has words of its own, else its parts."""
    tokens = pairs.tokens
    nodes = list(_nodes(pairs, begin, end))
    if any(tokens[node[0]].words for node in nodes):
        whole = "".join(token.text for token in tokens[begin:end])
        bare = whole.strip()
        before, after = whole[: len(whole) - len(whole.lstrip())], whole[len(whole.rstrip()) :]
        yield before + lookup(_SPACE.sub(" ", bare)) + after
        return
    for node in nodes:
        for n, at in enumerate(node):
            yield _tag(tokens[at], lookup)
            if n + 1 < len(node):
                yield from _run(pairs, at + 1, node[n + 1], lookup)


def _nodes(pairs: _Pairs, begin: int, end: int) -> Iterator[list[int]]:
    """What stands side by side: single tokens, and tags with what they hold."""
    at = begin
    while at < end:
        node = pairs.groups.get(at, [at])
        yield node
        at = node[-1] + 1


def _tag(token: _Token, lookup: Lookup) -> str:
    """A tag outside messages, with those of its attributes that are read."""
    if token.kind == "html":
        text = re.sub(r'^(<html lang=")pt-BR', r"\1en", token.text) if token.name == "html" else token.text
        return _READ.sub(lambda hit: hit[1] + _attribute(hit[2], lookup) + hit[3], text)
    if token.kind == "tag":
        pattern = _LISTED if token.name == "norm_files" else _NAMED
        if token.name in ("include", "norm_files"):
            return pattern.sub(lambda hit: hit[1] + _attribute(hit[2], lookup) + hit[3], token.text)
    return token.text


def _attribute(value: str, lookup: Lookup) -> str:
    shown = re.sub(_TEMPLATE, lambda hit: "x" if _SPOKEN.search(hit[0]) else "", value, flags=re.DOTALL)
    return lookup(_SPACE.sub(" ", value)) if _LETTER.search(shown) else value


def _paired(tokens: list[_Token]) -> _Pairs:
    """Find what belongs together; what reaches over a cut, or has no partner, is a cut itself."""
    pairs = _Pairs(tokens)
    found = [*_template_groups(tokens, pairs.cuts)]
    branch = _branches(tokens, found)
    found += _html_groups(tokens, branch, pairs.cuts)
    for group in sorted(found, key=lambda one: one[-1] - one[0]):
        if any(at in pairs.cuts for at in range(group[0], group[-1] + 1)):
            pairs.cuts.update(group)
        else:
            pairs.groups[group[0]] = group
    return pairs


def _template_groups(tokens: list[_Token], cuts: set[int]) -> Iterator[list[int]]:
    open_: list[tuple[str, list[int]]] = []
    for at, token in enumerate(tokens):
        if token.kind == "comment":
            cuts.add(at)
        if token.kind != "tag" or token.name in _VALUES:
            continue
        name = token.name
        if name in _ENDS.values():
            open_.append((name, [at]))
        elif open_ and name in _BRANCHES:
            open_[-1][1].append(at)
        elif open_ and _ENDS.get(name) == open_[-1][0]:
            yield [*open_.pop()[1], at]
        else:
            cuts.add(at)
    cuts.update(at for _, group in open_ for at in group)


def _branches(tokens: list[_Token], groups: list[list[int]]) -> list[tuple[int, ...]]:
    """For each token the branches of conditions and loops that it stands in."""
    inside: list[tuple[int, ...]] = [()] * len(tokens)
    for group in sorted(groups):
        for begin, end in pairwise(group):
            for at in range(begin + 1, end):
                inside[at] = (*inside[at], begin)
    return inside


def _html_groups(tokens: list[_Token], branch: list[tuple[int, ...]], cuts: set[int]) -> Iterator[list[int]]:
    open_: list[int] = []
    for at, token in enumerate(tokens):
        if token.kind != "html":
            continue
        name = token.name
        if name.lstrip("/") not in _INLINE:
            cuts.add(at)
        elif not name.startswith("/"):
            open_.append(at)
        elif open_ and tokens[open_[-1]].name == name[1:] and branch[open_[-1]] == branch[at]:
            yield [open_.pop(), at]
        else:
            cuts.add(at)
    cuts.update(open_)
