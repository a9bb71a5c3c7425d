"""The facts of one establishment's fee as a JSON document.

The days off are those of the country, the state, the banks and the municipality named, and what the document
adds to them.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from lastro import jsonfile
from lastro.ids import UF_BY_CODE, bare, is_cnpj, is_cpf
from lastro.jsonfile import Node, once_each
from lastro.lawkit.fees import Activity, Charged, CityFee, Exemption, Notice
from lastro.quarters import quarter_end
from lastro.tables import municipality
from lastro.tables.days_off import closed_days
from lastro.units import Money, Share

DAY = "uma data, como 2026-03-31"
NEVER = date.min
NOTHING = Money(0)
PERSONS = ("natural_person", "individual", "company")
_NO_DAYS: tuple[date, ...] = ()
EXEMPTIONS = ("public", "social", "subsistence")
MOST_A_MONTH = Share.parse("5%")
"""No month's SELIC of this century came near it: above it, somebody misplaced the point."""
RATE = f"um percentual do mês, de 0% a {MOST_A_MONTH}, como 0.83%"
FLAG = "true ou false"
_CODE = re.compile(r"(0[1-9]|1[0-9]|2[0-2])\Z")
_MONTH = re.compile(r"20[0-9]{2}-(0[1-9]|1[0-2])\Z")


def parse(text: str, *, today: date) -> Charged:
    """Read the facts. Raises JsonRefused naming every place that has to be mended."""
    return jsonfile.read_document(text, lambda top: _charged(top, today))


def _charged(top: Node, today: date) -> Charged:
    year = top.need("year", jsonfile.year, 2026, "o ano, como 2026")
    place = top.need(
        "municipality", _place, "", "o código IBGE, 7 dígitos entre aspas, de um município que existe"
    )
    activities = top.each("activities", _activity)
    once_each(top, "activities", [(one.code, one.began) for one in activities])
    if not activities:
        top.wrong("activities", None, "uma lista com ao menos uma atividade")
    made = Charged(
        cnpj=top.need("document", _document, "", "um CNPJ ou um CPF válido"),
        year=year,
        quarter=top.need("quarter", _quarter, 1, "o trimestre, de 1 a 4"),
        person=top.need("person", jsonfile.one_of(PERSONS), "", f"um de {', '.join(PERSONS)}"),
        revenue=top.may("revenue_brl", _money, None, jsonfile.MONEY),
        mei=top.may("mei", jsonfile.flag, None, FLAG) is True,
        excluded=top.may("outside_small_firms_statute", jsonfile.flag, None, FLAG) is True,
        activities=activities,
        closed=_closed(top, year, place),
        asked_on=today,
        paid_on=top.may("paid_on", _day, None, DAY),
        exemption=top.part("exemption", _exemption),
        city=top.part("municipal_fee", _city),
        notice=top.part("notice", _notice),
        forged=top.may("forged_receipt", jsonfile.flag, None, FLAG) is True,
        selic=_rates(top),
        index=top.may("correction_index", _share, None, "um percentual acima de -100%, como 5%"),
        place=place,
        local_days=top.raw.get("closed") is not None or bool(closed_days((year, year + 1), scopes=(place,))),
    )
    _agrees(top, made)
    top.close()
    return made


def _agrees(top: Node, made: Charged) -> None:
    """What one part of the facts says is refused where another part makes it impossible."""
    last = quarter_end(made.year, made.quarter)
    if made.paid_on is not None and made.paid_on <= last:
        top.wrong("paid_on", made.paid_on, f"um dia depois do fim do trimestre, {last.isoformat()}")
    if made.person == "company" and is_cpf(made.cnpj):
        top.wrong("person", made.person, "um CNPJ em “document”: uma empresa não tem CPF")
    if made.mei and made.person != "individual":
        top.wrong("mei", "true", "“individual” em “person”: só um empresário individual é MEI")


def _rates(top: Node) -> dict[date, Share]:
    found = top.each("selic", _selic)
    once_each(top, "selic", [f"{month:%Y-%m}" for month, _ in found])
    return dict(found)


def _closed(top: Node, year: int, place: str) -> tuple[date, ...]:
    scopes = ("BR", UF_BY_CODE.get(place[:2], ""), "bank", place)
    added: tuple[date, ...] = top.may("closed", _days, _NO_DAYS, "uma lista de datas, como 2026-01-02")
    return tuple(sorted({*closed_days((year, year + 1), scopes=scopes), *added}))


def _activity(row: Node) -> Activity:
    made = Activity(
        code=row.need("code", _code, "", "um código do anexo, de “01” a “22”"),
        began=row.need("began", jsonfile.day, NEVER, DAY),
        ended=row.may("ended", _day, None, DAY),
        silviculture=row.may("silviculture", jsonfile.flag, None, FLAG) is True,
    )
    if made.ended is not None and made.ended < made.began:
        row.wrong("ended", made.ended, f"um dia não anterior a “began”, {made.began.isoformat()}")
    return made


def _exemption(row: Node) -> Exemption:
    return Exemption(
        kind=row.need("kind", jsonfile.one_of(EXEMPTIONS), "", f"um de {', '.join(EXEMPTIONS)}"),
        recognised=row.may("recognised", jsonfile.flag, None, FLAG) is True,
        distributes=row.may("distributes", jsonfile.flag, None, FLAG) is True,
        in_the_country=row.may("spends_in_the_country", jsonfile.flag, None, FLAG) is True,
        books=row.may("keeps_books", jsonfile.flag, None, FLAG) is True,
        refused=row.may("refused_by_agency", jsonfile.flag, None, FLAG) is True,
    )


def _city(row: Node) -> CityFee:
    made = CityFee(
        paid=row.need("paid_brl", jsonfile.money, NOTHING, jsonfile.MONEY),
        inspection_fee=row.need("inspection_fee", jsonfile.flag, None, FLAG) is True,
        recognised=row.need("recognised", jsonfile.flag, None, FLAG) is True,
        agreed_from=row.may("agreement_from", _day, None, DAY),
        agreed_to=row.may("agreement_to", _day, None, DAY),
        refunded=row.may("refunded_brl", jsonfile.money, NOTHING, jsonfile.MONEY),
        refunded_on=row.may("refunded_on", _day, None, DAY),
    )
    if made.refunded != NOTHING and made.refunded_on is None:
        row.wrong("refunded_on", None, "o dia em que “refunded_brl” foi devolvido")
    if made.refunded_on is not None and made.refunded == NOTHING:
        row.wrong("refunded_brl", row.raw.get("refunded_brl"), "quanto foi devolvido em “refunded_on”")
    if made.refunded > made.paid:
        row.wrong("refunded_brl", made.refunded.brl_text, f"até o que se pagou, {made.paid.brl_text}")
    if made.agreed_from and made.agreed_to and made.agreed_to < made.agreed_from:
        row.wrong("agreement_to", made.agreed_to, "um dia não anterior a “agreement_from”")
    return made


def _notice(row: Node) -> Notice:
    made = Notice(
        received_on=row.need("received_on", jsonfile.day, NEVER, DAY),
        deadline=row.need("deadline", jsonfile.day, NEVER, DAY),
    )
    if NEVER < made.deadline < made.received_on:
        row.wrong("deadline", made.deadline, f"um dia não anterior a {made.received_on.isoformat()}")
    return made


def _selic(row: Node) -> tuple[date, Share]:
    month = row.need("month", _month, NEVER, "um mês, como 2026-03")
    return month, row.need("rate", _rate, Share.parse("0%"), RATE)


def _day(value: Any) -> date | None:
    return jsonfile.day(value)


def _money(value: Any) -> Money | None:
    return jsonfile.money(value)


def _share(value: Any) -> Share | None:
    """The change of an index, which may be below zero and never takes all away."""
    read = Share.parse(value)
    if read.of_one <= -1:
        raise ValueError
    return read


def _rate(value: Any) -> Share:
    """The SELIC of one month: 97% or 83% is a slip of the point, and no month's is below zero."""
    read = Share.parse(value)
    if read.of_one < 0 or read > MOST_A_MONTH:
        raise ValueError
    return read


def _days(value: Any) -> tuple[date, ...]:
    if not isinstance(value, list):
        raise ValueError
    return tuple(jsonfile.day(one) for one in value)


def _quarter(value: Any) -> int:
    if type(value) is not int or not 1 <= value <= 4:
        raise ValueError
    return value


def _code(value: Any) -> str:
    if not _CODE.match(jsonfile.text(value)):
        raise ValueError
    return str(value)


def _month(value: Any) -> date:
    if not _MONTH.match(jsonfile.text(value)):
        raise ValueError
    return date.fromisoformat(f"{value}-01")


def _place(value: Any) -> str:
    if municipality(jsonfile.text(value)) is None:
        raise ValueError
    return str(value)


def _document(value: Any) -> str:
    read = bare(jsonfile.text(value))
    if not is_cnpj(read) and not is_cpf(read):
        raise ValueError
    return read
