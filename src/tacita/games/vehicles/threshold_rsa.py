"""Threshold RSA after Shoup, a textbook scheme for the simulation only: t shares together sign, and nobody sees whose they were.

No well-kept library on PyPI was found that offers threshold signatures, so the sharing is written here, in whole numbers of
Python that are neither quick nor safe against whoever measures times. A finished signature is ordinary RSA (PKCS #1 v1.5 with
SHA-256), and it is the library ``cryptography`` that verifies it.

References
----------
Shoup, V. (2000). Practical threshold signatures. Advances in Cryptology - Eurocrypt 2000, LNCS 1807, 207-220.
Daza, V., Domingo-Ferrer, J., Sebe, F., Viejo, A. (2009). Trustworthy privacy-preserving car-generated announcements in vehicular
ad hoc networks. IEEE Transactions on Vehicular Technology 58, 1876-1886.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.errors import DataError, ParameterError
from tacita.games.vehicles.safe_primes import safe_prime

__all__ = ["KeyShare", "SignatureShare", "ThresholdKey", "combine_shares", "deal_key", "share_is_valid", "sign_share"]

_EXPONENT = 65537
_DIGEST_INFO = bytes.fromhex("3031300d060960864801650304020105000420")  # SHA-256, RFC 8017 section 9.2
_CHALLENGE_BITS = 128
LEAST_BITS, MOST_SHARES = 1024, 400


@dataclass(frozen=True, repr=False)
class ThresholdKey:
    """The public side: what is needed to check shares, to put them together and to verify a signature.

    Parameters
    ----------
    modulus
        N = p q, a product of safe primes.
    threshold
        How many different shares make a signature.
    shares
        How many different shares there are.
    base, checks
        v, a square modulo N, and v_i = v^(s_i) for each share.
    """

    modulus: int
    threshold: int
    shares: int
    base: int
    checks: tuple[int, ...]

    def __repr__(self) -> str:
        return f"ThresholdKey of {self.modulus.bit_length()} bits, {self.threshold} of {self.shares} shares"

    @functools.cached_property
    def delta(self) -> int:
        """Delta = shares!, which makes the coefficients of Lagrange whole numbers."""
        return math.factorial(self.shares)

    def verifies(self, message: bytes, signature: bytes) -> bool:
        """Return whether a signature of the message is good, as any RSA library would find."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric import padding
        from cryptography.hazmat.primitives.hashes import SHA256

        try:
            _public(self.modulus).verify(signature, message, padding.PKCS1v15(), SHA256())
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True)
class KeyShare:
    """The secret of one share: the value of the dealer's polynomial at its number, from 1."""

    number: int
    secret: int = field(repr=False)


@dataclass(frozen=True)
class SignatureShare:
    """What the holder of a share adds to a signature: x_i = x^(2 Delta s_i), with a proof that it is the right power."""

    number: int
    value: int = field(repr=False)
    challenge: int = field(default=0, repr=False)
    response: int = field(default=0, repr=False)


def deal_key(
    threshold: int, shares: int, rng: np.random.Generator, *, bits: int = LEAST_BITS
) -> tuple[ThresholdKey, tuple[KeyShare, ...]]:
    """Draw a key and share it: f(0) = d = 1 / e modulo p' q', and s_i = f(i) for a random polynomial f of degree t - 1.

    Parameters
    ----------
    threshold
        t: so many different shares make a signature, fewer do not.
    shares
        How many different shares there are, at most 400.
    rng
        Where the key comes from; whoever can repeat it can sign alone, which is why this is for simulations only.
    bits
        Of the modulus, at least 1024.

    Raises
    ------
    ParameterError
        When the threshold is not between 1 and the number of shares, or the key is too short.

    Complexity
    ----------
    Two safe primes, and O(shares x threshold) products.

    References
    ----------
    Shoup (2000), section 3.

    Examples
    --------
    >>> key, dealt = deal_key(2, 3, np.random.default_rng(1))
    >>> signature = combine_shares(key, b"ice", [sign_share(key, one, b"ice") for one in dealt[:2]])
    >>> key.verifies(b"ice", signature), key.verifies(b"fog", signature)
    (True, False)
    """
    for name, number in (("threshold", threshold), ("shares", shares), ("bits", bits)):
        if isinstance(number, bool) or not isinstance(number, int):
            raise ParameterError(f"deal_key: '{name}' must be a whole number, got {type(number).__name__}.")
    if not 1 <= threshold <= shares <= MOST_SHARES:
        raise ParameterError(
            f"deal_key: 'threshold' must be in [1, {shares}], the number of shares, of which there are at most {MOST_SHARES}."
        )
    if bits < LEAST_BITS or bits % 2:
        raise ParameterError(f"deal_key: 'bits' must be an even number, at least {LEAST_BITS}.")
    p = safe_prime(bits // 2, rng)
    q = next(other for other in iter(lambda: safe_prime(bits // 2, rng), None) if other != p)
    modulus, order = p * q, (p - 1) // 2 * ((q - 1) // 2)
    polynomial = [pow(_EXPONENT, -1, order), *(_below(order, rng) for _ in range(threshold - 1))]
    dealt = tuple(KeyShare(i, _value(polynomial, i, order)) for i in range(1, shares + 1))
    base = pow(_below(modulus, rng), 2, modulus)
    checks = tuple(pow(base, share.secret, modulus) for share in dealt)
    return ThresholdKey(modulus, threshold, shares, base, checks), dealt


def sign_share(key: ThresholdKey, share: KeyShare, message: bytes, *, proof: bool = True) -> SignatureShare:
    """Return x_i = x^(2 Delta s_i), with a proof that log_v v_i and log_(x^(4 Delta)) x_i^2 are one number.

    Parameters
    ----------
    key, share
        The public side, and a share of it.
    message
        What is signed.
    proof
        Whether the proof is made; without it a bad share shows only when the signature fails.

    References
    ----------
    Shoup (2000), section 3.
    """
    x, modulus = _padded(key, message), key.modulus
    value = pow(x, 2 * key.delta * share.secret, modulus)
    if not proof:
        return SignatureShare(share.number, value)
    tilde, size = pow(x, 4 * key.delta, modulus), modulus.bit_length() + 2 * _CHALLENGE_BITS
    # A nonce from secret and message needs no random numbers, and is never used for two messages.
    seed = hashlib.sha256(b"nonce" + str(share.secret).encode() + b":" + message).digest()
    nonce = int.from_bytes(hashlib.shake_256(seed).digest(size // 8), "big")
    challenge = _challenge(key, share.number, tilde, value, pow(key.base, nonce, modulus), pow(tilde, nonce, modulus))
    return SignatureShare(share.number, value, challenge, share.secret * challenge + nonce)


def share_is_valid(key: ThresholdKey, message: bytes, part: SignatureShare) -> bool:
    """Return whether the proof of a share of a signature holds."""
    modulus = key.modulus
    if not (1 <= part.number <= key.shares and 0 < part.value < modulus and math.gcd(part.value, modulus) == 1):
        return False
    if not 0 <= part.response.bit_length() <= 2 * modulus.bit_length() + 3 * _CHALLENGE_BITS or part.response < 0:
        return False
    tilde = pow(_padded(key, message), 4 * key.delta, modulus)
    check = key.checks[part.number - 1]
    first = pow(key.base, part.response, modulus) * pow(check, -part.challenge, modulus) % modulus
    second = pow(tilde, part.response, modulus) * pow(part.value, -2 * part.challenge, modulus) % modulus
    return part.challenge == _challenge(key, part.number, tilde, part.value, first, second)


def combine_shares(key: ThresholdKey, message: bytes, parts: Iterable[SignatureShare]) -> bytes:
    """Put shares of a signature together: w = prod x_i^(2 lambda_i), y = w^a x^b with 4 Delta^2 a + e b = 1.

    The signature is the e-th root of the padded message, of which there is one alone: whoever signed, the bytes are the same.

    Parameters
    ----------
    key, message
        The public side, and what was signed.
    parts
        Shares with different numbers; a number that comes again counts once. The first ``threshold`` are used.

    Raises
    ------
    ParameterError
        When there are fewer different shares than the threshold.
    DataError
        When they do not make a signature of the message.

    Complexity
    ----------
    O(threshold) powers modulo N.

    References
    ----------
    Shoup (2000), section 3: lambda_i = Delta prod_(j != i) j / (j - i).
    """
    different = {part.number: part for part in reversed(list(parts)) if 1 <= part.number <= key.shares}
    used = [different[number] for number in sorted(different)][: key.threshold]
    if len(used) < key.threshold:
        raise ParameterError(
            f"combine_shares: there must be {key.threshold} different shares, got {len(used)}. A share counts once."
        )
    x, modulus = _padded(key, message), key.modulus
    w = 1
    for part in used:
        others = [other.number for other in used if other.number != part.number]
        above, below = math.prod(others), math.prod(j - part.number for j in others)
        if math.gcd(part.value, modulus) != 1:
            raise DataError("combine_shares: a share is no number that a signature can have.")
        w = w * pow(part.value, 2 * (key.delta * above // below), modulus) % modulus
    whole = 4 * key.delta**2
    a = pow(whole, -1, _EXPONENT)
    b = (1 - whole * a) // _EXPONENT
    signature = (pow(w, a, modulus) * pow(x, b, modulus) % modulus).to_bytes(_bytes(modulus), "big")
    if not key.verifies(message, signature):
        raise DataError("combine_shares: the shares make no signature of this message; check each by its proof.")
    return signature


# --- numbers ----------------------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=16)
def _public(modulus: int) -> Any:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

    return RSAPublicNumbers(_EXPONENT, modulus).public_key()


def _bytes(modulus: int) -> int:
    return (modulus.bit_length() + 7) // 8


def _padded(key: ThresholdKey, message: bytes) -> int:
    """x: the message as PKCS #1 v1.5 pads its digest (RFC 8017, section 9.2)."""
    tail = b"\x00" + _DIGEST_INFO + hashlib.sha256(message).digest()
    return int.from_bytes(b"\x00\x01" + b"\xff" * (_bytes(key.modulus) - len(tail) - 2) + tail, "big")


def _challenge(key: ThresholdKey, number: int, *numbers: int) -> int:
    told = (key.modulus, key.base, key.checks[number - 1], *numbers[:1], pow(numbers[1], 2, key.modulus), *numbers[2:])
    digest = hashlib.sha256(",".join(map(str, told)).encode()).digest()
    return int.from_bytes(digest[: _CHALLENGE_BITS // 8], "big")


def _below(limit: int, rng: np.random.Generator) -> int:
    """Return a number below a limit; 64 bits more than it has, so that none is noticeably likelier."""
    return int.from_bytes(rng.bytes(limit.bit_length() // 8 + 9), "big") % limit


def _value(polynomial: list[int], at: int, order: int) -> int:
    total = 0
    for coefficient in reversed(polynomial):
        total = (total * at + coefficient) % order
    return total
