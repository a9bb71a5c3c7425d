"""Decreto MT 1.455/2025: whole companies, and the small rules, against the second opinion."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from lastro.errors import InputMissing, TextMissing
from lastro.facts import CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import Material, Origin
from lastro.lawkit import Obliged, library
from lastro.units import ExactMass, Mass, Money, Share
from tests.oracle import mt
from tests.oracle.draws import day, near, percent, rounds
from tests.oracle.tf import half_up

NORM = library.find("mt/decreto_1455_2025")
RULE = NORM.rules
LAW = NORM.law(date(2026, 12, 31))
ONE_OF = {
    "glass": (Material.GLASS,),
    "paper": (Material.PAPER, Material.CARTON),
    "plastic": (Material.PLASTIC,),
    "metals": (Material.STEEL, Material.ALUMINIUM),
}
ICMS = Fraction(32, 1000)


def text(rate: Fraction) -> str:
    """A rate in hundredths of a point, as a table writes it."""
    points, rest = divmod(int(rate * 10_000), 100)
    return f"{points}.{rest:02d}%"


class Drawn:
    """One company for 2026: the facts as the product reads them and as the second opinion does."""

    def __init__(self, rng: Random) -> None:
        self.sector = rng.choice(("embalagens_em_geral", "embalagens_em_geral", "pneus"))
        self.scheme = rng.choice((*mt.SCHEMES, "structuring", "structuring", ""))
        self.partnership = rng.choice((True, True, False, None))
        self.icms = rng.random() < 0.8
        self.rows: list[TargetRow] = []
        self.rates: dict[str, Fraction | None] = {}
        self.placed: list[Placement] = []
        self.market: dict[str, mt.Market | None] = {}
        self.blocked: set[str] = set()
        self.terms: list[dict[str, Any]] = []
        self.report = rng.choice((None, None, True, False))
        self.regardless = rng.random() < 0.3
        for group in ONE_OF:
            self.rates[group] = self._rate(rng, group)
            self.market[group] = self._market(rng, group)
        self.proofs: list[mt.Proof] = []
        self.retired: list[Retired] = []

    def _rate(self, rng: Random, group: str) -> Fraction | None:
        rates = [percent(rng, 60) for _ in range(rng.choice((0, 1, 1, 1, 2, 3)) if rng.random() < 0.3 else 1)]
        self.rows += [
            TargetRow(self.sector, group, 2026, text(rate), f"fonte {number}")
            for number, rate in enumerate(rates)
        ]
        sources = [mt.Source("table", rate) for rate in rates]
        if rng.random() < 0.25:
            term = mt.Source("term", percent(rng, 60), rng.random() < 0.5)
            sources.append(term)
            self.terms.append(
                {"material": group, "year": 2026, "share": text(term.rate), "source": "termo",
                 "basis": "official", "justified": term.justified}
            )  # fmt: skip
        return mt.resolve(sources, adherent=True)

    def _market(self, rng: Random, group: str) -> mt.Market | None:
        if rng.random() < 0.1:
            return None
        sums = [Fraction(0)] * 3
        for material in ONE_OF[group]:
            mass = rng.choice((0, near(rng, 100, 2_000), near(rng, 2_000, 10**9)))
            returnable = rng.choice((0, mass * rng.randint(0, 20) // 20, rng.randint(0, mass)))
            aerosol = rng.choice((0, 0, rng.randint(0, mass - returnable)))
            national = rng.random() < 0.25
            uf = "BR" if national else "MT"
            self.placed.append(
                Placement(2025, material, uf, Mass(mass), Mass(returnable), national, Mass(aerosol))
            )
            if national and not self.icms:
                self.blocked.add(group)
            part = ICMS if national else Fraction(1)
            sums = [a + part * b for a, b in zip(sums, (mass, returnable, aerosol), strict=True)]
        return mt.Market(*sums)

    @property
    def barred(self) -> bool:
        tyres = self.sector == "pneus" and self.scheme == "collective"
        return self.scheme in ("certificates", "") or tyres or self.report is False

    def prove(self, rng: Random, wanted: Mapping[str, Fraction | None]) -> None:
        """Draw what was proved, around what is owed and its half."""
        for group, owed in wanted.items():
            about = int(owed or 0)
            left = rng.choice((0, about // 2, about // 2, about, about, 2 * about)) + rng.choice((0, 0, 1, 2))
            while left or rng.random() < 0.2:
                mass = rng.choice((left, left, rng.randint(0, left)))
                left -= mass
                self._proof(rng, group, mass)

    def _proof(self, rng: Random, group: str, mass: int) -> None:
        good = rng.random() < 0.75
        origin = rng.choice(mt.FOUR if good else (*[one.value for one in Origin], None))
        state = "MT" if rng.random() < 0.9 else rng.choice(("SP", ""))
        aerosol = rng.choice((0, 0, 0, rng.randint(0, mass)))
        upstream = rng.randint(0, mass - aerosol) if origin == "private_recycler" else 0
        self.proofs.append(mt.Proof(group, state, origin, mass, aerosol, upstream))
        self.retired.append(
            Retired(
                2026, rng.choice(ONE_OF[group]), state, "", Origin(origin) if origin else None, Mass(mass),
                Mass(aerosol), Mass(upstream),
            )
        )  # fmt: skip

    @property
    def company(self) -> CompanyFacts:
        extra: dict[str, Any] = {} if self.partnership is None else {"formal_partnerships": self.partnership}
        if self.report is not None:
            extra["returnables_report"] = self.report
        if self.terms:
            extra["term_targets"] = self.terms
        if self.icms:
            extra["icms"] = [{"year": 2025, "share": "3.2%", "source": "teste"}]
        elections = ({"option": "art43"},) if self.regardless else ()
        return CompanyFacts(
            "", "", self.scheme, tuple(self.placed), tuple(self.retired), elections, self.sector, extra
        )


def obliged(one: Drawn, group: str) -> Obliged | None:
    assert NORM.obliges is not None
    law = NORM.law(date(2026, 12, 31), targets=one.rows)
    try:
        return NORM.obliges(law, one.company, year=2026, group=group)
    except (TextMissing, InputMissing):
        return None


def test_what_companies_owe_and_prove() -> None:
    seen = {True: 0, False: 0, None: 0}
    assert NORM.settles is not None
    for seed, rng in rounds("mt company"):
        one = Drawn(rng)
        wanted = mt.owed(one.rates, one.market, discount_barred=one.barred, untold=one.blocked)
        owed = {group: obliged(one, group) for group in ONE_OF}
        assert {g: None if o is None else o.mass.mg for g, o in owed.items()} == wanted, seed
        one.prove(rng, wanted)
        got = {group: mt.proved(one.proofs, group, one.scheme) for group in ONE_OF}
        verdicts = mt.verdicts(
            wanted,
            got,
            structured=one.scheme == "structuring",
            partnership=one.partnership,
            regardless=one.regardless,
        )
        law = NORM.law(date(2026, 12, 31), targets=one.rows)
        for group in ONE_OF:
            answer = NORM.settles(law, one.company, year=2026, group=group, owed=owed)
            assert answer.achieved.mg == got[group], f"{seed} {group}"
            assert answer.met == verdicts[group], f"{seed} {group}"
            seen[answer.met] += 1
    assert all(seen.values()), seen


def test_the_halves_of_a_structuring_system_pass_together_or_not_at_all() -> None:
    """Art. 44 over all groups, by the rules themselves."""
    for seed, rng in rounds("mt halves"):
        targets = {group: Fraction(near(rng, 30, 60), rng.choice((1, 2, 3))) for group in ONE_OF}
        got = {group: near(rng, 15, 30, 60) for group in ONE_OF}
        owed = {group: ExactMass(mass) for group, mass in targets.items()}
        achieved = {group: Mass(mass) for group, mass in got.items()}
        halves = all(RULE["material_half_met"](LAW, owed=owed[g], achieved=achieved[g]) for g in ONE_OF)
        free = RULE["free_half_met"](LAW, owed=owed, achieved=achieved)
        assert (halves and free) == mt.structuring(got, targets, partnership=True), seed
        alone = [RULE["met_by_material"](LAW, owed=owed[g], achieved=achieved[g]) for g in ONE_OF]
        assert all(alone) == mt.structuring(got, targets, partnership=False), seed
        total = RULE["met_regardless_of_material"](LAW, owed=owed, achieved=achieved)
        assert total == (sum(got.values()) >= sum(targets.values())), seed


def test_discount_for_returnables() -> None:
    for seed, rng in rounds("mt discount"):
        rate, whole = percent(rng), near(rng, 100, 2_000, 1) or 1
        returnable = min(whole, rng.choice((whole * rng.randint(0, 20) // 20, near(rng, whole // 20))))
        scheme, sector = rng.choice((*mt.SCHEMES, "")), rng.choice(("pneus", "embalagens_em_geral"))
        allowed = RULE["returnables_allowed"](LAW, scheme=scheme, sector=sector)
        barred = scheme == "certificates" or (sector == "pneus" and scheme == "collective") or not scheme
        assert allowed is not barred, seed
        answer = RULE["returnables_discount"](
            LAW, target=Share(rate), returnable=Mass(returnable).exact, placed=Mass(whole).exact
        )
        wanted = mt.discount(rate, returnable, whole, certificates=False, tyre_plan=False)
        assert answer.of_one == wanted, seed


def test_bands_of_municipalities() -> None:
    for seed, rng in rounds("mt bands"):
        rate, people, towns = percent(rng), near(rng, 60_000, 100_000, 1), near(rng, 6, 130, 1)
        share = RULE["geographic_target"](LAW, target=Share(rate), population=people)
        assert share.of_one == rate * mt.factor(people), seed
        answer = RULE["towns_to_serve"](LAW, geographic=share, towns=towns)
        assert answer == mt.towns_wanted(rate, [people] * towns).get(mt.factor(people), 0), seed


def test_sources_of_a_target() -> None:
    """A term without grounds never weakens; one with grounds stands for its adherents."""
    for seed, rng in rounds("mt sources"):
        rates, term, justified = (
            [percent(rng) for _ in range(rng.randint(1, 3))],
            percent(rng),
            rng.random() < 0.5,
        )
        table = RULE["strictest"](LAW, targets=tuple(Share(rate) for rate in rates))
        answer = RULE["term_target"](LAW, target=table, term=Share(term), justified=justified)
        sources = [*[mt.Source("table", rate) for rate in rates], mt.Source("term", term, justified)]
        assert answer.of_one == mt.resolve(sources, adherent=True), seed


def test_recycler_window_certificates_and_money() -> None:
    for seed, rng in rounds("mt small"):
        sold, before = near(rng, 100), near(rng, 40, 100)
        left = RULE["recycler_mass"](LAW, mass=Mass(sold), upstream_counted=Mass(before))
        assert left.mg == mt.from_recycler(sold, before), seed
        issued = day(rng, date(2024, 1, 1), date(2030, 12, 31))
        year = issued.year + rng.choice((-1, 0, 0, 1))
        inside = RULE["in_window"](LAW, issued_on=issued, year=year)
        assert inside == bool(mt.counted([mt.Note(issued, "metal", 1)], year)), seed
        bought = day(rng, date(year + 1, 1, 1), date(year + 2, 12, 31))
        used = day(rng, issued, date(issued.year + 1, 12, 31))
        in_time = bought <= RULE["last_purchase_day"](LAW, year=year)
        alive = used <= RULE["certificate_last_day"](LAW, issued_on=issued)
        assert (in_time and alive) == mt.certificate_counts(
            year=year, notes=[date(year, 6, 1)], issued=issued, bought=bought, used=used
        ), seed
        assert RULE["report_due"](LAW, year=year) == mt.report_due(year), seed
        mass, price = near(rng, 12 * 10**9, 10**6), near(rng, 150_00, 1)
        paid = RULE["municipal_compensation"](
            LAW,
            mass=Mass(mass),
            price=Money(price),
            municipal_origin=True,
            agreed_before=True,
            rejects_to_city=False,
        )
        assert paid.cents == half_up(mt.compensation(mass, price)), seed
        proxy = RULE["icms_proxy"](LAW, national=Mass(mass), icms_share=Share(ICMS))
        assert proxy.mg == mt.by_icms(mass, ICMS), seed


def test_a_case_that_tells_the_base_from_the_whole() -> None:
    """200 t of glass, 23 % returnable, 32 %: 28 % of 154 t (the reading's own example)."""
    market = {"glass": mt.Market(Fraction(200), Fraction(46))}
    owed = mt.owed({"glass": Fraction(32, 100)}, market, discount_barred=False)
    assert owed == {"glass": Fraction("43.12")}


@pytest.mark.parametrize(("mass", "aerosol", "wanted"), [(10, 0, 10), (10, 4, 6), (10, 10, 0)])
def test_aerosols_count_nowhere(mass: int, aerosol: int, wanted: int) -> None:
    assert mt.proved([mt.Proof("metals", "MT", "municipal", mass, aerosol)], "metals", "collective") == wanted
