"""Sums of broken numbers that do not depend on the order of adding: numbers are cut into whole parts, whose sums are exact."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError

__all__ = ["BITS", "WholeParts", "whole_parts"]

BITS = 30
"""Bits of a part: 2**32 of them have a sum below 2**63."""


@dataclass(frozen=True, eq=False)
class WholeParts:
    """Numbers, or sums of numbers, as whole multiples of powers of ``2**BITS``.

    Parameters
    ----------
    lowest
        The power of the first part; that of part l is ``lowest + l``.
    parts
        (n, L): the parts, with the sign of the number. Rows may be added up in whole numbers.
    """

    lowest: int
    parts: IntArray = field(repr=False)

    def widened(self, lowest: int, count: int) -> WholeParts:
        """Return the same numbers with more parts, which are 0."""
        made = np.zeros((len(self.parts), count), np.int64)
        first = self.lowest - lowest
        made[:, first : first + self.parts.shape[1]] = self.parts
        return WholeParts(lowest, made)

    def rounded(self) -> FloatArray:
        """Return the numbers, each rounded once, to the nearest that there is.

        Notes
        -----
        The same as ``math.fsum`` of what was added up. O(n L).

        Raises
        ------
        DataError
            When a sum is too large for a number of 64 bits.
        """
        if not self.parts.size:
            return np.zeros(len(self.parts))
        whole = np.zeros(len(self.parts), dtype=object)
        for part in self.parts.T[::-1]:
            whole = (whole << BITS) + part.astype(object)
        try:
            found = whole.astype(np.float64)
        except OverflowError:  # so large by its parts alone that it must be brought down before it is rounded
            return np.array([_divided(int(one), -self.lowest * BITS) for one in whole])
        with np.errstate(over="ignore"):
            made = np.ldexp(found, self.lowest * BITS)
        if not np.isfinite(made).all():
            raise DataError("A sum is too large for a number of 64 bits; give the column another unit.")
        return np.asarray(made)


def whole_parts(values: FloatArray) -> WholeParts:
    """Cut numbers into whole parts, exactly.

    Parameters
    ----------
    values
        (n,): finite numbers.

    Raises
    ------
    DataError
        When a number is missing or infinite.

    Notes
    -----
    As many parts as the digits of the numbers need: 3 for amounts to the cent, 72 at most. O(n L).

    Examples
    --------
    >>> cut = whole_parts(np.array([1e16, 1.0, -1e16, 0.1]))
    >>> WholeParts(cut.lowest, cut.parts.sum(axis=0, keepdims=True)).rounded().tolist()
    [1.1]
    """
    rest = np.array(values, dtype=np.float64)
    bad = int((~np.isfinite(rest)).sum())
    if bad:
        raise DataError(f"Numbers must be finite to be added up, but {bad} are not.")
    if not rest.any():
        return WholeParts(0, np.zeros((len(rest), 0), np.int64))
    power = (int(np.frexp(np.abs(rest).max())[1]) - 1) // BITS
    made = []
    while rest.any():
        part = np.trunc(np.ldexp(rest, -BITS * power))
        rest = rest - np.ldexp(part, BITS * power)
        made.append(part.astype(np.int64))
        power -= 1
    return WholeParts(power + 1, np.stack(made[::-1], axis=1))


def _divided(whole: int, bits: int) -> float:
    """Return a whole number over a power of 2, rounded once."""
    try:
        return whole / (1 << bits) if bits >= 0 else float(whole << -bits)
    except OverflowError:
        raise DataError("A sum is too large for a number of 64 bits; give the column another unit.") from None
