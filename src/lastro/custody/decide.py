"""Ending a contest: one person proposes, another confirms, and the line is counted again."""

from __future__ import annotations

from datetime import date

from lastro.custody.count import Decided, KeyView, LineCount, LotState, count_once
from lastro.custody.port import Memory
from lastro.custody.settle import settle
from lastro.errors import LastroError
from lastro.ids import AccessKey, masked


def lot_named(text: str) -> tuple[str, int]:
    """Read KEY/LINE (or lot/KEY/LINE). Raises LastroError."""
    parts = text.removeprefix("lot/").split("/")
    try:
        key = AccessKey.parse(parts[0]).text
        line = int(parts[1])
    except (ValueError, IndexError):
        raise LastroError(
            f"{text!r} não nomeia um lote; escreva a chave de 44 caracteres, barra, item."
        ) from None
    return key, line


def decide(
    memory: Memory, key: str, line: int, *, entity: str, content: str, reason: str, by: str, on: date
) -> bool:
    """Write down that a contested line is `entity`'s; True once a second, different person said the same.

    `content` is the beginning of the digest of the right content, needed only where the winner's claims lean
    on two. Raises LastroError if the line is not contested or the winner claims nothing of it.
    """
    reason = reason.strip()
    if not reason or not by.strip():
        raise LastroError(
            "Uma decisão tem um motivo e alguém que a toma: nenhum dos dois pode ficar em branco."
        )
    memory.lock_keys([key])
    view = memory.key_views([key])[key]
    count = _contested(view, line)
    if entity not in count.claims:
        raise LastroError(
            f"{masked(entity)} não reivindica o item {line} da nota {key}; reivindicam: "
            + ", ".join(masked(who) for who in sorted(count.claims))
        )
    claimants = frozenset(count.claims) | {
        who for at, who in view.spent if at == line and view.spent[at, who]
    }
    decided = Decided(line, entity, _content(view, line, entity, content), claimants, view.questions(line))
    confirmed = memory.propose(view, decided, reason=reason, by=by) is not None
    settle(memory, [key], on=on)
    return confirmed


def _contested(view: KeyView, line: int) -> LineCount:
    state = None
    for count in count_once(view):
        if count.line == line:
            state = count
    if state is not None and state.state is LotState.CONTESTED:
        return state
    said = f"O item {line} da nota {view.access_key} não está contestado"
    if view.blocked:
        by = ", ".join(sorted({kin.access_key for kin in view.family if kin.code == view.blocked}))
        raise LastroError(f"{said}: {_STOPPED[view.blocked]}{f' Diz isso a nota {by}.' if by else ''}")
    if state is None or not state.claims:
        raise LastroError(
            f"{said}: nenhuma resposta o admite, e uma decisão não muda isso. Veja por quê com "
            "`lastro verify` sobre o arquivo, corrija o que o código pede e entre com ele de novo."
        )
    raise LastroError(f"{said}; veja os que estão: lastro lots --contested")


_STOPPED = {
    "N10": "a nota foi cancelada, e uma decisão não a traz de volta.",
    "N16": "outro papel a devolve ou anula, e uma decisão não muda isso. Se a devolução está errada, a nota "
    "volta a contar quando entra o cancelamento dela; se está certa, a massa que ficou conta pela nota que a "
    "vender de novo.",
    "M15": "outra nota da mesma massa refere-se a ela e conta no seu lugar. Esta volta a contar quando entra "
    "o cancelamento da outra.",
    "N11": "uma carta de correção muda o produto, e uma decisão não diz o que foi entregue. Conta a nota que "
    "a substituir.",
}
"""Why nobody decides on a line of a note that another paper stops, and what would change it."""


def _content(view: KeyView, line: int, entity: str, prefix: str) -> str:
    own = {claim.content for claim in view.claims if claim.entity == entity and claim.line == line}
    fit = sorted(digest for digest in own if digest.startswith(prefix))
    if len(fit) == 1:
        return fit[0]
    shown = ", ".join(digest[:12] for digest in sorted(own))
    raise LastroError(f"A nota tem mais de um conteúdo ({shown}); diga qual é o certo com --content.")
