"""An audit: everything is counted again from the entries, and compared with what is believed.

Comes in: a view of the book. Goes out: what was checked, how many times, and every failure in words.
The audit leans on no function, index, constraint or cached number of the database.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from lastro.ledger.book import GENESIS, SOURCE, BookEntry, Cached, Link, Statement, link_hash, lots_digest
from lastro.units import Mass

_SHOWN = 20
_WAYS = {
    "enter": ((SOURCE, "lot"),),
    **dict.fromkeys(("contested", "cancelled", "withdrawn", "decided", "verdict"), (("lot", SOURCE),)),
    "retire": (("lot", "retired"), ("certificate", "retired")),
    "issue": (("lot", "certificate"),),
    "reverse": (("certificate", "lot"),),
    "divide": (("certificate", "certificate"),),
    "annul": (("certificate", "annulled"), ("retired", "annulled")),
}
"""For each reason, from which kind of account to which mass may go."""


@dataclass
class Check:
    """One thing that was checked: how many times, how often it failed, and the first failures in words."""

    name: str
    label: str
    counted: int = 0
    failed: int = 0
    failures: list[str] = field(default_factory=list)

    def fail(self, text: str) -> None:
        self.failed += 1
        if len(self.failures) < _SHOWN:
            self.failures.append(text)


class View(Protocol):
    """The book as it stands at one moment, however it is kept."""

    def links(self) -> Iterable[Link]:
        """Every link with its entries, by entity and height."""

    def stray_entries(self) -> Iterable[str]:
        """Entries that belong to no link, named."""

    def heads(self) -> Mapping[str, tuple[int, bytes]]:
        """Where each entity's chain is believed to end."""

    def cached(self) -> Iterable[Cached]:
        """What each lot is believed to hold."""

    def statements(self) -> Iterable[Statement]:
        """Every verifier's statement."""

    def answered(self) -> Iterable[str]:
        """The requests that were answered."""


def recount(entries: Iterable[BookEntry]) -> Counter[str]:
    """What every account holds, from the entries alone; `source` holds less than nothing."""
    balances: Counter[str] = Counter()
    for entry in entries:
        balances[entry.debit] -= entry.mass_mg
        balances[entry.credit] += entry.mass_mg
    return balances


def audit(view: View) -> list[Check]:
    """Count the whole ledger again. Nothing is repaired: what fails is told."""
    links = list(view.links())
    entries = [entry for link in links for entry in link.entries]
    balances = recount(entries)
    statements = list(view.statements())
    cached = list(view.cached())
    return [
        _chains(links, view.heads()),
        _entries_have_links(links, view.stray_entries()),
        _ways(links),
        _sums(balances, cached),
        _never_negative(links),
        _facts_frozen(links),
        _cache(balances, cached, entries, statements),
        _homologated_first(links, statements),
        _statements(links, statements),
        _requests(links, view.answered()),
    ]


def _where(link: Link) -> str:
    return f"elo {link.height} de {link.entity}"


def _chains(links: list[Link], heads: Mapping[str, tuple[int, bytes]]) -> Check:
    check = Check("chains", "Cadeias de elos sem quebra", counted=len(links))
    ends: dict[str, tuple[int, bytes]] = {}
    for link in links:
        height, hash_before = ends.get(link.entity, (0, GENESIS))
        if link.height != height + 1:
            check.fail(f"{_where(link)}: esperava-se o elo {height + 1}")
        if link.previous != hash_before:
            check.fail(f"{_where(link)}: não prende no elo anterior")
        if link.hash != link_hash(link):
            check.fail(f"{_where(link)}: o conteúdo não é o que foi encadeado")
        ends[link.entity] = (link.height, link.hash)
    for entity in sorted(heads.keys() | ends.keys()):
        if heads.get(entity) != ends.get(entity, (0, GENESIS)):
            check.fail(f"a ponta anotada da cadeia de {entity} não é o último elo")
    return check


def _entries_have_links(links: list[Link], strays: Iterable[str]) -> Check:
    check = Check("entries", "Lançamentos presos a um elo", counted=sum(len(k.entries) for k in links))
    for stray in strays:
        check.fail(f"lançamento sem elo: {stray}")
    for link in links:
        if [e.n for e in link.entries] != list(range(1, len(link.entries) + 1)):
            check.fail(f"{_where(link)}: falta ou sobra lançamento")
    return check


def _ways(links: list[Link]) -> Check:
    """Whether each entry goes between accounts that its reason allows, in its own entity's chain."""
    check = Check("ways", "Lançamentos entre contas que o motivo permite")
    for link in links:
        for entry in link.entries:
            check.counted += 1
            ends = (entry.debit, entry.credit)
            lot = entry.lot
            way = (_kind(ends[0], lot), _kind(ends[1], lot))
            if way not in _WAYS.get(entry.reason, ()) or entry.mass_mg <= 0 or entry.claimant != link.entity:
                check.fail(
                    f"{_where(link)}, lançamento {entry.n}: {entry.reason} de {ends[0]} para {ends[1]}"
                )
    return check


def _kind(account: str, lot: str) -> str:
    """What kind of account it is, seen from an entry of this lot; nothing where it is another lot's."""
    if account in (lot, SOURCE):
        return "lot" if account == lot else SOURCE
    kind = account.partition("/")[0]
    return "" if kind in ("lot", SOURCE) else kind


def _sums(balances: Counter[str], cached: list[Cached]) -> Check:
    check = Check(
        "sums", "Soma zero: o que entrou é o que está nos lotes mais o que saiu", counted=len(balances)
    )
    if sum(balances.values()) != 0:
        check.fail(f"a soma de todas as contas é {Mass(sum(balances.values()))}, não zero")
    away = sum(mg for account, mg in balances.items() if account != SOURCE and not account.startswith("lot/"))
    held = sum(c.mass_mg for c in cached)
    if held + away != -balances[SOURCE]:
        check.fail(f"entraram {Mass(-balances[SOURCE])}; há {Mass(held)} em lotes e {Mass(away)} fora deles")
    return check


def _never_negative(links: list[Link]) -> Check:
    """In the order of the book, no account but the source ever holds less than nothing."""
    check = Check("never_negative", "Nenhuma conta abaixo de zero, em nenhum momento")
    running: Counter[str] = Counter()
    for link in links:
        for entry in link.entries:
            check.counted += 1
            running[entry.debit] -= entry.mass_mg
            running[entry.credit] += entry.mass_mg
            if entry.debit != SOURCE and running[entry.debit] < 0:
                left = Mass(running[entry.debit])
                check.fail(f"{_where(link)}, lançamento {entry.n}: {entry.debit} fica em {left}")
    return check


def _facts_frozen(links: list[Link]) -> Check:
    check = Check("facts", "Fatos do lote iguais em todos os lançamentos")
    first: dict[str, tuple[object, ...]] = {}
    for link in links:
        for entry in link.entries:
            check.counted += 1
            if first.setdefault(entry.lot, entry.facts) != entry.facts:
                check.fail(f"{_where(link)}, lançamento {entry.n}: os fatos de {entry.lot} mudaram")
    return check


def _cache(
    balances: Counter[str], cached: list[Cached], entries: list[BookEntry], statements: list[Statement]
) -> Check:
    check = Check("balances", "Saldos guardados iguais aos recontados", counted=len(cached))
    facts = {entry.lot: entry.facts for entry in reversed(entries)}
    named = {account for statement in statements for account, _ in statement.lots}
    for row in cached:
        if row.mass_mg != balances[row.account]:
            check.fail(
                f"{row.account}: guardado {Mass(row.mass_mg)}, recontado {Mass(balances[row.account])}"
            )
        if row.facts != facts.get(row.account) or row.entity != row.account.rpartition("/")[2]:
            check.fail(f"{row.account}: os fatos guardados não são os dos lançamentos")
        if row.homologated != (row.account in named):
            check.fail(f"{row.account}: homologação guardada não é a das declarações do verificador")
    for account in sorted(facts.keys() - {row.account for row in cached}):
        check.fail(f"{account}: tem lançamentos e não tem saldo guardado")
    return check


def _homologated_first(links: list[Link], statements: list[Statement]) -> Check:
    """A lot is used only after a verifier's statement named it, in the order of its own chain."""
    check = Check("homologated", "Lotes usados só depois de homologados")
    since: dict[str, int] = {}
    for statement in statements:
        for account, _ in statement.lots:
            since[account] = min(statement.height, since.get(account, statement.height))
    for link in links:
        for entry in link.entries:
            if entry.reason in ("retire", "issue") and entry.debit.startswith("lot/"):
                check.counted += 1
                if since.get(entry.debit, link.height) >= link.height:
                    check.fail(f"{_where(link)}: {entry.debit} usado sem homologação anterior")
    return check


def _statements(links: list[Link], statements: list[Statement]) -> Check:
    """A statement's lots are those that its link was made for."""
    check = Check("statements", "Declarações do verificador presas à cadeia", counted=len(statements))
    waiting = {
        (k.entity, k.height): json.loads(k.answer).get("digest") for k in links if k.kind == "homologate"
    }
    for statement in statements:
        place = (statement.entity, statement.height)
        if waiting.pop(place, None) != lots_digest(statement.lots):
            check.fail(
                f"a declaração do elo {place[1]} de {place[0]} não nomeia os lotes que foram encadeados"
            )
    for entity, height in waiting:
        check.fail(f"o elo {height} de {entity} perdeu a sua declaração")
    return check


def _requests(links: list[Link], answered: Iterable[str]) -> Check:
    check = Check("requests", "Pedidos atendidos uma vez só", counted=len(links))
    seen = Counter((link.entity, link.request) for link in links)
    for (entity, request), times in seen.items():
        if times > 1:
            check.fail(f"o pedido {request} moveu a cadeia de {entity} {times} vezes")
    known, moved = set(answered), {link.request for link in links}
    for request in sorted(known ^ moved):
        check.fail(f"o pedido {request} não tem resposta e elo")
    return check
