"""The geographic target of Mato Grosso: municipalities served by band, against the second opinion."""

from __future__ import annotations

import re
from datetime import date
from random import Random

from lastro.facts import CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import Material, Origin
from lastro.lawkit import library
from lastro.tables.populations import in_state
from lastro.units import Mass, Share
from tests.oracle import mt
from tests.oracle.draws import percent, rounds

NORM = library.find("mt/decreto_1455_2025")
PLACES = {one.code: one.population for one in in_state("MT")}
LARGE = [code for code, people in PLACES.items() if people is not None and people >= 60_000]
SAID = re.compile(r"(\d+) de (\d+) municípios atendidos, (\d+) pedidos")
AWAY = "3550308"


def proof(rng: Random, code: str) -> tuple[mt.Proof, str]:
    origin = rng.choice(mt.FOUR) if rng.random() < 0.8 else rng.choice([*[one.value for one in Origin], None])
    mass = rng.choice((0, 5, 5, 5))
    aerosol, upstream = rng.choice((0, 0, mass)), 0
    if origin == "private_recycler" and not aerosol:
        upstream = rng.choice((0, mass))
    return mt.Proof("glass", "SP" if code == AWAY else "MT", origin, mass, aerosol, upstream), code


def test_bands_of_a_company() -> None:
    told = 0
    assert NORM.settles is not None
    assert NORM.obliges is not None
    for seed, rng in rounds("mt towns"):
        rate, scheme = percent(rng, 50), rng.choice(mt.SCHEMES)
        pool = [*LARGE, *rng.sample(sorted(PLACES), 40), AWAY]
        proofs = [proof(rng, rng.choice(pool)) for _ in range(rng.choice((0, 1, 5, 40)))]
        named = sorted(rng.sample(sorted(PLACES), rng.randint(1, 30))) if rng.random() < 0.4 else None
        points, rest = divmod(int(rate * 10_000), 100)
        law = NORM.law(
            date(2026, 12, 31),
            targets=[TargetRow("embalagens_em_geral", "glass", 2026, f"{points}.{rest:02d}%", "teste")],
        )
        company = CompanyFacts(
            "", "", scheme, (Placement(2025, Material.GLASS, "MT", Mass(1_000)),),
            tuple(
                Retired(2026, Material.GLASS, one.state, code, Origin(one.origin) if one.origin else None,
                        Mass(one.mass), Mass(one.aerosol), Mass(one.upstream))
                for one, code in proofs
            ),
            () if named is None else ({"option": "municipalities", "codes": named},),
        )  # fmt: skip
        owed = NORM.obliges(law, company, year=2026, group="glass")
        assert owed.target == Share(rate), seed
        answer = NORM.settles(law, company, year=2026, group="glass", owed={"glass": owed})
        base = {code: PLACES[code] for code in (PLACES if named is None else named)}
        served = {code for one, code in proofs if mt.proved([one], "glass", scheme)}
        wanted = mt.towns(rate, base, served)
        notes = [(SAID.search(note.text), note.code) for note in answer.notes]
        seen = [(tuple(map(int, found.groups())), code == "") for found, code in notes if found]
        asked = any(one.state == "MT" and one.mass for one, _ in proofs)  # nothing collected: nothing to tell
        assert seen == ([(one, one[0] >= one[2]) for one in wanted] if asked else []), seed
        told += bool(seen)
    assert told
