"""B3: the targets of very many companies settled, beside a plain loop in Python without explanation.

Both must say the same of every company and material, exactly. Ours is what `lastro simulate` calls
(`lastro.obligations.settle`), with the norm's own dated values and rules; the loop knows by heart what this
population needs of them. Then one company is explained, and must come to the same milligrams.
"""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction
from statistics import median

from bench.figures import spread, table
from lastro.engine.local import LocalEngine
from lastro.facts import Basis, CompanyFacts, Placement, Retired, TargetRow
from lastro.ids import Material, Origin
from lastro.lawkit import library
from lastro.lawkit.elections import Regional
from lastro.obligations import settle
from lastro.obligations.elections import propose
from lastro.units import ExactMass, Mass, Share

_NORM, _YEAR, _AS_OF = "mt/decreto_1455_2025", 2026, date(2027, 1, 15)
_SHARES = {"glass": "25%", "paper": "30%", "plastic": "22%", "metals": "32%"}
_MATERIALS = {
    "glass": Material.GLASS, "paper": Material.PAPER, "plastic": Material.PLASTIC, "metals": Material.STEEL,
}  # fmt: skip
_TARGETS = [
    TargetRow("embalagens_em_geral", group, _YEAR, share, "inventada", Basis.TEST)
    for group, share in _SHARES.items()
]
_CHUNK = 500
_WHO = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
Answer = tuple[str, str, int, int, int, bool]
"""Company, group, what is owed (numerator and denominator, in mg), what was proved, whether it is met."""


def companies(chunk: int) -> Iterator[CompanyFacts]:
    """Some hundred companies, the same for the same number: four materials each, two proofs of each."""
    rnd = random.Random(chunk)
    for number in range(chunk * _CHUNK, (chunk + 1) * _CHUNK):
        placed = tuple(
            Placement(_YEAR - 1, material, "MT", Mass(rnd.randrange(10**13)), Mass(0))
            for material in _MATERIALS.values()
        )
        retired = tuple(
            Retired(_YEAR, material, "MT", "", origin, Mass(rnd.randrange(2 * 10**12)))
            for material in _MATERIALS.values()
            for origin in (Origin.PICKER_ENTITY, Origin.MUNICIPAL)
        )
        yield CompanyFacts(f"ZZ{number:06d}", "large", "individual", placed, retired)


def ours(chunk: int) -> list[Answer]:
    """The positions of a chunk, by the norm."""
    regulation = library.find(_NORM)
    made: list[Answer] = []
    for company in companies(chunk):
        settled = settle(
            regulation, company, year=_YEAR, targets=_TARGETS, as_of=_AS_OF, basis=Basis.TEST, explain=False
        )
        for one in settled:
            assert one.obligation is not None
            owed = one.obligation.mg
            made.append(
                (one.company, one.material, owed.numerator, owed.denominator, one.achieved.mg, bool(one.met))
            )
    return made


def plain(chunk: int) -> list[Answer]:
    """The same by a loop that knows only what this population needs: share times mass, and what is proved."""
    shares = {group: Fraction(share[:-1]) / 100 for group, share in _SHARES.items()}
    made: list[Answer] = []
    for company in companies(chunk):
        for group, material in _MATERIALS.items():
            placed = [p.mass.mg for p in company.placed if p.material is material and p.year == _YEAR - 1]
            proved = [r.mass.mg for r in company.retired if r.material is material and r.year == _YEAR]
            owed, achieved = shares[group] * sum(placed), sum(proved)
            made.append((company.cnpj, group, owed.numerator, owed.denominator, achieved, achieved >= owed))
    return made


def run(*, positions: int, rounds: int) -> None:
    """Print ours beside the loop: one core in pairs of rounds, then all of it on the cores there are."""
    ratios = []
    for chunk in range(rounds):
        start = time.process_time()
        expected = plain(chunk)
        middle = time.process_time()
        got = ours(chunk)
        ratios.append((time.process_time() - middle) / (middle - start))
        assert sorted(got) == sorted(expected), "the two ways must say the same of every position"
    chunks = range(-(-positions // (_CHUNK * len(_SHARES))))
    whole, seconds = _all(ours, chunks)
    loop, loop_seconds = _all(plain, chunks)
    assert whole == loop, "the two ways must add up to the same"
    memory = max(resource.getrusage(who).ru_maxrss for who in _WHO) / 1024
    table(
        f"B3: {whole[0]} posições de Mato Grosso, sem explicação (iguais, uma a uma)",
        [
            ("", "nosso", "laço simples"),
            ("tempo de parede, todos os núcleos", f"{seconds:.0f} s", f"{loop_seconds:.0f} s"),
            ("nosso / laço, um núcleo", spread(ratios, digits=1), "1"),
            ("nosso / laço, todos os núcleos", f"{seconds / loop_seconds:.1f}".replace(".", ","), "1"),
            ("memória de um processo", f"{memory:.0f} MiB", ""),
        ],
    )
    _explained()
    _choices()
    assert median(ratios) > 0


def _all(function: Callable[[int], list[Answer]], chunks: range) -> tuple[tuple[int, int, int], float]:
    """How many positions, how many met, the sum owed in mg (each floored), and the seconds it took."""
    start = time.perf_counter()
    found = LocalEngine().map(_SUMS[function], chunks, failed=lambda n, why: (0, 0, 0))
    sums = [0, 0, 0]
    for one in found:
        sums = [a + b for a, b in zip(sums, one, strict=True)]
    return (sums[0], sums[1], sums[2]), time.perf_counter() - start


def _sums_ours(chunk: int) -> tuple[int, int, int]:
    return _sums(ours(chunk))


def _sums_plain(chunk: int) -> tuple[int, int, int]:
    return _sums(plain(chunk))


def _sums(made: list[Answer]) -> tuple[int, int, int]:
    return len(made), sum(one[5] for one in made), sum(one[2] // one[3] for one in made)


_SUMS = {ours: _sums_ours, plain: _sums_plain}


def _choices(companies: int = 5_000) -> None:
    """The best choice among regions of the metal draft, for many companies: seconds and choices tried."""
    metal = library.find("br/minuta_metal_2022")
    law = metal.law(date(_YEAR, 12, 31))
    rnd = random.Random(51)
    names = ("N", "NE", "CO", "SE", "S")
    tried = met = 0
    start = time.process_time()
    for _ in range(companies):
        percents = [rnd.randrange(1, 20) for _ in names]
        placed = [rnd.choice((0, rnd.randrange(10**9))) for _ in names]
        found = propose(metal, law, Regional(
            {n: Share(Fraction(p, 100)) for n, p in zip(names, percents, strict=True)},
            Share(Fraction(sum(percents), 100)),
            {n: ExactMass(Fraction(p)) for n, p in zip(names, placed, strict=True)},
            {n: ExactMass(Fraction(rnd.randrange(5 * 10**8))) for n in names},
        ))  # fmt: skip
        tried += found.tried
        met += found.judged.all_met
    each = (time.process_time() - start) / companies
    print(
        f"  Escolhas entre regiões: {companies} empresas, {each * 1000:.1f} ms cada, {tried} escolhas, "
        f"{met} cumprem tudo."
    )


def _explained() -> None:
    """Ask one company again with its explanation: the same milligrams, and every step with its article."""
    company = next(companies(7))
    told = settle(library.find(_NORM), company, year=_YEAR, targets=_TARGETS, as_of=_AS_OF, basis=Basis.TEST)
    quick = {answer[1]: answer for answer in ours(7) if answer[0] == company.cnpj}
    for one in told:
        assert one.obligation is not None
        owed, mine = one.obligation.mg, quick[one.material]
        assert (owed.numerator, owed.denominator, one.achieved.mg) == mine[2:5]
        assert one.trace.children, "an explanation has steps"
    print(
        f"  Explicação de {company.cnpj}: {sum(len(one.trace.lines()) for one in told)} linhas, mesma massa."
    )
