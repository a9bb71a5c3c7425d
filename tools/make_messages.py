"""The catalogues of the English switch: what pages say in Portuguese, and the English of it.

    python tools/make_messages.py            writes new messages into the catalogues, and compiles them
    python tools/make_messages.py --check    changes nothing; fails where something lacks

`pages.po` holds the messages of the templates (`lastro.web.segments` finds them), `django.po` those that
the Python of `lastro.web` marks with `_`, `gettext`, `gettext_lazy`, `gettext_noop` or `ngettext`, the heads
of its columns and the captions of its tables. What was translated stays; what is said nowhere falls away.
A translation may order values and marks anew, but may not lose one.
"""

from __future__ import annotations

import ast
import re
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE / "src"))

from lastro.web.segments import messages as of_template  # noqa: E402

WEB = HERE / "src/lastro/web"
CATALOGUES = WEB / "locale/en/LC_MESSAGES"
_MARKS = {"_", "translate", "gettext", "gettext_lazy", "gettext_noop"}
_PLURALS = {"ngettext", "ngettext_lazy"}
_HEADER = (
    "Language: en\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\nPlural-Forms: nplurals=2; plural=(n != 1);\n"
)

Key = tuple[str, ...]
"""A message: its words, or its words for one and for many."""


@dataclass
class Message:
    """One message, where it is said, and its English (one text, or one for each number)."""

    key: Key
    places: list[str] = field(default_factory=list)
    english: tuple[str, ...] = ()

    @property
    def missing(self) -> bool:
        return len(self.english) != len(self.key) or not all(self.english)


def said_in_templates() -> Iterator[tuple[Key, str]]:
    """Each message of each template, with the file that says it."""
    for path in sorted((WEB / "templates").rglob("*.html")):
        for message in of_template(path.read_text("utf-8")):
            yield (message,), path.relative_to(WEB).as_posix()


def said_in_python() -> Iterator[tuple[Key, str]]:
    """Each message that the Python of the web marks, with the file that says it."""
    for path in sorted(WEB.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                for key in _said_by(node, node.func.id, path):
                    yield key, path.relative_to(WEB).as_posix()


def _said_by(node: ast.Call, name: str, path: Path) -> Iterator[Key]:
    """What a call marks: its text; the head of a column and the caption of a table, which are said later."""
    if name in _PLURALS or name in _MARKS:
        yield _literal(node, 2 if name in _PLURALS else 1, path)
    heads = [node.args[1]] if name == "Column" and len(node.args) > 1 else []
    captions = [word.value for word in node.keywords if word.arg == "caption" and name == "table"]
    for text in (*heads, *captions):
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield (text.value,)


def _literal(node: ast.Call, count: int, path: Path) -> Key:
    texts = [arg.value for arg in node.args[:count] if isinstance(arg, ast.Constant)]
    if len(texts) != count or not all(isinstance(text, str) for text in texts):
        raise SystemExit(f"{path.relative_to(HERE)}:{node.lineno}: a marked text must stand there literally")
    return tuple(str(text) for text in texts)


def gathered(said: Iterator[tuple[Key, str]]) -> dict[Key, Message]:
    """Messages, each once, in the order in which they are said first."""
    found: dict[Key, Message] = {}
    for key, place in said:
        places = found.setdefault(key, Message(key)).places
        if place not in places:
            places.append(place)
    return found


def read(path: Path) -> dict[Key, tuple[str, ...]]:
    """The English that a catalogue holds."""
    if not path.exists():
        return {}
    found: dict[Key, tuple[str, ...]] = {}
    for block in re.split(r"\n\s*\n", path.read_text("utf-8")):
        parts: dict[str, str] = {}
        name = ""
        for line in block.splitlines():
            hit = re.match(r'(msgid|msgid_plural|msgstr(?:\[\d\])?)?\s*(".*")$', line)
            if hit:
                name = hit[1] or name
                parts[name] = parts.get(name, "") + ast.literal_eval(hit[2])
        if parts.get("msgid"):
            key = tuple(parts[name] for name in ("msgid", "msgid_plural") if name in parts)
            found[key] = tuple(text for name, text in parts.items() if name.startswith("msgstr"))
    return found


def written(messages: dict[Key, Message]) -> str:
    """A catalogue as a file."""
    blocks = ['msgid ""\nmsgstr ""\n' + "\n".join(_quoted(line) for line in _HEADER.splitlines(True))]
    for message in messages.values():
        lines = [f"#: {place}" for place in message.places]
        lines.append(f"msgid {_quoted(message.key[0])}")
        if len(message.key) == 1:
            lines.append(f"msgstr {_quoted(''.join(message.english))}")
        else:
            english = message.english if len(message.english) == len(message.key) else ("", "")
            lines.append(f"msgid_plural {_quoted(message.key[1])}")
            lines += [f"msgstr[{n}] {_quoted(text)}" for n, text in enumerate(english)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def _quoted(text: str) -> str:
    held = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{held}"'


def compiled(english: dict[Key, tuple[str, ...]]) -> bytes:
    """A catalogue in the form that programs read (GNU MO, sorted, without a table of hashes)."""
    texts = {"": _HEADER} | {"\0".join(key): "\0".join(said) for key, said in english.items() if all(said)}
    rows = sorted((key.encode(), said.encode()) for key, said in texts.items())
    begin = 28 + 16 * len(rows)
    tables: list[list[int]] = [[], []]
    body = b""
    for column in (0, 1):
        for row in rows:
            tables[column] += [len(row[column]), begin + len(body)]
            body += row[column] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(rows), 28, 28 + 8 * len(rows), 0, begin)
    numbers = [*tables[0], *tables[1]]
    return head + struct.pack(f"<{len(numbers)}I", *numbers) + body


_HELD = re.compile(r"\{\{.*?\}\}|\{% (?:url|norm_address|with_query|firstof).*?%\}|</?[a-z]\w*|%\(\w+\)[sd]")
_FREE = re.compile(r"""\|(?:default_if_none|default|yesno|pluralize)(?::(?:"[^"]*"|'[^']*'))?""")


def lost(message: Message) -> set[str]:
    """What a translation no longer says, or says though the message does not: values, addresses, marks."""
    held = {_FREE.sub("", one) for text in message.key for one in _HELD.findall(text)}
    wrong: set[str] = set()
    for text in message.english:
        said = {_FREE.sub("", one) for one in _HELD.findall(text)}
        wrong |= said - held
        if len(message.key) == 1:  # "one note" need not say the number
            wrong |= held - said
    return wrong


def catalogues() -> Iterator[tuple[Path, dict[Key, Message]]]:
    """Each catalogue, with what is said today and the English known for it."""
    for name, said in (("pages", said_in_templates()), ("django", said_in_python())):
        path = CATALOGUES / f"{name}.po"
        found = gathered(said)
        known = read(path)
        for key, message in found.items():
            message.english = known.get(key, ())
        yield path, found


def faults(path: Path, found: dict[Key, Message]) -> Iterator[str]:
    """What is wrong with a catalogue, in words."""
    for message in found.values():
        where = f"{path.name}: {message.places[0]}: {message.key[0]!r}"
        if message.missing:
            yield f"{where} lacks English"
        elif wrong := lost(message):
            yield f"{where} in English loses or adds {', '.join(sorted(wrong))}"
    if not path.exists() or path.read_text("utf-8") != written(found):
        yield f"{path.name} is not what is said today: run tools/make_messages.py"
    mo = path.with_suffix(".mo")
    if not mo.exists() or mo.read_bytes() != compiled({key: one.english for key, one in found.items()}):
        yield f"{mo.name} is not {path.name} compiled: run tools/make_messages.py"


def main() -> int:
    wrong = 0
    for path, found in catalogues():
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(written(found), "utf-8")
            path.with_suffix(".mo").write_bytes(compiled({key: one.english for key, one in found.items()}))
        for fault in faults(path, found):
            print(fault)
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
