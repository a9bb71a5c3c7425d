"""The facts of a note or an event, taken from its canonical element as literal text.

Elements are found by exact path and in the namespace of the element itself, so that a foreign child with
a familiar name says nothing. Two of the law's numbers share a name (`pesoL` of the volumes and of a new
vehicle): paths keep them apart.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from typing import Any

from lastro.evidence.mentions import manifests_named
from lastro.evidence.papers import Header
from lastro.facts import Event, Finding, Invoice, Line
from lastro.findings import finding

_DAY = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:T|\Z)")
_ITEM = re.compile(r"[1-9][0-9]{0,3}")
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


TEXTS: dict[str, tuple[str, ...]] = {
    "issued_at": ("ide/dhEmi", "ide/dEmi"),
    "environment": ("ide/tpAmb",),
    "direction": ("ide/tpNF",),
    "purpose": ("ide/finNFe",),
    "operation": ("ide/natOp",),
    "uf_code": ("ide/cUF",),
    "model": ("ide/mod",),
    "series": ("ide/serie",),
    "number": ("ide/nNF",),
    "emission_type": ("ide/tpEmis",),
    "random_code": ("ide/cNF",),
    "check_digit": ("ide/cDV",),
    "process": ("ide/procEmi",),
    "credit": ("ide/tpNFCredito",),
    "substitute_issuer": ("avulsa/CNPJ",),
    "issuer": ("emit/CNPJ", "emit/CPF"),
    "issuer_name": ("emit/xNome",),
    "issuer_municipality": ("emit/enderEmit/cMun",),
    "issuer_uf": ("emit/enderEmit/UF",),
    "recipient": ("dest/CNPJ", "dest/CPF"),
    "recipient_name": ("dest/xNome",),
    "recipient_municipality": ("dest/enderDest/cMun",),
    "recipient_uf": ("dest/enderDest/UF",),
}
"""Where the texts of a note stand in its infNFe: the first that is not empty among the paths of a name."""

LINE_TEXTS: dict[str, tuple[str, ...]] = {
    "description": ("prod/xProd",),
    "ncm": ("prod/NCM",),
    "cfop": ("prod/CFOP",),
    "commercial_unit": ("prod/uCom",),
    "commercial_quantity": ("prod/qCom",),
    "taxable_unit": ("prod/uTrib",),
    "taxable_quantity": ("prod/qTrib",),
    "value": ("prod/vProd",),
    "in_total": ("prod/indTot",),
}
"""Where the texts of a line stand in its det."""

TAIL_TEXTS: dict[str, tuple[str, ...]] = {
    "freight": ("transp/modFrete",),
    "carrier": ("transp/transporta/CNPJ",),
    "wagon": ("transp/vagao", "transp/balsa"),
    "remarks": ("infAdic/infCpl",),
    "treasury_remarks": ("infAdic/infAdFisco",),
}
"""Where the texts that follow the lines of a note stand in its infNFe."""

NOTE_REFERENCES = "ide/NFref/refNFe"
LINE_REFERENCES = "DFeReferenciado/chaveAcesso"
NET_WEIGHTS = "transp/vol/pesoL"
GROSS_WEIGHTS = "transp/vol/pesoB"
LORRIES = "transp/veicTransp/placa"
TRAILERS = "transp/reboque/placa"


@dataclass(frozen=True)
class Written:
    """What an infNFe says, before anyone makes sense of it: `texts` by TEXTS, each line by LINE_TEXTS,
    `tail` by TAIL_TEXTS.

    `lines` are the nItem as written and the texts, in that order. However the bytes are read, an invoice is
    made from this alone.
    """

    identity: str
    layout: str
    texts: tuple[str, ...]
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    net_weights: tuple[str, ...] = ()
    gross_weights: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    tail: tuple[str, ...] = ("",) * len(TAIL_TEXTS)
    plates: tuple[str, ...] = ()


def written(content: Any) -> Written:
    """The texts of an infNFe, from its parsed canonical form."""
    details = every(content, "det")
    references = (NOTE_REFERENCES, f"det/{LINE_REFERENCES}")
    return Written(
        identity=content.get("Id") or "",
        layout=content.get("versao") or "",
        texts=tuple(first(content, *paths) for paths in TEXTS.values()),
        lines=tuple(
            (detail.get("nItem") or "", tuple(first(detail, *paths) for paths in LINE_TEXTS.values()))
            for detail in details
        ),
        net_weights=tuple(text(e) for e in every(content, NET_WEIGHTS)),
        gross_weights=tuple(text(e) for e in every(content, GROSS_WEIGHTS)),
        references=tuple(text(e).strip() for path in references for e in every(content, path)),
        tail=tuple(first(content, *paths) for paths in TAIL_TEXTS.values()),
        plates=tuple(text(e).strip() for path in (LORRIES, TRAILERS) for e in every(content, path)),
    )


def invoice(told: Written) -> tuple[Invoice | None, Header, Finding | None]:
    """What an infNFe says. The invoice is None, with a finding, when its date or its lines cannot be told."""
    said = dict(zip(TEXTS, told.texts, strict=True))
    header = Header(
        layout=told.layout,
        uf_code=said["uf_code"],
        issued_at=said["issued_at"],
        issuer=said["issuer"],
        substitute_issuer=said["substitute_issuer"],
        model=said["model"],
        series=said["series"],
        number=said["number"],
        emission_type=said["emission_type"],
        random_code=said["random_code"],
        check_digit=said["check_digit"],
        process=said["process"],
    )
    lines = tuple(_line(number, texts, i) for i, (number, texts) in enumerate(told.lines, start=1))
    if len({line.number for line in lines}) < max(len(lines), 1):
        found = "itens com o mesmo número" if lines else "nota sem itens"
        return None, header, finding("F05", where="/NFe/infNFe/det", found=found, expected="itens numerados")
    issued_on = day(header.issued_at)
    if issued_on is None:
        found = header.issued_at or "sem data"
        seen = finding("F05", where="/NFe/infNFe/ide/dhEmi", found=found, expected="AAAA-MM-DD…")
        return None, header, seen
    freight, carrier, wagon, *remarks = told.tail
    made = Invoice(
        access_key=told.identity.removeprefix("NFe"),
        model=header.model,
        layout=told.layout,
        issued_at=header.issued_at,
        issued_on=issued_on,
        environment=said["environment"],
        direction=said["direction"],
        purpose=said["purpose"],
        operation=said["operation"],
        issuer=header.issuer,
        issuer_name=said["issuer_name"],
        issuer_municipality=said["issuer_municipality"],
        issuer_uf=said["issuer_uf"],
        recipient=said["recipient"],
        recipient_name=said["recipient_name"],
        recipient_municipality=said["recipient_municipality"],
        recipient_uf=said["recipient_uf"],
        lines=lines,
        net_weights=told.net_weights,
        gross_weights=told.gross_weights,
        references=tuple(dict.fromkeys(key for key in told.references if key)),
        credit=said["credit"],
        freight=freight,
        carrier=carrier,
        wagon=wagon,
        plates=told.plates,
        mentions=manifests_named(*remarks),
    )
    return made, header, None


def _line(number: str, texts: tuple[str, ...], position: int) -> Line:
    description, ncm, cfop, unit, quantity, tax_unit, tax_quantity, value, in_total = texts
    return Line(
        int(number) if _ITEM.fullmatch(number) else position,
        description,
        ncm,
        cfop,
        unit,
        quantity,
        tax_unit,
        tax_quantity,
        value,
        in_total != "0",
    )


def event(content: Any, status: str) -> Event:
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


def cancellation(content: Any, status: str) -> Event:
    """What an infCanc says, the request to cancel of layouts 1.07 and 2.00, which names no author."""
    return Event(
        access_key=at(content, "chNFe"),
        type="cancNFe",
        sequence=1,
        author="",
        registered_at="",
        status=status,
        detail=at(content, "xJust")[:1000],
    )


def touches_goods(correction: str) -> bool:
    """Whether a correction letter speaks of the product or its quantity."""
    plain = unicodedata.normalize("NFKD", correction.lower())
    return bool(_GOODS.search("".join(c for c in plain if not unicodedata.combining(c))))
