"""Two variants of each cell: what stands in copies whose symbol is 0 there and in those whose symbol is 1, inside the noise."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.numeric.statistics.decimals import rounded

__all__ = ["Variants", "cell_variants", "keep_order", "spread_positions"]


class Variants(NamedTuple):
    """One column of a file as it stands in copies with the symbol 0 and with the symbol 1.

    Parameters
    ----------
    masked
        (n,): the values of the masked file; NaN where missing.
    zero, one
        (n,): the values in these copies; both are the masked one where the cell carries no mark.
    position
        (n,): which symbol of the codeword decides.
    """

    masked: FloatArray
    zero: FloatArray
    one: FloatArray
    position: IntArray

    @property
    def carries(self) -> BoolArray:
        """Which cells differ between the two."""
        return np.asarray(self.zero != self.one) & np.isfinite(self.masked)


def spread_positions(cells: int, length: int, rng: np.random.Generator) -> IntArray:
    """Return (cells,): a symbol of the codeword for each cell, all symbols equally often but for one, in random places.

    With fewer cells than symbols, which symbols have a cell is random too: other columns have cells for others.
    """
    return np.asarray((rng.permutation(cells) + rng.integers(0, length)) % length, np.int64)


def cell_variants(
    values: FloatArray,
    apart: FloatArray,
    position: IntArray,
    p: FloatArray,
    rng: np.random.Generator,
    *,
    decimals: int | None = None,
    lower: float = -np.inf,
    upper: float = np.inf,
) -> Variants:
    """Draw the two variants of each cell of a column.

    With a random sign s, the bias p of the cell's position and the distance d between the variants,

        v_1 = v + s d (1 - p),    v_0 = v - s d p,

    so that copies have the masked value as their mean. With decimals, v_x = v + u floor((v_x - v) / u + r): r is uniform and the
    same for both, which keeps the mean over cells and makes most of small marks nothing and some a whole step.

    Parameters
    ----------
    values
        (n,): the masked column; NaN where missing.
    apart
        (n,): d.
    position
        (n,): symbol of each cell.
    p
        (length,): bias of each symbol.
    rng
        Where signs and r come from; it must not be known to recipients.
    decimals
        Of the column, below 0 for tens, hundreds and so on; None where it is continuous.
    lower, upper
        What no value may leave. A cell carries no mark where one variant would, would be zero or have the other sign, or where
        the masked value does not have these decimals.

    Raises
    ------
    ParameterError
        When the arrays differ in length.

    Complexity
    ----------
    O(n).

    Examples
    --------
    >>> made = cell_variants(np.array([100.0]), np.array([10.0]), np.array([0]), np.array([0.2]), np.random.default_rng(1))
    >>> sorted([made.zero.item(), made.one.item()])
    [92.0, 102.0]
    """
    if not len(values) == len(apart) == len(position):
        raise ParameterError("'values', 'apart' and 'position' must have the same number of cells.")
    sign = rng.integers(0, 2, len(values)) * 2.0 - 1.0
    dither = rng.random(len(values))
    bias = p[position]
    marks = (-sign * apart * bias, sign * apart * (1.0 - bias))
    if decimals is not None:
        step = 10.0**-decimals
        zero, one = (rounded(values + step * np.floor(mark / step + dither), decimals) for mark in marks)
    else:
        zero, one = (values + mark for mark in marks)
    with np.errstate(invalid="ignore"):
        is_bad = (np.minimum(zero, one) < lower) | (np.maximum(zero, one) > upper) | (zero * one == 0) | (values == 0)
    if decimals is not None:
        is_bad |= rounded(values, decimals) != values
    plain = is_bad | ~np.isfinite(values) | (zero * values < 0) | (one * values < 0)
    return Variants(values, np.where(plain, values, zero), np.where(plain, values, one), position)


def keep_order(smaller: Variants, larger: Variants) -> tuple[Variants, Variants]:
    """Take the marks off cells where one column could come to exceed another that it never exceeds in the masked file.

    Complexity
    ----------
    O(n).

    Examples
    --------
    >>> net = Variants(np.array([9.0, 5.0]), np.array([8.0, 4.0]), np.array([11.0, 7.0]), np.array([0, 0]))
    >>> gross = Variants(np.array([10.0, 10.0]), np.array([10.0, 9.0]), np.array([10.0, 12.0]), np.array([1, 1]))
    >>> [made.one.tolist() for made in keep_order(net, gross)]
    [[9.0, 7.0], [10.0, 12.0]]
    """
    with np.errstate(invalid="ignore"):
        if not (smaller.masked <= larger.masked)[np.isfinite(smaller.masked + larger.masked)].all():
            return smaller, larger
        clash = np.maximum(smaller.zero, smaller.one) > np.minimum(larger.zero, larger.one)
    if not clash.any():
        return smaller, larger
    first, second = (
        Variants(x.masked, np.where(clash, x.masked, x.zero), np.where(clash, x.masked, x.one), x.position)
        for x in (smaller, larger)
    )
    return first, second
