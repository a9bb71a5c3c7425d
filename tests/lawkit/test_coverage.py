"""Every citation resolves, and what says it is coded is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lastro.errors import LastroError
from lastro.lawkit import Regulation, library
from lastro.lawkit.coverage import coverage, read_catalogue

Invent = Callable[..., Regulation]
PAPERS = Path(__file__).parents[3] / "shared" / "law" / "provisions.tsv"


@pytest.mark.parametrize("regulation", library.every(), ids=lambda r: r.norm.path)
def test_nothing_in_a_norm_cites_what_is_not_there(regulation: Regulation) -> None:
    found = coverage(regulation)
    assert found.problems == ()
    assert found.counts["coded"] > 0


@pytest.mark.shared
@pytest.mark.skipif(not PAPERS.exists(), reason="the table of provisions does not stand beside the project")
def test_every_provision_of_the_decree_is_in_its_text() -> None:
    regulation = library.find("mt/decreto_1455_2025")
    ids = read_catalogue(PAPERS, prefix=regulation.norm.provisions)
    found = coverage(regulation, catalogue=ids)
    assert (found.total, found.problems) == (147, ())


def test_a_clean_norm_has_no_problems(invent: Invent) -> None:
    found = coverage(invent(), catalogue=frozenset({"art1", "art2"}))
    assert found.problems == ()
    assert found.counts == {"coded": 1, "not yet": 1, "no effect": 0}


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"text": "- `art2` · not yet · Outra · falta\n"}, "regra doubled: cita art1"),
        ({"text": "- `art2` · not yet · Outra · falta\n"}, "valor rate: cita art1"),
        ({"text": "- `art1` · not yet · Fixa · falta\n"}, "art1 está em uma regra e se diz"),
        (
            {"text": "- `art1` · coded · Fixa\n- `art2` · not yet · Outra\n"},
            "art2 se diz “not yet” sem motivo",
        ),
        ({"text": "- `art1` · coded · Fixa\n- `art2` · coded · Outra\n"}, "art2 se diz “coded”, e nenhuma"),
        (
            {"text": "- `art1` · coded · Fixa\n- `art2` · coded · Outra · lastro.nowhere\n"},
            "“lastro.nowhere”",
        ),
        ({"text": "- `art1` · coded · Fixa\n- `art1` · coded · Fixa\n"}, "art1 aparece 2 vezes"),
        (
            {"text": "- `art1` · coded · Fixa\n- `annex-9` · not yet · Anexo · falta\n"},
            "annex-9 não se escreve",
        ),
        ({"readings": "## outra — Outra\n"}, "a leitura dobro não está em readings.md"),
    ],
)
def test_each_slip_is_found(invent: Invent, changed: dict[str, str], problem: str) -> None:
    assert any(problem in one for one in coverage(invent(**changed)).problems)


def test_a_list_of_ids_is_held_against_the_text(invent: Invent) -> None:
    problems = coverage(invent(), catalogue=frozenset({"art1", "art3"})).problems
    assert problems == ("text.md: falta art3", "text.md: art2 não está na lista de dispositivos")


def test_a_module_that_holds_a_provision_is_accepted(invent: Invent) -> None:
    text = "- `art1` · coded · Fixa\n- `art2` · coded · Outra · lastro.lawkit.tables\n"
    assert coverage(invent(text=text)).problems == ()


def test_a_line_that_cannot_be_read_is_named(invent: Invent) -> None:
    with pytest.raises(LastroError, match=r"text\.md, linha 2"):
        coverage(invent(text="# Título\n- `art1` · feito · Fixa\n"))
