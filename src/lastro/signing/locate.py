"""Where in a file's bytes a signature says that it reaches, without believing the file's own tables."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RANGE = re.compile(rb"/ByteRange\s{0,9}\[\s{0,9}(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s+(\d{1,10})\s*\]")
_HEX = re.compile(rb"<([0-9A-Fa-f]*)>\Z")
_MOST = 20


@dataclass(frozen=True)
class Place:
    """The bytes that a signature covers: from the first to `gap_from`, and from `gap_to` to `end`."""

    gap_from: int
    gap_to: int
    end: int
    closed: bool  # the gap holds one hexadecimal string, filled up with zeros, and nothing else

    @property
    def byte_range(self) -> tuple[int, int, int, int]:
        return (0, self.gap_from, self.gap_to, self.end - self.gap_to)


def places(pdf: bytes) -> tuple[Place, ...]:
    """Where signatures may stand, the one that ends first before the others; at most twenty are looked at."""
    found: dict[tuple[int, int, int], Place] = {}
    for match in _RANGE.finditer(pdf):
        start, first, second, length = (int(group) for group in match.groups())
        end = second + length
        if start == 0 and 0 < first < second and end <= len(pdf):
            found.setdefault((end, first, second), Place(first, second, end, _closed(pdf[first:second])))
        if len(found) == _MOST:
            break
    return tuple(found[key] for key in sorted(found))


def _closed(gap: bytes) -> bool:
    match = _HEX.match(gap)
    if match is None or len(match.group(1)) % 2:
        return False
    raw = bytes.fromhex(match.group(1).decode("ascii"))
    size = _der_size(raw)
    return size is not None and size <= len(raw) and not any(raw[size:])


def _der_size(raw: bytes) -> int | None:
    """How many bytes the first DER value takes, by its own length; None where that can't be read."""
    if len(raw) < 2 or raw[0] != 0x30:
        return None
    if raw[1] < 0x80:
        return 2 + raw[1]
    count = raw[1] & 0x7F
    if not 1 <= count <= 4 or len(raw) < 2 + count:
        return None
    return 2 + count + int.from_bytes(raw[2 : 2 + count], "big")


def traces_of_signature(pdf: bytes) -> bool:
    """Whether a file without a readable signature looks as if it had had one."""
    return any(mark in pdf for mark in (b"/ByteRange", b"ETSI.CAdES.detached", b"adbe.pkcs7", b"/SigFlags"))


def behind_in_words(behind: bytes) -> str:
    """Name what stands behind the signed bytes of a file."""
    count = f"{len(behind)} byte" + ("s" if len(behind) > 1 else "")
    if not behind.strip(b" \r\n\t\0\f"):
        what = "só espaços ou quebras de linha"
    elif b"/ByteRange" in behind:
        what = "uma nova versão do documento, com outra assinatura"
    elif b"startxref" in behind:
        what = "uma nova versão do documento, que a assinatura não cobre"
    else:
        what = "algo que não é do documento"
    return f"Depois do fim do que foi assinado há mais {count}: {what}."
