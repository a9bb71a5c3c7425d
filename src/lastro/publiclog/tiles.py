"""The log as files that never change: tiles of 256 hashes, and bundles of the leaves themselves.

The layout is C2SP `tlog-tiles`: `tile/<level>/<number>` and `tile/entries/<number>`, with `.p/<width>` for
one that is not full. Any server of files serves them; whoever reads them recomputes every root by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from lastro.publiclog.tree import leaf_hash, node_hash
from lastro.publiclog.tree import root as _over

WIDTH, HEIGHT = 256, 8
Read = Callable[[str], bytes]
"""Gives the bytes of a file of the log by its path. Raises OSError where there is none."""


class Torn(ValueError):
    """A tile or a bundle is not what its path says."""


def path_of(level: int | str, number: int, *, width: int = WIDTH) -> str:
    """Where a tile stands: tile/0/x001/x234/067, and with .p/8 while it holds 8 of 256."""
    groups = [f"{number % 1000:03d}"]
    while number := number // 1000:
        groups.insert(0, f"x{number % 1000:03d}")
    return f"tile/{level}/{'/'.join(groups)}" + (f".p/{width}" if width < WIDTH else "")


def bundle(entries: Iterable[bytes]) -> bytes:
    """Leaves one after another, each with its length in two bytes."""
    return b"".join(len(entry).to_bytes(2, "big") + entry for entry in entries)


def entries_of(data: bytes) -> list[bytes]:
    """The leaves of a bundle. Raises Torn."""
    found, at = [], 0
    while at < len(data):
        end = at + 2 + int.from_bytes(data[at : at + 2], "big")
        if end > len(data) or at + 2 > len(data):
            raise Torn("a bundle ends in the middle of a leaf")
        found.append(data[at + 2 : end])
        at = end
    return found


def files(entries: Sequence[bytes]) -> Iterator[tuple[str, bytes]]:
    """Every tile and bundle of a log, with its path."""
    for number, start in enumerate(range(0, len(entries), WIDTH)):
        part = entries[start : start + WIDTH]
        yield path_of("entries", number, width=len(part)), bundle(part)
    level, hashes = 0, [leaf_hash(entry) for entry in entries]
    while hashes:
        for number, start in enumerate(range(0, len(hashes), WIDTH)):
            part = hashes[start : start + WIDTH]
            yield path_of(level, number, width=len(part)), b"".join(part)
        full = len(hashes) // WIDTH * WIDTH
        hashes = [_over(hashes[start : start + WIDTH]) for start in range(0, full, WIDTH)]
        level += 1


class Tiles:
    """A log of `size` leaves, of which only the tiles that an answer needs are read.

    Each full tile is held to the hash above it, so that all that is read hangs on the one root.
    """

    def __init__(self, read: Read, size: int) -> None:
        self._read, self.size = read, size
        self._held: dict[tuple[int, int], list[bytes]] = {}

    def root(self, size: int | None = None) -> bytes:
        """The root over the first `size` leaves, out of this log's tiles. Raises Torn, OSError."""
        asked = self.size if size is None else size
        if asked > self.size:
            raise Torn("a log does not hold what came after it")
        made: bytes | None = None
        for level, index in reversed(list(_peaks(asked))):
            made = self.node(level, index) if made is None else node_hash(self.node(level, index), made)
        return _over([]) if made is None else made

    def node(self, level: int, index: int) -> bytes:
        """The hash over the 2^level leaves from index · 2^level on."""
        tile, rest = divmod(level, HEIGHT)
        first = index << rest
        number, at = divmod(first, WIDTH)
        held = self._tile(tile, number)[at : at + (1 << rest)]
        if len(held) != 1 << rest:
            raise Torn(f"{path_of(tile, number)} is too short")
        return _over(held)

    def entries(self) -> Iterator[bytes]:
        """Every leaf, in order. Raises Torn, OSError."""
        for number, start in enumerate(range(0, self.size, WIDTH)):
            width = min(WIDTH, self.size - start)
            found = entries_of(self._read(path_of("entries", number, width=width)))
            if len(found) != width:
                raise Torn(f"{path_of('entries', number, width=width)} holds {len(found)} leaves")
            yield from found

    def _tile(self, level: int, number: int) -> list[bytes]:
        if (level, number) not in self._held:
            width = min(WIDTH, (self.size >> (HEIGHT * level)) - number * WIDTH)
            data = self._read(path_of(level, number, width=width))
            if len(data) != 32 * width:
                raise Torn(f"{path_of(level, number, width=width)} has {len(data)} bytes")
            held = [data[at : at + 32] for at in range(0, len(data), 32)]
            if width == WIDTH and _over(held) != self._tile(level + 1, number // WIDTH)[number % WIDTH]:
                raise Torn(f"{path_of(level, number)} is not what stands above it")
            self._held[level, number] = held
        return self._held[level, number]


def _peaks(size: int) -> Iterator[tuple[int, int]]:
    """The largest whole subtrees of a log, from the left: level and index of each."""
    done = 0
    for level in range(size.bit_length() - 1, -1, -1):
        if size >> level & 1:
            yield level, done >> level
            done += 1 << level
