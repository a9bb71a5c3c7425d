"""Identity of a note by itself: what it is, its key, its protocol, its day and its parties."""

from __future__ import annotations

from datetime import date

from lastro.evidence import Context
from lastro.ids import mod11
from tests.codes import Codes, near_miss, triggers
from tests.codes.see import of_bytes, of_note
from tests.evidence import vectors as v

GOOD = v.Note().access_key


@triggers("N01")
def a_summary_in_the_notes_place() -> Codes:
    return of_bytes(f'<resNFe xmlns="{v.NFE}"><chNFe>{GOOD}</chNFe></resNFe>'.encode())


@near_miss("N01")
def the_note_itself() -> Codes:
    return of_note()


@triggers("N02")
def a_letter_in_the_number_of_the_key() -> Codes:
    return of_note(v.Note(key_override=GOOD[:30] + "A" + GOOD[31:]))


@near_miss("N02")
def letters_in_the_cnpj_of_the_key() -> Codes:
    assert any(c.isalpha() for c in GOOD[6:18])
    return of_note()


@triggers("N03")
def a_check_digit_off_by_one() -> Codes:
    return of_note(v.Note(key_override=GOOD[:43] + str((int(GOOD[43]) + 1) % 10)))


@near_miss("N03")
def a_rest_of_one_which_gives_zero() -> Codes:
    """Rests 0 and 1 both give the digit 0."""

    def rest(key: str) -> int:
        return sum((ord(c) - 48) * (2 + i % 8) for i, c in enumerate(reversed(key[:43]))) % 11

    note = next(n for n in (v.Note(number=number) for number in range(1, 400)) if rest(n.access_key) == 1)
    assert note.access_key[43] == "0"
    return of_note(note)


@triggers("N04")
def a_number_that_the_key_does_not_repeat() -> Codes:
    return of_note(v.Note(written_number="2"))


@triggers("N04")
def a_company_in_a_series_of_persons() -> Codes:
    return of_note(v.Note(series="920"))


@near_miss("N04")
def the_month_in_the_notes_own_offset() -> Codes:
    """Half past eleven at night in Cuiabá is the next month in Brasília; the key has what is written."""
    return of_note(v.Note(issued_at="2026-01-31T23:30:00-04:00"))


@triggers("N05")
def a_consumers_note() -> Codes:
    return of_note(v.Note(model="65"))


@near_miss("N05")
def model_55() -> Codes:
    return of_note(v.Note(model="55"))


@triggers("N07")
def a_signed_note_that_nobody_authorised() -> Codes:
    return of_bytes(v.sign(v.Note().xml()))


@near_miss("N07")
def a_signed_note_with_its_protocol() -> Codes:
    signed = v.sign(v.Note().xml())
    return of_bytes(v.proc(signed, v.protocol(GOOD, v.digest_of(signed))))


def _protocol_of(key: str, digest: str = "") -> Codes:
    signed = v.sign(v.Note().xml())
    return of_bytes(v.proc(signed, v.protocol(key, digest or v.digest_of(signed))))


@triggers("N08")
def the_protocol_of_another_note() -> Codes:
    return _protocol_of(v.Note(number=2).access_key)


@triggers("N08")
def the_protocol_of_another_version() -> Codes:
    other = v.sign(v.Note(items=[v.Item(quantity="9.0000")]).xml())
    return _protocol_of(GOOD, v.digest_of(other))


@near_miss("N08")
def a_digest_over_two_lines() -> Codes:
    digest = v.digest_of(v.sign(v.Note().xml()))
    return _protocol_of(GOOD, f"{digest[:10]}\n{digest[10:]}")


@triggers("N09")
def a_status_of_rejection() -> Codes:
    return of_bytes(v.authorised(status="204"))


@near_miss("N09")
def a_late_authorisation() -> Codes:
    return of_bytes(v.authorised(status="150"))


@triggers("N12")
def a_sale_to_a_branch_of_ones_own() -> Codes:
    return of_note(v.Note(recipient=v.cnpj(v.COOP[:8] + "0002")))


@triggers("N12")
def a_days_purchases_in_the_buyers_own_name() -> Codes:
    return of_note(v.Note(issuer=v.MILL, recipient=v.MILL, direction="0", items=[v.Item(cfop="1102")]))


@near_miss("N12")
def a_sale_to_a_root_that_differs_in_one_letter() -> Codes:
    return of_note(v.Note(recipient=v.cnpj(v.COOP[:7] + "Z" + "0001")))


@triggers("N13")
def a_note_of_tomorrow() -> Codes:
    return of_note(context=Context(today=date(2026, 5, 13), trust=v.TRUST))


@near_miss("N13")
def a_note_of_today() -> Codes:
    return of_note(context=Context(today=date(2026, 5, 14), trust=v.TRUST))


@triggers("N14")
def a_note_of_the_year_before() -> Codes:
    return of_note(v.Note(issued_at="2025-12-31T23:59:59-04:00"))


@near_miss("N14")
def a_note_of_the_years_first_day() -> Codes:
    return of_note(v.Note(issued_at="2026-01-01T00:00:00-04:00"))


@triggers("N17")
def a_denied_note() -> Codes:
    return of_bytes(v.authorised(status="302"))


@triggers("N17")
def a_denied_note_without_a_protocol() -> Codes:
    said = "<retEnviNFe><cStat>301</cStat><xMotivo>Uso denegado</xMotivo></retEnviNFe>"
    return of_bytes(v.proc(v.sign(v.Note().xml()), said))


@near_miss("N17")
def a_note_of_which_sefaz_only_said_that_it_came() -> Codes:
    said = "<retEnviNFe><cStat>103</cStat><xMotivo>Lote recebido</xMotivo></retEnviNFe>"
    return of_bytes(v.proc(v.sign(v.Note().xml()), said))


def _with_digit(body: str) -> str:
    return body + mod11(body)


@triggers("F06")
def a_layout_that_nobody_knows() -> Codes:
    text = v.Note().xml().replace('versao="4.00"', 'versao="5.00"')
    signed = v.sign(text)
    return of_bytes(v.proc(signed, v.protocol(GOOD, v.digest_of(signed))))


@near_miss("F06", "N04")
def a_note_of_layout_1_10_whose_key_has_nine_digits_of_chance() -> Codes:
    key = _with_digit(GOOD[:34] + "123456789")
    text = v.Note(key_override=key).xml().replace('versao="4.00"', 'versao="1.10"')
    signed = v.sign(text.replace("<cNF>12345678<", "<cNF>123456789<"))
    return of_bytes(v.proc(signed, v.protocol(key, v.digest_of(signed))))
