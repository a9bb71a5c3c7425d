"""Handing in, and settling keys: whatever is known of a key, the ledger ends where the count says.

`hand_in` writes a batch and settles its keys in one transaction of the memory it is given. Doing it again, in
another order, or after being killed half-way through a run ends the same: only what changes is posted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from lastro.custody.chain_settle import views_of
from lastro.custody.count import KeyView, Posting, count_once, postings
from lastro.custody.family import pair_name
from lastro.custody.port import For, Handed, Memory
from lastro.evidence.consulted import Consulted
from lastro.facts import Kind
from lastro.units import Mass


def hand_in(
    memory: Memory,
    handed: Sequence[Handed],
    *,
    whom: For,
    files: Mapping[str, bytes],
    claims: Iterable[tuple[str, int, Mass | None]],
    on: date,
) -> None:
    """Write documents, answers and claims of one claimant on a day, and settle every key they touch.

    Each document of `handed` is of a file in `files` (by SHA-256), or of one handed in before.
    """
    keys = {h.access_key for h in handed if h.access_key}
    keys |= {bears.access_key for h in handed for bears in h.bears}
    besides = {h.sha256 for h in handed if not h.access_key}
    besides |= {pair_name(h.issuer, h.recipient) for h in handed if h.kind == Kind.NFE.value}

    def write() -> None:
        memory.write_files(files)
        memory.write_answers(handed, whom)
        memory.write_claims(claimed, whom)

    claimed = list(claims)
    settle(memory, memory.hold(keys, write, besides=besides), on=on)


def hear(
    memory: Memory,
    answers: Mapping[str, Consulted],
    *,
    address: str,
    files: Mapping[str, bytes],
    on: date,
) -> None:
    """Keep what SEFAZ answered about keys, and settle them: a note cancelled there counts for nobody.

    `answers` are by the digest of the answer's bytes, which are in `files`; they came from `address`.
    """

    def write() -> None:
        memory.write_files(files)
        memory.write_consulted(answers, address=address)

    settle(memory, memory.hold({answer.access_key for answer in answers.values()}, write), on=on)


def settle(memory: Memory, keys: Sequence[str], *, on: date) -> None:
    """Count the keys, and those of which they change what counts, and post what changed, on a day.

    The keys are held by this transaction.
    """
    views = views_of(memory, keys)
    entered = memory.entered(sorted(views))
    changes: list[Mapping[str, Any]] = []
    for key in sorted(views):
        counts = count_once(views[key])
        memory.write_states(key, counts)
        changes += [_entry(views[key], one, on) for one in postings(counts, entered.get(key, {}))]
    if changes:
        memory.post(changes)


def _entry(view: KeyView, posting: Posting, on: date) -> Mapping[str, Any]:
    """One posting as the ledger takes it; what enters a lot brings the facts that the lot carries."""
    entry: dict[str, Any] = {
        "reason": posting.reason,
        "mass_mg": abs(posting.change_mg),
        "access_key": view.access_key,
        "line": posting.line,
        "claimant": posting.entity,
        "happened_on": on.isoformat(),
    }
    if posting.change_mg > 0:
        claim = posting.claim
        assert claim, "only a claim brings mass"
        content = view.contents[claim.content]
        assert content.issued_on, "an admitted note has a date"
        entry |= {
            "material": claim.material.value,
            "issued_on": content.issued_on.isoformat(),
            "issuer": content.issuer,
            "recipient": content.recipient,
            "municipality": claim.collection.municipality,
            "municipality_source": claim.collection.source,
            "origin": claim.collection.origin.value if claim.collection.origin else None,
            "norm": claim.norm,
            "year": claim.year,
        }
    return entry
