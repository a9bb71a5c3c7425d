"""B1: from zips to judged rows, every signature verified, beside two others and the floor.

What is timed of lastro is what `lastro verify` does with its files, called as it calls it: two passes, with
what the files say of each other, under the norm and with the registry.
"""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median
from typing import Any

from bench.corpus import Corpus, corpus
from bench.figures import spread, table
from bench.peers import Facts, facts_of, floor, members, p1, p2
from lastro import trust
from lastro.cli.verify import _question
from lastro.engine.files import Judge, Question, judged, pack, unpacked
from lastro.engine.local import LocalEngine
from lastro.evidence import Context, Place, Together, authenticate, fast, read, ready, sources
from lastro.evidence.judge import look_at
from lastro.facts import Basis, Document, Outcome, Verdict
from lastro.registry.read import registry_of

TODAY = date(2026, 12, 31)
NORM = "mt/decreto_1455_2025"
_P1_OF, _P2_OF = 100, 20
"""Every so many notes go to the slower ones: a sample spread over all zips."""


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
    print(f"B1: {notes} notas, corpo {of.digest[:16]}…, {rounds} rodadas de todas as notas")
    _equal(here, of.zips[0])
    one_core(here, of.zips, rounds)
    two_processes(notes, min(rounds, 7))
    memory(memories, min(rounds, 3))


def _equal(here: Setting, path: Path) -> None:
    """See that all say the same of the notes of one zip, the long way too, and that none was refused."""
    data = list(members(path))
    rows = list(here.rows([path, path], workers=1))[len(data) :]  # the second time, nothing is new
    ours = [facts_of(document) for document, _ in rows]
    for name, peer, step in (("P1", p1, 5), ("P2", p2, 1)):
        theirs: list[Facts] = [peer(d) for d in data[::step]]
        assert theirs == ours[::step], f"{name} e lastro não dizem o mesmo"
    ask = here.question.asker()
    for (document, verdict), source in zip(rows, sources([path]), strict=True):
        place = Place(source.file, source.member, document.sha256)
        (long,) = (authenticate(one, place=place, context=here.context) for one in read(source.data))
        assert (document, verdict) == (long, ask(long)), f"os dois caminhos diferem em {source.member}"
    outcomes = Counter(verdict.outcome for _, verdict in rows)
    assert set(outcomes) == {Outcome.ADMITTED}, outcomes
    print(f"P1, P2, o caminho longo e lastro dizem o mesmo das notas de um zip; vereditos: {dict(outcomes)}")


def one_core(here: Setting, zips: list[Path], rounds: int) -> None:
    """Everyone in turn, lastro and the floor on every note; ratios of the same round.

    Each round of lastro is a run of its own that begins knowing no seller, buyer or goods.
    """
    names = {
        "P1": "P1  nfelib ajustado + signxml",
        "P2": "P2  lxml + XSD + C14N + cryptography",
        "long": "    lastro, só ler e conferir, caminho longo",
        "read": "    lastro, do zip, só ler e conferir",
        "lastro": "    lastro verify, do zip ao veredito sob a norma",
        "F": "F   o mínimo: inflar, SHA-1, RSA",
    }
    taken: dict[str, list[float]] = {name: [] for name in names}
    few = [data for path in zips for data in members(path, _P1_OF)]
    more = [data for path in zips for data in members(path, _P2_OF)]
    least = [floor(path) for path in zips]
    work: list[tuple[str, Callable[[], int]]] = [
        ("P1", lambda: sum(1 for data in few if p1(data))),
        ("P2", lambda: sum(1 for data in more if p2(data))),
        ("F", lambda: sum(one() for one in least)),
        ("long", lambda: sum(len(read(data)) for data in few)),
        ("read", lambda: sum(1 for source in sources(zips) if fast.seen(source.data))),
        ("lastro", lambda: _count(here.rows(zips, workers=1))),
    ]
    for number in range(rounds):
        for name, one in work[number % 6 :] + work[: number % 6]:
            taken[name].append(_cpu(one))
    rows = [("", "µs por nota (só informa)", "vezes o lastro")]
    for key, name in names.items():
        rows.append((name, f"{median(taken[key]):.0f}", spread(_ratios(taken[key], taken["lastro"]))))
    table("B1, um núcleo", rows)
    for name, of in (("lastro verify / F", taken["lastro"]), ("só ler e conferir / F", taken["read"])):
        print(f"  {name}: {spread(_ratios(of, taken['F']))}")
    for name in ("P1", "P2"):
        print(f"  {name} / só ler e conferir: {spread(_ratios(taken[name], taken['read']))}")


def _ratios(ones: list[float], others: list[float]) -> list[float]:
    """Of each round, how many times the one is the other."""
    return [a / b for a, b in zip(ones, others, strict=True)]


# ── runs in processes of their own ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Run:
    """A run that judged a whole corpus, alone in a new process: microseconds for each note, and memory."""

    wall: float
    own: float
    workers: float
    mebibytes: float


def alone(size: int, workers: int = 1) -> Run:
    """Judge a corpus in a process started for it; its loading of programs is not counted."""
    command = [sys.executable, "-m", "bench.b1", str(size), str(workers)]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return Run(*map(float, told))


def two_processes(size: int, rounds: int) -> None:
    """One process and two on the same files: wall time, start of the processes included, and where the
    processor's time goes; on a busy machine only the second says something.
    """
    one: list[Run] = []
    two: list[Run] = []
    for number in range(rounds):
        for count in (1, 2) if number % 2 else (2, 1):
            (one if count == 1 else two).append(alone(size, count))
    walls = _ratios([r.wall for r in one], [r.wall for r in two])
    bounds = [max(r.own, r.workers / 2, (r.own + r.workers) / 2) for r in two]
    rows = [
        ("tempo de parede, um / dois", spread(walls)),
        ("por tempo de processador, com dois núcleos livres", spread(_ratios([r.own for r in one], bounds))),
        ("µs de processador por nota: um processo", f"{median(r.own for r in one):.0f}"),
        ("  com dois: o que lê e soma", f"{median(r.own for r in two):.0f}"),
        ("  com dois: os que julgam, início incluído", f"{median(r.workers for r in two):.0f}"),
    ]
    table(f"B1, dois processos sobre {size} notas", rows)


def memory(sizes: tuple[int, ...], rounds: int) -> None:
    """The most memory that a process of its own holds, and what a note costs it, for some sizes in turn."""
    for size in sizes:
        corpus(size)
    runs = [[alone(size) for size in sizes] for _ in range(rounds)]
    rows = [("notas", "memória, MiB", "vezes a menor", "custo por nota, vezes a menor")]
    for n, size in enumerate(sizes):
        held = median(each[n].mebibytes for each in runs)
        more = spread([each[n].mebibytes / each[0].mebibytes for each in runs])
        cost = spread([each[n].own / each[0].own for each in runs])
        rows.append((str(size), f"{held:.0f}", more, cost))
    table("B1, memória e custo de um processo que julga tudo", rows)


def _processor() -> tuple[float, float]:
    """Seconds of processor time so far: of this process, and of those it started that have ended."""
    own, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, theirs.ru_utime + theirs.ru_stime


def _alone(size: int, workers: int) -> None:
    """Judge a whole corpus in this process; say what `Run` holds."""
    of = corpus(size)
    here = setting(of)
    start, before = time.perf_counter(), _processor()
    notes = _count(here.rows(of.zips, workers=workers))
    wall, after = time.perf_counter() - start, _processor()
    spent = (wall, after[0] - before[0], after[1] - before[1])
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(*(f"{seconds / notes * 1e6:.1f}" for seconds in spent), f"{most:.1f}")


# ── where the time goes ──────────────────────────────────────────────────────────────────────────────


def profile(notes: int) -> None:
    """Print what each step of the work costs a note, one step at a time over the same notes."""
    of = corpus(notes)
    here = setting(of)
    judge = Judge(here.context, here.question)
    for source in sources(of.zips[:12]):
        judge([source])
    rows = [("passo", "µs por nota (só informa)")]
    given = of.zips[12:16] or of.zips[:4]

    def step(name: str, work: Callable[[], list[Any]], *, of: int = 0) -> list[Any]:
        gc.collect()
        start = time.process_time()
        made = work()
        rows.append((name, f"{(time.process_time() - start) / (of or len(made)) * 1e6:.1f}"))
        return made

    found = step("abrir o zip e inflar", lambda: list(sources(given)))
    looks = step("SHA-256 do arquivo, SHA-1, RSA, formas e textos", lambda: [look_at(s) for s in found])
    assert judge.plain is not None
    plain = judge.plain
    made = step("julgar: chave, dia, partes, certificado, itens", lambda: [
        row for look in looks if look.seen and (row := plain.row(look.seen, look.place))
    ])  # fmt: skip
    packs = step("guardar", lambda: [
        pack(made[n : n + 64], said=plain.said) for n in range(0, len(made), 64)
    ], of=len(made))  # fmt: skip
    with closing(Together()) as together:
        gists = [gist for one in packs for gist in one.gists]
        step("o que um arquivo faz aos outros", lambda: [*map(together.hear, gists)])
        done = step("retomar", lambda: [row for one in packs for row in unpacked(one.answers)])
        step("conferir com os outros", lambda: [together.apply(document) for document, _ in done])
    rows.append(("notas que foram pelo caminho longo", f"{len(found) - len(made)} de {len(found)}"))
    table("B1, onde vai o tempo de uma nota", rows)


if __name__ == "__main__":
    _alone(int(sys.argv[1]), int(sys.argv[2]))
