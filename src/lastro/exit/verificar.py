"""Checks an export of lastro on its own: one file, standard library only, Python 3.8 or later, no network.

    python3 verificar.py PASTA|ARQUIVO.zip [--resumo SHA256] [--arquivos PASTA]

Nothing of lastro is imported: what the export says is counted again here, by its own arithmetic. `--resumo` is the
digest of the manifest that was noted when the export was made; with it every byte is bound. `--arquivos` is a folder
with the documents and papers themselves, which an export does not carry; their digests are compared.
Exit 0 if all holds, 1 if anything does not, 2 if there is nothing to check.
"""

# ruff: noqa: UP031, E501
from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import sys
import unicodedata
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

FORMAT = "lastro-export-1"
SHOWN = 20
ENTRY = (
    "n", "debit", "credit", "mass_mg", "reason", "access_key", "line", "claimant", "material", "issued_on", "issuer",
    "recipient", "municipality", "municipality_source", "origin", "year", "norm", "book", "happened_on", "reference",
)  # fmt: skip
FACTS = (
    "material", "issued_on", "issuer", "recipient", "municipality", "municipality_source", "origin", "year", "norm",
    "book",
)  # fmt: skip
ENTER = ("contested", "cancelled", "withdrawn", "decided", "verdict")
WAYS: dict[str, Any] = {
    "enter": (("source", "lot"),),
    "retire": (("lot", "retired"), ("certificate", "retired")),
    "issue": (("lot", "certificate"),),
    "reverse": (("certificate", "lot"),),
    "divide": (("certificate", "certificate"),),
    "annul": (("certificate", "annulled"), ("retired", "annulled")),
}
WAYS.update(dict.fromkeys(ENTER, (("lot", "source"),)))
STEPS = {
    ("offered", "sell"): "replaced",
    ("offered", "withdraw"): "withdrawn",
    ("prepared", "authorise"): "authorised",
    ("prepared", "refuse"): "refused",
    ("prepared", "withdraw"): "withdrawn",
    ("authorised", "issue"): "issued",
    ("authorised", "refuse"): "refused",
    ("authorised", "withdraw"): "withdrawn",
    ("issued", "retire"): "retired",
    ("issued", "cancel"): "cancelled",
    ("issued", "transfer"): "replaced",
    ("issued", "split"): "replaced",
    ("retired", "cancel"): "cancelled",
}
EFFECTS = {
    "sell": "divide",
    "authorise": "nothing",
    "issue": "nothing",
    "refuse": "release",
    "withdraw": "release",
    "retire": "retire",
    "cancel": "annul",
    "transfer": "divide",
    "split": "divide",
}
LINKS = {
    "refuse": "reverse",
    "withdraw": "reverse",
    "sell": "divide",
    "split": "divide",
    "transfer": "divide",
}
KINDS = {"CRE": 0, "CCRLR": 7, "CERE": 13, "CMF": 19}
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Check:
    """One thing that was checked: how often, and what did not hold."""

    def __init__(self, name: str) -> None:
        self.name, self.counted, self.failed = name, 0, 0
        self.failures: list[str] = []

    def fail(self, where: str, found: Any, expected: Any) -> None:
        self.failed += 1
        if len(self.failures) < SHOWN:
            self.failures.append("%s: achado %s, esperado %s" % (where, _short(found), _short(expected)))


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 120 else text[:117] + "..."


class Folder:
    """The export as a folder."""

    def __init__(self, path: str) -> None:
        self.path = path

    def names(self) -> list[str]:
        found: list[str] = []
        for place, _, files in os.walk(self.path):
            found += [os.path.relpath(os.path.join(place, f), self.path).replace(os.sep, "/") for f in files]
        return sorted(found)

    def open(self, name: str) -> Any:
        return open(os.path.join(self.path, *name.split("/")), "rb")


class Archive:
    """The export as one ZIP."""

    def __init__(self, path: str) -> None:
        self.zip = zipfile.ZipFile(path)

    def names(self) -> list[str]:
        return sorted(self.zip.namelist())

    def open(self, name: str) -> Any:
        return self.zip.open(name)


class Export:
    """An export, and what has been learnt of it so far."""

    def __init__(self, place: Any) -> None:
        self.place = place
        self.checks: list[Check] = []
        self.balances: Counter[str] = Counter()
        self.facts: dict[str, bytes] = {}
        self.entered: Counter[Any] = Counter()
        self.ends: dict[str, tuple[int, str]] = {}
        self.told: dict[Any, tuple[str, Any]] = {}
        self.into: dict[str, list[Any]] = defaultdict(list)
        self.out: dict[str, list[Any]] = defaultdict(list)
        self.named: dict[str, int] = {}
        self.certificates: dict[str, dict[str, Any]] = {}
        self.statements: dict[Any, tuple[list[Any], str, int]] = {}

    def check(self, name: str) -> Check:
        self.checks.append(Check(name))
        return self.checks[-1]

    def rows(self, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        """Each line of a file, with its number. Raises ValueError where it is not the one way to write it."""
        with self.place.open(name) as stream:
            for number, line in enumerate(io.BufferedReader(stream), 1):
                row = json.loads(line.decode("utf-8"))
                if not isinstance(row, dict) or canonical(row) != line:
                    raise ValueError("%s, linha %d: não está escrita na forma canônica" % (name, number))
                yield number, row


def canonical(row: dict[str, Any]) -> bytes:
    text = json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8") + b"\n"


def spelled(*fields: object) -> str:
    """Fields written one after another with their lengths, so that no two lists read alike."""
    return "".join("-," if f is None else "%d:%s," % (len(str(f)), f) for f in fields)


# The manifest ---------------------------------------------------------------------------------------------


def manifest(export: Export, asked: Any) -> None:
    """Every file is there, none besides, and each has the digest that the manifest says."""
    check = export.check("manifesto: cada arquivo com o seu resumo")
    with export.place.open("manifesto.json") as stream:
        body = stream.read()
    digest = hashlib.sha256(body).hexdigest()
    with export.place.open("manifesto.sha256") as stream:
        noted = stream.read()
    if noted != ("%s  manifesto.json\n" % digest).encode():
        check.fail("manifesto.sha256", noted.decode("utf-8", "replace").strip(), digest)
    if asked and asked.lower() != digest:
        check.fail("manifesto.json, resumo anotado por quem confere", digest, asked)
    told = json.loads(body.decode("utf-8"))
    if canonical(told) != body or told.get("format") != FORMAT:
        check.fail("manifesto.json", told.get("format"), FORMAT + ", na forma canônica")
    files = {f["name"]: f for f in told["files"]}
    there = [n for n in export.place.names() if n not in ("manifesto.json", "manifesto.sha256")]
    for name in sorted(set(there) ^ set(files)):
        check.fail(name, "só de um lado", "o mesmo na pasta e no manifesto")
    for name in sorted(set(there) & set(files)):
        check.counted += 1
        size, found, lines = _digest(export.place, name)
        expected = files[name]
        if (size, found) != (expected["bytes"], expected["sha256"]):
            check.fail(
                name, "%d bytes, %s" % (size, found), "%s bytes, %s" % (expected["bytes"], expected["sha256"])
            )
        if name.endswith(".jsonl") and lines != expected["rows"]:
            check.fail(name, "%d linhas" % lines, "%s linhas" % expected["rows"])


def _digest(place: Any, name: str) -> tuple[int, str, int]:
    digest, size, lines = hashlib.sha256(), 0, 0
    with place.open(name) as stream:
        while True:
            block = stream.read(1 << 20)
            if not block:
                return size, digest.hexdigest(), lines
            digest.update(block)
            size += len(block)
            lines += block.count(b"\n")


# The book -------------------------------------------------------------------------------------------------


def statements(export: Export) -> None:
    """Reads the verifiers' statements, which the book is compared with."""
    check = export.check("declarações do verificador lidas")
    for _, row in export.rows("declaracoes.jsonl"):
        check.counted += 1
        lots = [(account, mass) for account, mass in row["lots"]]
        export.statements[row["entity"], row["height"]] = (lots, row["verifier"], row["year"])
        for account, _ in lots:
            export.named[account] = min(row["height"], export.named.get(account, row["height"]))


def book(export: Export) -> None:
    """Links and entries in one pass: chains, ways, no account below zero, facts, what was verified first."""
    chain = export.check("cadeias: cada elo preso ao anterior, com os seus lançamentos")
    moves = export.check("lançamentos: contas que o motivo permite, fatos iguais, nada abaixo de zero")
    asked = set()
    entries = export.rows("lancamentos.jsonl")
    waiting = next(entries, None)
    for number, link in export.rows("elos.jsonl"):
        chain.counted += 1
        where = "elos.jsonl, linha %d (elo %s de %s)" % (number, link["height"], link["entity"])
        place, own = (link["entity"], link["height"]), []
        while waiting is not None and (waiting[1]["entity"], waiting[1]["height"]) == place:
            own.append(waiting)
            waiting = next(entries, None)
        _link(export, chain, where, link, [row for _, row in own])
        if (link["entity"], link["request"]) in asked:
            chain.fail(where, "pedido %s outra vez" % link["request"], "cada pedido uma vez")
        asked.add((link["entity"], link["request"]))
        for line, row in own:
            moves.counted += 1
            _entry(export, moves, "lancamentos.jsonl, linha %d" % line, row)
    if waiting is not None:
        chain.fail(
            "lancamentos.jsonl, linha %d" % waiting[0], "lançamento sem elo, ou fora da ordem", "um elo dele"
        )
    _heads(export, chain)


def _link(
    export: Export, check: Check, where: str, link: dict[str, Any], entries: list[dict[str, Any]]
) -> None:
    height, before = export.ends.get(link["entity"], (0, hashlib.sha256(b"").hexdigest()))
    if link["height"] != height + 1:
        check.fail(where, link["height"], height + 1)
    if link["previous"] != before:
        check.fail(where + ", elo anterior", link["previous"], before)
    if [e["n"] for e in entries] != list(range(1, len(entries) + 1)):
        check.fail(where, "lançamentos %s" % [e["n"] for e in entries], "numerados de 1 em diante")
    head = spelled(
        "lastro-link-1", link["entity"], link["height"], link["kind"], link["request"], link["answer"], link["recorded_at"]
    )  # fmt: skip
    text = head + "".join(spelled(*(e[name] for name in ENTRY)) for e in entries)
    found = hashlib.sha256(bytes.fromhex(link["previous"]) + text.encode("utf-8")).hexdigest()
    if link["hash"] != found:
        check.fail(where + ", resumo encadeado", found, link["hash"])
    if not is_cnpj(link["entity"]):
        check.fail(where, link["entity"], "um CNPJ com os seus dígitos verificadores")
    export.ends[link["entity"]] = (link["height"], link["hash"])
    if link["kind"] not in ("post", "retire") or '"certificate"' in link["answer"]:
        export.told[link["entity"], link["height"]] = (link["kind"], json.loads(link["answer"]))


def _entry(export: Export, check: Check, where: str, row: dict[str, Any]) -> None:
    lot = "lot/%s/%s/%s" % (row["access_key"], row["line"], row["claimant"])
    ends = (row["debit"], row["credit"])
    fits = [
        way
        for way in WAYS.get(row["reason"], ())
        if all(end.split("/")[0] == kind and (kind != "lot" or end == lot) for kind, end in ((way[0], ends[0]), (way[1], ends[1])))
    ]  # fmt: skip
    if not fits or row["mass_mg"] <= 0 or row["claimant"] != row["entity"]:
        check.fail(
            where, "%s de %s para %s" % (row["reason"], ends[0], ends[1]), "contas que o motivo permite"
        )
    export.balances[ends[0]] -= row["mass_mg"]
    export.balances[ends[1]] += row["mass_mg"]
    if ends[0] != "source" and export.balances[ends[0]] < 0:
        check.fail(where, "%s com %d mg" % (ends[0], export.balances[ends[0]]), "nunca menos que zero")
    facts = hash_of([row[name] for name in FACTS])
    if export.facts.setdefault(lot, facts) != facts:
        check.fail(where, "fatos de %s mudados" % lot, "os do primeiro lançamento")
    if ends[0] == "source" or ends[1] == "source":
        sign = 1 if ends[0] == "source" else -1
        export.entered[row["access_key"], row["line"]] += sign * row["mass_mg"]
    used = row["reason"] in ("retire", "issue") and ends[0].startswith("lot/")
    if used and export.named.get(ends[0], row["height"]) >= row["height"]:
        check.fail(where, "%s usado" % ends[0], "antes, uma declaração do verificador que o nomeie")
    for account, side in ((ends[1], export.into), (ends[0], export.out)):
        if account.startswith(("certificate/", "annulled/")):
            side[account].append(row)


def hash_of(value: Any) -> bytes:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode("utf-8")).digest()


def _heads(export: Export, check: Check) -> None:
    heads = {r["entity"]: (r["height"], r["head"]) for _, r in export.rows("cadeias.jsonl")}
    for entity in sorted(set(heads) | set(export.ends)):
        ended = export.ends.get(entity, (0, hashlib.sha256(b"").hexdigest()))
        if heads.get(entity) != ended:
            check.fail("cadeias.jsonl, %s" % entity, heads.get(entity), ended)


def verified(export: Export) -> None:
    """A statement names the lots that its link was made for."""
    check = export.check("declarações do verificador presas à cadeia")
    waiting = {place for place, (kind, _) in export.told.items() if kind == "homologate"}
    for place, (lots, verifier, year) in export.statements.items():
        check.counted += 1
        kind, answer = export.told.get(place, ("", {}))
        found = hashlib.sha256("".join(spelled(*lot) for lot in sorted(lots)).encode("utf-8")).hexdigest()
        if kind != "homologate" or answer.get("digest") != found:
            check.fail("declaracoes.jsonl, elo %s de %s" % (place[1], place[0]), found, answer.get("digest"))
        if (answer.get("verifier"), answer.get("year")) != (verifier, year):
            check.fail(
                "declaracoes.jsonl, elo %s de %s" % (place[1], place[0]), [verifier, year], "os do elo"
            )
        waiting.discard(place)
    for entity, height in sorted(waiting):
        check.fail("declaracoes.jsonl", "nada", "a declaração do elo %s de %s" % (height, entity))


def balances(export: Export) -> None:
    """The balances that were kept are those counted again, and all accounts together hold nothing."""
    check = export.check("saldos: iguais aos recontados, e soma zero")
    left = set(export.facts)
    for number, row in export.rows("saldos.jsonl"):
        check.counted += 1
        account, where = row["account"], "saldos.jsonl, linha %d" % number
        if row["mass_mg"] != export.balances[account]:
            check.fail(where, "%s mg" % row["mass_mg"], "%d mg" % export.balances[account])
        if hash_of([row[name] for name in FACTS]) != export.facts.get(account):
            check.fail(where, "fatos de %s" % account, "os dos lançamentos")
        if row["homologated"] != (account in export.named) or row["entity"] != account.split("/")[-1]:
            check.fail(where, "homologação ou dono de %s" % account, "os das declarações e da conta")
        left.discard(account)
    for account in sorted(left):
        check.fail("saldos.jsonl", "nada", "o saldo de %s" % account)
    if sum(export.balances.values()) != 0:
        check.fail("todas as contas", "%d mg" % sum(export.balances.values()), "0 mg")


def lines(export: Export) -> None:
    """What all entities together hold of an invoice line is never more than the line weighs."""
    check = export.check("itens: cada quilograma contado uma vez")
    left = {at for at, mass in export.entered.items() if mass}
    for number, row in export.rows("itens.jsonl"):
        check.counted += 1
        at = (row["access_key"], row["line"])
        left.discard(at)
        if export.entered[at] > row["mass_mg"]:
            check.fail(
                "itens.jsonl, linha %d" % number,
                "%d mg contados" % export.entered[at],
                "até %s mg" % row["mass_mg"],
            )
    for key, line in sorted(left):
        check.fail("itens.jsonl", "nada", "o item %s da nota %s, que tem massa contada" % (line, key))


# Certificates ---------------------------------------------------------------------------------------------


def certificates(export: Export) -> None:
    """Every certificate against the entries and the links: mass, moves, two people, number, paper."""
    check = export.check("certificados: massa, movimentos, números e papéis")
    moves: dict[str, list[dict[str, Any]]] = defaultdict(list)
    papers: dict[str, dict[str, Any]] = {}
    seen: set[Any] = set()
    told: set[Any] = set()
    for _, row in export.rows("movimentos.jsonl"):
        moves[row["certificate"]].append(row)
    for _, row in export.rows("papeis.jsonl"):
        papers[row["certificate"]] = row
    rows = {row["id"]: (number, row) for number, row in export.rows("certificados.jsonl")}
    export.certificates = {name: row for name, (_, row) in rows.items()}
    for name in sorted((set(moves) | set(papers)) - set(rows)):
        check.fail("certificados.jsonl", "nada", "o certificado %s" % name)
    for name, (number, row) in rows.items():
        check.counted += 1
        done, paper = sorted(moves[name], key=lambda m: m["height"]), papers.get(name)
        problems = list(_masses(export, row, done)) + list(_chained(export, row, done, paper))
        problems += list(_steps(row, done, paper)) + list(_paper(row, paper, seen))
        for what, found, expected in problems:
            check.fail("certificados.jsonl, linha %d (%s), %s" % (number, name, what), found, expected)
        told.add((row["entity"], row["height"]))
        told.update((m["entity"], m["height"]) for m in done)
    known = {"%s/%s" % (kind, name) for name in rows for kind in ("certificate", "annulled")}
    for account in sorted((set(export.into) | set(export.out)) - known):
        check.fail("certificados.jsonl", "nada", "a conta %s, que tem lançamentos" % account)
    for place, (kind, answer) in sorted(export.told.items()):
        if kind != "homologate" and "certificate" in answer and place not in told:
            check.fail("movimentos.jsonl", "nada", "o movimento do elo %s de %s" % (place[1], place[0]))


def _by_lot(rows: list[dict[str, Any]]) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for row in rows:
        found[row["access_key"], row["line"], row["claimant"]] += row["mass_mg"]
    return found


def _masses(
    export: Export, row: dict[str, Any], done: list[dict[str, Any]]
) -> Iterator[tuple[str, Any, Any]]:
    into, out = export.into["certificate/" + row["id"]], export.out["certificate/" + row["id"]]
    held = sum(e["mass_mg"] for e in into)
    if held != row["mass_mg"] or held <= 0 or held % 1000:
        yield "massa", "%s mg" % row["mass_mg"], "%d mg dos lançamentos, em gramas inteiros" % held
    for entry in into:
        if (entry["entity"], entry["height"]) != (row["entity"], row["height"]):
            yield "massa", "recebida no elo %s" % entry["height"], "só no seu preparo"
        if (entry["year"], entry["norm"]) != (row["year"], row["norm"]) or entry["material"] not in row[
            "materials"
        ]:
            yield "lote", "de outro ano, norma ou material", "os do certificado"
    took = [m for m in done if EFFECTS.get(m["move"]) != "nothing"]
    if bool(out) != bool(took) or (out and _by_lot(into) != _by_lot(out)):
        yield "massa que saiu", "%d mg" % sum(e["mass_mg"] for e in out), "lote a lote, a que entrou"
    for entry in out if took else ():
        ends = {
            "release": "lot/%s/%s/%s" % (entry["access_key"], entry["line"], entry["claimant"]),
            "retire": "retired/%s/%s/%s" % (row["holder"], row["year"], entry["material"]),
            "annul": "annulled/" + row["id"],
            "divide": entry["credit"] if entry["credit"].startswith("certificate/") else "certificate/…",
        }
        expected = ends.get(EFFECTS[took[0]["move"]])
        if entry["credit"] != expected or entry["height"] != took[0]["height"]:
            yield "massa que saiu", entry["credit"], expected
    annulled = into if any(m["move"] == "cancel" for m in done) else []
    if _by_lot(annulled) != _by_lot(export.into["annulled/" + row["id"]]):
        yield "massa cancelada", "outra", "lote a lote, a que entrou"


def _chained(
    export: Export, row: dict[str, Any], done: list[dict[str, Any]], paper: dict[str, Any] | None
) -> Iterator[tuple[str, Any, Any]]:
    kind, answer = export.told.get((row["entity"], row["height"]), ("", {}))
    if row["parent"] is None:
        begun = "offer" if row["holder"] is None else "prepare"
        if row["begins"] != ("offered" if begun == "offer" else "prepared"):
            yield "começo", row["begins"], begun
        names = ("entity", "holder", "year", "norm", "materials", "mass_mg", "investment_cents")
        said = {name: row[name] for name in names}
        said.update(certificate=row["id"], move=begun, by=row["prepared_by"], happened_on=row["prepared_on"])
        for name in ("kind", "allows"):  # what was chained before kinds were, was of the one kind there was
            if name in answer:
                said[name] = row[name]
        yield from _said(kind, begun, answer, said)
    else:
        part = {"id": row["id"]}
        part.update((name, row[name]) for name in ("holder", "mass_mg", "investment_cents"))
        if (
            kind != "divide"
            or answer.get("certificate") != row["parent"]
            or part not in answer.get("parts", [])
        ):
            yield "origem", row["parent"], "um certificado que o nomeie"
        yield from _as_parent(export, row, answer)
    for move in done:
        said = {"certificate": row["id"], "by": move["by"]}
        said.update((name, move[name]) for name in ("entity", "move", "happened_on", "reason"))
        if move["move"] == "issue" and paper is not None:
            said.update((name, paper[name]) for name in ("number", "issued_on", "valid_to", "sha256"))
            said["fields"] = paper["fields_sha256"]
        kind, answer = export.told.get((move["entity"], move["height"]), ("", {}))
        yield from _said(kind, LINKS.get(move["move"], move["move"]), answer, said)


def _as_parent(export: Export, row: dict[str, Any], answer: Any) -> Iterator[tuple[str, Any, Any]]:
    """What stands in the place of another has its entity, norm, year, kind and moves, and was made by that move."""
    parent = export.certificates.get(row["parent"], {})
    said = {name: parent.get(name) for name in ("entity", "year", "norm", "kind", "allows")}
    held = {entry["material"] for entry in export.into["certificate/" + row["id"]]}
    said.update(prepared_by=answer.get("by"), prepared_on=answer.get("happened_on"), materials=sorted(held))
    said["begins"] = "offered" if row["holder"] is None else "prepared"
    if answer.get("move") != "sell":
        said["begins"] = "authorised"
    for name in sorted(said):
        if row[name] != said[name]:
            yield name, row[name], said[name]


def _said(kind: str, expected: Any, answer: Any, said: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    if kind != expected:
        yield "elo", kind or "nenhum", expected
        return
    for name in sorted(said):
        if answer.get(name) != said[name]:
            yield name, said[name], answer.get(name)


def _steps(
    row: dict[str, Any], done: list[dict[str, Any]], paper: dict[str, Any] | None
) -> Iterator[tuple[str, Any, Any]]:
    state, last = row["begins"], row["height"]
    for move in done:
        state = STEPS.get((state, move["move"]))
        if state is None or move["height"] <= last or move["move"] not in row["allows"]:
            yield "movimento %s" % move["move"], "fora da ordem", "um movimento que o estado permite"
        last = move["height"]
        if move["move"] == "authorise" and person(move["by"]) == person(row["prepared_by"]):
            yield "autorização", "a mesma pessoa que preparou", "outra pessoa"
    if any(m["move"] == "issue" for m in done) != (paper is not None):
        yield "papel", "emitido sem papel, ou com papel e não emitido", "um papel de cada emitido"


def _paper(
    row: dict[str, Any], paper: dict[str, Any] | None, seen: set[Any]
) -> Iterator[tuple[str, Any, Any]]:
    number = row["number"]
    if row["holder"] is not None and not is_cnpj(row["holder"]):
        yield "titular", row["holder"], "um CNPJ com os seus dígitos verificadores"
    if number is not None and not is_number(number):
        yield "número", number, "um número que confere"
    if number is not None and not str(number).startswith(row["kind"] + "-"):
        yield "número", number, "um número de %s" % row["kind"]
    if number is not None and number in seen:
        yield "número", number, "cada número uma vez"
    seen.add(number)
    if paper is not None and paper["number"] != number:
        yield "número do papel", paper["number"], number


def person(text: Any) -> str:
    """A name without what does not tell people apart: case, accents, blanks."""
    plain = unicodedata.normalize("NFKD", " ".join(text.split())).casefold()
    return "".join(c for c in plain if unicodedata.category(c) not in ("Mn", "Cf"))


def is_number(text: Any) -> bool:
    """Whether a certificate's number leaves the remainder of its kind modulo 37."""
    kind, _, rest = text.partition("-")
    bare, value = rest.replace("-", ""), 0
    if kind not in KINDS or len(bare) != 24 or any(c not in ALPHABET for c in bare):
        return False
    for char in bare:
        value = (value * 32 + ALPHABET.index(char)) % 37
    return value == KINDS[kind]


def is_cnpj(text: Any) -> bool:
    """Whether 14 characters, letters allowed, end in their two check digits (IN RFB 2.229/2024)."""
    if not isinstance(text, str) or len(text) != 14 or not text[12:].isdigit():
        return False
    for size in (12, 13):
        total = sum((ord(text[i]) - 48) * (2 + (size - 1 - i) % 8) for i in range(size))
        if int(text[size]) != (0 if total % 11 < 2 else 11 - total % 11):
            return False
    return True


# The rest -------------------------------------------------------------------------------------------------


def papers(export: Export, folder: Any) -> None:
    """Verdicts are of documents that are there, versions of reports follow one another, digests are those of files."""
    check = export.check("documentos, vereditos, reivindicações e relatórios")
    known, digests = set(), set()
    for _, row in export.rows("documentos.jsonl"):
        check.counted += 1
        known.add((row["sha256"], row["ordinal"]))
        digests.add(row["sha256"])
    for name in ("vereditos.jsonl",):
        for number, row in export.rows(name):
            check.counted += 1
            if (row["sha256"], row["ordinal"]) not in known:
                check.fail("%s, linha %d" % (name, number), row["sha256"], "o resumo de um documento")
    for name in ("reivindicacoes.jsonl", "decisoes.jsonl", "cadastro.jsonl"):
        check.counted += sum(1 for _ in export.rows(name))
    last: Counter[Any] = Counter()
    for number, row in export.rows("relatorios.jsonl"):
        check.counted += 1
        report = tuple(row[name] for name in ("kind", "norm", "entity", "verifier", "year"))
        last[report] += 1
        if row["version"] != last[report]:
            check.fail(
                "relatorios.jsonl, linha %d" % number,
                "versão %s" % row["version"],
                "versão %d" % last[report],
            )
        digests.update(row["files"].values())
    digests.update(row["sha256"] for _, row in export.rows("papeis.jsonl"))
    if folder:
        _files(export.check("arquivos em mãos com o resumo que a exportação diz"), folder, digests)


def _files(check: Check, folder: Any, digests: set[Any]) -> None:
    place = Folder(folder)
    for name in place.names():
        check.counted += 1
        _, found, _ = _digest(place, name)
        if found not in digests:
            check.fail(name, found, "o resumo de um documento, papel ou relatório da exportação")


def verify(path: str, asked: str | None = None, folder: str | None = None) -> Export:
    """Everything, counted again; a part that cannot be read at all is a failure of that part."""
    export = Export(Folder(path) if os.path.isdir(path) else Archive(path))
    parts: tuple[tuple[str, Callable[[], None]], ...] = (
        ("manifesto", lambda: manifest(export, asked)),
        ("declarações", lambda: statements(export)),
        ("cadeias", lambda: book(export)),
        ("declarações", lambda: verified(export)),
        ("saldos", lambda: balances(export)),
        ("itens", lambda: lines(export)),
        ("certificados", lambda: certificates(export)),
        ("documentos", lambda: papers(export, folder)),
    )
    for name, part in parts:
        try:
            part()
        except (
            Exception
        ) as wrong:  # what was tampered with may be of any shape: it is told, never a traceback
            export.check(name).fail(
                name, "%s: %s" % (type(wrong).__name__, wrong), "arquivos que se leem inteiros"
            )
    return export


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Confere uma exportação do lastro, sem servidor e sem rede.")
    parser.add_argument("path", metavar="PASTA|ARQUIVO.zip")
    parser.add_argument("--resumo", help="o resumo do manifesto, anotado quando a exportação foi feita")
    parser.add_argument("--arquivos", help="pasta com documentos e papéis, para comparar os resumos")
    call = parser.parse_args(words)
    try:
        export = verify(call.path, call.resumo, call.arquivos)
    except (OSError, zipfile.BadZipFile) as wrong:
        print("Erro: %s não se abre: %s" % (call.path, wrong))
        return 2
    for check in export.checks:
        print("%s  %s (%d)" % ("ok   " if not check.failed else "FALHA", check.name, check.counted))
        for text in check.failures:
            print("       " + text)
        if check.failed > len(check.failures):
            print("       … e mais %d" % (check.failed - len(check.failures)))
    failed = sum(check.failed for check in export.checks)
    print("Tudo confere." if not failed else "%d falha(s)." % failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
