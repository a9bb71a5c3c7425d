"""The blinded function says what RFC 9497 says, and a wrong key does not pass."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastro.hub import oprf

# RFC 9497, A.1.2 (VOPRF, ristretto255-SHA512), test vectors 1 and 2.
SECRET = "e6f73f344b79b379f1a0dd37e07ff62e38d9f71345ce62ae3a9bc60b04ccd909"
PUBLIC = "c803e2cc6b05fc15064549b5920659ca4a77b2cca6f04f6b357009335476ad4e"
BLIND = "64d37aed22a27f5191de1c1d69fadb899d8862b58eb4220029e036ec4c1f6706"
NONCE = "222a5e897cf59db8145db8d16e597e8facb80ae7d4e26d9881aa6f61d645fc0e"
BLINDED = "863f330cc1a1259ed5a5998a23acfd37fb4351a793a5b3c090b642ddc439b945"
EVALUATED = "aa8fa048764d5623868679402ff6108d2521884fa138cd7f9c7669a9a014267e"
PROOF = (
    "ddef93772692e535d1a53903db24367355cc2cc78de93b3be5a8ffcc6985dd06"
    "6d4346421d17bf5117a2a1ff0fcb2a759f58a539dfbe857a40bce4cf49ec600d"
)
OUTPUT = (
    "b58cfbe118e0cb94d79b5fd6a6dafb98764dff49c14e1770b566e42402da1a7d"
    "a4d8527693914139caee5bd03903af43a491351d23b430948dd50cde10d32b3c"
)


def _drawn(*scalars: str):  # type: ignore[no-untyped-def]
    """A draw that gives these scalars, one after the other."""
    left = [bytes.fromhex(one).ljust(64, b"\0") for one in scalars]
    return lambda size: left.pop(0)


def test_the_standards_vector() -> None:
    secret = oprf.derive_key(b"\xa3" * 32, b"test key")
    assert secret.hex() == SECRET
    assert oprf.public_key(secret).hex() == PUBLIC
    blinded = oprf.blind(b"\0", _drawn(BLIND))
    assert blinded.point.hex() == BLINDED
    answers, proof = oprf.evaluate(secret, [blinded.point], _drawn(NONCE))
    assert [one.hex() for one in answers] == [EVALUATED]
    assert proof.hex() == PROOF
    assert oprf.finish(blinded, answers[0]).hex() == OUTPUT == oprf.plain(secret, b"\0").hex()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.binary(max_size=80), min_size=1, max_size=6), st.binary(min_size=32, max_size=32))
def test_blinding_never_changes_the_value(values: list[bytes], seed: bytes) -> None:
    secret = oprf.derive_key(seed, b"")
    blinded = [oprf.blind(value, os.urandom) for value in values]
    answers, proof = oprf.evaluate(secret, [one.point for one in blinded], os.urandom)
    oprf.check(oprf.public_key(secret), [one.point for one in blinded], answers, proof)
    assert [oprf.finish(*pair) for pair in zip(blinded, answers, strict=True)] == [
        oprf.plain(secret, value) for value in values
    ]


def test_a_keeper_that_uses_another_key_for_one_point_is_caught() -> None:
    secret, other = oprf.derive_key(b"a" * 32, b""), oprf.derive_key(b"b" * 32, b"")
    points = [oprf.random_point(os.urandom) for _ in range(4)]
    answers, proof = oprf.evaluate(secret, points, os.urandom)
    oprf.check(oprf.public_key(secret), points, answers, proof)
    swapped = [*answers[:3], oprf.multiply(other, points[3])]
    for wrong in (swapped, answers[::-1], answers[:3], [*answers[:3], bytes(32)]):
        with pytest.raises(oprf.BadProof):
            oprf.check(oprf.public_key(secret), points, wrong, proof)
    for told in (oprf.public_key(other), bytes(32)):
        with pytest.raises(oprf.BadProof):
            oprf.check(told, points, answers, proof)
    for at in (0, 31, 32, 63):
        bent = bytes(b ^ (i == at) for i, b in enumerate(proof))
        with pytest.raises(oprf.BadProof):
            oprf.check(oprf.public_key(secret), points, answers, bent)


@pytest.mark.parametrize("bad", [bytes(32), b"\xff" * 32, b"short"])
def test_what_is_no_point_is_not_answered(bad: bytes) -> None:
    with pytest.raises(ValueError, match="points"):
        oprf.evaluate(oprf.derive_key(b"a" * 32, b""), [bad], os.urandom)
