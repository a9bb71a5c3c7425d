"""What happened to a note after it was issued, as files tell it: events, and older cancellations.

An event is signed; SEFAZ's answer to it is not, and stands beside it. An answer may carry several events, and
some programs lay an answer alone inside the note's own file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lastro.evidence import fields
from lastro.evidence.elements import Around, around, children, local, namespace
from lastro.evidence.events import CANCELS, registered
from lastro.evidence.papers import Protocol, Reading
from lastro.evidence.signature import check, content_of
from lastro.facts import Event, Finding, Kind
from lastro.findings import finding


def proc_event(root: Any, name: str, received: Around | None = None) -> list[Reading]:
    """procEventoNFe: requests that were signed, each with SEFAZ's answer to it."""
    received = received or around(root)
    answers = list(_answers(root))
    return [_event(e, name, answers, received) for e in children(root, "evento")]


def bare_event(root: Any, name: str) -> list[Reading]:
    """A request alone, which nobody answered yet."""
    return [_event(root, name, [], around(root))]


def event_lot(root: Any, name: str) -> list[Reading]:
    """envEvento: requests sent together."""
    return proc_event(root, name)


def proc_cancellation(root: Any, name: str, received: Around | None = None) -> list[Reading]:
    """procCancNFe of layouts 1.07 and 2.00: a signed request, and the answer to it."""
    received = received or around(root)
    answers = [one for answer in children(root, "retCancNFe") for one in children(answer, "infCanc")]
    return [_cancellation(e, name, answers, received) for e in children(root, "cancNFe")]


def bare_cancellation(root: Any, name: str) -> list[Reading]:
    """A request to cancel, alone, in the layouts of before events."""
    return [_cancellation(root, name, [], around(root))]


def _answers(root: Any) -> Iterator[Any]:
    """Every infEvento that answers, directly in a retEvento or in one of a retEnvEvento."""
    for child in root:
        if local(child) == "retEvento":
            yield from children(child, "infEvento")
        elif local(child) == "retEnvEvento":
            yield from _answers(child)


def _event(event: Any, name: str, answers: list[Any], received: Around) -> Reading:
    return _signed(event, "infEvento", name, answers, received, fields.event)


def _cancellation(request: Any, name: str, answers: list[Any], received: Around) -> Reading:
    return _signed(request, "infCanc", name, answers, received, fields.cancellation)


def _signed(
    parent: Any,
    inner: str,
    name: str,
    answers: list[Any],
    received: Around,
    facts: Callable[[Any, str], Event],
) -> Reading:
    """One signed request with the answer that is to it, its facts read from the signed element alone."""
    signed = children(parent, inner, of=namespace(parent))
    if len(signed) != 1:
        found = f"{len(signed)} elementos {inner}"
        seen = finding("S04", where=f"/{local(parent)}", found=found, expected="um")
        return Reading(Kind.EVENT, name, findings=(seen,))
    checked = check(parent, signed[0], identity=signed[0].get("Id") or "", received=received)
    content = content_of(checked)
    asked = facts(content, "")
    answer = _answer_to(asked, answers)
    protocol = _protocol(answer) if answer is not None else None
    made = facts(content, protocol.status) if protocol else asked
    return Reading(
        Kind.EVENT,
        name,
        access_key=made.access_key,
        event=made,
        environment=fields.at(content, "tpAmb"),
        protocol=protocol,
        protocols=1 if protocol else 0,
        check=checked,
    )


def _answer_to(asked: Event, answers: list[Any]) -> Any:
    """The answer to this event among several; where none is, the first, which then speaks of another."""
    own = [one for one in answers if _is_to(asked, one)]
    standing = [one for one in own if registered(asked.answered(fields.at(one, "cStat")))]
    return next(iter([*standing, *own, *answers]), None)


def _is_to(asked: Event, answer: Any) -> bool:
    sequence = fields.at(answer, "nSeqEvento").lstrip("0")
    return (
        fields.at(answer, "chNFe") == asked.access_key
        and fields.at(answer, "tpEvento") in ("", asked.type)
        and sequence in ("", str(asked.sequence))
    )


def _protocol(one: Any) -> Protocol:
    return Protocol(
        access_key=fields.at(one, "chNFe"),
        digest=fields.at(one, "tpEvento"),
        status=fields.at(one, "cStat"),
        reason=fields.at(one, "xMotivo"),
        received_at=fields.first(one, "dhRegEvento", "dhRecbto"),
        environment=fields.at(one, "tpAmb"),
    )


def cancelled_in(root: Any, access_key: str) -> Finding | None:
    """N10 where a note's own file carries SEFAZ's word that it was cancelled, whoever signed the request.

    Nobody signed that word, but nobody is hurt by it either, save the file that carries it.
    """
    for answer in [*_answers(root), *(a for e in children(root, "procEventoNFe") for a in _answers(e))]:
        kind, status = fields.at(answer, "tpEvento"), fields.at(answer, "cStat")
        told = Event(fields.at(answer, "chNFe"), kind, 0, "", "", status)
        if kind in CANCELS and registered(told) and told.access_key == access_key:
            found = f"evento {kind}, situação {status}, no próprio arquivo"
            return finding("N10", where="/nfeProc/retEvento", found=found, expected="nota não cancelada")
    return None
