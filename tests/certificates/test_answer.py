"""What a certificate is worth in one sentence, by its state and by what of its evidence stands."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from lastro.certificates import BackedBy, Certificate, Dead, State
from lastro.certificates.answer import Worth, answered, living
from lastro.ids import Material
from lastro.units import Mass, Money

ON = date(2027, 3, 15)


def _lot(key: str, kg: int) -> BackedBy:
    mass = Mass.kg(str(kg))
    return BackedBy(key, 1, Material.GLASS, mass, date(2026, 5, 1), "a", "b", "5103403", "invoice", None)


SOLD = Certificate(
    "c1", "e", "h", 2026, "mt/x", (Material.GLASS,), Mass.kg("100"), Money(0), "ana", ON, State.ISSUED,
    lots=(_lot("k1", 60), _lot("k2", 40)), valid_to=date(2027, 12, 31),
)  # fmt: skip
DEAD = (Dead("k1", 1, "N10"), Dead("k2", 1, "N10"))


@pytest.mark.parametrize(
    ("found", "on", "worth", "said", "alive"),
    [
        (SOLD, ON, Worth.WHOLE, "está em vigor", "100"),
        (replace(SOLD, dead=DEAD[:1]), ON, Worth.PART, "vale só em parte", "40"),
        (replace(SOLD, dead=DEAD), ON, Worth.NOTHING, "perdeu a prova: não vale", "0"),
        (replace(SOLD, stored=State.RETIRED), ON, Worth.USED, "já foi usado", "100"),
        (replace(SOLD, stored=State.RETIRED, dead=DEAD), ON, Worth.NOTHING, "está baixado", "0"),
        (SOLD, date(2028, 1, 1), Worth.OVER, "venceu", "100"),
        (replace(SOLD, stored=State.REFUSED), ON, Worth.OVER, "está recusado", "100"),
    ],
)
def test_dead_evidence_comes_before_any_other_answer(
    found: Certificate, on: date, worth: Worth, said: str, alive: str
) -> None:
    answer = answered(found, on)
    assert answer.worth is worth
    assert said in answer.words
    assert answer.living == living(found) == Mass.kg(alive)
    assert ("em vigor" in answer.words) == (worth is Worth.WHOLE)
