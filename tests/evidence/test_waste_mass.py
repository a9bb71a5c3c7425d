"""What a residue weighs: what the receiver confirmed, exactly, and nothing until then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lastro.evidence import waste_mass
from lastro.evidence.waste_values import UNSURE
from lastro.facts import Severity
from lastro.units import Mass
from lastro.waste import Residue

KILO = Residue("150101", "papel", "KG", "1500", "1450", None, "Reciclagem")


def weighed(**changes: str | None) -> tuple[int | None, list[tuple[str, Severity]]]:
    found = waste_mass.received(replace(KILO, **changes))  # type: ignore[arg-type]
    mass = found.mass.mg if found.mass is not None else None
    return mass, [(f.code, f.severity) for f in found.findings]


@pytest.mark.parametrize(
    ("unit", "received", "density", "mg"),
    [
        ("KG", "1450", None, 1_450_000_000),
        ("kg", "0.000001", None, 1),
        ("TON", "1.45000", None, 1_450_000_000),
        ("Tonelada", "1.450000001", None, 1_450_000_001),
        ("Quilograma", "0.1", None, 100_000),
        ("M³", "2", "0.35", 700_000_000),
        ("m3", "2", "0.35", 700_000_000),
        ("Lt", "1000", "0.9", 900_000_000),
        ("KG", "0.1", "7", 100_000),  # a mass needs no density
    ],
)
def test_masses_and_volumes(unit: str, received: str, density: str | None, mg: int) -> None:
    assert weighed(unit=unit, received=received, density=density) == (mg, [])


@pytest.mark.parametrize(
    ("changes", "code", "severity"),
    [
        ({"received": None}, "M01", Severity.REVIEW),
        ({"unit": "UN"}, "M01", Severity.REVIEW),
        ({"unit": ""}, "M01", Severity.REVIEW),
        ({"unit": "Fardo"}, "M01", Severity.REVIEW),
        ({"unit": "M³"}, "M01", Severity.REVIEW),
        ({"unit": "M³", "density": "350"}, "M01", Severity.REVIEW),
        ({"unit": "M³", "density": "0"}, "M01", Severity.REVIEW),
        ({"unit": "M³", "density": "0.3" + UNSURE}, "M01", Severity.REVIEW),
        ({"received": "-1"}, "M02", Severity.REFUSE),
        ({"received": "1.450" + UNSURE}, "M02", Severity.REVIEW),
        ({"received": "1e3"}, "M02", Severity.REVIEW),
        ({"received": "0.0000001"}, "M04", Severity.WARN),
        ({"unit": "TON", "received": "1000001"}, "M03", Severity.REVIEW),
    ],
)
def test_what_has_no_mass_says_why(changes: dict[str, str | None], code: str, severity: Severity) -> None:
    assert weighed(**changes) == (None, [(code, severity)])


def test_nothing_came_is_known_and_is_not_positive() -> None:
    assert weighed(received="0.000") == (0, [("M02", Severity.REFUSE)])


@pytest.mark.parametrize(
    ("state", "said"), [("open", "ainda não"), ("cancelled", "cancelado"), ("", "desconhecida")]
)
def test_until_it_is_received_the_mass_is_unknown_and_never_zero(state: str, said: str) -> None:
    found = waste_mass.received(KILO, state=state)
    assert found.mass is None
    assert said in found.findings[0].found
    assert "1500 KG" in found.findings[0].found


def test_what_was_indicated_is_shown_apart() -> None:
    assert waste_mass.indicated(KILO).mass == Mass.kg("1500")


def test_the_same_residue_twice_is_summed() -> None:
    assert waste_mass.total_received([KILO, KILO]) == Mass.kg("2900")


def test_one_unknown_part_makes_the_whole_unknown() -> None:
    assert waste_mass.total_received([KILO, replace(KILO, received=None)]) is None
    assert waste_mass.total_received([]) is None
    assert waste_mass.total_received([KILO], state="open") is None
