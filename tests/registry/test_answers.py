"""The registry answers about the day asked: the day before, the first, the last and the day after."""

from datetime import date, timedelta

import pytest

from lastro.ids import Origin, cnpj_check_digits
from lastro.registry import Registry
from lastro.registry.records import anniversary


def cnpj(base: str) -> str:
    base = base.ljust(8, "0") + "0001"
    return base + cnpj_check_digits(base)


ENTITY, OTHER, COOP, MILL, MAKER, AUDITOR = (
    cnpj(b) for b in ("ZZENT001", "ZZENT002", "ZZCOOP01", "ZZMILL01", "ZZMAKE01", "ZZAUDI01")
)
ALL = {"cnpj_ok": True, "registrations_ok": True, "licence_ok": True, "permit_ok": True}
DAY = timedelta(days=1)


def registry(**tables):
    return Registry(tables)


def vetting(start="2026-02-01", end="2026-11-30", **papers):
    return {"operator": COOP, "entity": ENTITY, "from": start, "to": end, **ALL, **papers}


@pytest.mark.parametrize(
    ("on", "expected"),
    [("2026-01-31", False), ("2026-02-01", True), ("2026-11-30", True), ("2026-12-01", False)],
)
def test_a_vetting_holds_from_its_first_to_its_last_day(on, expected):
    seen = registry(vettings=[vetting()])
    assert seen.vetted(COOP, ENTITY, date.fromisoformat(on)) is expected


@pytest.mark.parametrize("paper", list(ALL))
def test_three_of_the_four_papers_vet_nobody(paper):
    seen = registry(vettings=[vetting(**{paper: False})])
    assert not seen.vetted(COOP, ENTITY, date(2026, 6, 1))


def test_a_vetting_is_the_entitys_own():
    seen = registry(vettings=[vetting()])
    assert not seen.vetted(COOP, OTHER, date(2026, 6, 1))


def test_a_norm_can_let_a_vetting_stand_one_year_at_most():
    long = registry(vettings=[vetting(end="2030-12-31")])
    day = date(2027, 2, 1)
    assert long.vetted(COOP, ENTITY, day + DAY)
    assert long.under(vetting_years=1).vetted(COOP, ENTITY, day)
    assert not long.under(vetting_years=1).vetted(COOP, ENTITY, day + DAY)
    assert long.under(vetting_years=1).version != long.version


def test_a_year_that_begins_on_29_february_ends_on_1_march():
    assert anniversary(date(2024, 2, 29), years=1) == date(2025, 3, 1)
    assert anniversary(date(2024, 2, 29), years=4) == date(2028, 2, 29)


def test_two_vettings_at_once_are_told():
    seen = registry(vettings=[vetting(), vetting("2026-06-01", None)])
    assert seen.vettings_at(COOP, ENTITY, date(2026, 5, 31)) == 1
    assert seen.vettings_at(COOP, ENTITY, date(2026, 6, 1)) == 2
    assert seen.vettings_at(COOP, ENTITY, date(2026, 12, 1)) == 1


def test_a_recycler_is_one_on_its_days_and_an_unknown_party_is_unknown():
    roles = [{"cnpj": MILL, "role": "recycler", "from": "2026-01-01", "to": "2026-06-30"}]
    seen = registry(roles=roles, parties=[{"cnpj": COOP, "name": "Coop"}])
    assert seen.is_recycler(MILL, date(2026, 6, 30)) is True
    assert seen.is_recycler(MILL, date(2026, 7, 1)) is False
    assert seen.is_recycler(COOP, date(2026, 6, 30)) is False
    assert seen.is_recycler(MAKER, date(2026, 6, 30)) is None


def test_a_licence_without_a_last_day_is_neither_valid_nor_expired():
    parties = [{"cnpj": COOP, "licence_valid_to": "2026-06-30"}, {"cnpj": MILL, "licence_number": "7"}]
    seen = registry(parties=parties)
    assert seen.licence_valid(COOP, date(2026, 6, 30)) is True
    assert seen.licence_valid(COOP, date(2026, 7, 1)) is False
    assert seen.licence_valid(MILL, date(2026, 7, 1)) is None
    assert seen.licence_valid(MAKER, date(2026, 7, 1)) is None


def test_closed_begins_on_the_day_of_closing():
    seen = registry(parties=[{"cnpj": COOP, "closed_on": "2026-03-10", "municipality": "5103403"}])
    assert not seen.closed(COOP, date(2026, 3, 9))
    assert seen.closed(COOP, date(2026, 3, 10))
    assert not seen.closed(MILL, date(2026, 3, 10))
    assert seen.municipality(COOP) == "5103403"
    assert seen.municipality(MILL) is None


def test_origin_comes_from_the_operators_row_and_two_that_disagree_give_none():
    def role(origin, start, end=None):
        return {"cnpj": COOP, "role": "operator", "origin": origin, "from": start, "to": end}

    seen = registry(roles=[role("picker_entity", "2026-01-01"), role("municipal", "2026-07-01")])
    assert seen.origin(COOP, date(2025, 12, 31)) is None
    assert seen.origin(COOP, date(2026, 6, 30)) is Origin.PICKER_ENTITY
    assert seen.origin(COOP, date(2026, 7, 1)) is None


def test_memberships_verifiers_and_sizes():
    seen = registry(
        members=[{"establishment": MAKER, "entity": ENTITY, "term": "T1", "from": "2026-01-01", "to": None}],
        contracts=[
            {"verifier": AUDITOR, "entity": ENTITY, "from": "2026-01-01", "to": "2026-12-31"},
            {"verifier": ENTITY, "entity": ENTITY, "from": "2026-01-01", "to": None},
        ],
        sizes=[{"company": MAKER[:8], "year": 2026, "size": "large"}],
    )
    assert seen.is_member(MAKER, ENTITY, date(2026, 1, 1))
    assert not seen.is_member(MAKER, ENTITY, date(2025, 12, 31))
    assert not seen.is_member(MAKER, OTHER, date(2026, 1, 1))
    assert [m.entity for m in seen.memberships(MAKER[:8])] == [ENTITY]
    assert seen.verifier_for(ENTITY, date(2026, 12, 31)) == (AUDITOR,)
    assert seen.verifier_for(ENTITY, date(2027, 1, 1)) == ()
    assert seen.size(MAKER, 2026) == "large"
    assert seen.size(MAKER[:8], 2027) is None


@pytest.mark.parametrize(
    ("allowed", "own", "expected"),
    [(True, None, "certificates"), (False, None, "collective"), (True, "structuring", "structuring")],
)
def test_the_scheme_of_a_member_comes_from_its_row_or_its_term(allowed, own, expected):
    term = {"term": "T1", "entity": ENTITY, "certificates_allowed": allowed, "from": "2025-06-01"}
    member = {"establishment": MAKER, "entity": ENTITY, "term": "T1", "from": "2026-03-01", "scheme": own}
    seen = registry(terms=[term], members=[member], parties=[{"cnpj": MAKER}])
    assert seen.scheme(MAKER, 2026) == expected
    assert seen.scheme(MAKER, 2025) == "individual"
    assert seen.scheme(COOP, 2026) is None


def test_the_version_is_of_the_rows_not_of_their_order():
    rows = [{"cnpj": COOP, "name": "A"}, {"cnpj": MILL, "name": "B"}]
    assert registry(parties=rows).version == registry(parties=rows[::-1]).version
    assert registry(parties=rows).version != registry(parties=rows[:1]).version


def test_show_tells_why_a_vetting_does_not_count():
    seen = registry(vettings=[vetting(permit_ok=False)], parties=[{"cnpj": COOP, "name": "Coop"}])
    shown = seen.show(COOP, date(2026, 6, 1))
    assert shown["vettings"][0]["counts"] is False
    assert shown["vettings"][0]["papers"]["permit"] is False
    assert shown["name"] == "Coop"
    assert shown["licence_valid"] is None


def test_between_two_changes_every_answer_about_a_party_stays_the_same():
    rows = registry(
        parties=[{"cnpj": COOP, "licence_valid_to": "2026-05-10", "closed_on": "2026-10-05"}],
        roles=[
            {"cnpj": COOP, "role": "operator", "origin": "picker_entity", "from": "2026-01-10"},
            {"cnpj": COOP, "role": "recycler", "from": "2026-03-01", "to": "2026-03-31"},
        ],
        vettings=[vetting(), vetting("2025-02-20", "2026-04-30"), {**vetting(), "entity": OTHER}],
    ).under(vetting_years=1)

    def answers(on):
        at = rows.licence_valid(COOP, on), rows.closed(COOP, on), rows.roles(COOP, on), rows.origin(COOP, on)
        return (*at, rows.vettings_at(COOP, ENTITY, on), rows.vettings_at(COOP, OTHER, on))

    days = [date(2025, 12, 1) + n * DAY for n in range(500)]
    changed = {day for day in days if answers(day) != answers(day - DAY)}
    assert len(changed) > 7
    assert changed <= set(rows.changes(COOP))
    assert len(rows.changes(COOP)) < 15
    assert rows.changes(MILL) == ()


def test_an_establishment_is_listed_itself_and_not_by_its_company():
    other = COOP[:8] + "0002" + cnpj_check_digits(COOP[:8] + "0002")
    seen = registry(parties=[{"cnpj": COOP, "name": "Cooperativa"}], roles=[])
    assert (seen.listed(COOP), seen.listed(other), seen.listed(MILL)) == (True, False, None)


def member(entity, start="2026-01-01", end="2026-12-31"):
    return {"establishment": MAKER, "entity": entity, "term": "", "from": start, "to": end, "scheme": None}


@pytest.mark.parametrize(
    ("members", "held"),
    [
        ([], None),
        ([member(ENTITY)], None),
        ([member(OTHER)], OTHER),
        ([member(OTHER, end="2026-05-31")], None),
        ([member(OTHER), member(ENTITY)], None),
    ],
)
def test_who_else_has_an_establishment_as_a_member_on_some_day(members, held):
    days = [date(2026, 6, 1), date(2026, 12, 31)]
    assert registry(members=members).held_by_another(MAKER, ENTITY, days) == held
