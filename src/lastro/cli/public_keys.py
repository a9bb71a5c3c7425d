"""What stands in DATA/public-log: the key of a log or of a witness, which only this user may read."""

from __future__ import annotations

import json
import os
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lastro.errors import LastroError
from lastro.publiclog.notes import Signer


def folder(data: Path) -> Path:
    """The folder of these files, closed to others."""
    made = data / "public-log"
    made.mkdir(mode=0o700, parents=True, exist_ok=True)
    return made


def make_key(data: Path, role: str, name: str) -> Signer:
    """The key of a role (log or witness), drawn once; whose public part it gives. Raises LastroError."""
    if not name or any(c.isspace() or c == "+" for c in name):
        raise LastroError(f"“{name}” não serve de nome: sem espaços e sem +, como registro.orgao.example.")
    path = folder(data) / f"{role}.json"
    if not path.exists():
        told = {"name": name, "secret": os.urandom(32).hex()}
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
            json.dump(told, out)
    kept, secret = own_key(data, role)
    if kept != name:
        raise LastroError(f"A chave desta pasta é de {kept}. Outro nome pede outra pasta (--data).")
    public = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
    return Signer(name, public, witness=role == "witness")


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
