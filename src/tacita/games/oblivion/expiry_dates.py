"""Expiry dates: written into the marks of every copy, so that a copy says itself until when it may be used.

A date is 16 bits of days since 2000 and 8 bits of a checksum, repeated over the positions that are kept for it, the same in all
copies: who compares copies does not find these marks, and who rewrites some of them is outvoted.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.games.oblivion.pseudonyms import Signer, signature_holds

__all__ = ["DATE_BITS", "ExpiryNotice", "date_bits", "may_be_used", "read_date", "signed_notice"]

DATE_BITS = 24
_FIRST = date(2000, 1, 1)
_LAST = _FIRST + timedelta(days=2**16 - 1)

Use = Literal["may be used", "expired", "bare", "date differs"]
"""What a client finds: bare is a copy without a date that can be read, and is refused as an expired one is."""


def date_bits(expires: date, positions: int) -> IntArray:
    """Return (positions,): the symbols that say a date.

    Parameters
    ----------
    expires
        The last day on which the content may be used, from 2000 to 2179.
    positions
        How many there are for it, at least 24.

    Examples
    --------
    >>> read_date(date_bits(date(2026, 5, 31), 100))
    datetime.date(2026, 5, 31)
    """
    if not isinstance(expires, date) or not _FIRST <= expires <= _LAST:
        raise ParameterError(f"'expires' must be a date from {_FIRST} to {_LAST}.")
    if positions < DATE_BITS:
        raise DataError(f"An expiry date needs at least {DATE_BITS} positions, got {positions}.")
    days = (expires - _FIRST).days
    word = (days << 8) | (zlib.crc32(days.to_bytes(2, "big")) & 0xFF)
    bits = np.array([word >> (DATE_BITS - 1 - i) & 1 for i in range(DATE_BITS)], np.int64)
    return np.asarray(np.resize(bits, positions), np.int64)


def read_date(symbols: IntArray | Sequence[int]) -> date | None:
    """Return the date that the symbols of its positions say by majority; None where the checksum does not fit.

    Parameters
    ----------
    symbols
        (positions,): 0, 1, or -1 where erased.
    """
    read = np.asarray(symbols, np.int64)
    votes = np.zeros(DATE_BITS, np.int64)
    np.add.at(votes, np.arange(len(read)) % DATE_BITS, np.where(read < 0, 0, 2 * read - 1))
    if (votes == 0).any():
        return None
    word = int("".join("1" if vote > 0 else "0" for vote in votes), 2)
    days = word >> 8
    if zlib.crc32(days.to_bytes(2, "big")) & 0xFF != word & 0xFF:
        return None
    return _FIRST + timedelta(days=days)


@dataclass(frozen=True)
class ExpiryNotice:
    """What the source says of its content, signed: it goes with every copy.

    Parameters
    ----------
    content
        The name of the content.
    expires
        The last day on which it may be used.
    source
        The source's public key.
    signature
        Of both.
    """

    content: str
    expires: date
    source: bytes = field(repr=False)
    signature: bytes = field(repr=False)

    @property
    def holds(self) -> bool:
        """Whether the source signed it."""
        return signature_holds(self.source, self.signature, "notice", self.content, self.expires.isoformat())


def signed_notice(content: str, expires: date, source: Signer) -> ExpiryNotice:
    """Sign a notice."""
    return ExpiryNotice(content, expires, source.public, source.sign("notice", content, expires.isoformat()))


def may_be_used(marked: IntArray | Sequence[int], notice: ExpiryNotice | None, today: date) -> Use:
    """Return what a client does with a copy: it uses one whose mark and notice say the same date, and that is not past.

    Parameters
    ----------
    marked
        The symbols of the positions of the date.
    notice
        The notice that came with the copy; None where none came.
    today
        The day.

    Examples
    --------
    >>> bits = date_bits(date(2026, 5, 31), 48)
    >>> source = Signer(np.random.default_rng(1))
    >>> notice = signed_notice("survey", date(2026, 5, 31), source)
    >>> may_be_used(bits, notice, date(2026, 5, 31)), may_be_used(bits, notice, date(2026, 6, 1))
    ('may be used', 'expired')
    """
    found = read_date(marked)
    if found is None:
        return "bare"
    if notice is None or not notice.holds or notice.expires != found:
        return "date differs"
    return "may be used" if today <= found else "expired"
