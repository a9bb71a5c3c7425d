"""Identity, one wrong field at a time: each gives its own finding and no other."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from lastro.evidence import Context, Source, judge_source
from lastro.facts import Document, Kind, Severity, Status
from lastro.ids import mod11
from tests.evidence import vectors as v

CONTEXT = Context(today=v.TODAY, trust=v.TRUST)


def judged(data: bytes, **context: Any) -> Document:
    (document,) = judge_source(Source("nota.xml", None, data), replace(CONTEXT, **context))
    return document


def codes(document: Document) -> list[str]:
    return [f.code for f in document.findings if f.code != "N18"]


def rekeyed(key: str, position: int, character: str) -> str:
    """The key with another character and the check digit that belongs to it."""
    body = key[:position] + character + key[position + 1 : 43]
    return body + mod11(body)


def test_a_good_note_has_nothing_against_it_but_that_sefaz_was_not_asked() -> None:
    document = judged(v.authorised())
    assert [(f.code, f.severity) for f in document.findings] == [("N18", Severity.INFO)]
    assert document.status is Status.AUTHORISED


# ── the key ──────────────────────────────────────────────────────────────────────────────────────────

GOOD = v.Note().access_key


@pytest.mark.parametrize(
    "key",
    [GOOD[:43], GOOD + "0", GOOD.lower(), GOOD[:20] + "A" + GOOD[21:], "A" + GOOD[1:], "_" + GOOD[1:]],
)
def test_a_key_of_another_shape_is_n02(key: str) -> None:
    assert codes(judged(v.authorised(v.Note(key_override=key)))) in (["N02"], ["N02", "S04"])


def test_a_note_without_an_id_or_without_its_first_letters_is_n02() -> None:
    signed = v.sign(v.Note().xml().replace('Id="NFe', 'Id="'))
    assert codes(judged(v.proc(signed, v.protocol(GOOD, v.digest_of(signed))))) == ["N02"]
    without = v.sign(v.Note().xml()).replace(f' Id="NFe{GOOD}"'.encode(), b"")
    assert codes(judged(v.proc(without, v.protocol(GOOD, "")))) == ["N02", "S04"]


def test_letters_in_positions_7_to_18_are_right() -> None:
    assert any(c.isalpha() for c in GOOD[6:18])
    assert codes(judged(v.authorised())) == []


def test_a_wrong_check_digit_is_n03_alone() -> None:
    key = GOOD[:43] + str((int(GOOD[43]) + 1) % 10)
    assert codes(judged(v.authorised(v.Note(key_override=key)))) == ["N03"]


@pytest.mark.parametrize("rest", [0, 1])
def test_a_rest_of_zero_or_one_gives_the_digit_zero(rest: int) -> None:
    def remainder(note: v.Note) -> int:
        digits = enumerate(reversed(note.access_key[:43]))
        return sum((ord(c) - 48) * (2 + i % 8) for i, c in digits) % 11

    numbers = (n for n in range(1, 400) if remainder(v.Note(number=n)) == rest)
    note = v.Note(number=next(numbers))
    assert note.access_key[43] == "0"
    assert codes(judged(v.authorised(note))) == []


@pytest.mark.parametrize(
    ("position", "character", "named"),
    [
        (1, "0", "cUF"), (5, "4", "dhEmi"), (14, "9", "CNPJ"), (24, "2", "serie"), (33, "2", "nNF"),
        (34, "9", "tpEmis"), (42, "0", "cNF"),
    ],
)  # fmt: skip
def test_a_key_that_says_something_else_is_n04_alone(position: int, character: str, named: str) -> None:
    key = rekeyed(GOOD, position, character)
    document = judged(v.authorised(v.Note(key_override=key)))
    assert codes(document) == ["N04"]
    assert named in document.findings[0].found


def test_a_note_at_the_end_of_the_month_keeps_its_own_month() -> None:
    """23:30 in Cuiabá is already the next month in Brasília: the date written counts, without conversion."""
    note = v.Note(issued_at="2026-01-31T23:30:00-04:00")
    document = judged(v.authorised(note, at="2026-02-01T00:31:00-03:00"))
    assert codes(document) == []
    assert document.invoice is not None
    assert document.invoice.issued_on == date(2026, 1, 31)


def test_a_content_of_another_number_than_the_key_is_n04() -> None:
    assert codes(judged(v.authorised(v.Note(written_number="2")))) == ["N04"]


def test_a_person_issuer_is_padded_in_the_key() -> None:
    person = "529982247" + "25"  # an invented CPF with right check digits
    note = v.Note(issuer=person, series="920")
    made = v.certificate("Pessoa", issuer="AC TESTE")
    found = codes(judged(v.authorised(note, made)))
    assert found == ["S07"]  # the certificate names no CPF; the key itself is right


def test_model_65_is_n05_alone() -> None:
    assert codes(judged(v.authorised(v.Note(model="65")))) == ["N05"]


# ── environment, protocol, dates, parties ────────────────────────────────────────────────────────────


def test_test_environment_is_n06_wherever_it_is_said() -> None:
    assert codes(judged(v.authorised(v.Note(environment="2")))) == ["N06"]
    assert codes(judged(v.authorised(environment="2"))) == ["N06"]
    assert codes(judged(v.authorised(v.Note(environment="2"), environment="2"))) == ["N06"]


def test_a_masked_code_is_not_said() -> None:
    note = v.Note(environment="2")
    assert codes(judged(v.authorised(note), mask=frozenset({"N06"}))) == []


def test_no_protocol_is_n07_and_the_status_unknown() -> None:
    document = judged(v.sign(v.Note().xml()))
    assert codes(document) == ["N07"]
    assert document.status is Status.UNKNOWN


def test_the_protocol_of_another_note_is_n08() -> None:
    one, other = v.Note(number=1), v.Note(number=2)
    signed, theirs = v.sign(one.xml()), v.sign(other.xml())
    swapped = v.proc(signed, v.protocol(other.access_key, v.digest_of(theirs)))
    assert codes(judged(swapped)) == ["N08"]
    another_version = v.proc(signed, v.protocol(one.access_key, v.digest_of(theirs)))
    assert codes(judged(another_version)) == ["N08"]


def test_an_altered_note_is_not_also_a_note_with_anothers_protocol() -> None:
    assert codes(judged(v.authorised().replace(b"1250.0000", b"9250.0000"))) == ["S02"]


@pytest.mark.parametrize(
    ("status", "code", "state"),
    [
        ("100", [], Status.AUTHORISED), ("150", [], Status.AUTHORISED), ("217", ["N09"], Status.UNAUTHORISED),
        ("204", ["N09"], Status.UNAUTHORISED), ("101", ["N10"], Status.CANCELLED),
        ("151", ["N10"], Status.CANCELLED), ("155", ["N10"], Status.CANCELLED),
        ("110", ["N17"], Status.DENIED), ("301", ["N17"], Status.DENIED), ("302", ["N17"], Status.DENIED),
        ("303", ["N17"], Status.DENIED), ("205", ["N17"], Status.DENIED),
    ],
)  # fmt: skip
def test_what_each_status_means(status: str, code: list[str], state: Status) -> None:
    document = judged(v.authorised(status=status))
    assert (codes(document), document.status) == (code, state)


def test_a_sale_to_the_same_company_is_n12() -> None:
    branch = v.cnpj(v.COOP[:8] + "0002")
    assert codes(judged(v.authorised(v.Note(recipient=branch)))) == ["N12"]


@pytest.mark.parametrize(("today", "code"), [("2026-05-13", ["N13"]), ("2026-05-14", []), ("2026-05-15", [])])
def test_a_note_dated_after_today_is_n13(today: str, code: list[str]) -> None:
    assert codes(judged(v.authorised(), today=date.fromisoformat(today))) == code


@pytest.mark.parametrize("recipient", ["ZZM1LL02000199", "52998224724", "00000000000000", "ZZM"])
def test_wrong_check_digits_of_a_party_are_p01(recipient: str) -> None:
    assert codes(judged(v.authorised(v.Note(recipient=recipient)))) == ["P01"]


def test_a_number_that_may_be_a_persons_is_not_repeated() -> None:
    document = judged(v.authorised(v.Note(recipient="52998224724")))
    assert all("529982247" not in f.found for f in document.findings)


def test_a_wrong_issuer_number_is_p01_and_no_other_finding_of_the_key() -> None:
    wrong = v.COOP[:12] + "00"
    found = codes(judged(v.authorised(v.Note(issuer=wrong), v.signer())))
    assert found == ["P01"]


@pytest.mark.parametrize(("series", "signer", "code"), [
    ("890", v.OTHER, []), ("899", v.OTHER, []), ("890", v.COOP, []), ("890", v.ENTITY, ["S07"]),
])  # fmt: skip
def test_a_series_issued_by_sefaz_is_signed_by_the_sefaz_in_its_key(
    series: str, signer: str, code: list[str]
) -> None:
    key = v.Note(series=series, issuer=v.OTHER).access_key
    text = v.Note(series=series, key_override=key).xml()
    text = text.replace("<dest>", f"<avulsa><CNPJ>{v.OTHER}</CNPJ></avulsa><dest>")
    signed = v.sign(text, v.signer(signer))
    assert codes(judged(v.proc(signed, v.protocol(key, v.digest_of(signed))))) == code


@pytest.mark.parametrize("series", ["889", "900"])
def test_any_other_series_is_signed_by_its_issuer(series: str) -> None:
    assert codes(judged(v.authorised(v.Note(series=series), v.signer(v.OTHER)))) == ["S07"]


# ── events ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_registered_event_of_the_issuer_stands() -> None:
    document = judged(v.event(GOOD))
    assert (document.kind, codes(document)) == (Kind.EVENT, [])
    assert document.event is not None
    assert (document.event.type, document.event.status) == ("110111", "135")


@pytest.mark.parametrize("status", ["135", "136", "155", "573", "218", "420"])
def test_registered_states(status: str) -> None:
    assert codes(judged(v.event(GOOD, status=status))) == []


def test_a_late_cancellation_carries_the_sequence_2() -> None:
    data = v.event(GOOD, status="155")
    assert codes(judged(data)) == []


@pytest.mark.parametrize(
    ("choices", "code"),
    [
        ({"registered": False}, ["N01"]),
        ({"status": "501"}, ["N09"]),
        ({"owner": v.OTHER}, ["S07"]),
        ({"access_key": GOOD[:40]}, ["N02"]),
    ],
)
def test_events_that_do_not_count(choices: dict[str, Any], code: list[str]) -> None:
    given = {"access_key": GOOD, **choices}
    found = codes(judged(v.event(given.pop("access_key"), **given)))
    assert found[: len(code)] == code


def test_an_altered_event_does_not_count() -> None:
    assert codes(judged(v.event(GOOD).replace(b"Erro de", b"Erro do"))) == ["S02"]


def test_an_answer_to_another_event_does_not_count() -> None:
    data = v.event(GOOD)
    at = data.rindex(GOOD.encode())
    assert codes(judged(data[:at] + v.Note(number=2).access_key.encode() + data[at + 44 :])) == ["N08"]
