"""A function whose key one party holds and whose input another one hides, with a proof that the key was used.

VOPRF of RFC 9497 with the suite ristretto255-SHA512; its names are kept. Points and scalars are 32 bytes.
Numbers here are elements of a group, never masses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import rbcl

Draw = Callable[[int], bytes]
"""Gives so many random bytes."""

ORDER = 2**252 + 27742317777372353535851937790883648493
BYTES = 32
MOST = 2**16 - 1
"""Points that one proof may speak of: each is counted in two bytes."""

_CONTEXT = b"OPRFV1-\x01-ristretto255-SHA512"


class BadProof(Exception):
    """An answer that was not made with the key it should have been made with."""


@dataclass(frozen=True)
class Blinded:
    """An input, the scalar that hides it, and the point that is sent."""

    value: bytes
    blind: bytes
    point: bytes


def hash_to_group(value: bytes) -> bytes:
    """The point that stands for an input. RFC 9497, 4.1."""
    return bytes(rbcl.crypto_core_ristretto255_from_hash(_expand(value, b"HashToGroup-" + _CONTEXT)))


def random_point(draw: Draw) -> bytes:
    """A point of which nobody knows what it stands for."""
    return bytes(rbcl.crypto_core_ristretto255_from_hash(draw(64)))


def random_scalar(draw: Draw) -> bytes:
    """A scalar that is not zero, uniform."""
    value = 0
    while value == 0:
        value = int.from_bytes(draw(64), "little") % ORDER
    return _scalar(value)


def derive_key(seed: bytes, info: bytes) -> bytes:
    """The secret key that belongs to a seed of 32 bytes and a name. RFC 9497, 3.2.1."""
    said = seed + len(info).to_bytes(2, "big") + info
    for counter in range(256):
        value = _hash_to_scalar(said + bytes([counter]), b"DeriveKeyPair" + _CONTEXT)
        if value:
            return _scalar(value)
    raise AssertionError("of 256 hashes one is not zero")


def public_key(secret: bytes) -> bytes:
    """The point by which everybody checks answers made with this key."""
    return bytes(rbcl.crypto_scalarmult_ristretto255_base(secret))


def blind(value: bytes, draw: Draw) -> Blinded:
    """Hide an input behind a random scalar: the point sent is uniform, whatever the input is."""
    scalar = random_scalar(draw)
    return Blinded(value, scalar, multiply(scalar, hash_to_group(value)))


def evaluate(secret: bytes, points: Sequence[bytes], draw: Draw) -> tuple[list[bytes], bytes]:
    """The points times the key, in their order, and one proof over all (64 bytes). RFC 9497, 3.3.2.

    Raises ValueError if one of them is no point of the group, or is the neutral one, or they are too many.
    """
    if not 0 < len(points) <= MOST or not all(is_point(point) for point in points):
        raise ValueError("not points of the group")
    answers = [multiply(secret, point) for point in points]
    mine = public_key(secret)
    composite = _sum(_weighed(points, _weights(mine, points, answers)))
    return answers, _prove(secret, (mine, composite, multiply(secret, composite)), draw)


def _prove(secret: bytes, speaks_of: tuple[bytes, bytes, bytes], draw: Draw) -> bytes:
    mine, composite, answer = speaks_of
    nonce = random_scalar(draw)
    challenge = _challenge(
        mine, composite, answer, rbcl.crypto_scalarmult_ristretto255_base(nonce), multiply(nonce, composite)
    )
    reply = (_number(nonce) - challenge * _number(secret)) % ORDER
    return _scalar(challenge) + _scalar(reply)


def check(public: bytes, points: Sequence[bytes], answers: Sequence[bytes], proof: bytes) -> None:
    """Raises BadProof unless every answer is its point times the key behind `public`. RFC 9497, 2.2.2."""
    sound = len(points) == len(answers) and len(proof) == 2 * BYTES and is_point(public)
    if not sound or not all(is_point(answer) for answer in answers):
        raise BadProof
    challenge, reply = proof[:BYTES], proof[BYTES:]
    if max(_number(challenge), _number(reply)) >= ORDER or not _number(challenge) or not _number(reply):
        raise BadProof
    weights = _weights(public, points, answers)
    composite, answered = _sum(_weighed(points, weights)), _sum(_weighed(answers, weights))
    try:
        first = _plus(rbcl.crypto_scalarmult_ristretto255_base(reply), multiply(challenge, public))
        second = _plus(multiply(reply, composite), multiply(challenge, answered))
    except ValueError as wrong:
        raise BadProof from wrong
    if _challenge(public, composite, answered, first, second) != _number(challenge):
        raise BadProof


def finish(blinded: Blinded, answer: bytes) -> bytes:
    """What the function says of the input: 64 bytes. The answer was checked before. RFC 9497, 3.3.1."""
    inverse = _scalar(pow(_number(blinded.blind), -1, ORDER))
    return output(blinded.value, multiply(inverse, answer))


def output(value: bytes, unblinded: bytes) -> bytes:
    """The hash of input and point that is the function's value."""
    return hashlib.sha512(_counted(value) + _counted(unblinded) + b"Finalize").digest()


def plain(secret: bytes, value: bytes) -> bytes:
    """The function computed by who holds the key and the input both, as an attacker with the key would."""
    return output(value, multiply(secret, hash_to_group(value)))


def is_point(data: bytes) -> bool:
    """Whether these 32 bytes are an element of the group other than the neutral one."""
    return len(data) == BYTES and any(data) and bool(rbcl.crypto_core_ristretto255_is_valid_point(data))


def multiply(scalar: bytes, point: bytes) -> bytes:
    """A point times a scalar. Raises ValueError where that is the neutral element, or no point was given."""
    try:
        return bytes(rbcl.crypto_scalarmult_ristretto255(scalar, point))
    except RuntimeError as wrong:
        raise ValueError("not a point") from wrong


def _weighed(points: Sequence[bytes], weights: Iterable[bytes]) -> Iterable[bytes]:
    return (multiply(weight, point) for weight, point in zip(weights, points, strict=True))


def _sum(points: Iterable[bytes]) -> bytes:
    added = bytes(BYTES)
    for point in points:
        added = _plus(added, point)
    return added


def _plus(one: bytes, other: bytes) -> bytes:
    return bytes(rbcl.crypto_core_ristretto255_add(one, other))


def _weights(public: bytes, points: Sequence[bytes], answers: Sequence[bytes]) -> list[bytes]:
    """What each pair counts in the proof over all: nobody can choose pairs that cancel out."""
    label = b"Seed-" + _CONTEXT
    seed = hashlib.sha512(_counted(public) + _counted(label)).digest()
    made = []
    for number, (point, answer) in enumerate(zip(points, answers, strict=True)):
        said = _counted(seed) + number.to_bytes(2, "big") + _counted(point) + _counted(answer) + b"Composite"
        made.append(_scalar(_hash_to_scalar(said, b"HashToScalar-" + _CONTEXT)))
    return made


def _challenge(*points: bytes) -> int:
    said = b"".join(_counted(point) for point in points) + b"Challenge"
    return _hash_to_scalar(said, b"HashToScalar-" + _CONTEXT)


def _hash_to_scalar(said: bytes, label: bytes) -> int:
    return int.from_bytes(_expand(said, label), "little") % ORDER


def _expand(said: bytes, label: bytes) -> bytes:
    """64 bytes out of any: expand_message_xmd of RFC 9380, 5.3.1, with SHA-512, whose one block is enough."""
    mark = label + bytes([len(label)])
    first = hashlib.sha512(bytes(128) + said + b"\x00\x40\x00" + mark).digest()
    return hashlib.sha512(first + b"\x01" + mark).digest()


def _counted(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def _scalar(value: int) -> bytes:
    return value.to_bytes(BYTES, "little")


def _number(scalar: bytes) -> int:
    return int.from_bytes(scalar, "little")
