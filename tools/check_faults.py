"""The page of faults names each report once, and every test it names is there; else says what is wrong."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
PAGE = HERE / "docs" / "faults.md"
SECTIONS = {
    "Reports on fiscal documents": range(1, 58),
    "Rows on credits and reports": [*range(1, 10), *range(13, 20), 24],
    "Rows on flows, files and numbers": range(26, 45),
}
NUMBERED = re.compile(r"^\| ([0-9]+) \|", re.MULTILINE)
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def problems(text: str, *, root: Path = HERE) -> list[str]:
    """What the page lacks, says twice, or promises without a test."""
    found = []
    parts = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n?)*)", text, re.MULTILINE))
    for title, numbers in SECTIONS.items():
        seen = Counter(int(number) for number in NUMBERED.findall(parts.get(title, "")))
        found += [f"{title}: {n} falta" for n in numbers if not seen[n]]
        found += [f"{title}: {n} aparece {times} vezes" for n, times in seen.items() if times > 1]
        found += [f"{title}: {n} não é do estudo" for n in seen if n not in numbers]
    for line in text.splitlines():
        if line.startswith("| ") and not NAMED.search(line) and not re.match(r"\| (no\.|row|report) ", line):
            found.append(f"sem teste: {line[:60]}")
    missing = {(file, name) for file, name in NAMED.findall(text) if name not in tests_of(root / file)}
    return found + [f"não há {file}::{name}" for file, name in sorted(missing)]


@cache
def tests_of(file: Path) -> frozenset[str]:
    """The tests that a file defines; none where there is no such file."""
    if not file.exists():
        return frozenset()
    body = ast.parse(file.read_text("utf-8")).body
    return frozenset(n.name for n in body if isinstance(n, ast.FunctionDef) and n.name.startswith("test_"))


def main() -> int:
    wrong = problems(PAGE.read_text("utf-8"))
    for what in wrong:
        print(f"docs/faults.md: {what}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
