"""The public log as kept: leaves of what happened to certificates, and the checkpoints signed over them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from lastro.publiclog.leaves import MOVES, SALT, Proof, leaf
from lastro.publiclog.notes import Checkpoint, read, signed
from lastro.publiclog.tree import inclusion, leaf_hash, root
from lastro.stores.postgres.store import Store

_LOCK = 1_455_021
_WAITING = """
    SELECT m.certificate, m.move, m.happened_on, encode(l.hash, 'hex') AS link,
           n.number, c.entity, c.holder, c.year, c.norm, c.kind, c.mass_mg, c.materials
    FROM certificate_move m
    JOIN link l USING (entity, height)
    JOIN certificate c ON c.id = m.certificate
    LEFT JOIN certificate_number n ON n.certificate = m.certificate
    WHERE m.move = ANY (%s) AND NOT EXISTS (
        SELECT FROM public_leaf p WHERE p.certificate = m.certificate AND p.move = m.move)
    ORDER BY l.recorded_at, m.entity, m.height, m.move
"""


@dataclass(frozen=True)
class PublicLog:
    """The log of a store: `origin` is its name, by which its checkpoints begin."""

    store: Store
    origin: str

    def integrate(self, secret: bytes, draw: Callable[[int], bytes]) -> str:
        """Put every move that waits into the log and sign how it stands; nothing new signs nothing anew.

        Each move has one leaf, whatever is cut off: leaves and checkpoint are written together.
        """
        with self.store.transaction() as db:
            db.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
            row = db.execute("SELECT coalesce(max(n) + 1, 0) FROM public_leaf").fetchone()
            assert row is not None
            at = int(row[0])
            for told in db.cursor(row_factory=dict_row).execute(_WAITING, [sorted(MOVES)]).fetchall():
                salt, fields = draw(SALT), _fields(told)
                body = leaf(told["move"], salt=salt, fields=fields, link=told["link"])
                db.execute(
                    "INSERT INTO public_leaf VALUES (%s, %s, %s, %s, %s, %s)",
                    [at, told["certificate"], told["move"], salt, Jsonb(fields), body],
                )
                at += 1
            kept = db.execute("SELECT note FROM public_checkpoint WHERE size = %s", [at]).fetchone()
            if kept is not None:
                return str(kept[0])
            bodies = db.execute("SELECT body FROM public_leaf ORDER BY n").fetchall()
            top = root([leaf_hash(bytes(body)) for (body,) in bodies])
            note = signed(Checkpoint(self.origin, at, top), secret)
            db.execute("INSERT INTO public_checkpoint VALUES (%s, %s)", [at, note])
        return note

    def checkpoint(self) -> str:
        """The latest checkpoint, or nothing where none was signed yet."""
        with self.store.snapshot() as db:
            row = db.execute("SELECT note FROM public_checkpoint ORDER BY size DESC LIMIT 1").fetchone()
        return "" if row is None else str(row[0])

    def leaves(self, size: int) -> list[bytes]:
        """The first leaves, in order: those under the checkpoint of that size."""
        with self.store.snapshot() as db:
            rows = db.execute("SELECT body FROM public_leaf WHERE n < %s ORDER BY n", [size]).fetchall()
        return [bytes(body) for (body,) in rows]

    def proofs(self, certificate: str) -> list[Proof]:
        """What shows each told move of a certificate (by id or number), in the order of the log."""
        note = self.checkpoint()
        if not note:
            return []
        size = read(note).size
        with self.store.snapshot() as db:
            rows = db.cursor(row_factory=dict_row).execute(
                "SELECT p.* FROM public_leaf p LEFT JOIN certificate_number n USING (certificate)"
                " WHERE (p.certificate = %(name)s OR n.number = %(name)s) AND p.n < %(size)s ORDER BY p.n",
                {"name": certificate, "size": size},
            ).fetchall()  # fmt: skip
        hashes = [leaf_hash(body) for body in self.leaves(size)] if rows else []
        return [
            Proof(
                bytes(row["body"]), row["n"], tuple(inclusion(hashes, row["n"])), note, bytes(row["salt"]),
                row["fields"],
            )
            for row in rows
        ]  # fmt: skip


def _fields(told: dict[str, Any]) -> dict[str, Any]:
    """What a move's leaf commits to: masses in milligrams, days as YYYY-MM-DD."""
    return {
        "certificate": told["certificate"], "number": told["number"], "kind": told["kind"],
        "entity": told["entity"], "holder": told["holder"], "norm": told["norm"], "year": told["year"],
        "materials": sorted(told["materials"]), "mass_mg": told["mass_mg"], "move": told["move"],
        "on": told["happened_on"].isoformat(),
    }  # fmt: skip
