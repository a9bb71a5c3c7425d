"""The corpus of the benches: invented notes in zips, the same bytes for the same number of notes.

Two hundred sellers with certificates of their own, one to five lines in a note, in the ways in which programs
write common notes. The first notes of a larger corpus are those of a smaller one.
"""

from __future__ import annotations

import hashlib
import json
import random
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from lastro.sample import sheets
from lastro.sample.people import Cast, Party, make_cast
from lastro.sample.pki import Wallet, pem
from lastro.sample.places import MATO_GROSSO
from lastro.sample.seal import Dress, seal
from lastro.sample.trade import Trader, at

FOLDER = Path(__file__).resolve().parent.parent / "build" / "bench"
IN_A_ZIP = 500
SELLERS = 200
PINNED = {
    2_000: "3677b174ad8dd3175008253a5c9f05b77d33ff44286663821b02c8b9295e1181",
    20_000: "67c5d00bec350ea952ef8bee1093de78123562fc606cce2578f9a9081448662a",
}
"""SHA-256 over the SHA-256 of every note in order: what the figures of a corpus are about."""

_DRESSES = (
    Dress(),
    Dress(repeat_namespace=False),
    Dress(id_last=True),
    Dress(bom=True),
    Dress(declaration=""),
)
_LINES = ((1, 2, 3, 4, 5), (20, 22, 26, 20, 12))


@dataclass(frozen=True)
class Corpus:
    """A corpus on disk: its zips in order, and what a run under the norm needs beside them."""

    folder: Path
    notes: int
    digest: str

    @property
    def zips(self) -> list[Path]:
        return sorted((self.folder / "zips").glob("*.zip"))

    @property
    def trust(self) -> Path:
        return self.folder / "trust"

    @property
    def registry(self) -> Path:
        return self.folder / "cadastro.json"


def cast_of(seed: int) -> Cast:
    """The people: the sample's, and sellers enough."""
    cast = make_cast(seed)
    entity = cast.entities[0]
    origins = ("picker_entity", "municipal", "concession", "private_pev")
    for number in range(SELLERS - len(cast.operators[entity.cnpj])):
        place = MATO_GROSSO[number % len(MATO_GROSSO)]
        cast.operators[entity.cnpj].append(cast.operator(origins[number % 4], place, entity))
    # A name that was cut at a blank is no name to the schema, and the peers check it.
    cast.operators[entity.cnpj] = [replace(o, name=o.name.strip()) for o in cast.operators[entity.cnpj]]
    return cast


def notes(count: int, *, seed: int, cast: Cast, wallet: Wallet) -> Iterator[tuple[str, bytes]]:
    """So many signed and authorised notes, as name and bytes."""
    rnd, trader = random.Random(f"bench {seed}"), Trader(seed)
    sellers = cast.operators[cast.entities[0].cnpj]
    buyers: dict[str, list[Party]] = {}
    for party in cast.recyclers:
        for family in party.families:
            buyers.setdefault(family, []).append(party)
    for _ in range(count):
        seller, family = rnd.choice(sellers), trader.family(rnd)
        clock = f"{rnd.randrange(7, 18):02d}:{rnd.randrange(60):02d}:{rnd.randrange(60):02d}"
        when = at(date(2026, 1, 5) + timedelta(days=rnd.randrange(350)), clock, seller)
        lines = rnd.choices(*_LINES)[0]
        note = trader.draft(rnd, (seller, rnd.choice(buyers[family])), when, family=family, count=lines)
        dress = rnd.choice(_DRESSES)
        yield f"{note.key}-procNFe.xml", seal(note, wallet.signer(seller, note.authorised), dress).data()


def corpus(count: int, *, seed: int = 1) -> Corpus:
    """The corpus of so many notes: made once, then taken from disk; its digest is checked where pinned."""
    folder = FOLDER / f"{seed}-{count}"
    said = folder / "corpus.json"
    if not said.is_file():
        _make(folder, count, seed)
    digest = json.loads(said.read_text("utf-8"))["digest"]
    wanted = (PINNED.get(count) if seed == 1 else "") or digest
    assert digest == wanted, f"o corpo não é o combinado: {digest}, e não {wanted}"
    return Corpus(folder, count, digest)


def _make(folder: Path, count: int, seed: int) -> None:
    (folder / "zips").mkdir(parents=True, exist_ok=True)
    (folder / "trust").mkdir(exist_ok=True)
    cast, wallet = cast_of(seed), Wallet(seed)
    (folder / "cadastro.json").write_bytes(sheets.registry(cast))
    (folder / "trust" / "raiz-teste.pem").write_bytes(pem(wallet.root))
    (folder / "trust" / "intermediaria-1.pem").write_bytes(pem(wallet.intermediate))
    stream = notes(count, seed=seed, cast=cast, wallet=wallet)
    whole = hashlib.sha256()
    for number in range(0, count, IN_A_ZIP):
        with zipfile.ZipFile(folder / "zips" / f"lote-{number // IN_A_ZIP:05d}.zip", "w") as archive:
            for _ in range(min(IN_A_ZIP, count - number)):
                name, data = next(stream)
                entry = zipfile.ZipInfo(name, (2027, 1, 15, 12, 0, 0))
                archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 6)
                whole.update(hashlib.sha256(data).digest())
    told = {"notes": count, "seed": seed, "digest": whole.hexdigest()}
    (folder / "corpus.json").write_text(json.dumps(told), "utf-8")
