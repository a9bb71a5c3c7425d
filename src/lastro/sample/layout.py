"""The tree of elements that layout 4.00 of the NF-e prescribes for an invoice (MOC 7.0, NT 2025.002)."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from lastro.sample.note import CENT, Line, Note
from lastro.sample.people import Party


@dataclass(frozen=True)
class El:
    """An element: a name, and either a text or children."""

    name: str
    content: str | tuple[El, ...]
    attributes: tuple[tuple[str, str], ...] = ()


def _group(name: str, *pairs: tuple[str, object] | El | None) -> El:
    children = (
        pair if isinstance(pair, El) else El(pair[0], str(pair[1])) for pair in pairs if pair is not None
    )
    return El(name, tuple(children))


def _moment(when: dt.datetime) -> str:
    return when.isoformat(timespec="seconds")


def _ide(note: Note) -> El:
    late = note.emission in (6, 7)
    same_state = note.issuer.place.uf == note.recipient.place.uf
    return _group(
        "ide",
        ("cUF", note.issuer.place.uf_code),
        ("cNF", f"{note.code:08d}"),
        ("natOp", note.operation),
        ("mod", 55),
        ("serie", note.series),
        ("nNF", note.number),
        ("dhEmi", _moment(note.issued)),
        ("dhSaiEnt", _moment(note.issued)),
        ("tpNF", 0 if note.entry else 1),
        ("idDest", 1 if same_state else 2),
        ("cMunFG", note.issuer.place.code),
        ("tpImp", 1),
        ("tpEmis", note.emission),
        ("cDV", note.key[-1]),
        ("tpAmb", note.environment),
        ("finNFe", note.purpose),
        ("indFinal", 0),
        ("indPres", 9),
        ("indIntermed", 0),
        ("procEmi", 0),
        ("verProc", "EMISSOR TESTE 4.2"),
        ("dhCont", _moment(note.issued)) if late else None,
        ("xJust", "SEFAZ de origem sem comunicação") if late else None,
        *(_group("NFref", ("refNFe", key)) for key in note.references),
    )


def _address(tag: str, party: Party) -> El:
    return _group(
        tag,
        ("xLgr", party.street),
        ("nro", party.house),
        ("xBairro", "DISTRITO INDUSTRIAL"),
        ("cMun", party.place.code),
        ("xMun", party.place.name),
        ("UF", party.place.uf),
        ("CEP", party.postcode),
        ("cPais", 1058),
        ("xPais", "BRASIL"),
    )


def _parties(note: Note) -> tuple[El, El]:
    issuer, recipient = note.issuer, note.recipient
    named = note.recipient_cnpj or recipient.cnpj
    sender = _group(
        "emit",
        ("CNPJ", note.issuer_cnpj or issuer.cnpj),
        ("xNome", issuer.name),
        ("xFant", issuer.name.split(" DE ")[0][:60]),
        _address("enderEmit", issuer),
        ("IE", issuer.registration),
        ("CRT", issuer.regime),
    )
    receiver = _group(
        "dest",
        ("CPF" if len(named) == 11 else "CNPJ", named),
        ("xNome", recipient.name),
        _address("enderDest", recipient),
        ("indIEDest", 1),
        ("IE", recipient.registration),
        ("email", "nfe@exemplo.invalid"),
    )
    return sender, receiver


def _part(value: Decimal, rate: str) -> Decimal:
    return (value * Decimal(rate)).quantize(CENT, ROUND_HALF_UP)


def _icms(note: Note, value: Decimal) -> El:
    if note.issuer.regime == 1:
        return _group("ICMS", _group("ICMSSN102", ("orig", 0), ("CSOSN", 102)))
    if note.issuer.place.uf != note.recipient.place.uf:
        taxed = ("modBC", 3), ("vBC", value), ("pICMS", "12.0000"), ("vICMS", _part(value, "0.12"))
        return _group("ICMS", _group("ICMS00", ("orig", 0), ("CST", "00"), *taxed))
    return _group("ICMS", _group("ICMS51", ("orig", 0), ("CST", 51)))


def _reform(value: Decimal) -> El:
    """The test rates of 2026: 0.1 % of IBS and 0.9 % of CBS (NT 2025.002)."""
    ibs = _part(value, "0.001")
    return _group(
        "IBSCBS",
        ("CST", "000"),
        ("cClassTrib", "000001"),
        _group(
            "gIBSCBS",
            ("vBC", value),
            _group("gIBSUF", ("pIBSUF", "0.1000"), ("vIBSUF", ibs)),
            _group("gIBSMun", ("pIBSMun", "0.0000"), ("vIBSMun", "0.00")),
            ("vIBS", ibs),
            _group("gCBS", ("pCBS", "0.9000"), ("vCBS", _part(value, "0.009"))),
        ),
    )


def _taxes(note: Note, value: Decimal) -> El:
    return _group(
        "imposto",
        ("vTotTrib", "0.00"),
        _icms(note, value),
        _group("PIS", _group("PISNT", ("CST", "08" if note.issuer.regime == 1 else "09"))),
        _group("COFINS", _group("COFINSNT", ("CST", "08" if note.issuer.regime == 1 else "09"))),
        _reform(value) if note.reform else None,
    )


def _line(note: Note, number: int, line: Line) -> El:
    goods = _group(
        "prod",
        ("cProd", f"{line.ncm[:4]}-{number:02d}"),
        ("cEAN", "SEM GTIN"),
        ("xProd", line.text),
        ("NCM", line.ncm),
        ("CFOP", line.cfop),
        ("uCom", line.unit),
        ("qCom", line.quantity),
        ("vUnCom", line.price),
        ("vProd", line.value),
        ("cEANTrib", "SEM GTIN"),
        ("uTrib", line.tax_unit),
        ("qTrib", line.tax_quantity),
        ("vUnTrib", line.tax_price),
        ("indTot", 1),
    )
    remark = (El("infAdProd", line.remark),) if line.remark else ()
    return El("det", (goods, _taxes(note, line.value), *remark), (("nItem", str(number)),))


def _totals(note: Note) -> El:
    interstate = note.issuer.regime != 1 and note.issuer.place.uf != note.recipient.place.uf
    base = note.value if interstate else Decimal("0.00")
    tax = sum((_part(line.value, "0.12") for line in note.lines), Decimal(0)) if interstate else base
    before = ["vICMSDeson", "vFCP", "vBCST", "vST", "vFCPST", "vFCPSTRet"]
    after = ["vFrete", "vSeg", "vDesc", "vII", "vIPI", "vIPIDevol", "vPIS", "vCOFINS", "vOutro"]
    icms = _group(
        "ICMSTot",
        ("vBC", base),
        ("vICMS", tax),
        *((name, "0.00") for name in before),
        ("vProd", note.value),
        *((name, "0.00") for name in after),
        ("vNF", note.value),
        ("vTotTrib", "0.00"),
    )
    return _group("total", icms, _reform_totals(note) if note.reform else None)


def _reform_totals(note: Note) -> El:
    ibs = sum((_part(line.value, "0.001") for line in note.lines), Decimal(0))
    cbs = sum((_part(line.value, "0.009") for line in note.lines), Decimal(0))
    none = ("vDif", "0.00"), ("vDevTrib", "0.00")
    presumed = ("vCredPres", "0.00"), ("vCredPresCondSus", "0.00")
    return _group(
        "IBSCBSTot",
        ("vBCIBSCBS", note.value),
        _group(
            "gIBS",
            _group("gIBSUF", *none, ("vIBSUF", ibs)),
            _group("gIBSMun", *none, ("vIBSMun", "0.00")),
            ("vIBS", ibs),
            *presumed,
        ),
        _group("gCBS", *none, ("vCBS", cbs), *presumed),
    )


def _kilograms(mg: int) -> str:
    return f"{mg // 10**6}.{mg % 10**6 // 1000:03d}"


def _transport(note: Note) -> El:
    net = note.mass_mg
    gross = net + net // 100 + 10**6 if note.gross_mg is None else note.gross_mg
    volume = _group(
        "vol",
        ("qVol", 1 + net // (400 * 10**6)),
        ("esp", "FARDOS"),
        ("pesoL", _kilograms(net)),
        ("pesoB", _kilograms(gross)),
    )
    return _group(
        "transp",
        ("modFrete", 0 if note.plate else 9),
        _group("veicTransp", ("placa", note.plate), ("UF", note.issuer.place.uf)) if note.plate else None,
        volume if note.gross else None,
    )


def tree(note: Note) -> El:
    """The signed part of the invoice, in the order of layout 4.00."""
    lines = (_line(note, number, line) for number, line in enumerate(note.lines, 1))
    payment = _group("detPag", ("indPag", 1), ("tPag", 15), ("vPag", note.value))
    content = (
        _ide(note),
        *_parties(note),
        *lines,
        _totals(note),
        _transport(note),
        _group("pag", payment),
        *((_group("infAdic", ("infCpl", note.remarks)),) if note.remarks else ()),
    )
    return El("infNFe", content, (("Id", f"NFe{note.key}"), ("versao", "4.00")))
