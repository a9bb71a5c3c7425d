"""What the agency, the fee staff, the CMRR and the committee have at their addresses, for the matrix."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from tests.web.conftest import TODAY, World

SELIC = b"mes;taxa\n2027-02;0,83%\n2027-03;0,90%\n"


def of_agency(world: World) -> dict[str, dict[str, Any]]:
    """A notice, an entry with a charge, a document handed in, a table, an organisation, a meeting."""
    to = world.member(world.entities[0])
    return {**_notices(to), **_fees(to), **_handed_in(to), **_incentive(world)}


def _notices(to: str) -> dict[str, dict[str, Any]]:
    from lastro.web.readings import default_notices

    if not default_notices.sent_by("fees"):
        keys = [default_notices.offered(to, tax=True)[0][0]]
        default_notices.send(
            "fees", to=to, keys=keys, text="Inscreva-se.", due=TODAY + timedelta(days=30), by="lia",
            files=[("a.txt", b"a")],
        )  # fmt: skip
    notice = default_notices.sent_by("fees")[0]
    file = {"pk": notice.sent[0].id, "name": "a.txt"}
    return {
        "default-one": {"number": notice.number},
        "my-default": {"office": "fees", "number": notice.number},
        "default-file": file,
        "my-default-file": file,
    }


def _fees(document: str) -> dict[str, dict[str, Any]]:
    from lastro.web.readings import fee_desk, official_tables

    if fee_desk.entry(document) is None:
        said = {
            "document": document, "name": "Fábrica", "municipality": "5103403", "person": "company",
            "registered_on": "2027-01-20",
        }  # fmt: skip
        fee_desk.register(said, [("15", "2026-10-02", "")], by="lia")
        fee_desk.charge(document, year=2026, quarter=4, more={"revenue_brl": "9000000.00"}, by="lia")
        official_tables.propose(
            "fees", table="selic", norm="", source="Banco", dated=date(2027, 3, 1), name="selic.csv",
            data=SELIC, by="lia",
        )  # fmt: skip
    return {
        "fee-payer": {"document": document},
        "fee-charge": {"document": document, "year": 2026, "number": 4},
        "table": {"number": official_tables.history("fees")[0].subject.name},
    }


def _handed_in(party: str) -> dict[str, dict[str, Any]]:
    from lastro.web.readings import handed_in

    if not handed_in.mine(party):
        handed_in.hand_in(
            party, sort="plan", title="Plano", text="", by="elza", files=[("plano.pdf", b"%PDF-1.7")]
        )
    key = handed_in.mine(party)[0].key
    file = {"key": key, "name": "plano.pdf"}
    return {
        "handed": {"key": key}, "handed-mine": {"key": key}, "handed-file": file, "handed-mine-file": file,
    }  # fmt: skip


def _incentive(world: World) -> dict[str, dict[str, Any]]:
    from lastro.web.readings import committee, incentive_desk
    from tests.web.test_committee import file_registration

    cnpj = world.operators(world.entities[0])[2]
    if incentive_desk.organisation("cmrr", cnpj) is None:
        file_registration(cnpj)
    if not committee.meetings():
        committee.name_seat("feam/1", holder="A", alternate="B", paper="1", by="nair")
        committee.meet(
            on=TODAY, extraordinary=False, called_by="", asked_by=0, present=["feam/1"], agenda="x", by="nair"
        )
    return {
        "analyse": {"cnpj": cnpj},
        "committee-organisation": {"cnpj": cnpj},
        "committee-meeting": {"number": committee.meetings()[0].subject.name},
        "committee-quarter": {"year": 2026, "number": 4},
    }
