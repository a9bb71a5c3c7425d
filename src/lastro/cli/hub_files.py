"""What stands in DATA/hub: the keys of a role, which only this user may read, and the roster."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from lastro.cli.private_files import draw_once, private_folder, write_text
from lastro.errors import LastroError
from lastro.hub.keeper import told_of
from lastro.hub.people import HubMember, HubVerifier, Roster
from lastro.hub.words import public_of

ROLES = ("hub", "keeper", "verifier", "member")
_SECRETS = {"hub": ("signs",), "keeper": ("signs", "seed"), "verifier": ("seals",), "member": ("signs",)}


@dataclass(frozen=True)
class Role:
    """Who one is at the hub, with the secrets of that role (32 bytes each)."""

    role: str
    name: str
    secrets: Mapping[str, bytes] = field(repr=False)

    def piece(self, eras: list[str]) -> dict[str, Any]:
        """What the roster says of this role: nothing secret."""
        if self.role == "hub":
            return {"role": "hub", "hub": public_of(self.secrets["signs"]).hex()}
        if self.role == "keeper":
            told = told_of(self.name, signs=self.secrets["signs"], seed=self.secrets["seed"], eras=eras)
            return {"role": "keeper", **asdict(told)}
        if self.role == "verifier":
            key = X25519PrivateKey.from_private_bytes(self.secrets["seals"]).public_key()
            return {"role": "verifier", **asdict(HubVerifier(self.name, key.public_bytes_raw().hex()))}
        return {"role": "member", **asdict(HubMember(self.name, public_of(self.secrets["signs"]).hex()))}


def folder(data: Path) -> Path:
    """The folder of the hub's files, closed to others."""
    return private_folder(data, "hub")


def make_role(data: Path, role: str, name: str) -> Role:
    """The keys of a role, drawn once: whoever loses them is somebody else afterwards."""
    path = folder(data) / f"{role}-{name}.json"
    secrets = {one: os.urandom(32).hex() for one in _SECRETS[role]}
    draw_once(path, {"role": role, "name": name, "secrets": secrets})
    return role_of(data, role, name)


def role_of(data: Path, role: str, name: str = "") -> Role:
    """The keys of a role as kept; the only one of its kind where no name is given. Raises LastroError."""
    found = sorted(folder(data).glob(f"{role}-{name or '*'}.json"))
    if len(found) != 1:
        many = f"há {len(found)}; diga qual com --name" if found else "não há nenhuma"
        raise LastroError(
            f"Procura-se em {folder(data)} a chave de {role}, e {many}. Faz-se com lastro hub join."
        )
    try:
        told = json.loads(found[0].read_text("utf-8"))
        secrets = {one: bytes.fromhex(told["secrets"][one]) for one in _SECRETS[role]}
        return Role(role, str(told["name"]), secrets)
    except (OSError, KeyError, TypeError, ValueError) as wrong:
        raise LastroError(f"{found[0]}: a chave não se lê; restaure-a da cópia de segurança.") from wrong


def read_json(path: Path) -> Any:
    """A JSON file. Raises LastroError."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as wrong:
        raise LastroError(f"{path}: não se lê como JSON; confira o nome e o conteúdo.") from wrong


def write_json(path: Path, value: Any) -> None:
    """Write a JSON file for this user alone, whole or not at all."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n")


def roster_path(data: Path) -> Path:
    return folder(data) / "roster.json"


def read_roster(path: Path) -> Roster:
    """The roster in a file. Raises LastroError."""
    try:
        return Roster.of_json(read_json(path))
    except (KeyError, TypeError, ValueError) as wrong:
        raise LastroError(
            f"{path}: não é um rol do centro de custódia; faz-se com lastro hub roster."
        ) from wrong


def own_roster(data: Path) -> Roster:
    """The roster of a data folder. Raises LastroError."""
    path = roster_path(data)
    if not path.exists():
        raise LastroError("Falta o rol do centro; adote o que lhe deram: lastro hub roster --take ARQUIVO")
    return read_roster(path)


def compile_roster(pieces: list[Any], *, origin: str, size: int, pace: int) -> Roster:
    """One roster out of what each participant printed at `lastro hub join`. Raises LastroError."""
    try:
        of = {role: [one for one in pieces if one["role"] == role] for role in ROLES}
        plain = [[{k: v for k, v in one.items() if k != "role"} for one in of[role]] for role in ROLES[1:]]
        if len(of["hub"]) != 1 or not all(plain):
            raise LastroError(
                "Um rol tem um centro, e ao menos um guardião, um verificador e uma entidade; junte o que "
                "cada um imprimiu em lastro hub join."
            )
        keepers, verifiers, members = plain
        return Roster.of_json(
            {
                "origin": origin, "hub": of["hub"][0]["hub"], "size": size, "pace": pace,
                "keepers": sorted(keepers, key=lambda one: str(one["name"])),
                "verifiers": sorted(verifiers, key=lambda one: str(one["name"])),
                "members": sorted(members, key=lambda one: str(one["entity"])),
            }
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as wrong:
        raise LastroError("Um dos arquivos não é o que lastro hub join imprime.") from wrong
