"""What a verifier sees: the entities it has a contract with today, and what waits for its statement."""

from __future__ import annotations

from dataclasses import dataclass

from lastro.stores.postgres.view import Pool
from lastro.units import Mass, total
from lastro.web import office


def entities_of(verifier: str) -> tuple[str, ...]:
    """The entities under contract with a verifier today."""
    known, today = office.registry(), office.today()
    named = sorted({str(row["entity"]) for row in known.tables["contracts"] if row["verifier"] == verifier})
    return tuple(entity for entity in named if verifier in known.verifier_for(entity, today))


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
