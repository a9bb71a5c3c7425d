"""What the paper of a certificate says, in words for people; the layout is the typesetter's."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from lastro.certificates.fields import Attainment, Fields, Place
from lastro.certificates.port import BackedBy, Certificate
from lastro.facts import Basis
from lastro.ids import masked
from lastro.lawkit import CertificateTerms
from lastro.lawkit.glossary import label
from lastro.tables import municipality
from lastro.units import Share, decimal_text

_MONTHS = (
    *("janeiro", "fevereiro", "março", "abril", "maio", "junho"),
    *("julho", "agosto", "setembro", "outubro", "novembro", "dezembro"),
)
_BAND = "METAS ILUSTRATIVAS — SEM VALOR LEGAL"


def paper_of(
    certificate: Certificate,
    known: Fields,
    *,
    number: str,
    terms: CertificateTerms,
    entity: tuple[str, str],
    basis: Basis,
    at: datetime,
) -> dict[str, Any]:
    """The data of the paper, all of it text: see `lastro.papers.shapes`, kind "cre". No item is empty."""
    who, target, signer, day = known.applicant, known.target, known.signer, known.issued_on
    assert who is not None, "no item is empty"
    assert target is not None, "no item is empty"
    assert signer is not None, "no item is empty"
    assert day is not None, "no item is empty"
    illustrative = target.basis is Basis.ILLUSTRATIVE and basis is not Basis.ILLUSTRATIVE
    return {
        "created": at.isoformat(timespec="seconds"),
        "basis": basis.value,
        "bands": [_BAND] if illustrative else [],
        "title": terms.title,
        "legal": terms.articles["certificate"],
        "number": number,
        "entity": {"name": entity[0], "cnpj": masked(entity[1])},
        "holder": {"name": who.name, "cnpj": masked(who.cnpj)},
        "signer": {"name": signer.name, "cnpj": masked(signer.cnpj)},
        "issued_on": in_full(day),
        "valid_until": in_full(terms.valid_to),
        "mass": str(known.mass),
        "material": label(target.group),
        "address": known.address,
        "fields": _items(known, certificate),
        "invoices": [_invoice(lot) for lot in known.invoices or ()],
        "notes": [
            "Quem emite assume que tudo aqui é verdadeiro e que as notas são únicas "
            f"({terms.articles['responsibility']}). Vale só para este estabelecimento, vende-se uma vez e "
            f"não se transfere ({terms.articles['once']}).",
        ],
    }


def _items(known: Fields, certificate: Certificate) -> dict[str, Any]:
    who, when, target, signer = known.applicant, known.periods, known.target, known.signer
    assert who is not None, "no item is empty"
    assert when is not None, "no item is empty"
    assert target is not None, "no item is empty"
    assert signer is not None, "no item is empty"
    assert known.issued_on is not None, "no item is empty"
    keys = len({lot.access_key for lot in certificate.lots})
    return {
        "I": [
            ["Nome", who.name],
            ["CNPJ", masked(who.cnpj)],
            ["Endereço", who.address],
            ["Licença ambiental", who.licence],
            ["Contato", who.contact],
        ],
        "II": [
            ["Compensação", f"vendas de {_day(when.compensation_from)} a {_day(when.compensation_to)}"],
            ["Passivo", f"ano de {when.liability_year}"],
        ],
        "III": _target(target),
        "IV": "; ".join(f"{label(m)}, {mass}" for m, mass in known.materials or ()),
        "V": "; ".join(label(m) for m in known.note_materials or ()),
        "VI": str(known.investment),
        "VII": str(known.mass),
        "VIII": _places(known.places or ()),
        "IX": _dates(known.note_dates or ()),
        "X": in_full(known.issued_on),
        "XI": "O QR code leva à página pública deste certificado.",
        "XII": f"{keys} {'chave' if keys == 1 else 'chaves'} de acesso, com as massas, na lista de notas",
        "XIII": [
            ["Por", signer.name],
            *([["CNPJ no certificado digital", masked(signer.cnpj)]] if signer.cnpj else []),
            ["Identificação digital (SHA-256)", signer.sha256],
        ],
    }


def _target(target: Attainment) -> str:
    mark = " (meta ilustrativa)" if target.basis is Basis.ILLUSTRATIVE else ""
    return (
        f"{label(target.group)}: meta vigente {target.target}{mark}; "
        f"atingido com este certificado {shown_share(target.attained)}"
    )


def shown_share(share: Share) -> str:
    """A share in percent with six decimals at most, cut and marked where it goes on."""
    return f"{decimal_text(share.of_one * 100).replace('.', ',')}%"


def _places(places: Sequence[Place]) -> str:
    """Municipalities, those that operators told and then those that only invoices tell."""
    told = {
        who: ", ".join(place_name(p.municipality) for p in places if p.by_invoice is by_invoice)
        for who, by_invoice in (("do operador", False), ("município da nota fiscal", True))
    }
    return "; ".join(f"{names} ({who})" for who, names in told.items() if names)


def place_name(code: str) -> str:
    """A municipality as people know it; its code where it has no name here."""
    return municipality(code) or f"município {code}"


def _dates(days: Sequence[date]) -> str:
    if len(days) == 1:
        return _day(days[0])
    return f"{len(days)} datas, de {_day(days[0])} a {_day(days[-1])}; cada uma na lista de notas"


def _invoice(lot: BackedBy) -> dict[str, str]:
    by = "nota fiscal" if lot.municipality_source == "invoice" else "operador"
    return {
        "key": lot.access_key,
        "line": str(lot.line),
        "issued": _day(lot.issued_on),
        "material": label(lot.material),
        "place": f"{place_name(lot.municipality or '')} ({by})",
        "mass": str(lot.mass),
    }


def _day(day: date) -> str:
    return day.strftime("%d/%m/%Y")


def in_full(day: date) -> str:
    """A day written out: 1º de março de 2027."""
    first = "1º" if day.day == 1 else str(day.day)
    return f"{first} de {_MONTHS[day.month - 1]} de {day.year}"
