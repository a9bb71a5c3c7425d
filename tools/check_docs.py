"""Every link of a page that points inside the project must lead to something that stands there."""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\(([^)\s]+)\)")
LEFT_OUT = {".venv", ".git", ".demo", "node_modules"}


def pages() -> list[Path]:
    return [p for p in sorted(HERE.rglob("*.md")) if not LEFT_OUT & set(p.relative_to(HERE).parts)]


def broken(page: Path) -> list[str]:
    """The links of a page that lead nowhere."""
    found = []
    for target in LINK.findall(page.read_text("utf-8")):
        if re.match(r"[a-z]+:|#", target):
            continue
        if not (page.parent / target.split("#")[0]).exists():
            found.append(target)
    return found


def main() -> int:
    wrong = [(page, target) for page in pages() for target in broken(page)]
    for page, target in wrong:
        print(f"{page.relative_to(HERE)}: elo que não leva a lugar algum: {target}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
