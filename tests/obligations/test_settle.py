"""A position per material: what is owed, what was proved, whether it is enough, and what cannot be told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from lastro.facts import Basis, CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import Material, Origin
from lastro.lawkit import Regulation, library
from lastro.obligations import Position, settle, undeclared
from lastro.units import ZERO, Mass, Share

Company = Callable[..., CompanyFacts]
GLASS, PAPER, PLASTIC = Material.GLASS, Material.PAPER, Material.PLASTIC
TODAY = date(2026, 11, 30)
CNPJ = "ZZEX0001000106"


def placed(
    material: Material, kg: str, *, returnable: str = "0", year: int = 2025, **more: object
) -> Placement:
    return Placement(year, material, "MT", Mass.kg(kg), Mass.kg(returnable), **more)  # type: ignore[arg-type]


def retired(material: Material, kg: str, *, year: int = 2026, origin: Origin | None = Origin.PICKER_ENTITY,
            uf: str = "MT", **more: object) -> Retired:  # fmt: skip
    return Retired(year, material, uf, "", origin, Mass.kg(kg), **more)  # type: ignore[arg-type]


def target(material: str, share: str, *, source: str = "exemplo", **more: object) -> TargetRow:
    return TargetRow("embalagens_em_geral", material, 2026, share, source, Basis.ILLUSTRATIVE, **more)  # type: ignore[arg-type]


@pytest.fixture
def decree() -> Regulation:
    return library.find("mt/decreto_1455_2025")


@pytest.fixture
def company() -> Callable[..., CompanyFacts]:
    def make(*facts: Placement | Retired, scheme: str = "individual", **more: object) -> CompanyFacts:
        return CompanyFacts(
            cnpj=CNPJ, size="large", scheme=scheme,
            placed=tuple(f for f in facts if isinstance(f, Placement)),
            retired=tuple(f for f in facts if isinstance(f, Retired)),
            **more,  # type: ignore[arg-type]
        )  # fmt: skip

    return make


def positions(
    decree: Regulation, facts: CompanyFacts, *targets: TargetRow, year: int = 2026
) -> dict[str, Position]:
    found = settle(decree, facts, year=year, targets=targets, as_of=TODAY)
    return {p.material: p for p in found}


def test_the_obligation_is_exact_and_its_milligrams_are_the_ceiling(
    decree: Regulation, company: Company
) -> None:
    one = positions(decree, company(placed(GLASS, "0.000003")), target("glass", "25%"))["glass"]
    assert one.obligation is not None
    assert (one.obligation.mg, one.obligation_mass) == (Fraction(3, 4), Mass(1))
    assert (one.met, one.balance) == (False, Mass(-1))


@pytest.mark.parametrize(("kg", "met"), [("49999.999999", False), ("50000", True), ("50000.000001", True)])
def test_a_target_is_met_at_the_milligram(decree: Regulation, company: Company, kg: str, met: bool) -> None:
    facts = company(placed(GLASS, "200000"), retired(GLASS, kg))
    assert positions(decree, facts, target("glass", "25%"))["glass"].met is met


def test_surplus_in_one_material_helps_no_other(decree: Regulation, company: Company) -> None:
    facts = company(placed(PAPER, "100"), placed(PLASTIC, "100"), retired(PAPER, "1000"))
    found = positions(decree, facts, target("paper", "30%"), target("plastic", "30%"))
    assert (found["paper"].met, found["plastic"].met) == (True, False)


def test_materials_of_one_group_add_up(decree: Regulation, company: Company) -> None:
    facts = company(
        placed(Material.STEEL, "100"), placed(Material.ALUMINIUM, "50"), placed(Material.CARTON, "20"),
        placed(PAPER, "80"), retired(Material.OTHER_METAL, "30"), retired(Material.CARTON, "10"),
    )  # fmt: skip
    found = positions(decree, facts, target("metals", "20%"), target("paper", "10%"))
    assert {m: (p.obligation_mass, p.met) for m, p in found.items()} == {
        "paper": (Mass.kg("10"), True),
        "metals": (Mass.kg("30"), True),
    }


def test_without_a_row_only_that_position_stops(decree: Regulation, company: Company) -> None:
    facts = company(placed(GLASS, "100"), placed(PAPER, "100"), retired(GLASS, "25"), retired(PAPER, "90"))
    found = positions(decree, facts, target("glass", "25%"))
    assert found["glass"].met is True
    stopped = found["paper"]
    assert (stopped.met, stopped.code, stopped.obligation_mass, stopped.balance) == (None, "T01", None, None)
    assert stopped.achieved == Mass.kg("90")
    assert "não carregada" in stopped.message
    assert "Anexo Único, Tabela 1" in stopped.message


def test_a_declared_zero_owes_nothing_even_without_a_table(decree: Regulation, company: Company) -> None:
    one = positions(decree, company(placed(GLASS, "0")))["glass"]
    assert (one.obligation_mass, one.met, one.code) == (ZERO, True, "")


def test_a_missing_base_year_is_no_zero(decree: Regulation, company: Company) -> None:
    facts = company(placed(GLASS, "100", year=2024), retired(PAPER, "50"))
    found = positions(decree, facts, target("glass", "25%"), target("paper", "25%"))
    assert {m: (p.met, p.code, p.obligation_mass) for m, p in found.items()} == {
        "glass": (None, "T02", None),
        "paper": (None, "T02", None),
    }


def test_who_declared_nothing_at_all_has_no_result_in_any_material(
    decree: Regulation, company: Company
) -> None:
    found = positions(decree, company(), target("glass", "25%"))
    assert {m: p.code for m, p in found.items()} == dict.fromkeys(decree.groups, "T02")


def test_a_material_never_declared_is_out_of_question_and_said(decree: Regulation, company: Company) -> None:
    facts = company(placed(GLASS, "100"), placed(PAPER, "100", year=2026))
    assert list(positions(decree, facts, target("glass", "25%"))) == ["glass"]
    assert undeclared(decree, facts, year=2026) == ("paper", "plastic", "metals")


def test_a_material_without_a_group_is_said_not_dropped(decree: Regulation, company: Company) -> None:
    found = positions(decree, company(placed(GLASS, "0"), placed(Material.TYRE, "5")))
    assert (found["tyre"].met, found["tyre"].code) == (None, "T03")


def test_before_the_decree_nothing_can_be_told(decree: Regulation, company: Company) -> None:
    facts = company(placed(GLASS, "100", year=2023), retired(GLASS, "90", year=2024))
    one = positions(decree, facts, target("glass", "25%"), year=2024)["glass"]
    assert (one.met, one.code, one.achieved) == (None, "T01", Mass.kg("90"))
    assert "não estava em vigor em 31/12/2024" in one.message


def test_only_the_year_asked_counts(decree: Regulation, company: Company) -> None:
    facts = company(
        placed(PAPER, "50000"), retired(PAPER, "10000", year=2025), retired(PAPER, "7000"),
        retired(PAPER, "5000"), retired(PAPER, "9000", year=2027),
    )  # fmt: skip
    assert positions(decree, facts, target("paper", "24%"))["paper"].achieved == Mass.kg("12000")


def test_mass_of_another_state_is_left_out_and_said(decree: Regulation, company: Company) -> None:
    facts = company(placed(PAPER, "100"), retired(PAPER, "30"), retired(PAPER, "12", uf="GO"))
    one = positions(decree, facts, target("paper", "40%"))["paper"]
    assert (one.achieved, one.met) == (Mass.kg("30"), False)
    assert [(n.code, "12 kg" in n.text) for n in one.notes] == [("T03", True)]


@pytest.mark.parametrize(
    ("scheme", "achieved"),
    [("certificates", "60"), ("structuring", "0"), ("individual", "0"), ("collective", "0")],
)
def test_a_recyclers_mass_counts_only_with_certificates_and_net_of_the_chain(
    decree: Regulation, company: Company, scheme: str, achieved: str
) -> None:
    recycled = retired(PAPER, "100", origin=Origin.PRIVATE_RECYCLER, upstream_counted=Mass.kg("40"))
    found = positions(decree, company(placed(PAPER, "100"), recycled, scheme=scheme), target("paper", "50%"))
    assert found["paper"].achieved == Mass.kg(achieved)


def test_mass_of_no_known_place_or_unlisted_origin_does_not_count(
    decree: Regulation, company: Company
) -> None:
    facts = company(
        placed(PAPER, "100"), retired(PAPER, "30"), retired(PAPER, "12", uf=""),
        retired(PAPER, "5", origin=Origin.DEALER), scheme="certificates",
    )  # fmt: skip
    one = positions(decree, facts, target("paper", "40%"))["paper"]
    assert one.achieved == Mass.kg("30")
    assert [n.code for n in one.notes] == ["T03", "T03"]


def test_mass_of_unknown_origin_counts_and_is_said(decree: Regulation, company: Company) -> None:
    one = positions(
        decree, company(placed(PAPER, "100"), retired(PAPER, "30", origin=None)), target("paper", "30%")
    )
    assert (one["paper"].met, len(one["paper"].notes)) == (True, 1)
    assert "sem origem informada" in one["paper"].notes[0].text


@pytest.mark.parametrize(
    ("size", "said"), [("epp", True), ("cooperative", True), ("medium", False), ("", False)]
)
def test_small_firms_are_told_what_their_size_spares(
    decree: Regulation, company: Company, size: str, said: bool
) -> None:
    facts = replace(company(placed(PAPER, "100")), size=size)
    one = positions(decree, facts, target("paper", "30%"))["paper"]
    assert (one.met, any("art. 14, I" in n.text for n in one.notes)) == (False, said)


def test_a_share_missing_for_one_material_does_not_stop_another(decree: Regulation, company: Company) -> None:
    facts = company(placed(GLASS, "100"), replace(NATIONAL, material=PAPER))
    found = positions(decree, facts, target("glass", "25%"), target("paper", "25%"))
    assert (found["glass"].code, found["paper"].code) == ("", "T01")


def test_aerosols_are_out_on_both_sides(decree: Regulation, company: Company) -> None:
    facts = company(
        placed(Material.STEEL, "46", aerosol=Mass.kg("1")),
        retired(Material.STEEL, "10", aerosol=Mass.kg("1")),
    )
    one = positions(decree, facts, target("metals", "20%"))["metals"]
    assert (one.obligation_mass, one.achieved, one.met) == (Mass.kg("9"), Mass.kg("9"), True)


# ── returnables (art. 46) ────────────────────────────────────────────────────────────────────────────


def test_returnables_take_whole_steps_off_the_target_of_the_one_way_mass(
    decree: Regulation, company: Company
) -> None:
    one = positions(decree, company(placed(GLASS, "200000", returnable="46000")), target("glass", "32%"))[
        "glass"
    ]
    assert (one.target, one.obligation_mass) == (Share.parse("28%"), Mass.kg("43120"))
    assert any("art. 46, § 3º" in n.text for n in one.notes)


def test_the_share_of_returnables_is_over_all_packaging_of_the_company(
    decree: Regulation, company: Company
) -> None:
    facts = company(placed(GLASS, "100", returnable="50"), placed(PAPER, "850"), placed(Material.OTHER, "50"))
    found = positions(decree, facts, target("glass", "32%"), target("paper", "24%"))
    assert (found["glass"].target, found["paper"].target) == (Share.parse("31%"), Share.parse("23%"))
    assert found["glass"].obligation_mass == Mass.kg("15.5")


def test_the_cap_is_half_the_target_and_is_said(decree: Regulation, company: Company) -> None:
    one = positions(decree, company(placed(GLASS, "200", returnable="190")), target("glass", "32%"))["glass"]
    assert one.target == Share.parse("16%")
    assert "T08" in [n.code for n in one.notes]


def test_a_discount_exactly_at_the_ceiling_is_not_said_to_be_cut(
    decree: Regulation, company: Company
) -> None:
    facts = company(placed(GLASS, "1000", returnable="800"), extra={"returnables_report": True})
    one = positions(decree, facts, target("glass", "32%"))["glass"]
    assert (one.target, one.notes) == (Share.parse("16%"), ())


@pytest.mark.parametrize(
    ("scheme", "extra", "share"),
    [
        ("", {}, "32%"),
        ("certificates", {}, "32%"),
        ("structuring", {"returnables_report": False}, "32%"),
        ("structuring", {"returnables_report": True}, "28%"),
        ("collective", {}, "28%"),
    ],
)
def test_the_discount_is_barred_for_certificates_and_without_the_report(
    decree: Regulation, company: Company, scheme: str, extra: dict[str, object], share: str
) -> None:
    facts = company(placed(GLASS, "200", returnable="46"), scheme=scheme, extra=extra)
    assert positions(decree, facts, target("glass", "32%"))["glass"].target == Share.parse(share)


def test_a_collective_tyre_plan_has_no_discount(decree: Regulation, company: Company) -> None:
    row = replace(target("glass", "32%"), sector="pneus")
    facts = company(placed(GLASS, "200", returnable="46"), scheme="collective", sector="pneus")
    assert positions(decree, facts, row)["glass"].target == Share.parse("32%")


# ── structuring systems (arts. 43 and 44) ────────────────────────────────────────────────────────────

HALVES = (target("plastic", "30%"), target("paper", "30%"))


def structuring(company: Company, plastic: str, paper: str, **more: object) -> CompanyFacts:
    return company(
        placed(PLASTIC, "100"), placed(PAPER, "200"), retired(PLASTIC, plastic), retired(PAPER, paper),
        scheme="structuring", **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("plastic", "paper", "met"),
    [
        ("15", "80", (True, True)),
        ("15", "75", (True, True)),
        ("15", "74.999999", (False, True)),
        ("14.999999", "100", (False, True)),
        ("20", "50", (False, False)),
        ("30", "60", (True, True)),
    ],
)
def test_halves_of_a_structuring_system(
    decree: Regulation, company: Company, plastic: str, paper: str, met: tuple[bool, bool]
) -> None:
    found = positions(decree, structuring(company, plastic, paper), *HALVES)
    assert (found["plastic"].met, found["paper"].met) == met


def test_without_partnerships_there_is_no_free_half(decree: Regulation, company: Company) -> None:
    facts = structuring(company, "15", "80", extra={"formal_partnerships": False})
    assert positions(decree, facts, *HALVES)["plastic"].met is False


@pytest.mark.parametrize(("partners", "met"), [(True, True), (False, False)])
def test_article_43_needs_the_election_and_the_partnerships(
    decree: Regulation, company: Company, partners: bool, met: bool
) -> None:
    facts = structuring(
        company, "0", "90", elections=({"option": "art43"},), extra={"formal_partnerships": partners}
    )
    assert positions(decree, facts, *HALVES)["plastic"].met is met
    assert positions(decree, replace(facts, elections=()), *HALVES)["plastic"].met is False


@pytest.mark.parametrize(
    ("scheme", "extra", "said"),
    [
        ("structuring", {}, ["falta dizer em “formal_partnerships”"]),
        ("structuring", {"formal_partnerships": False}, ["não há parcerias formais"]),
        ("collective", {"formal_partnerships": True}, ["só o sistema estruturante"]),
        ("structuring", {"formal_partnerships": True}, []),
    ],
)
def test_article_43_asked_and_not_applied_says_why(
    decree: Regulation, company: Company, scheme: str, extra: dict[str, bool], said: list[str]
) -> None:
    facts = structuring(company, "0", "90", elections=({"option": "art43"},), extra=extra)
    notes = positions(decree, replace(facts, scheme=scheme), *HALVES)["plastic"].notes
    told = [note.text for note in notes if "art. 43 não aplicada" in note.text]
    assert len(told) == len(said)
    assert all(part in text for part, text in zip(said, told, strict=True))
    silent = positions(decree, replace(facts, scheme=scheme, elections=()), *HALVES)["plastic"].notes
    assert not [note for note in silent if "art. 43 não aplicada" in note.text]


def test_the_pool_cannot_be_told_while_a_target_is_missing(decree: Regulation, company: Company) -> None:
    found = positions(decree, structuring(company, "20", "80"), target("plastic", "30%"))
    assert (found["plastic"].met, found["plastic"].code) == (None, "T01")
    assert found["plastic"].obligation_mass == Mass.kg("30")


# ── sources, terms, ICMS, days ───────────────────────────────────────────────────────────────────────


def test_of_several_sources_the_strictest_counts(decree: Regulation, company: Company) -> None:
    rows = [target("glass", s, source=s) for s in ("22%", "24%", "23%")]
    one = positions(decree, company(placed(GLASS, "100")), *rows)["glass"]
    assert one.target == Share.parse("24%")
    assert "fonte-mais-exigente" in [s.reading for s in one.trace.walk()]


@pytest.mark.parametrize(("justified", "share"), [(True, "20%"), (False, "25%")])
def test_a_terms_own_target_holds_only_when_justified(
    decree: Regulation, company: Company, justified: bool, share: str
) -> None:
    term = {"material": "glass", "year": 2026, "share": "20%", "source": "termo", "basis": "test",
            "justified": justified}  # fmt: skip
    one = positions(
        decree, company(placed(GLASS, "100"), extra={"term_targets": (term,)}), target("glass", "25%")
    )
    assert (one["glass"].target, one["glass"].basis) == (Share.parse(share), Basis.TEST)


NATIONAL = Placement(2025, GLASS, "BR", Mass.kg("12500000"), national=True)
ICMS = {"year": 2025, "share": "3.2%", "source": "exemplo", "basis": "illustrative"}


def test_without_state_data_the_national_mass_is_apportioned(decree: Regulation, company: Company) -> None:
    facts = company(NATIONAL, extra={"icms": (ICMS,)})
    one = positions(decree, facts, target("glass", "25%"))["glass"]
    assert one.obligation_mass == Mass.kg("100000")
    assert any("art. 72" in n.text for n in one.notes)


def test_without_the_icms_share_it_stops(decree: Regulation, company: Company) -> None:
    for extra in ({}, {"icms": ({**ICMS, "year": 2024},)}):
        one = positions(decree, company(NATIONAL, extra=extra), target("glass", "25%"))["glass"]
        assert (one.met, one.code) == (None, "T01")
        assert "ICMS" in one.message


def test_state_data_come_before_national_ones(decree: Regulation, company: Company) -> None:
    one = positions(decree, company(NATIONAL, placed(GLASS, "100")), target("glass", "25%"))["glass"]
    assert one.obligation_mass == Mass.kg("25")
    assert any("Massa do país não usada" in n.text for n in one.notes)


def test_a_past_result_is_had_again_after_later_loads(decree: Regulation, company: Company) -> None:
    facts = company(placed(GLASS, "100"), retired(GLASS, "22"))
    early = target("glass", "20%", loaded_on=date(2026, 3, 1))
    late = target("glass", "30%", loaded_on=date(2026, 9, 1))
    before = settle(decree, facts, year=2026, targets=[early], as_of=date(2026, 6, 1))
    after = settle(decree, facts, year=2026, targets=[early, late], as_of=date(2026, 6, 1))
    assert before == after
    assert settle(decree, facts, year=2026, targets=[early, late], as_of=TODAY)[0].met is False


def test_the_basis_is_the_worst_leaned_on(decree: Regulation, company: Company) -> None:
    facts = company(placed(GLASS, "100"))
    official = replace(target("glass", "25%"), basis=Basis.OFFICIAL)
    for rows, own, basis in [
        ([official], Basis.OFFICIAL, Basis.OFFICIAL),
        ([target("glass", "25%")], Basis.OFFICIAL, Basis.ILLUSTRATIVE),
        ([official], Basis.TEST, Basis.TEST),
        ([target("glass", "25%")], Basis.TEST, Basis.TEST),
    ]:
        assert settle(decree, facts, year=2026, targets=rows, as_of=TODAY, basis=own)[0].basis is basis


def test_every_number_of_a_position_is_explained_by_article(decree: Regulation, company: Company) -> None:
    facts = company(placed(GLASS, "200000", returnable="46000"), retired(GLASS, "43120"))
    one = positions(decree, facts, target("glass", "32%"))["glass"]
    text = "\n".join(one.trace.lines())
    for part in (
        "Vidro, MT, 2026 = cumprida  [Decreto MT 1.455/2025]", "art. 7º, § 5º", "art. 46, §§ 1º e 2º",
        "Anexo Único, Tabela 1",
        "arts. 49 e 50", "arts. 57 e 70", "leitura: retornaveis-degraus-inteiros", "base: ilustrativa",
        "43.120 kg",
    ):  # fmt: skip
        assert part in text
