"""Oblivious transfer after Naor and Pinkas: the receiver gets one of two variants of each mark, the sender does not learn which.

A textbook protocol for the simulation. The products on the curve P-256 are those of the library ``cryptography``; only sums of
two points are written here. A choice is bound when its point is made, so that a certificate of the points binds all choices
(committed oblivious transfer), and a point looks the same for either choice.

References
----------
Naor, M., Pinkas, B. (2001). Efficient oblivious transfer protocols. Proc. SODA 2001, 448-457.
Domingo-Ferrer, J. (1999). Anonymous fingerprinting based on committed oblivious transfer. Public Key Cryptography - PKC 99, LNCS
1560, 43-52.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.errors import DataError, ParameterError

__all__ = ["Choices", "Point", "SealedPairs", "choose_variants", "open_pairs", "seal_pairs"]

Point = tuple[int, int]
"""A point of the curve P-256, by its coordinates."""

_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
LONGEST = 65_535
"""Bytes of a variant; its length stands in two bytes."""


@dataclass(frozen=True)
class Choices:
    """What the receiver keeps: her choices and the secrets of her points.

    Parameters
    ----------
    points
        One for each position: k G where she wants variant 0, C - k G where she wants variant 1. These are handed over.
    bits, secrets
        The choices, and k for each position.
    """

    points: tuple[Point, ...]
    bits: tuple[int, ...] = field(repr=False)
    secrets: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, repr=False)
class SealedPairs:
    """Both variants of each position, of which a receiver can open the chosen one.

    Parameters
    ----------
    ephemeral
        r G, a point of the sender.
    boxes
        For each position the sealed variants 0 and 1, of equal length.
    """

    ephemeral: Point
    boxes: tuple[tuple[bytes, bytes], ...]


def choose_variants(bits: Sequence[int], rng: np.random.Generator) -> Choices:
    """Make the points of some choices. Nobody knows the logarithm of C, so that no point opens both variants.

    Parameters
    ----------
    bits
        0 or 1 for each position.
    rng
        Where the secrets come from.

    Complexity
    ----------
    O(positions) products on the curve.

    Examples
    --------
    >>> choices = choose_variants([0, 1], np.random.default_rng(1))
    >>> sealed = seal_pairs([(b"big", b"large"), (b"road", b"street")], choices.points, np.random.default_rng(2))
    >>> open_pairs(sealed, choices)
    (b'big', b'street')
    """
    listed = [int(bit) for bit in bits]
    if any(bit not in (0, 1) for bit in listed):
        raise ParameterError("choose_variants: 'bits' must be 0 or 1.")
    secrets = tuple(_scalar(rng) for _ in listed)
    points = []
    for bit, secret in zip(listed, secrets, strict=True):
        own = _coordinates(_private(secret).public_key())
        points.append(_other(own) if bit else own)
    return Choices(tuple(points), tuple(listed), secrets)


def seal_pairs(pairs: Sequence[tuple[bytes, bytes]], points: Sequence[Point], rng: np.random.Generator) -> SealedPairs:
    """Seal variant 0 of each position with r P and variant 1 with r (C - P), for the receiver's points P.

    Parameters
    ----------
    pairs
        The two variants of each position.
    points
        The receiver's, one for each position.
    rng
        Where r comes from.

    Raises
    ------
    DataError
        When the numbers differ, a variant is too long, or a point does not lie on the curve.

    Complexity
    ----------
    O(positions) products on the curve.
    """
    if len(pairs) != len(points):
        raise DataError("seal_pairs: there must be a point for each pair of variants.")
    own = _private(_scalar(rng))
    boxes = []
    for place, (pair, point) in enumerate(zip(pairs, points, strict=True)):
        size = max(map(len, pair))
        if size > LONGEST:
            raise DataError(f"seal_pairs: a variant must have at most {LONGEST} bytes.")
        public = _public(point)  # refuses what does not lie on the curve
        keys = (_shared(own, public), _shared(own, _public(_other(point))))
        boxes.append(
            tuple(
                _mixed(key, place, len(variant).to_bytes(2, "big") + variant.ljust(size, b"\0"))
                for key, variant in zip(keys, pair, strict=True)
            )
        )
    return SealedPairs(_coordinates(own.public_key()), tuple((box[0], box[1]) for box in boxes))


def open_pairs(sealed: SealedPairs, choices: Choices) -> tuple[bytes, ...]:
    """Return the chosen variant of each position.

    Raises
    ------
    DataError
        When the pairs were sealed for other points.
    """
    if len(sealed.boxes) != len(choices.bits):
        raise DataError("open_pairs: there must be a sealed pair for each choice.")
    sender = _public(sealed.ephemeral)
    found = []
    for place, (box, bit, secret) in enumerate(zip(sealed.boxes, choices.bits, choices.secrets, strict=True)):
        plain = _mixed(_shared(_private(secret), sender), place, box[bit])
        size = int.from_bytes(plain[:2], "big")
        if size > len(plain) - 2 or any(plain[2 + size :]):
            raise DataError("open_pairs: a pair was sealed for another receiver.")
        found.append(plain[2 : 2 + size])
    return tuple(found)


# --- the curve ------------------------------------------------------------------------------------------------------------


def _scalar(rng: np.random.Generator) -> int:
    return 1 + int.from_bytes(rng.bytes(40), "big") % (_ORDER - 1)


def _private(secret: int) -> Any:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.derive_private_key(secret, ec.SECP256R1())


def _public(point: Point) -> Any:
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        return ec.EllipticCurvePublicNumbers(*point, ec.SECP256R1()).public_key()
    except ValueError:
        raise DataError("A point of a transfer must lie on the curve P-256.") from None


def _coordinates(key: Any) -> Point:
    numbers = key.public_numbers()
    return int(numbers.x), int(numbers.y)


def _shared(own: Any, theirs: Any) -> bytes:
    from cryptography.hazmat.primitives.asymmetric import ec

    return bytes(own.exchange(ec.ECDH(), theirs))


def _mixed(key: bytes, place: int, text: bytes) -> bytes:
    stream = hashlib.shake_256(b"pair" + place.to_bytes(4, "big") + key).digest(len(text))
    return bytes(a ^ b for a, b in zip(text, stream, strict=True))


@functools.cache
def _nobody() -> Point:
    """C: the first point that a hash leads to; nobody knows its logarithm."""
    for tried in range(1000):
        x = int.from_bytes(hashlib.sha256(f"tacita oblivious transfer {tried}".encode()).digest(), "big") % _P
        square = (x**3 - 3 * x + _B) % _P
        y = pow(square, (_P + 1) // 4, _P)
        if y * y % _P == square:
            return x, y
    raise DataError("No point was found.")


def _other(point: Point) -> Point:
    """Return C - P."""
    x, y = point
    return _sum(_nobody(), (x, -y % _P))


def _sum(a: Point, b: Point) -> Point:
    """Return the sum of two points that are neither equal nor opposite, which hashes and random points are never."""
    if a[0] == b[0]:
        raise DataError("A point of a transfer must not be the public one.")
    slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, _P) % _P
    x = (slope * slope - a[0] - b[0]) % _P
    return x, (slope * (a[0] - x) - a[1]) % _P
