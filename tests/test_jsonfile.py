"""A document that a person wrote: a refusal names the place, in Portuguese, in letters that can be shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastro import jsonfile
from lastro.jsonfile import JsonRefused, Node


def refused(text: str, read: Any = jsonfile.text) -> str:
    def top(node: Node) -> None:
        node.may("name", read, None, "um valor")
        node.close()

    with pytest.raises(JsonRefused) as said:
        jsonfile.read_document(text, top)
    return str(said.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{\n "name": }', "não é um JSON bem formado a partir da linha 2, coluna 10."),
        ('{"name": NaN}', "NaN não é um número"),
        ('{"name": "a", "name": "b"}', "a chave “name” aparece duas vezes"),
        ("[" * 100_000, "um dentro do outro"),
        ('{"name": ' + "9" * 5000 + "}", "há um número longo demais"),
        ('{"name": "\\ud800"}', "meio caractere"),
        ('{"\\uD800": 1}', "meio caractere"),
        (
            '{"name": "a\\u0001b"}',
            "name: encontrado “a\ufffdb”; esperado um texto sem caracteres de controle",
        ),
        ('{"x\\u0007": 1}', "x\ufffd: encontrado “x\ufffd”; esperado uma das chaves name"),
    ],
)
def test_what_cannot_be_read_is_told_in_portuguese(text: str, said: str) -> None:
    found = refused(text)
    assert said in found
    assert "Expecting" not in found
    found.encode()


def test_a_whole_pair_and_lines_of_text_are_taken() -> None:
    made = jsonfile.read_document(
        '{"name": "\\ud83d\\ude00 a\\nb"}', lambda node: node.need("name", jsonfile.text, "", "um texto")
    )
    assert made == "\U0001f600 a\nb"


@pytest.mark.parametrize(
    ("value", "read", "hint"),
    [
        (7, jsonfile.text, "um valor, entre aspas."),
        ("2026", jsonfile.year, "um valor, sem aspas."),
        ("true", jsonfile.flag, "um valor, sem aspas."),
        ("1999", jsonfile.year, "um valor."),
        (True, jsonfile.text, "“true”; esperado um valor."),
    ],
)
def test_missing_or_needless_quotation_marks_are_named(value: object, read: Any, hint: str) -> None:
    assert refused(json.dumps({"name": value}), read).endswith(hint)


def test_one_thing_to_mend_and_several_are_counted_in_words_that_agree() -> None:
    assert refused('{"x": 1}').startswith("o arquivo tem 1 correção a fazer:")
    assert refused('{"x": 1, "y": 2}').startswith("o arquivo tem 2 correções a fazer:")
