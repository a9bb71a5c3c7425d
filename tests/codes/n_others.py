"""What other papers say of a note: cancelled, corrected, returned, told twice, confirmed by SEFAZ."""

from __future__ import annotations

from datetime import UTC, datetime

from lastro.evidence.consulted import Consulted, confirm
from tests.codes import Codes, near_miss, triggers
from tests.codes.see import documents, of_bytes, of_files
from tests.evidence import vectors as v

KEY = v.Note().access_key
NOTE = v.authorised()


def beside(other: bytes) -> Codes:
    """What the note brings out with another file beside it."""
    return of_files({"nota.xml": NOTE, "outro.xml": other}, of="nota.xml")


@triggers("N10")
def cancelled_by_its_issuer() -> Codes:
    return beside(v.event(KEY))


@triggers("N10")
def cancelled_late_by_the_second_event() -> Codes:
    return beside(v.event(KEY, status="155", sequence="2"))


@triggers("N10")
def cancelled_and_told_again_that_it_had_been() -> Codes:
    return beside(v.event(KEY, status="573"))


@triggers("N10")
def cancelled_by_substitution() -> Codes:
    return beside(v.event(KEY, kind="110112"))


@triggers("N10")
def cancelled_before_there_were_events() -> Codes:
    return beside(v.old_cancellation(KEY))


@triggers("N10")
def cancelled_by_the_word_of_its_own_protocol() -> Codes:
    return of_bytes(v.authorised(status="101"))


@near_miss("N10")
def a_cancellation_that_sefaz_refused() -> Codes:
    return beside(v.event(KEY, status="501"))


@near_miss("N10")
def a_cancellation_by_another_company() -> Codes:
    return beside(v.event(KEY, owner=v.OTHER))


@near_miss("N10")
def an_event_of_the_tax_office() -> Codes:
    return beside(v.event(KEY, kind="610600", owner=v.OTHER))


def corrected(words: str) -> bytes:
    return v.event(KEY, kind="110110", detail=f"<descEvento>CCe</descEvento><xCorrecao>{words}</xCorrecao>")


@triggers("N11")
def a_letter_that_corrects_the_quantity() -> Codes:
    return beside(corrected("Quantidade correta: 900 kg"))


@near_miss("N11")
def a_letter_that_corrects_the_address() -> Codes:
    return beside(corrected("Endereço do destinatário: rua B, número 10"))


@triggers("N15")
def the_same_key_signed_over_another_quantity() -> Codes:
    return beside(v.authorised(v.Note(items=[v.Item(quantity="9.0000")])))


@near_miss("N15")
def the_same_content_in_another_wrapping() -> Codes:
    return beside(v.sign(v.Note().xml()))


def answering(**choices: object) -> bytes:
    note = v.Note(number=5, issuer=v.MILL, recipient=v.COOP, references=(KEY,))
    for name, value in choices.items():
        setattr(note, name, value)
    return v.authorised(note)


@triggers("N16")
def returned_by_its_recipient() -> Codes:
    return beside(answering(purpose="4", items=[v.Item(cfop="5202")]))


@triggers("N16")
def disowned_by_its_recipient() -> Codes:
    return beside(v.event(KEY, kind="210220", owner=v.MILL))


@triggers("N16")
def not_delivered() -> Codes:
    return beside(v.event(KEY, kind="110192"))


@near_miss("N16")
def returned_by_somebody_else() -> Codes:
    return beside(answering(issuer=v.OTHER, purpose="4", items=[v.Item(cfop="5202")]))


@near_miss("N16")
def confirmed_by_its_recipient() -> Codes:
    return beside(v.event(KEY, kind="210200", owner=v.MILL))


@near_miss("N16")
def named_by_a_debit_note() -> Codes:
    return beside(answering(purpose="6"))


def _asked(status: str) -> Codes:
    (document,) = documents(NOTE)
    said = Consulted(KEY, status, datetime(2026, 11, 1, tzinfo=UTC), digest=document.digest_value)
    return {f.code for f in confirm(document, said).findings}


@triggers("N18")
def authorised_by_the_files_own_word() -> Codes:
    return of_bytes(NOTE)


@triggers("N18")
def asked_at_sefaz_and_not_answered() -> Codes:
    return _asked("108")


@near_miss("N18")
def confirmed_at_sefaz() -> Codes:
    return _asked("100")
