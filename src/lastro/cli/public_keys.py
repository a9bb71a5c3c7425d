"""What stands in DATA/public-log: the key of a log or of a witness, which only this user may read."""

from __future__ import annotations

import json
import os
from pathlib import Path

from lastro.cli.private_files import draw_once, private_folder
from lastro.errors import LastroError
from lastro.publiclog.notes import Signer


def folder(data: Path) -> Path:
    """The folder of these files, closed to others."""
    return private_folder(data, "public-log")


def make_key(data: Path, role: str, name: str) -> tuple[Signer, bytes]:
    """The key of a role (log or witness), drawn once: whose it is, and its secret. Raises LastroError."""
    if not name or any(c.isspace() or c == "+" for c in name):
        raise LastroError(f"“{name}” não serve de nome: sem espaços e sem +, como registro.orgao.example.")
    path = folder(data) / f"{role}.json"
    draw_once(path, {"name": name, "secret": os.urandom(32).hex()})
    kept, secret = own_key(data, role)
    if kept != name:
        raise LastroError(f"A chave desta pasta é de {kept}. Outro nome pede outra pasta (--data).")
    return Signer.of_secret(name, secret, witness=role == "witness"), secret


def own_key(data: Path, role: str) -> tuple[str, bytes]:
    """The name and secret of a role as kept. Raises LastroError."""
    path = folder(data) / f"{role}.json"
    try:
        told = json.loads(path.read_text("utf-8"))
        return str(told["name"]), bytes.fromhex(told["secret"])
    except FileNotFoundError as missing:
        verb = "lastro log begin" if role == "log" else "lastro witness --name NOME"
        raise LastroError(f"Não há chave em {path}. Faz-se com {verb}.") from missing
    except (OSError, KeyError, TypeError, ValueError) as bad:
        raise LastroError(f"{path}: a chave não se lê; restaure-a da cópia de segurança.") from bad


def signer_of(text: str) -> Signer:
    """A public key as it is passed on, or the file that holds it. Raises LastroError."""
    path = Path(text)
    try:
        return Signer.of_text(path.read_text("utf-8") if "+" not in text and path.is_file() else text)
    except (OSError, ValueError) as bad:
        raise LastroError(
            f"“{text[:60]}” não é uma chave pública, como nome+1234abcd+AAAA…; copie a linha inteira."
        ) from bad
