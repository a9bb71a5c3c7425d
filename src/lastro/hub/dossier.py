"""What an entity hands its verifier where tags meet, and what the verifier hands back opened.

A dossier names a line with its secret and every entry under its tag; it goes from an entity to a verifier and
to nobody else. What comes back is checked against what was committed to: it needs no trust in who opened it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lastro.hub.batch import Held, Opened, commitment
from lastro.hub.lines import HubClaim, Line, LineSecret
from lastro.hub.match import Judged, Seen, fault_of, judge, open_all
from lastro.hub.people import Roster
from lastro.hub.proof import NotProved
from lastro.hub.words import b64, digest, spelled, unb64


@dataclass(frozen=True)
class Case:
    """One line that met: its secret, and all entries under its tag."""

    line: Line
    secret: LineSecret
    held: tuple[Held, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "line": {"key": self.line.key, "line": self.line.line, "book": self.line.book},
            "secret": b64(self.secret.value),
            "entries": [one.to_json() for one in self.held],
        }

    @classmethod
    def of_json(cls, told: Any) -> Case:
        """Read a case. Raises KeyError, TypeError or ValueError where it is none."""
        held = tuple(Held.of_json(one) for one in told["entries"])
        return cls(line_of(told), LineSecret(unb64(told["secret"])), held)


@dataclass(frozen=True)
class CaseOpened:
    """A line with its entries as a verifier saw them, and what they come to."""

    line: Line
    seen: tuple[Seen, ...]
    judged: Judged

    @property
    def digest(self) -> str:
        """By which the same opening is known again, whoever brings it."""
        return digest("opened", spelled(self.to_json())).hex()

    def to_json(self) -> dict[str, Any]:
        return {
            "line": {"key": self.line.key, "line": self.line.line, "book": self.line.book},
            "entries": [
                {
                    **one.held.to_json(),
                    "claim": b64(one.opened.claim.packed()) if one.opened else "",
                    "salt": one.opened.salt.hex() if one.opened else "",
                }
                for one in self.seen
            ],
        }


def line_of(told: Mapping[str, Any]) -> Line:
    return Line(str(told["line"]["key"]), int(told["line"]["line"]), str(told["line"]["book"]))


def open_cases(roster: Roster, cases: Iterable[Case], *, verifier: str, key: bytes) -> list[CaseOpened]:
    """Open what an entity handed over, as its verifier."""
    opened = []
    for case in cases:
        held = sorted(case.held, key=lambda one: one.reference)
        seen = open_all(roster, held, case.secret, verifier=verifier, key=key)
        opened.append(CaseOpened(case.line, tuple(seen), judge(case.line, seen)))
    return opened


def check_opened(
    roster: Roster, told: Mapping[str, Any], *, secret: LineSecret, known: Sequence[Held]
) -> CaseOpened:
    """What a verifier opened, recomputed by the entity that handed it over. Raises NotProved.

    `known` are the entries the entity has under that tag: all of them must be there, and no other.
    """
    try:
        line = line_of(told)
        read = [(Held.of_json(one), str(one["claim"]), str(one["salt"])) for one in told["entries"]]
        seen = tuple(_seen(roster, held, claim, salt) for held, claim, salt in read)
    except (KeyError, TypeError, ValueError) as wrong:
        raise NotProved("O arquivo não é o que um verificador abriu.") from wrong
    if {one.reference for one, _, _ in read} != {one.reference for one in known} or len(read) != len(known):
        raise NotProved(f"Item {line.line} de {line.key}: as entradas abertas não são as que se encontraram.")
    if any(held.tag != secret.tag for held, _, _ in read):
        raise NotProved(f"Item {line.line} de {line.key}: uma entrada é de outro item.")
    return CaseOpened(line, seen, judge(line, seen))


def _seen(roster: Roster, held: Held, claim: str, salt: str) -> Seen:
    if not held.sound(roster):
        return Seen(held, None, "a entrada não está num lote assinado")
    if not claim:
        return Seen(held, None, "o pacote não se abre com as chaves que abrem os outros")
    opened = Opened(HubClaim.of_bytes(unb64(claim)), bytes.fromhex(salt))
    if commitment(held.tag, opened) != held.entry[32:64]:
        raise NotProved("O conteúdo mostrado não é o que foi enviado.")
    return Seen(held, opened, fault_of(roster, held, opened))
