"""Writes docs/codigos.md from the catalogue of finding codes; with --check, says whether it is as written.

The page is generated so that what a person reads and what the program says are one text.
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE / "src"))

from lastro.facts import Severity  # noqa: E402
from lastro.findings import Code, catalogue  # noqa: E402

PAGE = HERE / "docs" / "codigos.md"
FAMILIES = {
    "F": "Arquivo",
    "N": "Identidade",
    "S": "Assinatura",
    "M": "Item e massa",
    "P": "Partes",
    "G": "Lugar e viagem",
    "C": "Cadeia",
    "K": "Certificado",
    "T": "Metas e relatórios",
    "B": "Incentivo",
    "X": "Taxa",
}
EFFECTS = {
    Severity.REFUSE: "recusa",
    Severity.REVIEW: "uma pessoa confere",
    Severity.ZERO: "o item não conta",
    Severity.WARN: "aviso",
    Severity.INFO: "informa",
}


HEAD = """# Códigos

Cada coisa vista num arquivo, num item, num certificado ou numa meta tem um código, que não muda nem se
reaproveita. *Recusa*: o documento não conta. *Uma pessoa confere*: não conta até que alguém decida. *O item
não conta*: os outros itens da nota não sofrem com isso. *Aviso* e *informa*: só dizem.

Página gerada de `src/lastro/findings.toml` por `tools/make_codes.py`.
"""
COLUMNS = "| código | efeito | o que é | como resolver | base |\n|---|---|---|---|---|"


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for family, codes in groupby(catalogue().values(), key=lambda code: code.code[0]):
        rows = "\n".join(map(_row, codes))
        parts.append(f"\n## {FAMILIES[family]}\n\n{COLUMNS}\n{rows}\n")
    return "".join(parts)


def _row(code: Code) -> str:
    cells = (code.code, EFFECTS[code.severity], code.message["pt"], code.cure["pt"], code.article)
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def main() -> int:
    if "--check" not in sys.argv:
        PAGE.write_text(page(), "utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text("utf-8") == page():
        return 0
    print("docs/codigos.md não é o que o catálogo diz: corra python tools/make_codes.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
