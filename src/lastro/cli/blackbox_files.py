"""What stands in DATA/blackbox: the verifier's keys, for this user alone; and the files that travel."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from lastro.blackbox.seal import ROW_BYTES, Row, public_of
from lastro.blackbox.totals import Sealed
from lastro.cli.common import Settings
from lastro.cli.private_files import draw_once, private_folder, write_text
from lastro.errors import LastroError
from lastro.facts import Placement
from lastro.filings import Kind, Subject
from lastro.lawkit import Regulation
from lastro.obligations.declare import read_declaration
from lastro.publiclog.notes import public_of as signing_key_of
from lastro.units import total


@dataclass(frozen=True)
class Public:
    """A verifier's public keys: the one that boxes are sealed to, and the one that signs totals."""

    name: str
    seals: str
    signs: str


@dataclass(frozen=True)
class Keys:
    """A verifier's secrets, 32 bytes each."""

    name: str
    seals: bytes = field(repr=False)
    signs: bytes = field(repr=False)

    def public(self) -> dict[str, str]:
        signs = signing_key_of(self.signs).hex()
        return {"verifier": self.name, "seals": public_of(self.seals), "signs": signs}


def folder(data: Path) -> Path:
    """The folder of the black box, closed to others."""
    return private_folder(data, "blackbox")


def make_keys(data: Path, name: str) -> Keys:
    """A verifier's keys, drawn once: who loses them opens nothing that was sealed before."""
    path = folder(data) / f"{name}.json"
    drawn = {"seals": (b"\0" + os.urandom(31)).hex(), "signs": os.urandom(32).hex()}  # below the order
    draw_once(path, drawn)
    return keys_of(data, name)


def keys_of(data: Path, name: str) -> Keys:
    """A verifier's keys as kept. Raises LastroError."""
    path = folder(data) / f"{name}.json"
    if not path.exists():
        raise LastroError(f"{path}: não há chave deste verificador; faz-se com lastro blackbox keys.")
    told = read(path)
    try:
        return Keys(name, bytes.fromhex(told["seals"]), bytes.fromhex(told["signs"]))
    except (KeyError, TypeError, ValueError) as wrong:
        raise LastroError(f"{path}: a chave não se lê; restaure-a da cópia de segurança.") from wrong


def public_key(path: Path) -> Public:
    """A verifier's public keys in a file. Raises LastroError."""
    told = read(path)
    try:
        return Public(str(told["verifier"]), str(told["seals"]), str(told["signs"]))
    except (KeyError, TypeError) as wrong:
        raise LastroError(f"{path}: não é a chave pública que lastro blackbox keys grava.") from wrong


def text(path: Path) -> str:
    """A text file. Raises LastroError."""
    try:
        return path.read_text("utf-8-sig")
    except (OSError, ValueError) as wrong:
        raise LastroError(f"{path}: não se lê; confira o nome, e que seja um texto em UTF-8.") from wrong


def read(path: Path) -> Any:
    """A JSON file. Raises LastroError."""
    try:
        return json.loads(text(path))
    except ValueError as wrong:
        raise LastroError(f"{path}: não se lê como JSON; peça de novo o arquivo a quem o fez.") from wrong


def write(path: Path, value: Any) -> None:
    """Write a JSON file for this user alone, whole or not at all."""
    write_text(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def sealed(path: Path) -> Sealed:
    """A sealed declaration in a file. Raises LastroError."""
    try:
        return Sealed.of_json(read(path))
    except ValueError as wrong:
        raise LastroError(
            f"{path}: não é uma declaração lacrada; faz-se com lastro blackbox seal."
        ) from wrong


def kept_rows(path: Path) -> list[Row]:
    """The rows that a company kept when it sealed them. Raises LastroError."""
    try:
        return [Row.of_plain(str(one).encode().ljust(ROW_BYTES)) for one in read(path)]
    except (TypeError, ValueError) as wrong:
        raise LastroError(f"{path}: não é o que lastro blackbox seal guardou com --keep.") from wrong


def placements(path: Path, *, company: str, year: int, today: date) -> list[Placement]:
    """A sheet's placed mass, one row for each material and state. Raises LastroError naming what to mend."""
    declared = read_declaration(path.name, path.read_bytes(), company=company, today=today, year=year)
    if declared.issues:
        first = declared.issues[0]
        raise LastroError(
            f"{path}, linha {first.row}, {first.column}: “{first.found}”, e espera-se {first.expected}. "
            f"{first.cure} Nada foi lacrado ({len(declared.issues)} a corrigir)."
        )
    by: dict[tuple[Any, str], list[Placement]] = {}
    for one in declared.placements:
        by.setdefault((one.material, one.uf), []).append(one)
    return [
        Placement(year, material, uf, total(p.mass for p in found), total(p.returnable for p in found),
                  national=uf == "BR")
        for (material, uf), found in sorted(by.items())
    ]  # fmt: skip


def trace(
    settings: Settings, verifier: str, company: str, by_norm: tuple[Regulation, str],
    told: Mapping[str, str], by: str,
) -> str:  # fmt: skip
    """Write that a row is opened, where the company sees it; its number."""
    from lastro.stores.postgres import Store
    from lastro.stores.postgres.filings import Filings

    regulation, article = by_norm
    with Store.open(settings.data) as store:
        mine = Filings(store, sees=verifier)
        count = len(mine.standing(Kind.OPENING, party=verifier, withdrawn=True))
        name = f"{settings.today.year}-{count + 1:04d}"
        subject = Subject(Kind.OPENING, verifier, norm=regulation.norm.path, name=name)
        mine.add(subject, {"article": article, **told}, by=by, on=settings.today, addressee=company)
    return name
