"""The whole walk on an invented year: `./run demo`.

Makes a sample world in `.demo/`, enters the notes of three managing entities, has their lots homologated,
retires them to companies, settles the targets and recounts everything; then opens the pages on it, unless
told not to (--no-serve). Nothing of it stands outside `.demo/`.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import shlex
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import click

from lastro.cli import app
from lastro.cli.common import table
from lastro.custody.port import For
from lastro.desk import settle_companies
from lastro.errors import LastroError
from lastro.evidence import sources
from lastro.facts import Severity, Verdict
from lastro.findings import verdict_of
from lastro.ids import masked
from lastro.pipeline import Seen, answers
from lastro.sample import build_world
from lastro.sample.points import point_list
from lastro.sample.world import Truth
from lastro.stores.postgres import Store
from lastro.stores.postgres.custody import custody
from lastro.web import guests, office
from lastro.web.readings import points
from lastro.web.serving import serve
from lastro.web.settings import Site

NORM = "mt/decreto_1455_2025"
YEAR = 2026
TODAY = "2027-03-15"
"""The day the demonstration runs on: the report of 2026 is due on 30 July 2027 (decision 22)."""

SEED, NOTES = 2026, 2000
"""The sample world's seed, and how many plain notes it has."""

PORT = 8000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the walk; 0 when everything came out as planted and the recount agrees."""
    asked = _asked(arguments)
    home = Path.cwd() / ".demo"
    world, data = home / "mundo", home / "dados"
    if os.name == "posix":
        from lastro.stores.postgres.place import destroy

        destroy(data)  # as root it may stand outside the folder
    shutil.rmtree(home, ignore_errors=True)
    os.environ.pop("DATABASE_URL", None)  # the demonstration never touches anyone's database
    os.environ.pop("LASTRO_OWNER_URL", None)
    walk = Walk(world, data)
    say(f"1. Um ano inventado: {asked.notes} notas, três entidades gestoras (em {_near(str(world))})")
    made = build_world(world, seed=SEED, notes=asked.notes)
    click.echo(_counted(made.truth))
    if asked.no_serve:
        with Store.open(data) as store:  # one server for the whole walk
            return 0 if _walked(walk, store) else 1
    site = Site(data, public_url=f"http://127.0.0.1:{asked.port}", today=date.fromisoformat(TODAY), demo=True)
    with office.opened(site) as store:
        if not _walked(walk, store):
            return 1
        people = walk.guests(store)
        password = guests.invite(people)
        shown = point_list("MT", number=14, since=date(YEAR, 1, 5))
        points.file_list(people[0].party, NORM, shown, by=people[0].email)
    return _pages(site, asked.port, people, password)


def _asked(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What was asked for on the command line; an unknown word ends with how it is called."""
    parser = argparse.ArgumentParser("./run demo", description="O caminho inteiro sobre um ano inventado.")
    parser.add_argument("--notes", type=int, default=NOTES, help=f"quantas notas sem falta (padrão: {NOTES})")
    parser.add_argument("--no-serve", action="store_true", help="termina sem abrir as páginas")
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"porta das páginas (padrão: {PORT}; 0: livre)"
    )
    return parser.parse_args(arguments)


def _walked(walk: Walk, store: Store) -> bool:
    """Every step of the walk; whether all came out as planted and the recount agrees."""
    walk.set_up()
    walk.enter()
    found = walk.found(store)
    walk.use()
    clean = found.show()
    return walk.settle() and clean


def _pages(site: Site, port: int, people: Sequence[guests.Guest], password: str) -> int:
    """Open the pages, and say where they are and who may come in."""

    def ready(at: int) -> None:
        say("8. As páginas")
        table(
            ["entre com", "papel", "em nome de"],
            [(p.email, p.role_label, masked(p.party) if p.party else "—") for p in people],
        )
        click.echo(f"Senha de todos: {password}")
        click.echo("O código do segundo fator aparece na própria página, só nesta demonstração.\n")
        click.echo(f"Páginas:              http://127.0.0.1:{at}/")
        click.echo(f"Conferir certificado: http://127.0.0.1:{at}/conferir/ (sem entrar)")
        click.echo("\nAna prepara um certificado, Bento autoriza, qualquer um confere. Ctrl-C encerra.")
        sys.stdout.flush()

    try:
        serve(site, host="127.0.0.1", port=port, threads=8, worker=True, ready=ready)
    except LastroError as wrong:  # somebody else listens there
        click.echo(f"{wrong} Usando uma porta livre.")
        serve(site, host="127.0.0.1", port=0, threads=8, worker=True, ready=ready)
    return 0


def _near(word: str) -> str:
    """A path as seen from here, quoted where a shell would ask for it."""
    return shlex.quote(word.replace(str(Path.cwd()) + os.sep, ""))


def say(text: str) -> None:
    """A heading of the walk."""
    click.echo(f"\n── {text} ──\n")


def _counted(truth: Sequence[Truth]) -> str:
    """How many files of each kind the world holds, in words."""
    roles = Counter(row.role for row in truth)
    return (
        f"{len(truth)} arquivos: {roles['plain']} notas comuns, {roles['fault']} com uma falta plantada, "
        f"{roles['near_miss']} quase-faltas, {roles['event']} eventos, {roles['paper']} MTR e CDF, "
        f"{roles['support']} arquivos que os acompanham."
    )


@contextmanager
def _silence(quiet: bool) -> Iterator[None]:
    """Keep a verb's answer from the screen; its errors still show."""
    with redirect_stdout(io.StringIO()) if quiet else nullcontext():
        yield


_HEAVY = {Severity.REFUSE, Severity.REVIEW, Severity.ZERO}


@dataclass
class _Tally:
    """How the planted files of one code came out."""

    planted: int = 0
    found: int = 0
    near: int = 0
    mistaken: int = 0


@dataclass
class Confusion:
    """What was planted against what was found, code by code."""

    by_code: defaultdict[str, _Tally] = field(default_factory=lambda: defaultdict(_Tally))
    plain: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, row: Mapping[str, str], told: Sequence[Verdict]) -> None:
        """Compare one file's truth with the answers on its documents."""
        expected = set(row["expected_codes"].split(";")) - {""}
        allowed = expected | set(row["tolerated_codes"].split(";"))
        every = [f for v in told for f in (*v.findings, *(f for x in v.lines for f in x.findings))]
        codes = {f.code for f in every}
        stray = {f.code for f in every if f.severity in _HEAVY} - allowed
        verdicts = {v.outcome.value for v in told}
        if not row["expected_verdict"]:  # an event: what it does shows on its note
            stray, verdicts = set(), {""}
        code = row["fault"].partition("-")[0]
        if row["role"] == "near_miss":  # a warning, too, would take it for the fault that it looks like
            stray |= {code} & codes - allowed
        right = expected <= codes and not stray and verdicts == {row["expected_verdict"]}
        if row["role"] == "fault":
            self.by_code[code].planted += 1
            self.by_code[code].found += right
        elif row["role"] == "near_miss":
            self.by_code[code].near += 1
            self.by_code[code].mistaken += not right
        else:
            self.plain += 1
        if not right:
            name = row["member"] or row["path"]
            self.wrong.append(
                f"{row['fault'] or row['role']} {name}: esperado {row['expected_verdict']} "
                f"{' '.join(sorted(expected)) or '(nada)'}; veio {' '.join(sorted(verdicts)) or 'nada'} "
                f"{' '.join(sorted(codes - {'N18'})) or '(nada)'}"
            )

    def show(self) -> bool:
        """Write the table; True when every fault was found by its code and nothing else was refused."""
        say("O que foi plantado e o que foi achado")
        table(
            ["código", "plantadas", "achadas", "quase-faltas", "tomadas por falta"],
            [(c, t.planted, t.found, t.near, t.mistaken) for c, t in sorted(self.by_code.items())],
            right=(1, 2, 3, 4),
        )
        planted = sum(t.planted for t in self.by_code.values())
        click.echo(
            f"{sum(t.found for t in self.by_code.values())} de {planted} faltas achadas pelo código certo; "
            f"{len(self.wrong)} arquivos fora do esperado; {self.plain} sem falta."
        )
        for line in self.wrong[:50]:
            click.echo(f"  {line}")
        return not self.wrong


@dataclass(frozen=True)
class Walk:
    """The steps, each a verb that anyone can type."""

    world: Path
    data: Path

    @property
    def entities(self) -> list[str]:
        return sorted(folder.name for folder in (self.world / "notas").iterdir())

    def verb(self, *words: str, quiet: bool = False, shown: bool = True) -> int:
        """Run one verb of the command line, shown as it would be typed."""
        if shown:
            click.echo(f"$ lastro {' '.join(_near(w) for w in words)}")
        options = ["--data", str(self.data), "--today", TODAY]
        with _silence(quiet):
            code = app.main([*options, *words], prog_name="lastro", standalone_mode=False)
        return code or 0

    def set_up(self) -> None:
        say(
            "2. Confiança, cadastro e metas (ilustrativas: a Tabela 1 do decreto não está no texto que temos)"
        )
        for root in sorted((self.world / "trust").glob("*.pem")):
            self.verb("trust", "add", str(root), "--kind", "test", quiet=True)
        self.verb("registry", "load", str(self.world / "cadastro.json"), quiet=True)
        self.verb("law", "load", NORM, "targets", str(self.world / "metas_ilustrativas.csv"), quiet=True)

    def enter(self) -> None:
        say("3. Entrada: cada arquivo julgado, cada massa contada uma vez")
        for entity in self.entities:
            folder = self.world / "notas" / entity
            self.verb(
                "enter", str(folder), "--entity", entity, "--norm", NORM, "--year", str(YEAR), quiet=True
            )
        self.verb("pools")
        self.verb("lots", "--contested")

    def found(self, store: Store) -> Confusion:
        """What was found on each planted file, as things stand after everyone entered."""
        with (self.world / "verdade.csv").open(newline="", encoding="utf-8") as opened:
            truth = [row for row in csv.DictReader(opened) if Path(row["path"]).name != "lote.csv"]
        confusion = Confusion()
        for entity in self.entities:
            rows = [row for row in truth if row["entity"] == entity]
            seen, digests = [], set[str]()
            for row in rows:
                known = row["sha256"] in digests
                seen.append(Seen(row["path"], row["member"] or None, row["sha256"], earlier=known))
                digests.add(row["sha256"])
            whom = For(entity, NORM, YEAR)
            told: defaultdict[tuple[str, str | None], list[Verdict]] = defaultdict(list)
            for document, verdict in answers(seen, whom=whom, remember=partial(custody, store)):
                told[document.file, document.member].append(verdict)
            for row in rows:
                answered = told.get((row["path"], row["member"] or None)) or self._not_kept(row["path"])
                confusion.add(row, answered)
        return confusion

    def _not_kept(self, path: str) -> list[Verdict]:
        """What is said of a file that is told and not kept, as one that runs is: it is looked at again."""
        found = [one for one in sources([self.world / path]) if one.problem is not None and not one.data]
        return [verdict_of((one.problem,), ()) for one in found if one.problem is not None]

    def use(self) -> None:
        say("4. O verificador declara os lotes; as entidades os baixam para as empresas")
        for entity in self.entities:
            self.verb(
                "homologate", "--verifier", self._verifier(entity), "--entity", entity, "--year", str(YEAR)
            )
        for n, company in enumerate(self._companies()):
            (path,) = (self.world / "declaracoes").glob(f"{company}.*")
            self.verb(
                "declare", str(path), "--company", self._establishment(company), quiet=True, shown=n < 2
            )
        click.echo(f"… {len(self._companies())} empresas declararam.")
        click.echo("\nUma planilha quebrada volta com os erros marcados:\n")
        broken = self.world / "declaracoes" / "quebrada.csv"
        self.verb("declare", str(broken), "--company", self._establishment(self._companies()[0]))
        refused = 0
        for n, row in enumerate(self._retirements(), start=1):
            refused += self.verb(
                *("retire", "--from", "lots", "--entity", row["entity"], "--to", row["establishment"]),
                *("--material", row["material"], "--kg", row["kg"], "--year", row["year"]),
                quiet=True,
                shown=n < 3,
            )
        click.echo(f"… {n - refused} baixas feitas, {refused} recusadas.\n")
        self.verb("pools")

    def settle(self) -> bool:
        """Positions of every company, one of them explained; then the recount. False if it disagrees."""
        say("5. Posições: quem cumpre, quanto falta e por quê (metas ilustrativas)")
        self.verb("settle", "--norm", NORM, "--year", str(YEAR))
        say("6. Um número, com tudo em que se apoia")
        self.verb(
            "settle", "--norm", NORM, "--year", str(YEAR), "--company", self._companies()[0], "--explain"
        )
        say("7. Recontagem a partir do nada")
        return self.verb("audit") == 0

    def guests(self, store: Store) -> list[guests.Guest]:
        """Who may come in to the pages; the company is one that falls short, if there is one."""
        settled = settle_companies(
            store, NORM, year=YEAR, company=None, data=self.data, today=date.fromisoformat(TODAY)
        )
        short = [facts.cnpj for facts, positions in settled if any(p.met is False for p in positions)]
        company = next((c for c in self._companies() if c in short), self._companies()[0])
        first = self.entities[0]
        return guests.guests(
            self.entities,
            verifier=self._verifier(first),
            company=self._establishment(company),
            operator=min(str(r["operator"]) for r in self._registry()["vettings"] if r["entity"] == first),
            recycler=min(str(r["cnpj"]) for r in self._registry()["roles"] if r["role"] == "recycler"),
        )

    def _verifier(self, entity: str) -> str:
        contracts = self._registry()["contracts"]
        return next(str(row["verifier"]) for row in contracts if row["entity"] == entity)

    def _establishment(self, company: str) -> str:
        cnpjs = (str(row["cnpj"]) for row in self._registry()["parties"])
        return min(cnpj for cnpj in cnpjs if cnpj.startswith(company))

    def _companies(self) -> list[str]:
        stems = {path.stem for path in (self.world / "declaracoes").iterdir()} - {"quebrada"}
        return sorted(stems)

    def _registry(self) -> Mapping[str, list[dict[str, Any]]]:
        registry: Mapping[str, list[dict[str, Any]]] = json.loads((self.world / "cadastro.json").read_text())
        return registry

    def _retirements(self) -> Iterator[dict[str, str]]:
        with (self.world / "retiradas.csv").open(newline="", encoding="utf-8") as opened:
            yield from csv.DictReader(opened)


if __name__ == "__main__":
    sys.exit(main())
