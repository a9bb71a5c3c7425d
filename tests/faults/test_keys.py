"""Reports 1 to 11: access keys and registrations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lastro.facts import Document, Status
from lastro.ids import AccessKey, cnpj_check_digits, is_cnpj, is_cpf, mod11
from lastro.registry.values import Wrong, value
from lastro.sheets import Cell
from tests.codes.see import CONTEXT, documents
from tests.evidence import vectors as v

KEY = v.Note().access_key
PERSON = "529982247" + "25"  # an invented person, right check digits


def judged(data: bytes) -> Document:
    (document,) = documents(data)
    return document


def codes(document: Document) -> set[str]:
    return {f.code for f in document.findings} - {"N18"}


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (KEY, set()),
        (KEY[:36] + "A" + KEY[37:], {"N02"}),
        (KEY[:2] + "A" + KEY[3:], {"N02"}),
        (KEY.lower(), {"N02"}),
        (KEY[:18] + "A" + KEY[19:], {"N02"}),
    ],
)
def test_r01_letters_stand_in_positions_7_to_18_and_nowhere_else(key: str, code: set[str]) -> None:
    assert codes(judged(v.authorised(v.Note(key_override=key)))) - {"S04"} == code


def test_r02_a_key_with_letters_is_never_shortened() -> None:
    document = judged(v.authorised())
    assert document.access_key == KEY
    assert any(character.isalpha() for character in KEY)
    assert len(document.access_key) == 44


def test_r03_a_registration_with_letters_is_one() -> None:
    body = "12ABC34501DE"  # the example of the standard, put together so that no list takes it for a firm
    assert cnpj_check_digits(body) == "35"
    assert is_cnpj(body + "35")
    assert not is_cnpj(body + "34")


def test_r04_a_letter_is_worth_its_ascii_code_less_48() -> None:
    """Under A = 10 the other number has right digits; under A = 17, which is the rule, it has not."""
    under_ten = "LBNXQOB50001"
    assert not is_cnpj(under_ten + "63")
    assert mod11("A") == mod11(str(17 % 11)), "A is worth 17"


def test_r05_what_is_firm_or_person_is_told_by_length_and_digits_not_by_letters() -> None:
    assert is_cnpj(v.COOP)
    assert not v.COOP.isdigit()
    assert (is_cpf(PERSON), is_cnpj(PERSON)) == (True, False)
    for empty in ("", "False", "None", " "):
        assert not is_cnpj(empty)
        assert not is_cpf(empty)
        with pytest.raises(Wrong):
            value("who", Cell(empty))


def test_r06_an_id_that_says_another_number_than_the_note_is_n04() -> None:
    assert codes(judged(v.authorised(v.Note(number=7, written_number="8")))) == {"N04"}


@pytest.mark.parametrize("rest", [0, 1])
def test_r07_a_body_whose_rest_is_0_or_1_ends_in_0(rest: int) -> None:
    def remainder(key: str) -> int:
        return sum((ord(c) - 48) * (2 + i % 8) for i, c in enumerate(reversed(key[:43]))) % 11

    note = next(n for n in (v.Note(number=k) for k in range(1, 900)) if remainder(n.access_key) == rest)
    assert note.access_key[43] == "0"
    assert codes(judged(v.authorised(note))) == set()
    wrong = replace(note, key_override=note.access_key[:43] + "1")
    assert codes(judged(v.authorised(wrong))) == {"N03"}


def test_r08_a_persons_number_stands_in_the_key_filled_up_with_zeros() -> None:
    note = v.Note(issuer=PERSON, series="920")
    assert AccessKey.parse(note.access_key).issuer == "000" + PERSON
    made = v.certificate("Pessoa", issuer="AC TESTE")
    assert codes(judged(v.authorised(note, made))) == {"S07"}  # the certificate names nobody


def test_r09_a_persons_number_filled_up_on_the_other_side_is_n04() -> None:
    right = v.Note(issuer=PERSON, series="920").access_key
    body = right[:6] + PERSON + "000" + right[20:43]
    note = v.Note(issuer=PERSON, series="920", key_override=body + mod11(body))
    assert "N04" in codes(judged(v.authorised(note, v.certificate("Pessoa", issuer="AC TESTE"))))


def test_r10_a_note_without_its_id_is_not_given_one_from_its_protocol() -> None:
    signed = v.sign(v.Note().xml()).replace(f' Id="NFe{KEY}"'.encode(), b"")
    document = judged(v.proc(signed, v.protocol(KEY, v.digest_of(v.sign(v.Note().xml())))))
    assert (document.access_key, codes(document) >= {"N02"}) == ("", True)


def test_r11_to_know_a_key_proves_nothing() -> None:
    """Whoever writes a note around a key that exists, with a certificate of his own, gets nowhere."""
    own = v.certificate("Raiz de outro", cnpj=v.COOP, start="2025-06-01")
    assert codes(judged(v.authorised(made=own))) == {"S05"}
    bare = judged(v.Note().xml().encode())
    assert codes(bare) == {"S01", "N07"}
    assert bare.status is Status.UNKNOWN
    assert CONTEXT.trust
