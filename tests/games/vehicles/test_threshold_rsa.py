from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

from tacita.core.errors import DataError, ParameterError
from tacita.games.vehicles.safe_primes import safe_prime
from tacita.games.vehicles.threshold_rsa import (
    KeyShare,
    SignatureShare,
    ThresholdKey,
    combine_shares,
    deal_key,
    share_is_valid,
    sign_share,
)

MESSAGE = b"icy road near longitude X latitude Y"
Dealt = tuple[ThresholdKey, tuple[KeyShare, ...]]


@pytest.fixture(scope="module")
def dealt() -> Dealt:
    return deal_key(3, 5, np.random.default_rng(1))


def _parts(dealt: Dealt, numbers: tuple[int, ...], message: bytes = MESSAGE) -> list[SignatureShare]:
    return [sign_share(dealt[0], dealt[1][number], message) for number in numbers]


def test_any_three_sign_and_the_bytes_do_not_show_who(dealt: Dealt) -> None:
    made = {combine_shares(dealt[0], MESSAGE, _parts(dealt, some)) for some in itertools.combinations(range(5), 3)}
    assert len(made) == 1
    assert dealt[0].verifies(MESSAGE, made.pop())


def test_the_signature_is_that_of_the_whole_key(dealt: Dealt) -> None:
    """The library signs with the primes themselves, drawn again from the same seed."""
    rng = np.random.default_rng(1)
    p, q = safe_prime(512, rng), safe_prime(512, rng)
    d = pow(65537, -1, (p - 1) * (q - 1))
    public = rsa.RSAPublicNumbers(65537, p * q)
    numbers = rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), rsa.rsa_crt_iqmp(p, q), public)
    whole = numbers.private_key().sign(MESSAGE, padding.PKCS1v15(), SHA256())
    assert combine_shares(dealt[0], MESSAGE, _parts(dealt, (4, 0, 2))) == whole


def test_two_cannot_sign(dealt: Dealt) -> None:
    with pytest.raises(ParameterError, match="3 different shares, got 2"):
        combine_shares(dealt[0], MESSAGE, _parts(dealt, (0, 1)))


def test_one_car_cannot_give_two_shares(dealt: Dealt) -> None:
    """Neither the same share again, nor the same one under another number."""
    first, second = _parts(dealt, (0, 1))
    with pytest.raises(ParameterError, match="A share counts once"):
        combine_shares(dealt[0], MESSAGE, [first, second, second, first])
    with pytest.raises(DataError, match="make no signature"):
        combine_shares(dealt[0], MESSAGE, [first, second, replace(second, number=3)])


def test_two_who_guess_a_third_share_cannot_sign(dealt: Dealt) -> None:
    key, shares = dealt
    guessed = sign_share(key, KeyShare(3, shares[0].secret + shares[1].secret), MESSAGE)
    with pytest.raises(DataError, match="make no signature"):
        combine_shares(key, MESSAGE, [*_parts(dealt, (0, 1)), guessed])


def test_a_signature_is_of_its_message_and_its_bytes_alone(dealt: Dealt) -> None:
    key = dealt[0]
    made = combine_shares(key, MESSAGE, _parts(dealt, (0, 1, 2)))
    mauled = bytes([made[0] ^ 1, *made[1:]])
    assert key.verifies(MESSAGE, made)
    assert not key.verifies(MESSAGE + b".", made)
    assert not key.verifies(MESSAGE, mauled)
    assert not key.verifies(MESSAGE, b"")
    assert not key.verifies(MESSAGE, b"\0" * len(made))


def test_shares_of_two_messages_make_no_signature(dealt: Dealt) -> None:
    parts = [*_parts(dealt, (0, 1)), *_parts(dealt, (2,), b"another")]
    with pytest.raises(DataError, match="make no signature"):
        combine_shares(dealt[0], MESSAGE, parts)


def test_a_proof_holds_for_its_share_alone(dealt: Dealt) -> None:
    key = dealt[0]
    good = _parts(dealt, (1,))[0]
    assert share_is_valid(key, MESSAGE, good)
    bad = [
        replace(good, value=good.value + 1), replace(good, number=3), replace(good, number=0), replace(good, number=6),
        replace(good, response=good.response + 1), replace(good, challenge=0), replace(good, value=0),
        replace(good, response=-1), replace(good, value=key.modulus - good.value + key.modulus),
    ]  # fmt: skip
    assert [share_is_valid(key, MESSAGE, one) for one in bad] == [False] * len(bad)
    assert not share_is_valid(key, b"another", good)
    assert not share_is_valid(key, MESSAGE, sign_share(key, dealt[1][1], MESSAGE, proof=False))


def test_secrets_do_not_show(dealt: Dealt) -> None:
    key, shares = dealt
    assert str(shares[0].secret) not in repr(shares[0])
    assert repr(key) == "ThresholdKey of 1024 bits, 3 of 5 shares"


@pytest.mark.parametrize(
    ("threshold", "shares", "bits", "named"),
    [(0, 3, 1024, "threshold"), (4, 3, 1024, "threshold"), (2, 401, 1024, "threshold"), (2, 3, 512, "bits"),
     (2, 3, 1025, "bits"), (2.0, 3, 1024, "threshold"), (True, 3, 1024, "threshold")],
)  # fmt: skip
def test_a_key_that_cannot_be_dealt_is_refused(threshold: int, shares: int, bits: int, named: str) -> None:
    with pytest.raises(ParameterError, match=f"'{named}'"):
        deal_key(threshold, shares, np.random.default_rng(1), bits=bits)
