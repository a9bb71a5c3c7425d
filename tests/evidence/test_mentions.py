"""Only what a note calls a manifest, with as many digits as manifests have, is one."""

from __future__ import annotations

import pytest

from lastro.evidence.mentions import SLIP, manifests_named

A, B = "123456789012", "1234567890"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"MTR {A}", (A,)),
        (f"Nota com mtr nº {B}, e {A}. Pedido 7", (B, A)),
        (f"MTRs: {A}; {A}", (A,)),
        (f"Manifesto de Transporte de Resíduos n. {A}", (A,)),
        (f"M.T.R. SINIR Nº {A}", (A,)),
        (f"NUMERO DO MTR: {A}", (A,)),
        (f"MTR-SIGOR {B} MTR {A}", (B, A)),
        (f"MTR {A}3", ()),
        ("MTR 12345678901", ()),
        (f"MTR do pedido {A}", ()),
        (f"MTR {A} PEDIDO {B}", (A,)),
        ("MDF-e 51260612345678901234567890123456789012345678", ()),
        (f"Pedido {A}", ()),
        (f"CMTR {A}", ()),
    ],
)
def test_the_manifests_that_a_text_names(text: str, expected: tuple[str, ...]) -> None:
    assert manifests_named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ticket de balança 004213.", ("4213",)),
        ("Pesagem conferida no destino, ticket 123456", ("123456",)),
        ("TÍQUETE Nº 8.841/26", ("884126",)),
        ("tiquete de pesagem: B77 e ticket balança rodoviária n. 12345-A", ("12345A",)),
        ("Comprovante de pesagem número 9001", ("9001",)),
        ("Pesagem nº 9001", ("9001",)),
        ("Pesagem às 14 h 300", ()),
        ("Ticket médio 123456", ()),
        ("Ticket 12", ()),
        ("Ticket 00012", ()),
        (f"Ticket {A}{A}", ()),
        ("Pedido 123456", ()),
        (f"MTR {A}, ticket 777", (A, "777")),
    ],
)
def test_the_weighing_slips_that_a_text_names(text: str, expected: tuple[str, ...]) -> None:
    slips = tuple(one if one == A else SLIP + one for one in expected)
    assert manifests_named(text) == slips


def test_several_texts_each_number_once_and_no_more_than_are_of_use() -> None:
    assert manifests_named(f"MTR {A}", "", f"MTR {B}, {A}") == (A, B)
    many = "MTR " + ", ".join(str(10**11 + n) for n in range(900))
    assert len(manifests_named(many)) == 50


def test_a_manifest_with_points_or_with_half_its_name_is_named_too():
    assert manifests_named("Manifesto de transporte n. 260100000013") == ("260100000013",)
    assert manifests_named("MTR nº 2601.0000.0014, de 3/3") == ("260100000014",)
    assert manifests_named("MTR nº 2601.0000.0014.5") == ()
