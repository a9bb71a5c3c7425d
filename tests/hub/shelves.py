"""What hub, keepers and members keep, in the memory of a test."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

from lastro.hub.batch import Batch, Header, Held
from lastro.hub.closing import Closing, Receipt
from lastro.hub.lines import Line, LineSecret
from lastro.hub.member import Asked, Sent, Statement
from lastro.hub.watch import Met


class _Locked:
    def __init__(self) -> None:
        self._lock = threading.RLock()

    @contextmanager
    def changing(self) -> Iterator[None]:
        with self._lock:
            yield


class HubMemory(_Locked):
    def __init__(self) -> None:
        super().__init__()
        self.batches: dict[str, tuple[Batch, Receipt]] = {}
        self.log: list[bytes] = []
        self.all_held: list[tuple[int, Held]] = []
        self.by_tag: defaultdict[bytes, list[tuple[int, Held]]] = defaultdict(list)
        self.closings: list[Closing] = []
        self.spent: Counter[tuple[str, date]] = Counter()

    def header(self, name: str) -> Header | None:
        return self.batches[name][0].header if name in self.batches else None

    def receipt(self, name: str) -> Receipt | None:
        return self.batches[name][1] if name in self.batches else None

    def keep(self, batch: Batch, given: Receipt) -> None:
        self.batches[batch.header.batch] = (batch, given)
        for held in batch.all_held:
            self.all_held.append((given.index, held))
            self.by_tag[held.tag].append((given.index, held))

    def leaf_count(self) -> int:
        return len(self.log)

    def leaves(self, size: int) -> list[bytes]:
        return self.log[:size]

    def add_leaf(self, leaf: bytes) -> None:
        self.log.append(leaf)

    def has_leaf(self, leaf: bytes) -> bool:
        return leaf in self.log

    def references(self, size: int) -> Iterable[tuple[bytes, bytes]]:
        return [(held.tag, held.reference) for at, held in self.all_held if at < size]

    def tags_in(self, name: str) -> list[bytes]:
        return [held.tag for held in self.batches[name][0].all_held]

    def under(self, tags: Sequence[bytes], size: int) -> list[Held]:
        return [held for tag in sorted(set(tags)) for at, held in self.by_tag[tag] if at < size]

    def keep_closing(self, closing: Closing) -> None:
        self.closings.append(closing)

    def last_closing(self) -> Closing | None:
        return self.closings[-1] if self.closings else None

    def spend(self, what: str, day: date, limit: int) -> bool:
        if self.spent[what, day] >= limit:
            return False
        self.spent[what, day] += 1
        return True


class KeeperMemory(_Locked):
    def __init__(self) -> None:
        super().__init__()
        self.requests: dict[str, tuple[str, date, int]] = {}
        self.pseudonyms: dict[tuple[str, date], str] = {}

    def asked_before(self, request: str) -> bool:
        return request in self.requests

    def keep_request(self, request: str, entity: str, day: date, points: int) -> None:
        self.requests[request] = (entity, day, points)

    def points_of(self, entity: str, day: date) -> int:
        return sum(points for who, on, points in self.requests.values() if (who, on) == (entity, day))

    def pseudonym(self, entity: str, week: date) -> str | None:
        return self.pseudonyms.get((entity, week))

    def keep_pseudonym(self, entity: str, week: date, pseudonym: str) -> None:
        self.pseudonyms[entity, week] = pseudonym


class MemberMemory(_Locked):
    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[Line, LineSecret] = {}
        self.open: list[Asked] = []
        self.names: dict[date, bytes] = {}
        self.said: dict[str, Statement] = {}
        self.made: list[tuple[Batch, bytes, date]] = []
        self.receipts: dict[str, Receipt] = {}
        self.answered: dict[str, int] = {}
        self.last: Closing | None = None
        self.met: dict[bytes, Met] = {}

    def secrets(self, lines: Sequence[Line]) -> Mapping[Line, LineSecret]:
        return {line: self.lines[line] for line in lines if line in self.lines}

    def keep_secrets(self, secrets: Mapping[Line, LineSecret]) -> None:
        self.lines.update(secrets)

    def asked(self) -> Sequence[Asked]:
        return list(self.open)

    def keep_asked(self, asked: Asked) -> None:
        self.open.append(asked)

    def drop_asked(self, asked: Asked) -> None:
        self.open.remove(asked)

    def pseudonym(self, week: date) -> bytes | None:
        return self.names.get(week)

    def keep_pseudonym(self, week: date, secret: bytes) -> None:
        self.names[week] = secret

    def unsaid(self, names: Sequence[str]) -> set[str]:
        return set(names) - set(self.said)

    def batches_of(self, day: date) -> int:
        return sum(1 for _, _, on in self.made if on == day)

    def keep_batch(self, batch: Batch, *, secret: bytes, says: Mapping[str, Statement], day: date) -> None:
        self.made.append((batch, secret, day))
        self.said.update(says)

    def unsent(self) -> Iterable[Batch]:
        return [batch for batch, _, _ in self.made if batch.header.batch not in self.receipts]

    def keep_receipt(self, given: Receipt) -> None:
        self.receipts[given.batch] = given

    def sent(self) -> Iterable[Sent]:
        return [
            Sent(batch, self.receipts[name], secret, self.answered.get(name, -1))
            for batch, secret, _ in self.made
            if (name := batch.header.batch) in self.receipts
        ]

    def keep_answered(self, batch: str, size: int) -> None:
        self.answered[batch] = size

    def seen(self) -> Closing | None:
        return self.last

    def keep_closing(self, closing: Closing) -> None:
        self.last = closing

    def meetings(self) -> Iterator[tuple[Line, LineSecret, list[Held]]]:
        by_tag = {one.tag: (line, one) for line, one in self.lines.items()}
        for tag, met in self.met.items():
            yield (*by_tag[tag], [*met.mine, *met.others])

    def keep_met(self, met: Sequence[Met]) -> None:
        for one in met:
            old = self.met.get(one.tag)
            every = {held.reference: held for held in (*(old.mine if old else ()), *one.mine)}
            self.met[one.tag] = replace(one, mine=tuple(every.values()))
