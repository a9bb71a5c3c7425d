"""The facts of a note or an event, taken from its canonical element as literal text.

Elements are found by exact path and in the namespace of the element itself, so that a foreign child with
a familiar name says nothing. Two of the law's numbers share a name (`pesoL` of the volumes and of a new
vehicle): paths keep them apart.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date
from typing import Any

from lastro.evidence.papers import Header
from lastro.facts import Event, Finding, Invoice, Line
from lastro.findings import finding

_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T|\Z)")
_GOODS = re.compile(
    r"\b(quantidades?|quant|qtde?s?|pesos?|kg|kgs|quilos?|quilogramas?|toneladas?|ton|produtos?|mercadorias?"
    r"|materia(l|is)|itens|item|ncm|unidades?|volumes?|descricao do produto)\b"
)


def every(element: Any, path: str) -> list[Any]:
    """All elements at a path of local names, in the element's own namespace."""
    tag = element.tag
    prefix = tag[: tag.index("}") + 1] if tag.startswith("{") else ""
    found = [element]
    for name in path.split("/"):
        wanted = prefix + name
        found = [child for parent in found for child in parent if child.tag == wanted]
    return found


def text(element: Any) -> str:
    """All the text of an element, whatever comments or instructions stand in it."""
    return (element.text or "") if not len(element) else "".join(element.itertext())


def at(element: Any, path: str) -> str:
    """The text of the first element at a path, or empty."""
    found = every(element, path)
    return text(found[0]).strip() if found else ""


def first(element: Any, *paths: str) -> str:
    """The first text that is not empty among some paths."""
    for path in paths:
        value = at(element, path)
        if value:
            return value
    return ""


def day(written: str) -> date | None:
    """The date as written, in its own offset: a note belongs to the day that is printed on it."""
    match = _DAY.match(written)
    if not match:
        return None
    try:
        return date(*(int(part) for part in match.groups()))
    except ValueError:
        return None


def invoice(content: Any) -> tuple[Invoice | None, Header, Finding | None]:
    """What an infNFe says. The invoice is None, with a finding, when its date or its lines cannot be told."""
    issued_at = first(content, "ide/dhEmi", "ide/dEmi")
    header = _header(content, issued_at)
    issued_on = day(issued_at)
    lines = tuple(_line(d, i) for i, d in enumerate(every(content, "det"), start=1))
    if len({line.number for line in lines}) < max(len(lines), 1):
        found = "itens com o mesmo número" if lines else "nota sem itens"
        return None, header, finding("F05", where="/NFe/infNFe/det", found=found, expected="itens numerados")
    if issued_on is None:
        seen = finding(
            "F05", where="/NFe/infNFe/ide/dhEmi", found=issued_at or "sem data", expected="AAAA-MM-DD…"
        )
        return None, header, seen
    identity = (content.get("Id") or "").removeprefix("NFe")
    made = Invoice(
        access_key=identity,
        model=header.model,
        layout=header.layout,
        issued_at=issued_at,
        issued_on=issued_on,
        environment=at(content, "ide/tpAmb"),
        direction=at(content, "ide/tpNF"),
        purpose=at(content, "ide/finNFe"),
        operation=at(content, "ide/natOp"),
        issuer=header.issuer,
        issuer_name=at(content, "emit/xNome"),
        issuer_municipality=at(content, "emit/enderEmit/cMun"),
        issuer_uf=at(content, "emit/enderEmit/UF"),
        recipient=first(content, "dest/CNPJ", "dest/CPF"),
        recipient_name=at(content, "dest/xNome"),
        recipient_municipality=at(content, "dest/enderDest/cMun"),
        recipient_uf=at(content, "dest/enderDest/UF"),
        lines=lines,
        net_weights=tuple(text(e) for e in every(content, "transp/vol/pesoL")),
        gross_weights=tuple(text(e) for e in every(content, "transp/vol/pesoB")),
        references=_references(content),
    )
    return made, header, None


def _header(content: Any, issued_at: str) -> Header:
    return Header(
        layout=content.get("versao") or "",
        uf_code=at(content, "ide/cUF"),
        issued_at=issued_at,
        issuer=first(content, "emit/CNPJ", "emit/CPF"),
        substitute_issuer=at(content, "avulsa/CNPJ"),
        model=at(content, "ide/mod"),
        series=at(content, "ide/serie"),
        number=at(content, "ide/nNF"),
        emission_type=at(content, "ide/tpEmis"),
        random_code=at(content, "ide/cNF"),
        check_digit=at(content, "ide/cDV"),
    )


def _line(detail: Any, position: int) -> Line:
    written = detail.get("nItem") or ""
    return Line(
        number=int(written) if re.fullmatch(r"[1-9][0-9]{0,3}", written) else position,
        description=at(detail, "prod/xProd"),
        ncm=at(detail, "prod/NCM"),
        cfop=at(detail, "prod/CFOP"),
        commercial_unit=at(detail, "prod/uCom"),
        commercial_quantity=at(detail, "prod/qCom"),
        taxable_unit=at(detail, "prod/uTrib"),
        taxable_quantity=at(detail, "prod/qTrib"),
        value=at(detail, "prod/vProd"),
        counts_in_total=at(detail, "prod/indTot") != "0",
    )


def _references(content: Any) -> tuple[str, ...]:
    paths = ("ide/NFref/refNFe", "det/DFeReferenciado/chaveAcesso")
    found = [text(e).strip() for path in paths for e in every(content, path)]
    return tuple(dict.fromkeys(key for key in found if key))


def event(content: Any, *, status: str) -> Event:
    """What an infEvento says; `status` is SEFAZ's answer, empty when there is none."""
    kind = at(content, "tpEvento")
    detail = first(content, "detEvento/xCorrecao", "detEvento/xJust", "detEvento/descEvento")
    sequence = at(content, "nSeqEvento")
    return Event(
        access_key=at(content, "chNFe"),
        type=kind,
        sequence=int(sequence) if re.fullmatch(r"[0-9]{1,3}", sequence) else 0,
        author=first(content, "CNPJ", "CPF"),
        registered_at=at(content, "dhEvento"),
        status=status,
        detail=detail[:1000],
        corrects_goods=kind == "110110" and touches_goods(detail),
    )


def touches_goods(correction: str) -> bool:
    """Whether a correction letter speaks of the product or its quantity."""
    plain = unicodedata.normalize("NFKD", correction.lower())
    return bool(_GOODS.search("".join(c for c in plain if not unicodedata.combining(c))))
