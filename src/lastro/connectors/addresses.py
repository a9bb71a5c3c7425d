"""Where each service is: a table of our own, each row with its source and day."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lastro.errors import LastroError
from lastro.ids import UF_BY_CODE


@dataclass(frozen=True)
class Address:
    """One service of one authority in production."""

    service: str
    of: str  # a federative unit, AN (the national environment), or the name of an MTR system
    url: str
    source: str
    seen_on: str


@cache
def every() -> tuple[Address, ...]:
    """All rows of the table."""
    lines = files(__package__).joinpath("addresses.csv").read_text("utf-8").splitlines()
    return tuple(Address(**row) for row in csv.DictReader(lines))


def of_key(access_key: str) -> str:
    """Where the standing of a key is asked: at its federative unit's authority. Raises LastroError."""
    return _one("NFeConsultaProtocolo4", UF_BY_CODE.get(access_key[:2], access_key[:2]))


def distribution() -> str:
    """Where documents of interest are handed out: one place for the whole country."""
    return _one("NFeDistribuicaoDFe", "AN")


def manifests(system: str) -> str:
    """The root of an MTR web service (sinir, sigor). Raises LastroError."""
    return _one("MTR", system)


def _one(service: str, of: str) -> str:
    for row in every():
        if (row.service, row.of) == (service, of):
            return row.url
    raise LastroError(f"Não se conhece o endereço de {service} para {of}.")
