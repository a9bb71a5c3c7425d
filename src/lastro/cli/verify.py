"""`lastro verify`: reads and judges files, folders and zips; writes nothing to the store."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from lastro.cli.common import CNPJ, YEAR, Settings, counted, shared_options, table
from lastro.errors import LastroError
from lastro.facts import Basis, Document, Outcome, Severity, Verdict
from lastro.findings import catalogue
from lastro.lawkit.glossary import capital, label
from lastro.units import Mass, portuguese, total

if TYPE_CHECKING:
    from lastro.engine.files import Question
    from lastro.engine.local import LocalEngine
    from lastro.engine.spark import SparkEngine
    from lastro.evidence import Context
    from lastro.registry import Registry

_LISTED = 40
_WORDS = {Outcome.ADMITTED: "aceitas", Outcome.REVIEW: "a conferir", Outcome.REFUSED: "recusadas"}
_FORMS = {"valid": "segue o XSD", "invalid": "não segue o XSD", "not_checked": "não conferida"}
_MARKS = {Severity.REFUSE: "recusa", Severity.REVIEW: "a conferir", Severity.ZERO: "não conta",
          Severity.WARN: "aviso", Severity.INFO: "informa"}  # fmt: skip


@click.command("verify", help="Lê e julga arquivos, pastas e zips de notas; nada é gravado no depósito.")
@click.argument("paths", metavar="CAMINHO…", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--norm", metavar="NORMA", help="Norma sob a qual julgar, como mt/decreto_1455_2025.")
@click.option("--year", type=YEAR, help="Ano da meta (padrão: o ano de hoje).")
@click.option("--entity", type=CNPJ, help="CNPJ da entidade gestora que homologou os operadores.")
@click.option("--registry", type=click.Path(path_type=Path, dir_okay=False), help="Arquivo do cadastro.")
@click.option(
    "--trust", type=click.Path(path_type=Path, file_okay=False), help="Pasta de raízes de confiança."
)
@click.option("--engine", type=click.Choice(["local", "spark"]), default="local", help="Onde rodar.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processos a usar (padrão: um por núcleo).")
@click.option("--schema", is_flag=True, help="Diz também se cada arquivo segue o seu XSD (nada decide).")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Pasta para os Parquet.")
@shared_options
@click.pass_context
def command(
    ctx: click.Context,
    settings: Settings,
    paths: tuple[Path, ...],
    norm: str | None,
    year: int | None,
    entity: str | None,
    registry: Path | None,
    trust: Path | None,
    engine: str,
    workers: int | None,
    schema: bool,
    out: Path | None,
) -> None:
    """Judge every document under the paths; exit 1 if any was refused."""
    from lastro.connectors.clamd import configured
    from lastro.engine.files import judged
    from lastro.evidence import sources

    context = replace(_context(settings, trust), schemas=schema)
    parties = _registry(registry) if registry else _stored_registry(ctx, settings)
    question = _question(settings.today, norm=norm, year=year, entity=entity, parties=parties)
    summary = Summary()
    with tempfile.TemporaryDirectory(prefix="lastro-") as folder, _engine(engine, workers) as ready:
        sheets = _Sheets(Path(folder)) if out else None
        for document, verdict in judged(
            counted(sources(paths, scan=configured())), context=context, question=question, engine=ready
        ):
            summary.add(document, verdict)
            if sheets or settings.as_json:
                _write(document, verdict, settings, sheets)
        if sheets and out:
            sheets.to_parquet(out)
    if not settings.as_json:
        summary.show(settings.lang, schema=schema)
    if summary.outcomes[Outcome.REFUSED]:
        ctx.exit(1)


def _write(document: Document, verdict: Verdict, settings: Settings, sheets: _Sheets | None) -> None:
    from lastro.evidence import document_json

    made = document_json(document, verdict, lang=settings.lang)
    if sheets:
        sheets.add(made)
    if settings.as_json:
        click.echo(json.dumps(made, ensure_ascii=False, separators=(",", ":")))


# ── what the run leans on ────────────────────────────────────────────────────────────────────────────


def _context(settings: Settings, folder: Path | None) -> Context:
    """The day and the trusted certificates: of --trust, else of the data folder; none means S05 on all."""
    from lastro import trust
    from lastro.evidence import Context, ready

    if folder is not None and not folder.is_dir():
        raise LastroError(f"A pasta de confiança {folder} não existe.")
    ready()
    store = trust.load(folder or settings.data / "trust")
    basis = Basis.TEST if store.kind == "test" else Basis.OFFICIAL
    return Context(today=settings.today, trust=store.certificates, basis=basis)


def _engine(name: str, workers: int | None) -> LocalEngine | SparkEngine:
    if name == "spark":
        from lastro.engine.spark import SparkEngine

        return SparkEngine(workers)
    from lastro.engine.local import LocalEngine

    return LocalEngine(workers)


def _question(
    today: date, *, norm: str | None, year: int | None, entity: str | None, parties: Registry | None
) -> Question:
    """The question asked of each document. With a norm and no year, the year is today's."""
    from lastro.engine.files import Question

    if norm is None:
        return Question(None, year, entity, parties)
    from lastro.lawkit import library

    regulation = library.find(norm)
    if regulation.admits is None:
        raise LastroError(f"{regulation.norm.short_title} não diz que notas aceita; escolha outra norma.")
    target = year or today.year
    if parties is not None:
        from lastro.desk import under

        parties = under(regulation, parties, year=target)
    return Question(norm, target, entity, parties)


def _stored_registry(ctx: click.Context, settings: Settings) -> Registry | None:
    """The registry of a store that --data names and that is there; never of the default one (decision 14)."""
    named = any(
        at.get_parameter_source("data") is ParameterSource.COMMANDLINE for at in (ctx, ctx.find_root())
    )
    from lastro.stores.postgres import Store

    if not named or not Store.stands(settings.data):
        return None
    from lastro.stores.postgres.registry import registry

    with Store.open(settings.data) as store:
        return registry(store)


def _registry(file: Path) -> Registry:
    from lastro.registry.read import registry_of

    try:
        return registry_of(file.name, file.read_bytes())
    except OSError as wrong:
        raise LastroError(f"Não consegui abrir o cadastro {file}: {wrong.strerror}.") from wrong


# ── Parquet ──────────────────────────────────────────────────────────────────────────────────────────

_COLUMNS = {
    "documents": {
        "file": "VARCHAR", "member": "VARCHAR", "sha256": "VARCHAR", "kind": "VARCHAR", "name": "VARCHAR",
        "access_key": "VARCHAR", "content_digest": "VARCHAR", "issued_on": "DATE", "issuer": "VARCHAR",
        "recipient": "VARCHAR", "self_issued": "BOOLEAN", "status": "VARCHAR", "status_source": "VARCHAR",
        "basis": "VARCHAR", "signature": "VARCHAR", "signer": "VARCHAR", "verdict": "VARCHAR",
        "document": "BIGINT",
    },
    "lines": {
        "document": "BIGINT", "access_key": "VARCHAR", "line": "INTEGER", "ncm": "VARCHAR", "cfop": "VARCHAR",
        "material": "VARCHAR", "mass_mg": "BIGINT", "unit": "VARCHAR", "verdict": "VARCHAR",
        "counts": "BOOLEAN", "municipality": "VARCHAR", "municipality_source": "VARCHAR", "origin": "VARCHAR",
    },
    "findings": {
        "document": "BIGINT", "access_key": "VARCHAR", "line": "INTEGER", "code": "VARCHAR",
        "severity": "VARCHAR", "where": "VARCHAR", "found": "VARCHAR", "expected": "VARCHAR",
        "article": "VARCHAR",
    },
}  # fmt: skip


class _Sheets:
    """The answers as three tables: rows gathered on disk, then turned into Parquet at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, IO[str]] = {
            name: (folder / f"{name}.ndjson").open("w", encoding="utf-8") for name in _COLUMNS
        }
        self._count = 0

    def add(self, made: dict[str, Any]) -> None:
        """Take one document, numbered in the order of the run."""
        self._count += 1
        by = {"document": self._count, "access_key": made["access_key"]}
        self._row("documents", {**made, **by})
        for seen in made["findings"]:
            self._row("findings", {**seen, **by, "line": None})
        for line in made["lines"]:
            self._row("lines", {**line, **by})
            for seen in line["findings"]:
                self._row("findings", {**seen, **by, "line": line["line"]})

    def _row(self, name: str, values: dict[str, Any]) -> None:
        row = {column: values.get(column) for column in _COLUMNS[name]}
        self._files[name].write(json.dumps(row, ensure_ascii=False) + "\n")

    def to_parquet(self, out: Path) -> None:
        """Write documents.parquet, lines.parquet and findings.parquet."""
        import duckdb

        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as wrong:
            raise LastroError(f"Não consegui criar a pasta {out}: {wrong.strerror}.") from wrong
        with duckdb.connect() as database:
            for name, columns in _COLUMNS.items():
                self._files[name].close()
                source = database.read_json(
                    str(self._folder / f"{name}.ndjson"), columns=columns, format="newline_delimited"
                )
                source.write_parquet(str(out / f"{name}.parquet"))


# ── what a person reads ──────────────────────────────────────────────────────────────────────────────


@dataclass
class Summary:
    """Counts of a run, and the first refused files."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    masses: dict[str, list[Mass]] = field(default_factory=dict)
    codes: Counter[tuple[str, Severity]] = field(default_factory=Counter)
    refused: list[tuple[str, str]] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    basis: Basis = Basis.OFFICIAL
    forms: Counter[str] = field(default_factory=Counter)

    def add(self, document: Document, verdict: Verdict) -> None:
        self.outcomes[verdict.outcome] += 1
        self.forms[document.conformity.state] += 1
        self.basis = self.basis.worst(document.basis)
        every = [*verdict.findings, *(f for line in verdict.lines for f in line.findings)]
        self.codes.update({(f.code, f.severity) for f in every})
        if verdict.outcome is Outcome.REFUSED:
            codes = sorted({f.code for f in every if f.severity in (Severity.REFUSE, Severity.ZERO)})
            name = ": ".join(filter(None, (document.file, document.member, document.part)))
            self.refused.append((name, " ".join(codes)))
        elif verdict.outcome is Outcome.ADMITTED and verdict.lines and document.access_key not in self.keys:
            # An event bears the key of its note, and has no lines: it must not stand in the note's place.
            self.keys.add(document.access_key)
            for line in verdict.lines:
                if line.counts and line.counted is not None and line.material is not None:
                    self.masses.setdefault(line.material.value, []).append(line.counted)

    def show(self, lang: str, *, schema: bool = False) -> None:
        """Write the tables: by verdict, by code with its cure, admitted masses, refused files."""
        if self.basis is not Basis.OFFICIAL:
            click.echo("TESTE: há documentos assinados sob uma raiz de teste; nada disto vale como prova.\n")
        rows = [(_WORDS[o], portuguese(str(self.outcomes[o]))) for o in Outcome]
        table(("Documentos", "Número"), rows, right=(1,))
        known = catalogue()
        by_code = sorted(self.codes.items(), key=lambda pair: (pair[0][0], pair[0][1].value))
        table(
            ("Código", "Efeito", "Documentos", "O que é", "Como resolver"),
            [
                (
                    code,
                    _MARKS[severity],
                    portuguese(str(number)),
                    known[code].message[lang],
                    known[code].cure[lang],
                )
                for (code, severity), number in by_code
            ],
            right=(2,),
        )
        if self.masses:
            rows = [
                (capital(label(material, lang=lang)), str(total(masses)))
                for material, masses in sorted(self.masses.items())
            ]
            table(("Material aceito", "Massa"), rows, right=(1,))
        if schema:
            rows = [(words, portuguese(str(self.forms[state]))) for state, words in _FORMS.items()]
            table(("Estrutura pelo XSD", "Documentos"), rows, right=(1,))
        if self.refused:
            table(("Arquivo recusado", "Códigos"), self.refused[:_LISTED])
            if len(self.refused) > _LISTED:
                click.echo(
                    f"… e mais {portuguese(str(len(self.refused) - _LISTED))} (veja todos com --json)."
                )
