"""SOAP 1.2 as the web services of NF-e speak it (MOC, "padrões técnicos"): a message in, a message out."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from lastro.connectors.faults import Unanswered
from lastro.connectors.patience import expect_ok
from lastro.connectors.transport import Answer, Line, Request
from lastro.evidence.elements import children, local
from lastro.evidence.fields import text
from lastro.evidence.read import NFE, Unreadable, root_of

_SOAP = "http://www.w3.org/2003/05/soap-envelope"
_WSDL = f"{NFE}/wsdl"


def call(line: Line, *, address: str, service: str, operation: str, inside: str) -> tuple[Any, bytes]:
    """Send one message (`inside`, XML of our making) to a service; the answer's message, and all its bytes.

    Raises Unanswered. An answer that is no SOAP (a gateway's page with status 200) is worth repeating.
    """
    host = urlsplit(address).hostname or address
    answer = line.send(_request(address, f"{_WSDL}/{service}", operation, inside))
    fault = _fault(answer)
    if fault:
        again = answer.status >= 500 and "sender" not in fault.lower()
        raise Unanswered(f"{host}: o serviço recusou o pedido ({fault[:200]}).", again=again)
    expect_ok(answer, host)
    return _message(answer.body, host), answer.body


def _request(address: str, namespace: str, operation: str, inside: str) -> Request:
    body = (
        f'<?xml version="1.0" encoding="UTF-8"?><soap12:Envelope xmlns:soap12="{_SOAP}"><soap12:Body>'
        f"{_dressed(namespace, operation, inside)}</soap12:Body></soap12:Envelope>"
    )
    return Request(
        "POST",
        address,
        body.encode(),
        {"Content-Type": f'application/soap+xml; charset=utf-8; action="{namespace}/{operation}"'},
    )


def _dressed(namespace: str, operation: str, inside: str) -> str:
    """The distribution wraps its message in the operation's own element, the other services do not."""
    if operation == "nfeDistDFeInteresse":
        return f'<{operation} xmlns="{namespace}"><nfeDadosMsg>{inside}</nfeDadosMsg></{operation}>'
    return f'<nfeDadosMsg xmlns="{namespace}">{inside}</nfeDadosMsg>'


def _root(body: bytes) -> Any:
    """The root of an answer. Some services send Latin-1 and call it UTF-8: then it is read as Latin-1."""
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        declaration_ends = body.find(b"?>") + 2 if body.lstrip().startswith(b"<?xml") else 0
        if b"utf-8" in body[:declaration_ends].lower() or not declaration_ends:
            body = body[declaration_ends:].decode("cp1252", "replace").encode()
    return root_of(body)


def _message(body: bytes, host: str) -> Any:
    """The NF-e message inside the envelope: the first element of that namespace. Raises Unanswered."""
    try:
        root = _root(body)
    except Unreadable as wrong:
        why = wrong.finding.found or wrong.finding.code
        raise Unanswered(f"{host}: a resposta não é a do serviço ({why}).", again=True) from wrong
    for part in children(root, "Body"):
        for element in part.iter():
            if local(element).startswith("ret") and element.tag.startswith(f"{{{NFE}}}"):
                return element
    raise Unanswered(f"{host}: a resposta não traz mensagem da NF-e.", again=True)


def _fault(answer: Answer) -> str:
    """What a SOAP fault says, in either version of SOAP; empty when there is none."""
    if b"Fault" not in answer.body[:4000]:
        return ""
    try:
        root = _root(answer.body)
    except Unreadable:
        return ""
    for body in children(root, "Body"):
        for fault in children(body, "Fault"):
            return " ".join(text(fault).split()) or "Fault"
    return ""
