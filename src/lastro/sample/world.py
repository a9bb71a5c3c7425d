"""Puts the invented year into a folder."""

from __future__ import annotations

import hashlib
import io
import random
import shutil
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lastro.errors import LastroError
from lastro.sample import sheets
from lastro.sample.bench import Bench, Item
from lastro.sample.faults import load_faults
from lastro.sample.market import Plan, make_plans
from lastro.sample.people import Party, make_cast
from lastro.sample.pki import Wallet, pem
from lastro.sample.plants import MUTATIONS
from lastro.sample.trade import Trader
from lastro.sample.year import ordinary_year

TRUTH = (
    "entity",
    "path",
    "member",
    "sha256",
    "access_key",
    "role",
    "fault",
    "expected_codes",
    "expected_verdict",
    "stage",
    "tolerated_codes",
    "what",
)


@dataclass(frozen=True)
class Truth:
    """What a careful reader must find in one file (or member of a zip)."""

    entity: str
    path: str
    member: str
    sha256: str
    access_key: str
    role: str
    fault: str
    expected_codes: tuple[str, ...]
    expected_verdict: str
    stage: str
    tolerated_codes: tuple[str, ...]
    what: str

    def row(self) -> list[str]:
        """The row of `verdade.csv`, codes parted by semicolons."""
        values = (getattr(self, name) for name in TRUTH)
        return [";".join(value) if isinstance(value, tuple) else str(value) for value in values]


@dataclass(frozen=True)
class World:
    """The invented year, and where it lies.

    `pools` is milligrams by entity and material that are admitted and uncontested.
    """

    out: Path
    seed: int
    entities: tuple[Party, ...]
    verifiers: tuple[Party, ...]
    truth: tuple[Truth, ...]
    pools: Mapping[str, Mapping[str, int]]
    plans: tuple[Plan, ...]


def _in_zip(item: Item, number: int) -> bool:
    """The first entity keeps loose files, the second sends zips, the third one or the other by month."""
    if item.zipped is not None:
        return item.zipped
    draw = int(hashlib.sha256(item.name.encode()).hexdigest()[:4], 16) % 100
    if number == 0:
        return draw < 10
    if number == 1:
        return draw >= 15
    return item.month % 2 == 0


def _zip_bytes(members: list[Item]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for item in members:
            entry = zipfile.ZipInfo(item.name, (2027, 1, 15, 12, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, item.data, zipfile.ZIP_DEFLATED, 6)
    return out.getvalue()


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _truth(item: Item, path: str, member: str, what: Mapping[str, str]) -> Truth:
    return Truth(
        entity=item.entity,
        path=path,
        member=member,
        sha256=hashlib.sha256(item.data).hexdigest(),
        access_key=item.key,
        role=item.role,
        fault=item.fault,
        expected_codes=item.codes,
        expected_verdict=item.verdict,
        stage=item.stage,
        tolerated_codes=item.tolerate,
        what=what.get(item.fault, ""),
    )


def _shelve(out: Path, bench: Bench) -> list[Truth]:
    """Writes the notes of every entity, loose and zipped, and its `lote.csv`."""
    what = {fault.id: fault.what for fault in load_faults()}
    truth: list[Truth] = []
    for number, entity in enumerate(bench.cast.entities):
        archives: dict[int, list[Item]] = {}
        base = f"notas/{entity.cnpj}"
        mine = sorted((i for i in bench.items if i.entity == entity.cnpj), key=lambda i: (i.month, i.name))
        for item in mine:
            if _in_zip(item, number):
                archives.setdefault(item.month, []).append(item)
                truth.append(_truth(item, f"{base}/lote-2026-{item.month:02d}.zip", item.name, what))
            else:
                path = f"{base}/2026-{item.month:02d}/{item.name}"
                assert not (out / path).exists(), path
                _put(out / path, item.data)
                truth.append(_truth(item, path, "", what))
        for month, members in archives.items():
            assert len({item.name for item in members}) == len(members)
            _put(out / base / f"lote-2026-{month:02d}.zip", _zip_bytes(members))
        truth += _lots(out, base, bench, entity)
    return truth


def _lots(out: Path, base: str, bench: Bench, entity: Party) -> list[Truth]:
    rows = bench.lots.get(entity.cnpj)
    if not rows:
        return []
    table = [(row.key, row.line, row.municipality, row.origin, row.mass_kg) for row in rows]
    data = sheets.csv_bytes(("key", "line", "municipality", "origin", "mass_kg"), table)
    _put(out / base / "lote.csv", data)
    item = Item(entity.cnpj, "lote.csv", data, "support", stage="store", tolerate=("F04",))
    return [_truth(item, f"{base}/lote.csv", "", {})]


def pools_of(items: Iterable[Item]) -> dict[str, dict[str, int]]:
    """What counts in the end, in milligrams by entity and material, if everything planted is seen."""
    pools: dict[str, dict[str, int]] = {}
    for item in items:
        pool = pools.setdefault(item.entity, {})
        for material, mass in item.counted:
            pool[material] = pool.get(material, 0) + mass
    return pools


def _tables(out: Path, bench: Bench, plans: tuple[Plan, ...], truth: list[Truth]) -> None:
    wallet = bench.wallet
    _put(out / "trust/raiz-teste.pem", pem(wallet.root))
    _put(out / "trust/intermediaria-1.pem", pem(wallet.intermediate))
    _put(out / "trust/intermediaria-2.pem", pem(wallet.second_intermediate))
    _put(out / "cadastro.json", sheets.registry(bench.cast))
    for number, plan in enumerate(plans):
        name, data = sheets.declaration(number, plan)
        _put(out / "declaracoes" / name, data)
    _put(out / "declaracoes/quebrada.csv", sheets.broken_declaration(bench.cast.companies[0][0]))
    _put(out / "metas_ilustrativas.csv", sheets.targets())
    _put(out / "retiradas.csv", sheets.retirements(plans))
    _put(out / "verdade.csv", sheets.csv_bytes(TRUTH, (row.row() for row in truth)))


def make_bench(seed: int, notes: int) -> Bench:
    """The world before it is written: so many ordinary notes, then every planted fault and near miss."""
    bench = Bench(make_cast(seed), Wallet(seed), Trader(seed), random.Random(f"world {seed}"))
    ordinary_year(bench, notes)
    for fault in load_faults():
        MUTATIONS[fault.mutation](bench, fault)
    return bench


def _clear(out: Path) -> None:
    """Takes away an earlier world; a folder that holds anything else is not touched."""
    if out.exists() and any(out.iterdir()) and not (out / "verdade.csv").is_file():
        raise LastroError(
            f"A pasta {out} tem outros arquivos: indique uma pasta vazia para o mundo de exemplo."
        )
    for name in ("notas", "declaracoes", "trust"):
        shutil.rmtree(out / name, ignore_errors=True)


def build_world(out: Path, *, seed: int, notes: int) -> World:
    """Makes the world of a seed in a folder; what an earlier world left in its place is replaced.

    `notes` counts the ordinary notes; the planted ones (about 340 files) come on top. Raises `LastroError`
    for a folder that holds anything but an earlier world.
    """
    _clear(out)
    bench = make_bench(seed, notes)
    truth = _shelve(out, bench)
    pools = pools_of(bench.items)
    whole = {entity: {m: mass // 10**6 for m, mass in pool.items()} for entity, pool in pools.items()}
    plans = make_plans(bench.cast, whole)
    _tables(out, bench, plans, truth)
    cast = bench.cast
    return World(out, seed, tuple(cast.entities), tuple(cast.verifiers), tuple(truth), pools, plans)
