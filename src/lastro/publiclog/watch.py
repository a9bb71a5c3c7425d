"""What a witness does before it signs, and what a monitor finds in all that a log shows.

A witness keeps the last checkpoint it signed and signs a later one only where the first leaves are still the
same. What it holds when they are not is the proof: two checkpoints, both signed by the log.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lastro.publiclog.notes import Checkpoint, NotANote, Signer, cosigned, read, signs
from lastro.publiclog.tiles import Read, Tiles, Torn, files
from lastro.publiclog.tree import leaf_hash, root


@dataclass(frozen=True)
class Fault:
    """What a log did, and the checkpoints that show it."""

    kind: str
    said: str
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "said": self.said, "notes": list(self.notes)}


@dataclass(frozen=True)
class Witnessed:
    """A checkpoint that a witness signed, or why it does not."""

    note: str = ""
    fault: Fault | None = None


def witness(read_file: Read, *, log: Signer, name: str, secret: bytes, last: str, at: int) -> Witnessed:
    """Look at the log and sign its checkpoint, if it is the log's and holds all that `last` held.

    `last` is the checkpoint of the time before, empty at the first. Raises OSError where the log is silent.
    """
    note = read_file("checkpoint").decode("utf-8", "replace")
    now = _of_log(note, log)
    if now is None:
        return Witnessed(fault=Fault("unsigned", f"o fechamento não é assinado por {log.name}", (note,)))
    tiles = Tiles(read_file, now.size)
    fault = _told(tiles, now, note) or (_since(tiles, last, now, note) if last else None)
    if fault is not None:
        return Witnessed(fault=fault)
    return Witnessed(cosigned(note, secret, name=name, at=at))


def _told(tiles: Tiles, now: Checkpoint, note: str) -> Fault | None:
    try:
        made = tiles.root()
    except (Torn, OSError) as wrong:
        return Fault("torn", f"os arquivos do registro não dão a raiz do fechamento: {wrong}", (note,))
    if made != now.root:
        return Fault("torn", "os arquivos do registro dão outra raiz que a do fechamento", (note,))
    return None


def _since(tiles: Tiles, last: str, now: Checkpoint, note: str) -> Fault | None:
    before, both = read(last), (last, note)
    if now.size < before.size:
        told = f"o registro encolheu de {before.size} para {now.size} folhas"
        return Fault("rolled back", told, both)
    if now.size == before.size:
        same = now.root == before.root
        return None if same else Fault("split", f"dois fechamentos de {now.size} folhas diferem", both)
    try:
        then = tiles.root(before.size)
    except Torn as wrong:
        return Fault("torn", f"os arquivos do registro não combinam: {wrong}", (note,))
    if then != before.root:
        return Fault("rewritten", f"as primeiras {before.size} folhas não são mais as de antes", both)
    return None


def monitor(read_file: Read, *, log: Signer, seen: Iterable[str] = ()) -> Iterator[Fault]:
    """Read everything and tell all that is wrong; `seen` are checkpoints that others got of this log."""
    note = read_file("checkpoint").decode("utf-8", "replace")
    now = _of_log(note, log)
    if now is None:
        yield Fault("unsigned", f"o fechamento não é assinado por {log.name}", (note,))
        return
    try:
        entries = list(Tiles(read_file, now.size).entries())
    except (Torn, OSError) as wrong:
        yield Fault("torn", f"as folhas não se leem: {wrong}", (note,))
        return
    hashes = [leaf_hash(entry) for entry in entries]
    if root(hashes) != now.root:
        yield Fault("torn", "as folhas dão outra raiz que a do fechamento", (note,))
    yield from _other_tiles(read_file, entries, note)
    yield from _twice(entries)
    for other in seen:
        then = _of_log(other, log)
        if then is None:
            yield Fault("unsigned", "um fechamento visto por outros não é deste registro", (other,))
        elif then.size > now.size:
            yield Fault(
                "rolled back", f"outros viram {then.size} folhas, e aqui há {now.size}", (other, note)
            )
        elif root(hashes[: then.size]) != then.root:
            yield Fault("split", f"outros viram outras {then.size} primeiras folhas", (other, note))


def _other_tiles(read_file: Read, entries: list[bytes], note: str) -> Iterator[Fault]:
    """Every tile is what the leaves give: those who read only some of them are shown the same log."""
    for path, data in files(entries):
        try:
            same = path.startswith("tile/entries/") or read_file(path) == data
        except OSError:
            same = False
        if not same:
            yield Fault("torn", f"{path} falta ou não é o que as folhas dão", (note,))


def _twice(entries: list[bytes]) -> Iterator[Fault]:
    """Each move stands once: a link of the ledger wrote one thing, and no commitment comes twice."""
    found: Counter[str] = Counter()
    for index, entry in enumerate(entries):
        try:
            said = json.loads(entry)
            found.update({f"compromisso {said['commit']}", f"elo {said['link']}, {said['move']}"})
        except (ValueError, KeyError, TypeError):
            yield Fault("strange", f"a folha {index} não é de um movimento")
    for what, times in found.items():
        if times > 1:
            yield Fault("doubled", f"{what}: {times} vezes no registro")


def _of_log(note: str, log: Signer) -> Checkpoint | None:
    try:
        found = read(note)
    except NotANote:
        return None
    return found if found.origin == log.name and signs(note, log) else None
