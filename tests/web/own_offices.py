"""What the first entity and the offices have at the addresses of requests, for the matrix of access."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.web.conftest import TODAY, World

_NORM = "br/decreto_10240_2020"


def of_offices(world: World) -> dict[str, dict[str, Any]]:
    """A request of the agency to the first entity, with a file on each side."""
    from lastro.web.readings import gap, requests

    first = world.entities[0]
    if not requests.made_by("agency"):
        requests.ask(
            "agency", to=first, key=f"{_NORM}/audit", title="Auditoria", text="Mande.", reason="Conferir.",
            due=TODAY + timedelta(days=10), by="flora", files=[("modelo.txt", b"m")],
        )  # fmt: skip
        requests.answer(requests.made_by("agency")[0], text="Segue.", by="ana", files=[("a.txt", b"a")])
        requests.open_data("ministry", of=first, key=f"{_NORM}/data", reason="Ver.", by="raul")
        _handed_in(first)
    asked = requests.made_by("agency")[0]
    audit = gap.received("gap")[0].id
    report = gap.received("ministry")[0].id
    opening = requests.openings(by_office="ministry")[0].filing.subject.name
    return {
        "request": {"office": "agency", "number": asked.number},
        "request-asked": {"number": asked.number},
        "request-file": {"pk": asked.answers[0].id, "name": "a.txt"},
        "request-asked-file": {"pk": asked.last.id, "name": "modelo.txt"},
        "gap-received-one": {"pk": audit},
        "gap-received-file": {"pk": audit, "name": "a.pdf"},
        "ministry-received": {"pk": report},
        "ministry-received-file": {"pk": report, "name": "r.json"},
        "opening": {"number": opening},
        "results-file": {"kind": "csv"},
        "publication": {"pk": 1},
        "publication-file": {"pk": 1, "name": "manual.pdf"},
    }


def _handed_in(entity: str) -> None:
    """An audit for the group, and a report of the group for the ministry."""
    from lastro.filings import Kind, Subject
    from lastro.stores.postgres.filings import Filings
    from lastro.web import office
    from lastro.web.readings import gap

    gap.hand_audit(
        entity, _NORM, year="2026", auditor="Auditora", text="", by="ana", files=[("a.pdf", b"%PDF")]
    )
    subject = Subject(Kind.DOCUMENT, "gap", norm=_NORM, period="2026", name="ministry-report")
    Filings(office.store(), sees="gap").add(
        subject,
        {"title": "Consolidado"},
        by="paula",
        on=TODAY,
        addressee="ministry",
        files=[("r.json", b"{}")],
    )


PUBLIC = (
    *("/", "/pontos/", "/resultados/", "/resultados/?norma=br/minuta_metal_2022", "/como-se-calcula/"),
    *("/como-participar/", "/publicacoes/"),
)
"""Pages for strangers."""


def pages(world: World) -> dict[str, list[str]]:
    """Pages of the offices and of who answers them, by who opens them."""
    own = of_offices(world)
    return {
        "gap": [
            *("/gap/", "/gap/reunioes/", "/gap/assentos/", "/gap/dificuldades/", "/gap/recebidos/"),
            *(
                f"/gap/recebidos/{own['gap-received-one']['pk']}/",
                "/gap/consolidado/",
                "/publicacoes/nossas/",
            ),
        ],
        "ministry": [
            *("/ministerio/", f"/ministerio/recebidos/{own['ministry-received']['pk']}/", "/acessos/"),
            f"/acessos/{own['opening']['number']}/",
        ],
        "second_agency": [
            *("/pedidos/feitos/", "/pedidos/feitos/novo/"),
            f"/pedidos/feitos/{own['request-asked']['number']}/",
        ],
        "authoriser": [
            *("/pedidos/", "/pedidos/acessos/", "/auditorias/"),
            f"/pedidos/agency/{own['request']['number']}/",
        ],
    }
