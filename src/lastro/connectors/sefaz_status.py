"""What SEFAZ says of one key: NfeConsultaProtocolo4 (MOC NF-e, consulta situação da NF-e)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from lastro.connectors import soap
from lastro.connectors.faults import Unanswered, Wait
from lastro.connectors.patience import Clock, patiently
from lastro.connectors.transport import Line
from lastro.evidence.consulted import Consulted
from lastro.evidence.elements import children
from lastro.evidence.fields import at
from lastro.evidence.read import NFE

_CANCELLATIONS = {"110111", "110112"}
_REGISTERED = {"135", "136", "155"}
_CANCELLED = {"101", "151", "155"}
LOCK_OUT = timedelta(hours=1)
"""How long SEFAZ locks out who uses a service too much (cStat 656), counted from the refusal."""


@dataclass(frozen=True)
class Told:
    """One answer: what it says of the key, and its bytes as they came."""

    consulted: Consulted
    body: bytes = field(repr=False)


def ask_status(access_key: str, *, line: Line, address: str, clock: Clock) -> Told:
    """What SEFAZ says of one key now. Asking does no harm, so it is repeated where the line fails.

    Raises Unanswered, also for an answer about another key or from the test environment; Wait after 656.
    """
    inside = (
        f'<consSitNFe xmlns="{NFE}" versao="4.00"><tpAmb>1</tpAmb><xServ>CONSULTAR</xServ>'
        f"<chNFe>{access_key}</chNFe></consSitNFe>"
    )

    def once() -> Told:
        message, body = soap.call(
            line,
            address=address,
            service="NFeConsultaProtocolo4",
            operation="nfeConsultaNF",
            inside=inside,
        )
        return Told(read_status(message, access_key, clock=clock), body)

    return patiently(once, clock=clock)


def read_status(message: Any, access_key: str, *, clock: Clock) -> Consulted:
    """The sense of a retConsSitNFe. Raises Unanswered where it does not answer this question, or Wait."""
    status, reason = at(message, "cStat"), at(message, "xMotivo")
    if status == "656":
        raise too_much(reason, clock)
    if status in ("108", "109"):
        raise Unanswered(f"A SEFAZ está parada ({status} {reason}).", again=True)
    if len(status) != 3 or not status.isdigit():
        raise Unanswered("A resposta da SEFAZ não diz a situação da nota.", again=True)
    if at(message, "tpAmb") != "1":
        raise Unanswered("A resposta é do ambiente de homologação: nada vale sobre a nota.", again=False)
    if any(key != access_key for key in _keys(message)):
        raise Unanswered("A resposta é sobre outra chave.", again=False)
    return Consulted(
        access_key=access_key,
        status=status,
        asked_at=clock.now(),
        digest="".join(at(message, "protNFe/infProt/digVal").split()),
        reason=reason[:200],
        cancelled=_cancelled(message, access_key),
    )


def too_much(reason: str, clock: Clock) -> Wait:
    """What to do after 656: nothing, for an hour."""
    until = clock.now() + LOCK_OUT
    return Wait(
        f"A SEFAZ acusa consumo indevido (656 {reason[:120]}); não pergunte mais antes de "
        f"{until:%d/%m/%Y %H:%M} UTC: insistir prolonga o bloqueio.",
        until=until,
    )


def _keys(message: Any) -> list[str]:
    """Every place where the answer itself names the key it speaks of."""
    named = [at(message, "chNFe"), at(message, "protNFe/infProt/chNFe")]
    if at(message, "cStat") in ("100", "101", "150", "151", "155") and not any(named):
        named.append("nenhuma")
        return named
    return [key for key in named if key]


def _cancelled(message: Any, access_key: str) -> bool:
    """Whether the answer holds a registered cancellation of this key, as an event or in the old form."""
    if at(message, "cStat") in _CANCELLED:
        return True
    if at(message, "retCancNFe/infCanc/cStat") in _CANCELLED:
        return True
    for event in children(message, "procEventoNFe"):
        said = {name: at(event, f"retEvento/infEvento/{name}") for name in ("tpEvento", "cStat", "chNFe")}
        if (
            said["tpEvento"] in _CANCELLATIONS
            and said["cStat"] in _REGISTERED
            and said["chNFe"] in ("", access_key)
        ):
            return True
    return False
