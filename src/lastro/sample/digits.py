"""Numbers that fiscal documents carry, with their check digits, computed independently of `lastro.ids`.

Sources: NT Conjunta 2025.001 (a character of a CNPJ is worth its ASCII code less 48) and the MOC of the NF-e
(access key: modulo 11, weights 2 to 9 from the right).
"""

from __future__ import annotations

import random

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _modulo11(text: str) -> str:
    total = sum((ord(char) - 48) * (2 + place % 8) for place, char in enumerate(reversed(text)))
    rest = total % 11
    return "0" if rest < 2 else str(11 - rest)


def cnpj(root: str, branch: int = 1) -> str:
    """The 14 characters of an establishment, from its company's 8 and the number of the branch."""
    text = f"{root}{branch:04d}"
    first = _modulo11(text)
    return text + first + _modulo11(text + first)


def bad_cnpj(good: str) -> str:
    """The same establishment with its last check digit off by one."""
    return good[:-1] + str((int(good[-1]) + 1) % 10)


def key_digit(body: str) -> str:
    """The check digit of the first 43 characters of an access key."""
    return _modulo11(body)


def key_rest(body: str) -> int:
    """What is left of the key's sum modulo 11; rests 0 and 1 both give the digit 0."""
    return sum((ord(char) - 48) * (2 + place % 8) for place, char in enumerate(reversed(body))) % 11


def key_digit_base36(body: str) -> str:
    """The wrong digit of whoever reads A as 10, B as 11 …, as old programs do."""
    total = sum(int(char, 36) * (2 + place % 8) for place, char in enumerate(reversed(body)))
    rest = total % 11
    return "0" if rest < 2 else str(11 - rest)


def cpf(body: str) -> str:
    """The 11 digits of an invented person."""
    for size in (10, 11):
        total = sum(int(char) * (size - place) for place, char in enumerate(body))
        rest = total * 10 % 11 % 10
        body += str(rest)
    return body


def state_registration(uf: str, rnd: random.Random) -> str:
    """An invented state registration with the check digit that MT or GO would give it."""
    if uf == "MT":
        body = f"0013{rnd.randrange(10**6):06d}"
        rest = sum(int(c) * w for c, w in zip(body, (3, 2, 9, 8, 7, 6, 5, 4, 3, 2), strict=True)) % 11
        return body + ("0" if rest < 2 else str(11 - rest))
    while True:
        body = f"10{rnd.randrange(10**6):06d}"
        rest = sum(int(c) * w for c, w in zip(body, range(9, 1, -1), strict=True)) % 11
        if rest > 1:
            return body + str(11 - rest)


def plate(rnd: random.Random) -> str:
    """An invented vehicle plate in the Mercosul pattern."""
    head = "".join(rnd.choice(LETTERS) for _ in range(3))
    return f"{head}{rnd.randrange(10)}{rnd.choice('ABCDEFGHIJ')}{rnd.randrange(100):02d}"


def company_root(rnd: random.Random, taken: set[str]) -> str:
    """Eight characters beginning with ZZ, which no real company holds."""
    while True:
        root = "ZZ" + "".join(rnd.choice(LETTERS + "0123456789") for _ in range(6))
        if root not in taken:
            taken.add(root)
            return root
