"""The counter: who may sell to whom and until when, what the paper lacks, and papers that survive crashes."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from fractions import Fraction
from typing import Any

import pytest

from lastro.certificates import counter as room
from lastro.certificates import number as numbers
from lastro.certificates.sale import Counter
from lastro.certificates.states import State
from lastro.facts import Basis, CompanyFacts, Placement, Refusal, TargetRow
from lastro.ids import Material
from lastro.lawkit import library
from lastro.registry import Registry
from lastro.stores.postgres.certificates import Certificates
from lastro.units import Mass, Money
from tests.certificates.worlds import NORM, ON
from tests.custody.test_settle import TODAY, A, cancellation, give, key, note
from tests.ledger.worlds import COMPANY, OTHER, VERIFIER, cnpj

AT = datetime(2027, 3, 15, 10, 20, 30, tzinfo=timezone(timedelta(hours=-4)))
BRANCH = cnpj("CIA1", branch="0002")
TERM = {
    "term": "TCLR 1", "entity": A, "sector": "embalagens_em_geral", "signed_on": "2025-07-15",
    "certificates_allowed": True, "from": "2025-07-15", "to": "2029-12-31",
}  # fmt: skip
MEMBER = {"establishment": COMPANY, "entity": A, "term": "TCLR 1", "from": "2025-08-01", "to": "2027-06-30"}
PARTY = {
    "cnpj": COMPANY, "name": "Envases Inventados Ltda.", "address": "Rua das Emas, 10",
    "municipality": "5103403", "uf": "MT", "contact": "contato@exemplo.invalid",
    "licence_number": "LO 1/2025",
}  # fmt: skip
SELLER = {"cnpj": A, "name": "Instituto Inventado", "address": "x", "contact": "y", "licence_number": "z"}


def registry(**changes: Any) -> Registry:
    tables = {"parties": [PARTY, SELLER], "terms": [TERM], "members": [MEMBER]}
    return Registry({**tables, **changes})


def target(share: str, *, year: int = 2026, basis: Basis = Basis.ILLUSTRATIVE) -> TargetRow:
    return TargetRow("embalagens_em_geral", "glass", year, share, "tabela inventada", basis, date(2026, 1, 1))


def placed(kg: str = "1") -> tuple[Placement, ...]:
    return (Placement(2025, Material.GLASS, "MT", Mass.kg(kg)),)


class Hand:
    """Someone who signs: nothing is really signed."""

    name, cnpj, sha256, is_test = "Aurora Inventada", A, "ab" * 32, False


@pytest.fixture
def book(store):
    """Two homologated notes of 60 g of glass."""
    give(store, A, note(1, mass=60_000), note(2, mass=60_000))
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h", happened_on=TODAY)
    return Certificates(store)


@pytest.fixture
def counter(store, book):
    def company(root: str, year: int) -> CompanyFacts:
        proved = tuple(r.fact for r in store.retired(company=root, year=year))
        return CompanyFacts(root, "large", "certificates", placed(), proved)

    return Counter(
        book=book,
        regulation=library.find(NORM),
        registry=registry(),
        targets=(target("20%"),),
        company=company,
    )


def prepare(counter: Counter, name: str = "c1", **changes: Any) -> Any:
    asked: dict[str, Any] = {
        "entity": A, "holder": COMPANY, "materials": [Material.GLASS], "mass": Mass(100_000), "year": 2026,
        "investment": Money(1500), "by": "ana", "on": ON,
    }  # fmt: skip
    return room.prepare(counter, name, **(asked | changes))


_draws = itertools.count()


class Papers:
    """Renders and signs nothing, and remembers what it was asked."""

    def __init__(self) -> None:
        self.made: list[dict[str, Any]] = []
        self.signed: list[str] = []
        self.drawn = 0

    def issue(self, counter: Counter, name: str = "c1", on: date = ON, **changes: Any) -> Any:
        asked: dict[str, Any] = {
            "on": on, "at": AT, "by": "bia", "signer": Hand(), "render": self.render, "sign": self.sign,
            "address": lambda number: f"https://exemplo.invalid/c/{number}", "random_bytes": self.random,
        }  # fmt: skip
        return room.issue_paper(counter, name, **(asked | changes))

    def render(self, kind: str, data: Any) -> bytes:
        assert kind == "cre"
        self.made.append(dict(data))
        return b"paper"

    def sign(self, pdf: bytes, number: str) -> bytes:
        self.signed.append(number)
        return pdf + b" signed " + number.encode()

    def random(self, size: int) -> bytes:
        self.drawn += 1
        return hashlib.sha256(next(_draws).to_bytes(4, "big")).digest()[:size]


def code(answer: Any) -> str:
    return answer.code if isinstance(answer, Refusal) else ""


def issued(counter: Counter, name: str = "c1", **changes: Any) -> Papers:
    papers = Papers()
    assert code(prepare(counter, name, **changes)) == ""
    assert code(counter.book.authorise(name, by="bia", on=ON)) == ""
    assert code(papers.issue(counter, name)) == ""
    return papers


# ── who may sell, who may buy, until when ────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("on", "answer"),
    [
        (date(2026, 12, 31), ""),
        (date(2027, 12, 31), ""),
        (date(2028, 1, 1), "K05"),
        (date(2025, 12, 31), "K05"),
    ],
)
def test_a_year_is_sold_until_the_last_day_of_the_next(counter, on, answer):
    counter = replace(counter, registry=registry(members=[MEMBER | {"to": None}]))
    got = prepare(counter, on=on)
    assert code(got) == answer
    if answer:
        assert (got.expected, got.article) == ("de 01/01/2026 a 31/12/2027", "Decreto MT 1.455/2025, art. 49")


@pytest.mark.parametrize(("on", "answer"), [(date(2027, 6, 30), ""), (date(2027, 7, 1), "K06")])
def test_the_buyer_adheres_on_the_day_of_the_sale(counter, on, answer):
    assert code(prepare(counter, on=on)) == answer


@pytest.mark.parametrize(
    "members",
    [
        [],
        [MEMBER | {"establishment": BRANCH}],
        [MEMBER | {"entity": OTHER}],
        [MEMBER | {"term": "TCLR 2"}],
    ],
)
def test_who_does_not_adhere_to_the_term_buys_nothing(counter, members):
    answer = prepare(replace(counter, registry=registry(members=members)))
    assert (answer.code, answer.article) == ("K06", "Decreto MT 1.455/2025, art. 26, II")


@pytest.mark.parametrize(
    "terms",
    [[], [TERM | {"certificates_allowed": False}], [TERM | {"to": "2027-03-14"}], [TERM | {"entity": OTHER}]],
)
def test_an_entity_without_a_term_that_foresees_certificates_sells_none(counter, terms):
    answer = prepare(replace(counter, registry=registry(terms=terms)))
    assert (answer.code, answer.article) == ("K08", "Decreto MT 1.455/2025, art. 26, II")


def test_the_sale_is_judged_again_on_the_day_of_issue(counter):
    prepare(counter)
    counter.book.authorise("c1", by="bia", on=ON)
    papers = Papers()
    assert code(papers.issue(counter, on=date(2027, 7, 1))) == "K06"
    assert code(papers.issue(counter, on=date(2028, 1, 1))) == "K06"
    longer = replace(counter, registry=registry(members=[MEMBER | {"to": None}]))
    assert code(papers.issue(longer, on=date(2028, 1, 1))) == "K05"
    assert (papers.made, papers.drawn) == ([], 0)
    assert counter.book.find("c1").stored is State.AUTHORISED


def test_nobody_passes_a_certificate_on(counter):
    issued(counter)
    answer = room.transfer(counter, "c1", on=ON)
    assert answer.code == "K08"
    assert answer.article == "Decreto MT 1.455/2025, art. 62, parágrafo único"


# ── amounts and fields ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("mg", "answer"), [(1_000, ""), (1_001, "K07"), (999, "K07"), (0, "K07"), (-1_000, "K07")]
)
def test_a_certificate_speaks_of_whole_grams(counter, mg, answer):
    got = prepare(counter, mass=Mass(mg))
    assert code(got) == answer
    if answer:
        assert got.article == "Decreto MT 1.455/2025, art. 63, VII"


def test_materials_of_two_groups_are_two_certificates(counter):
    assert code(prepare(counter, materials=[Material.GLASS, Material.PAPER])) == "K07"
    assert code(prepare(counter, materials=[Material.TYRE])) == "K07"


@pytest.mark.parametrize(
    ("lacking", "word"),
    [
        ("name", "nome"),
        ("address", "endereço"),
        ("municipality", "município"),
        ("licence_number", "número da licença"),
        ("contact", "contato"),
    ],
)
def test_what_the_registry_lacks_of_the_applicant_is_named(counter, lacking, word):
    party = PARTY | {lacking: None if lacking == "municipality" else ""}
    answer = prepare(replace(counter, registry=registry(parties=[party])))
    assert (answer.code, answer.article) == ("K07", "Decreto MT 1.455/2025, art. 63, I")
    assert answer.found == f"item I (qualificação completa do requerente): falta no cadastro: {word}"


def test_an_applicant_that_nobody_registered_is_named(counter):
    answer = prepare(replace(counter, registry=registry(parties=[])))
    assert answer.code == "K07"
    assert "não está no cadastro" in answer.found


@pytest.mark.parametrize("investment", [None, Money(-1)])
def test_the_investment_is_said_and_never_computed(counter, investment):
    answer = prepare(counter, investment=investment)
    assert (answer.code, answer.article) == ("K07", "Decreto MT 1.455/2025, art. 63, VI")
    assert counter.book.find("c1") is None


def test_an_investment_of_nothing_is_an_investment_that_was_said(counter):
    papers = issued(counter, investment=Money(0))
    assert papers.made[0]["fields"]["VI"] == "R$ 0,00"


@pytest.mark.parametrize("targets", [(), (target("20%", year=2025),)])
def test_without_a_target_loaded_nothing_is_issued(counter, targets):
    answer = prepare(replace(counter, targets=targets))
    assert (answer.code, answer.article) == ("T01", "Decreto MT 1.455/2025, art. 63, III")


def test_a_target_loaded_later_is_not_known_before(counter):
    later = replace(target("20%"), loaded_on=date(2027, 3, 16))
    assert code(prepare(replace(counter, targets=(later,)))) == "T01"


@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        ((), "K07"),
        ((Placement(2025, Material.PAPER, "MT", Mass.kg("9")),), "K06"),
        ((Placement(2025, Material.GLASS, "MT", Mass(0)),), "K06"),
        ((Placement(2026, Material.GLASS, "MT", Mass.kg("9")),), "K07"),
    ],
)
def test_a_company_that_declared_nothing_lacks_a_field_and_one_that_placed_none_owes_none(
    counter, rows, answer
):
    def company(root: str, year: int) -> CompanyFacts:
        return CompanyFacts(root, "large", "certificates", rows, ())

    got = prepare(replace(counter, company=company))
    assert code(got) == answer
    assert got.article == "Decreto MT 1.455/2025, art. 63, III"


def test_a_repeated_request_is_not_judged_again(counter):
    first = prepare(counter)
    again = prepare(replace(counter, registry=registry(members=[])))
    assert again == {**first, "repeated": "K09"}


# ── the paper ────────────────────────────────────────────────────────────────────────────────────────


def test_the_paper_says_the_thirteen_items(counter):
    papers = issued(counter)
    (data,) = papers.made
    fields = data["fields"]
    assert list(fields) == ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII"]
    assert fields["I"][0] == ["Nome", "Envases Inventados Ltda."]
    assert fields["I"][2] == ["Endereço", "Rua das Emas, 10, Cuiabá/MT"]
    assert fields["II"] == [["Compensação", "vendas de 01/06/2026 a 02/06/2026"], ["Passivo", "ano de 2026"]]
    assert fields["III"] == "vidro: meta vigente 20% (meta ilustrativa); atingido com este certificado 10%"
    assert fields["IV"] == "vidro, 0,1 kg"
    assert fields["V"] == "vidro"
    assert fields["VI"] == "R$ 15,00"
    assert fields["VII"] == "0,1 kg"
    assert fields["VIII"] == "Cuiabá/MT (do operador)"
    assert fields["IX"].startswith("2 datas, de 01/06/2026 a 02/06/2026")
    assert fields["X"] == "15 de março de 2027"
    assert fields["XII"].startswith("2 chaves de acesso")
    assert ["Por", "Aurora Inventada"] in fields["XIII"]
    assert data["valid_until"] == "15 de março de 2028"
    assert data["number"] in data["address"]
    assert [(row["key"], row["mass"]) for row in data["invoices"]] == [
        (key(1), "0,06 kg"),
        (key(2), "0,04 kg"),
    ]
    assert (data["basis"], data["bands"]) == ("illustrative", [])


def test_the_papers_own_check_takes_it(counter):
    from lastro.papers.shapes import check_certificate

    (data,) = issued(counter).made
    check_certificate(data)


def test_what_is_attained_counts_what_was_used_and_what_is_still_held(counter):
    issued(counter, "c1", mass=Mass(30_000))
    issued(counter, "c2", mass=Mass(20_000))
    assert code(room.retire(counter, "c1", by="d", on=ON)) == ""
    papers = issued(counter, "c3", mass=Mass(10_000))
    assert papers.made[0]["fields"]["III"].endswith("atingido com este certificado 6%")


@pytest.mark.parametrize(
    ("evidence", "targets", "is_test", "basis", "bands"),
    [
        (Basis.OFFICIAL, Basis.OFFICIAL, False, "official", 0),
        (Basis.OFFICIAL, Basis.ILLUSTRATIVE, False, "illustrative", 0),
        (Basis.TEST, Basis.ILLUSTRATIVE, False, "test", 1),
        (Basis.OFFICIAL, Basis.OFFICIAL, True, "test", 0),
    ],
)
def test_the_paper_carries_the_worst_of_what_it_leans_on(counter, evidence, targets, is_test, basis, bands):
    counter = replace(counter, basis=evidence, targets=(target("20%", basis=targets),))
    prepare(counter)
    counter.book.authorise("c1", by="bia", on=ON)
    papers, hand = Papers(), Hand()
    hand.is_test = is_test
    assert code(papers.issue(counter, signer=hand)) == ""
    assert (papers.made[0]["basis"], len(papers.made[0]["bands"])) == (basis, bands)


def test_a_place_that_is_not_known_is_a_lack_and_never_a_guess(counter, store):
    """The lot of an entity whose note says no municipality can be set apart, and not be issued."""
    from tests.ledger.worlds import enter

    posting = enter(9, 5_000, claimant=A)
    nowhere = replace(posting, facts=replace(posting.facts, municipality=None))
    store.post([nowhere], request="n")
    store.homologate(A, verifier=VERIFIER, year=2026, lots=None, request="h2", happened_on=TODAY)
    assert code(prepare(counter, mass=Mass(125_000))) == ""
    counter.book.authorise("c1", by="bia", on=ON)
    answer = Papers().issue(counter)
    assert (answer.code, answer.article) == ("K07", "Decreto MT 1.455/2025, art. 63, VIII")


# ── crashes, repeats ─────────────────────────────────────────────────────────────────────────────────


def test_a_paper_that_crashed_half_way_is_made_under_the_same_number(counter):
    prepare(counter)
    counter.book.authorise("c1", by="bia", on=ON)
    papers = Papers()

    def crash(pdf: bytes, number: str) -> bytes:
        papers.signed.append(number)
        raise RuntimeError("killed")

    for _ in range(3):
        with pytest.raises(RuntimeError):
            papers.issue(counter, sign=crash)
    assert counter.book.find("c1").stored is State.AUTHORISED
    answer = papers.issue(counter)
    assert set(papers.signed) == {answer["number"]}
    assert numbers.parse(answer["number"]) == answer["number"]


def test_an_issued_certificate_answers_with_what_it_is_and_signs_nothing(counter):
    papers = issued(counter)
    before = counter.book.paper("c1")
    again = papers.issue(counter, on=date(2027, 3, 20))
    assert again["repeated"] == "K09"
    assert (again["issued_on"], again["valid_to"]) == ("2027-03-15", "2028-03-15")
    assert len(papers.signed) == 1
    assert counter.book.paper("c1") == before


def test_what_was_not_authorised_is_not_issued(counter):
    prepare(counter)
    papers = Papers()
    assert code(papers.issue(counter)) == "K08"
    assert papers.made == []


def test_dead_evidence_is_not_signed(counter, store):
    prepare(counter)
    counter.book.authorise("c1", by="bia", on=ON)
    give(store, A, cancellation(1))
    papers = Papers()
    assert code(papers.issue(counter)) == "K11"
    assert papers.made == []


# ── use ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ({}, ""),
        ({"entity": A, "holder": COMPANY, "year": 2026}, ""),
        ({"holder": BRANCH}, "K08"),
        ({"entity": OTHER}, "K08"),
        ({"year": 2027}, "K05"),
        ({"on": date(2028, 3, 15)}, ""),
        ({"on": date(2028, 3, 16)}, "K04"),
    ],
)
def test_a_certificate_is_used_for_its_holder_and_year_in_its_time(counter, asked, answer):
    issued(counter)
    got = room.retire(counter, "c1", **({"by": "d", "on": ON} | asked))
    assert code(got) == answer
    if answer == "K04":
        assert (got.expected, got.article) == ("até 15/03/2028", "Decreto MT 1.455/2025, art. 65")


def test_validity_ends_on_the_first_of_march_where_the_day_is_lacking(counter):
    counter = replace(counter, registry=registry(members=[MEMBER | {"to": None}]))
    terms = counter.terms(2026, date(2028, 2, 29))
    assert terms.valid_to == date(2029, 3, 1)


def test_the_terms_forbid_resale_and_compute_the_exact_share(counter):
    terms = counter.terms(2026, ON)
    assert not terms.resale
    assert terms.attained(Mass(1), Mass(3).exact).of_one == Fraction(1, 3)
