"""B1: from zips to judged rows, every signature verified, beside two others and the floor.

What is timed of lastro is what `lastro verify` does with its files, called as it calls it: two passes, with
what the files say of each other, under the norm and with the registry.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median

from bench.corpus import Corpus, corpus
from bench.figures import spread, table
from bench.peers import Facts, facts_of, floor, members, p1, p2
from lastro import trust
from lastro.cli.verify import _question
from lastro.engine.files import Question, judged
from lastro.engine.local import LocalEngine
from lastro.evidence import Context, fast, read, ready, sources
from lastro.facts import Basis, Document, Outcome, Verdict
from lastro.registry.read import registry_of

TODAY = date(2026, 12, 31)
NORM = "mt/decreto_1455_2025"
_P1_OF_A_ZIP, _P2_OF_A_ZIP = 5, 2
"""Every so many notes of a zip go to the slower ones: a sample spread over it."""


@dataclass(frozen=True)
class Setting:
    """What a run leans on: the trusted roots, and the question asked of each document."""

    context: Context
    question: Question

    def rows(self, paths: list[Path], *, workers: int) -> Iterator[tuple[Document, Verdict]]:
        """Every document with its verdict, as `lastro verify` makes them."""
        engine = LocalEngine(workers)
        return judged(sources(paths), context=self.context, question=self.question, engine=engine)


def setting(of: Corpus) -> Setting:
    ready()
    parties = registry_of(of.registry.name, of.registry.read_bytes())
    entity = str(parties.tables["terms"][0]["entity"])
    question = _question(TODAY, norm=NORM, year=2026, entity=entity, parties=parties)
    roots = trust.load(of.trust)
    return Setting(Context(today=TODAY, trust=roots.certificates, basis=Basis.TEST), question)


def _cpu(work: Callable[[], int]) -> float:
    """Microseconds of this process's own time for each note of some work."""
    start = time.process_time()
    number = work()
    return (time.process_time() - start) / number * 1e6


def _count(rows: Iterator[tuple[Document, Verdict]]) -> int:
    return sum(1 for _ in rows)


def run(*, notes: int, rounds: int, memories: tuple[int, ...]) -> None:
    """Print the table of B1. Raises AssertionError where two contenders do not say the same."""
    of = corpus(notes)
    here = setting(of)
    zips = of.zips
    print(f"B1: {notes} notas, corpo {of.digest[:16]}…, {rounds} rodadas de um zip de 500 notas")
    _equal(here, zips[0])
    one_core(here, zips, rounds)
    two_processes(here, zips, min(rounds, 5))
    memory(memories)


def _equal(here: Setting, path: Path) -> None:
    """See that everyone says the same of the notes of one zip, and that none was refused."""
    rows = list(here.rows([path], workers=1))
    ours = [facts_of(document) for document, _ in rows]
    data = list(members(path))
    for name, peer, step in (("P1", p1, _P1_OF_A_ZIP), ("P2", p2, 1)):
        theirs: list[Facts] = [peer(d) for d in data[::step]]
        assert theirs == ours[::step], f"{name} e lastro não dizem o mesmo"
    outcomes = Counter(verdict.outcome for _, verdict in rows)
    assert set(outcomes) == {Outcome.ADMITTED}, outcomes
    print(f"P1, P2 e lastro dizem o mesmo das notas de um zip; vereditos: {dict(outcomes)}")


def one_core(here: Setting, zips: list[Path], rounds: int) -> None:
    """Rounds on zips not seen before, everyone in turn; ratios of the same round."""
    taken: dict[str, list[float]] = {"P1": [], "P2": [], "F": [], "long": [], "read": [], "lastro": []}
    for number in range(rounds):
        path = zips[(1 + number) % len(zips)]
        data = list(members(path))
        least = floor(path)
        work: list[tuple[str, Callable[[], int]]] = [
            ("P1", lambda p=path: sum(1 for d in members(p, _P1_OF_A_ZIP) if p1(d))),
            ("P2", lambda p=path: sum(1 for d in members(p, _P2_OF_A_ZIP) if p2(d))),
            ("F", least),
            ("long", lambda d=data: sum(len(read(one)) for one in d[::_P2_OF_A_ZIP])),
            ("read", lambda p=path: sum(1 for s in sources([p]) if fast.read(s.data))),
            ("lastro", lambda p=path: _count(here.rows([p], workers=1))),
        ]
        for name, one in work[number % 6 :] + work[: number % 6]:
            taken[name].append(_cpu(one))
    ours = taken["lastro"]
    rows = [("", "µs por nota (só informa)", "vezes o lastro")]
    names = {
        "P1": "P1  nfelib ajustado + signxml",
        "P2": "P2  lxml + XSD + C14N + cryptography",
        "long": "    lastro, só ler e conferir, caminho longo",
        "read": "    lastro, do zip, só ler e conferir",
        "lastro": "    lastro verify, do zip ao veredito sob a norma",
        "F": "F   o mínimo: inflar, SHA-1, RSA",
    }
    for key, name in names.items():
        ratios = [a / b for a, b in zip(taken[key], ours, strict=True)]
        rows.append((name, f"{median(taken[key]):.0f}", spread(ratios)))
    table("B1, um núcleo", rows)
    for name, of in (("lastro verify / F", ours), ("só ler e conferir / F", taken["read"])):
        print(f"  {name}: {spread([a / b for a, b in zip(of, taken['F'], strict=True)])}")
    for name in ("P1", "P2"):
        ratios = [a / b for a, b in zip(taken[name], taken["read"], strict=True)]
        print(f"  {name} / só ler e conferir: {spread(ratios)}")


def two_processes(here: Setting, zips: list[Path], rounds: int) -> None:
    """The same files by one process and by two: wall time, start of the processes included, and where the
    processor's time goes; on a busy machine only the second says something.
    """
    taken: dict[int, list[float]] = {1: [], 2: []}
    alone, parent, workers = [], [], []
    for number in range(rounds):
        for count in (1, 2) if number % 2 else (2, 1):
            start, before = time.perf_counter(), _processor()
            notes = _count(here.rows(zips, workers=count))
            own, theirs = (b - a for a, b in zip(before, _processor(), strict=True))
            taken[count].append((time.perf_counter() - start) / notes * 1e6)
            if count == 1:
                alone.append(own / notes * 1e6)
            else:
                parent.append(own / notes * 1e6)
                workers.append(theirs / notes * 1e6)
    walls = [a / b for a, b in zip(taken[1], taken[2], strict=True)]
    bounds = [a / max(p, w / 2, (p + w) / 2) for a, p, w in zip(alone, parent, workers, strict=True)]
    rows = [
        ("tempo de parede, um / dois", spread(walls)),
        ("por tempo de processador, com dois núcleos livres", spread(bounds)),
        ("µs de processador por nota: um processo", f"{median(alone):.0f}"),
        ("  com dois: o que lê e soma", f"{median(parent):.0f}"),
        ("  com dois: os que julgam, início incluído", f"{median(workers):.0f}"),
    ]
    table(f"B1, dois processos sobre {len(zips) * 500} notas", rows)


def _processor() -> tuple[float, float]:
    """Seconds of processor time so far: of this process, and of those it started that have ended."""
    own, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, theirs.ru_utime + theirs.ru_stime


def memory(sizes: tuple[int, ...]) -> None:
    """The most memory that a process of its own holds, and what a note costs it, for some sizes."""
    rows = [("notas", "memória, MiB", "µs por nota (só informa)")]
    for size in sizes:
        corpus(size)
        command = [sys.executable, "-m", "bench.b1", str(size)]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        rows.append((str(size), told[0], told[1]))
    table("B1, memória de um processo que julga tudo", rows)


def _alone(size: int) -> None:
    """Judge a whole corpus in this process; say the most memory it held, and its own time for each note."""
    of = corpus(size)
    here = setting(of)
    spent = _cpu(lambda: _count(here.rows(of.zips, workers=1)))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{most:.0f} {spent:.0f}")


if __name__ == "__main__":
    _alone(int(sys.argv[1]))
