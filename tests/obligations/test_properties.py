"""What holds whatever a company placed and proved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.facts import Basis, CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import Material, Origin
from lastro.lawkit import library
from lastro.obligations import Position, settle
from lastro.units import Mass, Share

DECREE = library.find("mt/decreto_1455_2025")
SETTINGS = {"year": 2026, "as_of": date(2026, 11, 30)}
MATERIALS = st.sampled_from(
    [Material.GLASS, Material.PAPER, Material.CARTON, Material.PLASTIC, Material.STEEL]
)
MG = st.integers(0, 10**7)
SCHEMES = st.sampled_from(["structuring", "certificates", "individual", "collective"])
SHARES = st.integers(1, 1000).map(lambda tenths: f"{tenths // 10}.{tenths % 10}%")


@st.composite
def placements(draw: st.DrawFn) -> Placement:
    mass = draw(MG)
    returnable = draw(st.integers(0, mass))
    return Placement(2025, draw(MATERIALS), "MT", Mass(mass), Mass(returnable))


RETIRED = st.builds(
    Retired,
    year=st.sampled_from([2025, 2026, 2026, 2027]),
    material=MATERIALS,
    uf=st.sampled_from(["MT", "MT", "GO"]),
    municipality=st.just(""),
    origin=st.sampled_from([*Origin, None]),
    mass=MG.map(Mass),
)
COMPANIES = st.builds(
    CompanyFacts,
    cnpj=st.just("ZZEX0001000106"),
    size=st.just("large"),
    scheme=SCHEMES,
    placed=st.lists(placements(), max_size=6).map(tuple),
    retired=st.lists(RETIRED, max_size=6).map(tuple),
)


def rows(shares: Sequence[str]) -> list[TargetRow]:
    return [
        TargetRow("embalagens_em_geral", group, 2026, share, "exemplo", Basis.TEST)
        for group, share in zip(DECREE.groups, shares, strict=True)
    ]


TABLES = st.tuples(SHARES, SHARES, SHARES, SHARES).map(rows)


def settled(company: CompanyFacts, table: Sequence[TargetRow]) -> tuple[Position, ...]:
    return settle(DECREE, company, targets=table, **SETTINGS)  # type: ignore[arg-type]


def results(positions: Sequence[Position]) -> list[tuple[object, ...]]:
    return [(p.material, p.obligation, p.achieved, p.met, p.code) for p in positions]


@settings(deadline=None)
@given(company=COMPANIES, table=TABLES, data=st.data())
def test_the_order_of_facts_never_matters(
    company: CompanyFacts, table: list[TargetRow], data: st.DataObject
) -> None:
    mixed = replace(
        company,
        placed=tuple(data.draw(st.permutations(company.placed))),
        retired=tuple(data.draw(st.permutations(company.retired))),
    )
    turned = data.draw(st.permutations(table))
    assert results(settled(company, table)) == results(settled(mixed, turned))


@settings(deadline=None)
@given(company=COMPANIES, table=TABLES, at=st.integers(0, 100))
def test_splitting_a_mass_never_changes_a_result(
    company: CompanyFacts, table: list[TargetRow], at: int
) -> None:
    split = [
        replace(r, mass=part)
        for r in company.retired
        for part in (Mass(r.mass.mg * at // 100), Mass(r.mass.mg - r.mass.mg * at // 100))
    ]
    assert results(settled(company, table)) == results(settled(replace(company, retired=tuple(split)), table))


@settings(deadline=None)
@given(company=COMPANIES, table=TABLES, more=RETIRED)
def test_more_proof_never_turns_a_met_target_into_a_missed_one(
    company: CompanyFacts, table: list[TargetRow], more: Retired
) -> None:
    before = {p.material: p for p in settled(company, table)}
    after = {p.material: p for p in settled(replace(company, retired=(*company.retired, more)), table)}
    for material, position in before.items():
        assert after[material].achieved >= position.achieved
        assert after[material].obligation == position.obligation
        if position.met and not after[material].met:
            # Proof in a material never declared: what it owes is unknown, and so is the total of the halves.
            assert (after[material].met, after[material].code) == (None, "T01")
            assert DECREE.group(more.material) not in before


@settings(deadline=None)
@given(company=COMPANIES.filter(lambda c: c.scheme != "structuring"), table=TABLES)
def test_a_target_is_met_exactly_when_the_unrounded_obligation_is_reached(
    company: CompanyFacts, table: list[TargetRow]
) -> None:
    for p in settled(company, table):
        if p.obligation is None:
            assert p.met is None
            continue
        assert p.met is (p.achieved.mg >= p.obligation.mg)
        assert p.obligation_mass is not None
        assert 0 <= p.obligation_mass.mg - p.obligation.mg < 1


@settings(deadline=None)
@given(company=COMPANIES.filter(lambda c: c.scheme == "structuring"), table=TABLES)
def test_a_structuring_system_needs_the_total_and_every_half(
    company: CompanyFacts, table: list[TargetRow]
) -> None:
    found = settled(company, table)
    if any(p.obligation is None for p in found):
        return
    owed = [p.obligation.mg for p in found if p.obligation is not None]
    proved = [p.achieved.mg for p in found]
    enough = sum(proved) >= sum(owed) and all(a >= o / 2 for a, o in zip(proved, owed, strict=True))
    assert all(p.met for p in found) is enough


@settings(deadline=None)
@given(company=COMPANIES, table=TABLES, gone=st.integers(0, 3))
def test_a_row_that_is_missing_stops_its_own_position_and_changes_no_obligation_else(
    company: CompanyFacts, table: list[TargetRow], gone: int
) -> None:
    full = {p.material: p for p in settled(company, table)}
    for p in settled(company, [r for i, r in enumerate(table) if i != gone]):
        if p.material != DECREE.groups[gone]:
            assert p.obligation == full[p.material].obligation
        elif full[p.material].obligation not in (None, Mass(0).exact):
            assert (p.met, p.code, p.obligation) == (None, "T01", None)


@settings(deadline=None)
@given(share=SHARES, returnable=st.integers(0, 10**6), other=st.integers(0, 10**6))
def test_the_discount_is_whole_points_and_never_more_than_half(
    share: str, returnable: int, other: int
) -> None:
    if returnable + other == 0:
        return
    target = Share.parse(share)
    discount = DECREE.rules["returnables_discount"](
        DECREE.law(date(2026, 12, 31)), target=target, returnable=Mass(returnable).exact,
        placed=Mass(returnable + other).exact,
    )  # fmt: skip
    assert Fraction(0) <= discount.of_one <= target.of_one / 2
    points = discount.of_one * 100
    assert points.denominator == 1 or discount.of_one == target.of_one / 2
    assert points <= Fraction(returnable * 20, returnable + other)
