"""The group that oblivious transfer stands on: squares modulo the 2048-bit prime of RFC 3526, in which logarithms are hard."""

from __future__ import annotations

import hashlib

from tacita.core.errors import DataError

__all__ = [
    "ELEMENT_BYTES",
    "EXPONENT_BITS",
    "GENERATOR",
    "MODULUS",
    "element_of",
    "from_text",
    "inverse",
    "power",
    "to_text",
]

MODULUS = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B"
    "302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE6"
    "49286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D"
    "670C354E4ABC9804F1746C08CA18217C32905E462E36CE3BE39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718"
    "3995497CEA956AE515D2261898FA051015728E5A8AACAA68FFFFFFFFFFFFFFFF",
    16,
)
"""A prime p of which (p - 1) / 2 is prime too (group 14)."""
GENERATOR = 4
"""A square, and so of the prime order (p - 1) / 2."""
EXPONENT_BITS = 256
"""Twice the strength that is wanted, as RFC 7919 has it for short exponents."""
ELEMENT_BYTES = 256


def power(base: int, exponent: int) -> int:
    """Return base^exponent in the group."""
    return pow(base, exponent, MODULUS)


class FixedBase:
    """Powers of one element, twenty times as fast as :func:`power`: exponents are taken byte by byte from a table.

    Parameters
    ----------
    base
        The element; its table holds 255 powers for each byte of an exponent, 2 MB in all.

    Examples
    --------
    >>> FixedBase(GENERATOR).power(2**200 + 77) == power(GENERATOR, 2**200 + 77)
    True
    """

    def __init__(self, base: int) -> None:
        self._rows: list[list[int]] = []
        for _ in range(EXPONENT_BITS // 8 + 1):
            row = [1]
            for _ in range(255):
                row.append(row[-1] * base % MODULUS)
            self._rows.append(row)
            base = row[-1] * base % MODULUS

    def power(self, exponent: int) -> int:
        """Return base^exponent, for exponents of up to 264 bits."""
        made = 1
        for row, byte in zip(self._rows, exponent.to_bytes(len(self._rows), "little"), strict=True):
            if byte:
                made = made * row[byte] % MODULUS
        return made


def inverse(element: int) -> int:
    """Return 1 / element in the group."""
    return pow(element, -1, MODULUS)


def element_of(label: bytes) -> int:
    """Return an element whose logarithm nobody knows: the square of a hash.

    Examples
    --------
    >>> element_of(b"a") == element_of(b"a"), element_of(b"a") == element_of(b"b")
    (True, False)
    """
    number = int.from_bytes(hashlib.shake_256(b"tacita-group-14|" + label).digest(ELEMENT_BYTES + 16), "big")
    return power(2 + number % (MODULUS - 4), 2)


def to_text(element: int) -> str:
    """Return an element as hexadecimal digits."""
    return element.to_bytes(ELEMENT_BYTES, "big").hex()


def from_text(text: object) -> int:
    """Read an element.

    Raises
    ------
    DataError
        When it is none, or one of the few that would give a secret away.
    """
    if isinstance(text, str) and len(text) == 2 * ELEMENT_BYTES:
        try:
            found = int.from_bytes(bytes.fromhex(text), "big")
        except ValueError:
            found = 0
        if 1 < found < MODULUS - 1:
            return found
    raise DataError("A message holds what is no element of the group; it is damaged, or was not made by this program.")
