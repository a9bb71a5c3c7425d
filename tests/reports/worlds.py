"""An invented entity with members, declarations, lots and certificates, small enough to add up by hand."""

from __future__ import annotations

from datetime import date
from typing import Any

from lastro.facts import Basis, Lot, Placement, TargetRow
from lastro.ids import Material, Origin
from lastro.lawkit import library
from lastro.ledger import LotFacts, Posting, Reason
from lastro.reports.cells import DataSet
from lastro.reports.desk import Case
from lastro.reports.rar_mt import dataset
from lastro.stores.postgres import registry as kept
from lastro.stores.postgres.certificates import Certificates
from lastro.stores.postgres.reports import PostgresReports, reports
from lastro.units import Mass
from tests.certificates.worlds import authorise, issue, prepare, retire
from tests.ledger.worlds import BUYER, ENTITY, OTHER, SELLER, VERIFIER, cnpj, key

NORM, YEAR = "mt/decreto_1455_2025", 2026
ON, DECLARED = date(2027, 3, 15), date(2026, 3, 1)
MAKER, BRANCH, BAKER = cnpj("CIA1"), cnpj("CIA1", branch="0002"), cnpj("CIA2")
GLASS, PAPER, CARTON, STEEL, TYRE = (
    Material.GLASS, Material.PAPER, Material.CARTON, Material.STEEL, Material.TYRE,
)  # fmt: skip
TARGETS = {"glass": "20%", "paper": "24%", "plastic": "22%", "metals": "28%"}
DEAR = "=cmd|' /C calc'!A0"
"""A name that a careless sheet would run."""


def party(who: str, name: str, town: str = "5103403") -> dict[str, Any]:
    return {
        "cnpj": who, "name": name, "address": "Rua Um, 1", "municipality": town, "uf": "MT",
        "contact": "contato@exemplo.invalid", "licence_number": "LO 1/2026", "licence_issuer": "Órgão",
        "licence_valid_to": "2028-12-31", "closed_on": None,
    }  # fmt: skip


def member(
    who: str, *, entity: str = ENTITY, start: str = "2025-08-01", end: str | None = None
) -> dict[str, Any]:
    return {"establishment": who, "entity": entity, "term": "T1", "from": start, "to": end, "scheme": None}


def tables(**more: Any) -> dict[str, list[dict[str, Any]]]:
    """The registry of the small world; `more` replaces whole tables."""
    return {
        "parties": [party(ENTITY, "Entidade Um"), party(OTHER, "Entidade Dois"),
                    party(VERIFIER, "Verificador"),
                    party(MAKER, "Vidraria Um"), party(BRANCH, "Vidraria Um"), party(BAKER, DEAR)],
        "terms": [{"term": "T1", "entity": ENTITY, "sector": "embalagens_em_geral", "signed_on": "2025-07-15",
                   "certificates_allowed": True, "from": "2025-07-15", "to": None}],
        "members": [member(MAKER), member(BRANCH), member(BAKER)],
        "contracts": [{"verifier": VERIFIER, "entity": ENTITY, "from": "2026-01-01", "to": "2027-12-31"}],
        **more,
    }  # fmt: skip


def placed(
    material: Material, kg: str, *, returnable: str = "0", uf: str = "MT", year: int = 2025
) -> Placement:
    return Placement(year, material, uf, Mass.kg(kg), Mass.kg(returnable), national=uf == "BR")


def lot(number: int, mg: int, **facts: Any) -> Posting:
    """A posting that enters so many milligrams into a lot of the entity."""
    known: dict[str, Any] = {
        "material": GLASS, "issued_on": date(2026, 6, 1), "issuer": SELLER, "recipient": BUYER, "year": YEAR,
        "norm": NORM, "municipality": "5103403", "municipality_source": "operator",
        "origin": Origin.PICKER_ENTITY,
    } | facts  # fmt: skip
    return Posting(Lot(key(number), 1, ENTITY), Mass(mg), Reason.ENTER, known["issued_on"], LotFacts(**known))


def load(store: Any, **more: Any) -> None:
    kept.load(store, tables(**more), source="cadastro.json", on=DECLARED)


def declare(store: Any, who: str | None, company: str, *rows: Placement, on: date = DECLARED) -> None:
    kept.declare(store, company, {(who, 2025): list(rows)}, source="declaracao.csv", on=on)


def targets(store: Any, basis: Basis = Basis.ILLUSTRATIVE, **shares: str) -> None:
    rows = [
        TargetRow("embalagens_em_geral", group, YEAR, share, "exemplo", basis)
        for group, share in (shares or TARGETS).items()
    ]
    kept.add_targets(store, NORM, rows, on=DECLARED)


def used(store: Any, material: Material, kg: str, to: str, name: str) -> None:
    answer = store.retire_lots(
        ENTITY, establishment=to, year=YEAR, materials=[material], mass=Mass.kg(kg), request=name,
        happened_on=ON,
    )  # fmt: skip
    assert isinstance(answer, dict), answer


def fill(store: Any) -> None:
    """Members, declarations, targets, 9 lots, a homologation, retirements by lots and by certificate."""
    load(store)
    declare(store, MAKER, "ZZ00CIA1", placed(GLASS, "1000.000001", returnable="100"), placed(STEEL, "10"))
    declare(store, BRANCH, "ZZ00CIA1", placed(GLASS, "500"))
    declare(store, None, "ZZ00CIA2", placed(PAPER, "300"), placed(CARTON, "20.5"))
    targets(store)
    kg = 1_000_000
    store.post(
        [
            lot(1, 150 * kg), lot(2, 150 * kg + 1, municipality="5107909"),
            lot(3, 30 * kg, municipality="5103403", municipality_source="invoice", origin=Origin.MUNICIPAL),
            lot(4, 90 * kg, material=PAPER, origin=Origin.PRIVATE_PEV), lot(5, 7 * kg + 500, material=CARTON),
            lot(6, 2 * kg, material=STEEL, municipality="5208707"), lot(7, 5 * kg, material=STEEL),
        ],
        request="fill",
    )  # fmt: skip
    store.homologate(ENTITY, verifier=VERIFIER, year=YEAR, lots=None, request="h", happened_on=ON)
    store.post([lot(8, 11 * kg), lot(9, 3, year=2025)], request="later")
    used(store, GLASS, "200.000001", MAKER, "r1")
    used(store, PAPER, "80", BAKER, "r2")
    used(store, STEEL, "4", BRANCH, "r3")
    book = Certificates(store)
    prepare(book, "c1", 40_000, holder=MAKER)
    for move in (authorise, issue, retire):
        move(book, "c1")
    prepare(book, "c2", 20_000, holder=MAKER)


def case(**more: Any) -> Case:
    asked = {
        "regulation": library.find(NORM), "entity": ENTITY, "year": YEAR, "on": ON, "basis": Basis.TEST,
    }  # fmt: skip
    return Case(**(asked | more))


def report(store: Any, *, statements: Any = (), on: date = ON, basis: Basis = Basis.TEST) -> DataSet:
    """The annual report of the entity as things stand."""
    with reports(store) as memory:
        standing = memory.standing(ENTITY, norm=NORM, year=YEAR, as_of=on)
    return dataset(standing, regulation=library.find(NORM), on=on, basis=basis, statements=statements)


def behind(store: Any, data: DataSet, path: str) -> list[dict[str, Any]]:
    """The rows that the sources of a cell name."""
    with reports(store) as memory:
        assert isinstance(memory, PostgresReports)
        return [row for one in data.cell(path).provenance for row in memory.behind(one, norm=NORM, year=YEAR)]
