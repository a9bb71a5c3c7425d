"""Provision ids become the citations a jurist reads."""

from __future__ import annotations

import pytest

from lastro.lawkit.citation import cite


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (("art46-p1", "art46-p2"), "art. 46, §§ 1º e 2º"),
        (("art46-p1",), "art. 46, § 1º"),
        (("art46-p1", "art46-p2", "art46-p4"), "art. 46, §§ 1º, 2º e 4º"),
        (("art5-pu",), "art. 5º, parágrafo único"),
        (("art49", "art50"), "arts. 49 e 50"),
        (("art6-p1-I-l",), "art. 6º, § 1º, I, l"),
        (("art44-I", "art44-II"), "art. 44, I e II"),
        (("art7-p5", "art69"), "art. 7º, § 5º; art. 69"),
        (("art9", "art10", "art100-p10"), "art. 9º; art. 10; art. 100, § 10"),
        (("annex-1",), "Anexo Único, Tabela 1"),
        (("art40", "annex-1"), "art. 40; Anexo Único, Tabela 1"),
    ],
)
def test_a_citation_is_made_from_ids(ids: tuple[str, ...], expected: str) -> None:
    assert cite(ids, names={"annex-1": "Anexo Único, Tabela 1"}) == expected


@pytest.mark.parametrize("wrong", ["article46", "art", "art46-§1", "art46-", "art46-p1-?", ""])
def test_what_is_no_id_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="not a provision id"):
        cite((wrong,))
