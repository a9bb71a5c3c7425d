"""Whether a file has the form that its official XSD prescribes: an attribute that is told, never a gate.

Some genuine papers fail their schema (those of events still refuse keys with letters), and many false ones
pass it. So it is asked only when someone wants to know (`verify --schema`), and weighs nothing. The schemas
are those of the package `nfelib` (the extra `xsd`): without it, and where it has none (layouts 1.10, 2.00 and
3.10), the form is not checked.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from lastro.evidence.elements import local
from lastro.evidence.read import NFE, Unreadable, root_of, schema_in
from lastro.facts import Conformity, Document

_NOTES = {
    "nfeProc": "procNFe_v4.00", "NFe": "nfe_v4.00", "enviNFe": "enviNFe_v4.00", "inutNFe": "inutNFe_v4.00",
    "procInutNFe": "procInutNFe_v4.00", "ProcInutNFe": "procInutNFe_v4.00",
    "retConsSitNFe": "retConsSitNFe_v4.00", "retConsReciNFe": "retConsReciNFe_v4.00",
    "retEnviNFe": "retEnviNFe_v4.00", "consSitNFe": "consSitNFe_v4.00",
}  # fmt: skip
_SUMMARIES = {name: f"{name}_v1.01" for name in ("resNFe", "resEvento", "distDFeInt", "retDistDFeInt")}
_CORRECTION = "nfe_evento_cce", {"procEventoNFe": "procCCeNFe", "envEvento": "envCCe"}
_CANCELLATION = (
    "nfe_evento_cancel",
    {"procEventoNFe": "procEventoCancNFe", "envEvento": "envEventoCancNFe"},
)
_RECIPIENT = "nfe_evento_mde", {"procEventoNFe": "procConfRecebtoNFe", "envEvento": "envConfRecebto"}
_GENERAL = "nfe_evento_generico", {"procEventoNFe": "procEventoNFe", "envEvento": "envEvento"}
_EVENTS = {
    "110110": _CORRECTION, "110111": _CANCELLATION,
    "210200": _RECIPIENT, "210210": _RECIPIENT, "210220": _RECIPIENT, "210240": _RECIPIENT,
}  # fmt: skip
_LONGEST = 200


def conforming(data: bytes, documents: tuple[Document, ...]) -> tuple[Document, ...]:
    """The documents of one file with what the schema of its outermost element says of it."""
    try:
        told = conformity(data)
    except Exception:  # whatever a hostile file does to the schema's reader, no verdict hangs on it
        told = Conformity(why="a conferência pelo esquema falhou")
    return tuple(replace(document, conformity=told) for document in documents)


def conformity(data: bytes) -> Conformity:
    """What the official schema says of the bytes of one file."""
    try:
        root = root_of(data)
    except Unreadable:
        return Conformity(why="não é XML que se leia")
    version = root.get("versao") or _inner_version(root)
    place = _place(root, version)
    if place is None:
        return Conformity(layout=version, why="sem esquema para este papel e leiaute")
    schema = _schema(*place)
    if schema is None:
        return Conformity(layout=version, why="o pacote nfelib, que traz os esquemas, não está instalado")
    if schema.validate(root):
        return Conformity("valid", version)
    first = schema.error_log[0]
    return Conformity("invalid", version, f"linha {first.line}: {_short(first.message)}")


def _inner_version(root: Any) -> str:
    """The layout of a bare note, which stands on its infNFe."""
    return next((e.get("versao") or "" for e in root if local(e) in ("infNFe", "infEvento", "infInut")), "")


def _place(root: Any, version: str) -> tuple[str, str] | None:
    """The folder of nfelib and the file in which the schema of an element stands."""
    name = local(root)
    if name in _NOTES and version == "4.00":
        return "nfe/schemas/v4_0", f"{_NOTES[name]}.xsd"
    if name in _SUMMARIES and version == "1.01":
        return "nfe_dist_dfe/schemas/v1_0", f"{_SUMMARIES[name]}.xsd"
    if name in _GENERAL[1] and version == "1.00":
        kinds = {(e.text or "").strip() for e in root.iter() if local(e) == "tpEvento"}
        package, files = _EVENTS.get(kinds.pop() if len(kinds) == 1 else "", _GENERAL)
        return f"{package}/schemas/v1_0", f"{files[name]}_v1.00.xsd"
    return None


@lru_cache(maxsize=32)
def _schema(folder: str, file: str) -> Any:
    """The compiled schema; None where the package that carries it is not installed, or lacks it."""
    found = find_spec("nfelib")
    if found is None or not found.submodule_search_locations:
        return None
    path = Path(next(iter(found.submodule_search_locations)), *folder.split("/"), file)
    return schema_in(path) if path.is_file() else None


def _short(message: str) -> str:
    """The first words of a complaint, without the namespace of every name, and without anyone's CPF."""
    plain = message.replace(f"{{{NFE}}}", "")
    return re.sub(r"(?<![0-9A-Z])[0-9]{11}(?![0-9A-Z])", "(CPF)", plain)[:_LONGEST]
