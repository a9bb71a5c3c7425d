"""The number printed on a certificate: nobody guesses one, and a slip in copying it shows.

`CRE-2026-XXXX-XXXX-XXXX-XXXX-XXXX`: the kind, the year of the liability, nineteen random characters (95
bits) and one check character, in Crockford's base 32 (no I, L, O or U). Read as one number in base 32, year,
body and check character together leave the remainder of their kind modulo 37 (none for CRE); bodies that no
character completes are drawn again. As 37 is prime and 32 has order 36 modulo 37, no two of the 24 places
weigh the same: every single wrong character and every two characters that changed places (next to each other
or not) leave another remainder, and so does a number under another kind's letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_VALUE = {char: value for value, char in enumerate(ALPHABET)}
_READ_AS = str.maketrans("OIL", "011", "- \t\u00a0")
_BODY, _PRIME = 19, 37
BYTES = 12
"""How many random bytes one draw takes."""

KINDS: Mapping[str, int] = {"CRE": 0, "CCRLR": 7, "CERE": 13, "CMF": 19}
"""The letters before a number by kind, and the remainder that its numbers leave."""


def draw(year: int, random_bytes: Callable[[int], bytes], *, kind: str = "CRE") -> str:
    """A new number. `random_bytes` gives so many unguessable bytes (`secrets.token_bytes`)."""
    assert 1000 <= year <= 9999, "a year has four digits"
    while True:
        value = int.from_bytes(random_bytes(BYTES), "big")
        body = "".join(ALPHABET[value >> 5 * i & 31] for i in range(_BODY))
        check = (KINDS[kind] - _remainder(f"{year}{body}0")) % _PRIME
        if check < len(ALPHABET):
            return _grouped(kind, f"{year}{body}{ALPHABET[check]}")


def parse(text: str) -> str | None:
    """The number as it is printed, from what a person typed, or None if it is not one (K10).

    Small letters, missing hyphens and O, I, L for 0, 1, 1 are read as they were meant.
    """
    plain = text.strip().upper()
    kind = _kind(plain)
    if not kind:
        return None
    bare = plain[len(kind) :].translate(_READ_AS)
    if len(bare) != 4 + _BODY + 1 or not bare[:4].isdecimal() or any(char not in _VALUE for char in bare):
        return None
    return _grouped(kind, bare) if _remainder(bare) == KINDS[kind] else None


def looks_like(text: str) -> bool:
    """Whether somebody meant a certificate's number, right or wrong, and not its id."""
    plain = text.strip().upper()
    return plain.startswith("CRE") or bool(_kind(plain) and plain[len(_kind(plain)) :].startswith("-"))


def _kind(plain: str) -> str:
    return next((kind for kind in KINDS if plain.startswith(kind)), "")


def _remainder(text: str) -> int:
    rest = 0
    for char in text:
        rest = (rest * 32 + _VALUE[char]) % _PRIME
    return rest


def _grouped(kind: str, bare: str) -> str:
    year, rest = bare[:4], bare[4:]
    return "-".join([kind, year, *(rest[i : i + 4] for i in range(0, len(rest), 4))])
