"""The provisions of a norm, one line of our own words each, and what became of each in the code.

`text.md` has one line per provision: "- `art46-p1` · coded · what it says". A line that is not coded ends
with the reason, a coded one may end with the module that holds it, both after another " · ".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files

from lastro.errors import LastroError

STATUSES = ("coded", "not yet", "no effect")
_LINE = re.compile(
    r"- `(?P<id>[A-Za-z0-9-]+)` · (?P<status>[a-z ]+) · (?P<text>[^·]+?)( · (?P<aside>[^·]+))?\Z"
)


@dataclass(frozen=True)
class Provision:
    """One provision: what it says in our words, its status, and why or where."""

    id: str
    status: str
    text: str
    aside: str = ""


def provisions_of(package: str) -> tuple[Provision, ...]:
    """The provisions in text.md of a norm's package. Raises LastroError naming a line that cannot be read."""
    lines = files(package).joinpath("text.md").read_text("utf-8").splitlines()
    return tuple(
        _read(package, number, line) for number, line in enumerate(lines, 1) if line.startswith("- ")
    )


def _read(package: str, number: int, line: str) -> Provision:
    found = _LINE.match(line)
    if not found or found["status"] not in STATUSES:
        raise LastroError(
            f"{package}/text.md, linha {number}: escreva “- `id` · {'|'.join(STATUSES)} · texto · motivo”."
        )
    return Provision(found["id"], found["status"], found["text"].strip(), (found["aside"] or "").strip())


def readings_of(package: str) -> dict[str, str]:
    """The readings in readings.md of a norm's package, by slug: headings such as "## slug — title"."""
    text = files(package).joinpath("readings.md").read_text("utf-8")
    heads = re.findall(r"^## ([a-z0-9-]+) — (.+)$", text, re.MULTILINE)
    return dict(heads)


def reading_texts_of(package: str) -> dict[str, str]:
    """What readings.md says of each reading, by slug, its paragraphs joined."""
    text = files(package).joinpath("readings.md").read_text("utf-8")
    parts = re.split(r"^## ([a-z0-9-]+) — .+$", text, flags=re.MULTILINE)
    return {slug: " ".join(body.split()) for slug, body in zip(parts[1::2], parts[2::2], strict=True)}
