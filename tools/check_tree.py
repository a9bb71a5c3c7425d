"""What must never stand in the tree: paths of somebody's machine, addresses of package registries, people.

An eleven-digit number that passes as a CPF, or a fourteen-digit one that passes as a CNPJ, may be a real
person's or firm's: invented ones begin with letters, or are put together where they are needed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(HERE / "src"))

from lastro.ids import bare, is_cnpj, is_cpf  # noqa: E402

HOSTS = ("py" + "pi.org", "python" + "hosted", "npm" + "js.", "crates" + ".io", "conda" + ".anaconda")
HOME = re.compile(r"(?<![\w.<>])/(?:work|root|home|Users)/\w")
PERSON = re.compile(r"(?<![\w./-])(?:\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11})(?![\w./-])")
FIRM = re.compile(r"(?<![\w./-])(?:\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}|\d{14})(?![\w./-])")
LIMIT = 5_000_000


def files() -> list[Path]:
    """Every file that is, or could be, committed."""
    command = ["git", "-C", str(HERE), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    return [HERE / name for name in listed.split("\0") if name and (HERE / name).is_file()]


def faults(text: str) -> list[tuple[int, str]]:
    """What is wrong in a text, with the line on which it stands."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        low = line.lower()
        found += [(number, "endereço de um registro de pacotes") for host in HOSTS if host in low]
        if HOME.search(line):
            found.append((number, "caminho de uma máquina"))
        if any(is_cpf(bare(hit)) for hit in PERSON.findall(line)):
            found.append((number, "número que passa por CPF"))
        if any(is_cnpj(bare(hit)) for hit in FIRM.findall(line)):
            found.append((number, "número que passa por CNPJ de empresa real (invente com raiz ZZ)"))
    return found


def main() -> int:
    wrong = 0
    for path in files():
        if path.stat().st_size > LIMIT:
            print(f"{path.relative_to(HERE)}: maior que {LIMIT} bytes")
            wrong += 1
            continue
        for number, what in faults(path.read_bytes().decode("utf-8", "replace")):
            print(f"{path.relative_to(HERE)}:{number}: {what}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
