"""A member read in one go has the bytes that the language's own reader gives, or is left to that reader."""

from __future__ import annotations

import io
import os
import random
import zipfile

import pytest

from lastro.evidence import fast_zip
from lastro.evidence.fast_zip import Members

COUNT = int(os.environ.get("LASTRO_ZIPS", "3000"))
NOTE = b"<NFe>" + b"<x>metal</x>" * 300 + b"</NFe>"


def zipped(*, deflated: bool = True, streamed: bool = False, name: str = "nota.xml") -> bytes:
    """A zip of three members; streamed, their sizes follow them."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return not streamed

        def seek(self, *to: int) -> int:
            if streamed:
                raise OSError("a pipe")
            return super().seek(*to)

        def tell(self) -> int:
            if streamed:
                raise OSError("a pipe")
            return super().tell()

    opened = Pipe()
    how = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
    with zipfile.ZipFile(opened, "w", how) as archive:
        for number in range(3):
            archive.writestr(f"{number}-{name}", NOTE + bytes([48 + number]))
    return opened.getvalue()


def read(data: bytes) -> list[tuple[bytes | None, bytes | None]]:
    """Each member in both ways; None where a way does not give its bytes."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = Members(archive, io.BytesIO(data))
        both = []
        for entry in archive.infolist():
            try:
                slow: bytes | None = archive.read(entry)
            except Exception:
                slow = None
            both.append((members.read(entry), slow))
        return both


@pytest.fixture(params=["held whole", "read by members"], autouse=True)
def _size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "read by members":
        monkeypatch.setattr(fast_zip, "_HELD", 100)


@pytest.mark.parametrize("deflated", [True, False])
@pytest.mark.parametrize("streamed", [True, False])
def test_a_usual_member_is_read_in_one_go(deflated: bool, streamed: bool) -> None:
    both = read(zipped(deflated=deflated, streamed=streamed))
    assert [fast for fast, _ in both] == [NOTE + b"0", NOTE + b"1", NOTE + b"2"]
    assert all(fast == slow for fast, slow in both)


def test_a_zip_behind_other_bytes_is_read_all_the_same() -> None:
    assert all(fast == slow is not None for fast, slow in read(b"MZ other bytes" + zipped()))


def test_a_name_with_accents_is_left_to_the_usual_way() -> None:
    assert [fast for fast, _ in read(zipped(name="recicláveis.xml"))] == [None] * 3


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda e: setattr(e, "CRC", e.CRC ^ 1), id="check sum"),
        pytest.param(lambda e: setattr(e, "file_size", e.file_size - 1), id="more than was said"),
        pytest.param(lambda e: setattr(e, "file_size", e.file_size + 1), id="less than was said"),
        pytest.param(lambda e: setattr(e, "compress_size", e.compress_size - 1), id="cut"),
        pytest.param(lambda e: setattr(e, "compress_size", e.compress_size + 1), id="into the next"),
        pytest.param(lambda e: setattr(e, "orig_filename", "outra.xml.1"), id="another name"),
        pytest.param(lambda e: setattr(e, "flag_bits", e.flag_bits | 0x20), id="patched"),
        pytest.param(lambda e: setattr(e, "flag_bits", e.flag_bits | 1), id="with a password"),
        pytest.param(lambda e: setattr(e, "compress_type", 12), id="another compression"),
        pytest.param(lambda e: setattr(e, "header_offset", 10**9), id="beyond the end"),
    ],
)
def test_a_member_that_is_not_as_listed_is_left_to_the_usual_way(change: object) -> None:
    data = zipped()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = Members(archive, io.BytesIO(data))
        entry = archive.infolist()[0]
        assert members.read(entry) is not None
        change(entry)  # type: ignore[operator]
        assert members.read(entry) is None


def test_two_members_at_one_place_are_left_to_the_usual_way() -> None:
    data = zipped()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        first, second, _ = archive.infolist()
        second.header_offset = first.header_offset
        assert Members(archive, io.BytesIO(data)).read(first) is None


def test_of_changed_zips_nothing_is_read_that_the_usual_way_does_not_read() -> None:
    """The list of members, their headers and their bytes are changed; who is more lenient loses."""
    rnd = random.Random("zips")
    plain = [zipped(deflated=d, streamed=s) for d in (True, False) for s in (True, False)]
    agreed = left = 0
    for _ in range(COUNT):
        data = bytearray(rnd.choice(plain))
        start = data.rfind(b"PK\x01\x02", 0, data.rfind(b"PK\x05\x06")) if rnd.random() < 0.5 else 0
        for _ in range(rnd.choice((1, 1, 2, 4))):
            at = rnd.randrange(start, len(data))
            data[at] = rnd.choice((0, 1, 255, data[at] ^ 1 << rnd.randrange(8), rnd.randrange(256)))
        try:
            both = read(bytes(data))
        except Exception:  # no zip any more, to either
            continue
        for fast, slow in both:
            assert fast is None or fast == slow
            agreed, left = agreed + (fast is not None), left + (fast is None)
    assert agreed > COUNT / 4
    assert left > COUNT / 20
