"""What a verifier sees: the entities it has a contract with today, and what waits for its statement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lastro import certifying, signing
from lastro.stores.postgres.view import Pool
from lastro.units import Mass, total
from lastro.web import office


def entities_of(verifier: str) -> tuple[str, ...]:
    """The entities under contract with a verifier today."""
    known, today = office.registry(), office.today()
    named = sorted({str(row["entity"]) for row in known.tables["contracts"] if row["verifier"] == verifier})
    return tuple(entity for entity in named if verifier in known.verifier_for(entity, today))


def hand_of(verifier: str) -> Callable[[bytes], bytes]:
    """What signs a verifier's papers here: its PKCS#12 where one is named, else the practice authority's.

    Raises LastroError when the certificate that is named is of another company.
    """
    signer = signing.chosen_signer(office.site().data, cnpj=verifier, name=office.name_of(verifier))
    at = certifying.moment(office.today(), None)

    def sign(pdf: bytes) -> bytes:
        reason = "Declaração de verificação de resultados"
        return signing.sign(pdf, signer=signer, at=at, reason=reason, location="Cuiabá/MT")

    return sign


@dataclass(frozen=True)
class Year:
    """What an entity proved in a year, and how much of it waits for the verifier's statement."""

    year: int
    pools: tuple[Pool, ...]
    waiting: Mass
    homologated: Mass


def years(entity: str) -> tuple[Year, ...]:
    """Each year in which the entity has mass in lots, the latest first."""
    pools = office.store().pools(entity=entity)
    made = []
    for year in sorted({pool.year for pool in pools}, reverse=True):
        mine = tuple(pool for pool in pools if pool.year == year)
        ready = total(pool.homologated for pool in mine)
        made.append(Year(year, mine, total(pool.verified for pool in mine) - ready, ready))
    return tuple(made)
