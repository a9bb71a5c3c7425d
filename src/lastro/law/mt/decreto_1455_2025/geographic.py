"""The geographic target: municipalities of each band of population that were served (annex; art. 71)."""

from __future__ import annotations

from collections.abc import Iterable

from lastro.facts import CompanyFacts, Retired
from lastro.lawkit import Law, Note
from lastro.lawkit.trace import listening, silence
from lastro.tables.populations import Place, in_state
from lastro.units import Share, how_many

from . import plans, rules

BANDS = ("100.000 habitantes ou mais", "60.000 a 99.999 habitantes", "menos de 60.000 habitantes")


def geographic(
    law: Law, company: CompanyFacts, *, year: int, materials: Iterable[object], target: Share
) -> tuple[Note, ...]:
    """Each band's municipalities served against those that had to be; mass without a place is told."""
    wanted = set(materials)
    here = [r for r in company.retired if r.uf == law.norm.jurisdiction and r.mass.mg]
    mine = [r for r in here if r.year == year and r.material in wanted]
    if not any(r.municipality for r in mine):
        return ()
    rows = [r for r in mine if _counts(law, company, r)]
    if not all(r.municipality for r in rows):
        return (Note("Meta geográfica não apurada: falta o município de coleta (art. 71).", "T02"),)
    served = {r.municipality for r in rows}
    base = _base(law, company)
    notes = []
    with listening("Meta geográfica", article=law.norm.cite(("art71", "annex-2-a"))):
        for band, towns in zip(BANDS, _bands(law, base), strict=True):
            if towns:
                notes.append(_band(law, band, towns, served, target))
    unknown = [one for one in base if one.population is None]
    if unknown:
        lacking = how_many(len(unknown), "município", "municípios")
        notes.append(Note(f"{lacking} sem população conhecida, fora das faixas."))
    return tuple(notes)


def _counts(law: Law, company: CompanyFacts, row: Retired) -> bool:
    """Only mass that counts for the target shows that a municipality was served."""
    if (row.mass - row.aerosol - row.upstream_counted).mg <= 0:
        return False
    with silence():
        return row.origin is None or rules.origin_counts_in_scheme(
            law, origin=row.origin, scheme=company.scheme
        )


def _band(law: Law, band: str, towns: list[Place], served: set[str], target: Share) -> Note:
    population = towns[0].population
    assert population is not None, "a band has only municipalities whose people are counted"
    share = rules.geographic_target(law, target=target, population=population)
    needed = rules.towns_to_serve(law, geographic=share, towns=len(towns))
    reached = sum(one.code in served for one in towns)
    said = f"{reached} de {len(towns)} municípios atendidos, {needed} pedidos ({share})"
    return Note(f"Meta geográfica, {band}: {said}.", "" if reached >= needed else "T07")


def _base(law: Law, company: CompanyFacts) -> tuple[Place, ...]:
    """The municipalities that the company names, or all of the state."""
    here = in_state(law.norm.jurisdiction)
    named = next((e.get("codes") for e in company.elections if e.get("option") == "municipalities"), None)
    declared = [one for one in here if one.code in named] if isinstance(named, list) else None
    plans.municipalities_base(law, declared=None if declared is None else len(declared), in_state=len(here))
    return here if declared is None else tuple(declared)


def _bands(law: Law, base: tuple[Place, ...]) -> tuple[list[Place], list[Place], list[Place]]:
    known = [one for one in base if one.population is not None]
    large, medium = law.geographic.large.population, law.geographic.medium.population
    return (
        [one for one in known if (one.population or 0) >= large],
        [one for one in known if medium <= (one.population or 0) < large],
        [one for one in known if (one.population or 0) < medium],
    )
