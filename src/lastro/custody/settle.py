"""Handing in, and settling keys: whatever is known of a key, the ledger ends where the count says.

`hand_in` writes a batch and settles its keys in one transaction of the memory it is given. Doing it again, in
another order, or after being killed half-way through a run ends the same: only what changes is posted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lastro.custody.count import KeyView, Posting, count_once, postings
from lastro.custody.port import For, Handed, Memory
from lastro.facts import Lot
from lastro.units import Mass


def hand_in(
    memory: Memory,
    handed: Sequence[Handed],
    *,
    whom: For,
    files: Mapping[str, bytes],
    claims: Iterable[tuple[str, int, Mass | None]],
) -> None:
    """Write documents, answers and claims of one claimant, and settle every key they touch.

    Each document of `handed` is of a file in `files` (by SHA-256), or of one handed in before.
    """
    keys = {h.access_key for h in handed if h.access_key}
    memory.lock_keys(keys | {h.sha256 for h in handed if not h.access_key})
    memory.write_files(files)
    memory.write_answers(handed, whom)
    memory.write_claims(claims, whom)
    settle(memory, sorted(keys))


def settle(memory: Memory, keys: Sequence[str]) -> None:
    """Count the keys and post what changed. The keys are held by this transaction."""
    views, entered = memory.key_views(keys), memory.entered(keys)
    changes: list[Mapping[str, Any]] = []
    for key in keys:
        counts = count_once(views[key])
        memory.write_states(key, counts)
        changes += [_entry(views[key], posting) for posting in postings(counts, entered.get(key, {}))]
    if changes:
        memory.post(changes)


def _entry(view: KeyView, posting: Posting) -> Mapping[str, Any]:
    """One posting as the ledger takes it: who gives, who gets, and the facts the lot carries."""
    lot = Lot(view.access_key, posting.line, posting.entity)
    enters = posting.change_mg > 0
    entry: dict[str, Any] = {
        "debit": "source" if enters else lot.account,
        "credit": lot.account if enters else "source",
        "mass_mg": abs(posting.change_mg),
        "reason": posting.reason,
        "access_key": view.access_key,
        "line": posting.line,
        "claimant": posting.entity,
    }
    if posting.claim is not None:
        claim, content = posting.claim, view.contents[posting.claim.content]
        entry |= {
            "material": claim.material.value,
            "issued_on": content.issued_on.isoformat() if content.issued_on else None,
            "issuer": content.issuer,
            "recipient": content.recipient,
            "municipality": claim.collection.municipality,
            "municipality_source": claim.collection.source,
            "origin": claim.collection.origin.value if claim.collection.origin else None,
            "norm": claim.norm,
            "year": claim.year,
        }
    return entry
