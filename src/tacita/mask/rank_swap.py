"""Rank swapping: each value is exchanged with one at most p percent of the ranks away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import ColumnwiseMask

__all__ = ["RankSwap", "RankSwapNormal", "rank_swap", "rank_swap_normal"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_FINE_WINDOW = 2**18


def rank_swap(x: FloatArray, *, p: float, rng: np.random.Generator) -> FloatArray:
    """Swap one column. O(n log n) time for the sort, O(n) memory."""
    return _swapped(_ranked(x), p=p, rng=rng)


def _ranked(x: FloatArray) -> tuple[IntArray, FloatArray]:
    """Return the records by rank and the values by rank."""
    from tacita.numeric.order import sorting_order  # numba loads here, not on import

    order = sorting_order(x)
    return order, x[order]


def _swapped(by_rank: tuple[IntArray, FloatArray], *, p: float, rng: np.random.Generator) -> FloatArray:
    """Swap a column that is ranked already."""
    from tacita.numeric.swaps import put_back, swap_ranked

    order, ranked = by_rank
    n = len(ranked)
    window = int(np.floor(p * n / 100 + 1e-9))
    if n < 2 or window < 1:
        return np.asarray(put_back(order, ranked, np.arange(n)))
    # Single precision costs half and is fine as long as every rank of the window can be hit.
    drawn = rng.random(n, dtype=np.float32) if window < _FINE_WINDOW else rng.random(n)
    return np.asarray(swap_ranked(order, ranked, window, drawn, rng))


def rank_swap_normal(x: FloatArray, *, p: float, rng: np.random.Generator) -> FloatArray:
    """Swap one column over distances without a hard bound. O(n log n) time for the sort, O(n) memory."""
    from tacita.numeric.order import sorting_order
    from tacita.numeric.swaps import put_back, swap_partners_normal  # numba loads here, not on import

    n = len(x)
    if n < 2 or p == 0:
        return x.copy()
    order = sorting_order(x)
    ranked = x[order]
    partner = swap_partners_normal(order, ranked, rng.permutation(n), 0.5 * p * n / 100, rng)
    return np.asarray(put_back(order, ranked, partner))


@dataclass(frozen=True, kw_only=True)
class RankSwap(ColumnwiseMask):
    """Exchange each value with another one whose rank is at most p percent of the records away.

    The values of a column are ranked; going up the ranks, a value that was not swapped yet is exchanged with one drawn
    at random from the unswapped values within the next ``p n / 100`` ranks. Every column is swapped on its own.

    Protects against linkage by values of single records and hides whose value is whose. Does not protect against an
    intruder who knows p and several columns of a record: the original lies within p percent of the masked rank in each
    column, and these windows can be intersected. Does not change the set of values: an extreme value stays in the file.

    Parameters
    ----------
    p
        Largest difference in rank of two swapped values, in percent of the number of records.

    Returns
    -------
    Microdata
        With the chosen columns swapped.

    Raises
    ------
    ParameterError
        When ``p`` is outside [0, 100].
    ColumnError
        When a chosen column is not there, or neither numeric nor ordinal.

    Preserves
    ---------
    marginals: the values of every column are exactly those of the original. means: with the values also every mean,
    variance and quantile.

    Complexity
    ----------
    O(d n log n) time (the sorts), O(n) memory beyond the output.

    Notes
    -----
    Missing values stay where they are and take no part; n is then the number of values that are there. Equal values
    are ranked in random order, so that position in the file has no influence. A value for which every other in its
    window is already swapped stays. Within strata (``by``) n is the size of the stratum.

    References
    ----------
    Moore, R. (1996), Controlled data-swapping techniques for masking public use microdata sets; Domingo-Ferrer, J.
    (2007), Statistical databases, section "Data swapping and rank swapping".

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = RankSwap(columns=["income"], p=10).apply(data, seed=7)
    >>> import numpy as np
    >>> a, b = data.float("income"), masked.float("income")
    >>> bool(np.array_equal(np.sort(a[~np.isnan(a)]), np.sort(b[~np.isnan(b)])))
    True
    """

    name = "rank_swap"
    traits = Traits(scales={"numeric", "ordinal"}, stochastic=True, preserves=("marginals", "means"))
    p: Annotated[float, Interval(0, 100)] = 5.0

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Swap one column."""
        return rank_swap(values, p=self.p, rng=rng)

    def column_steps(self) -> tuple[Callable[[Any], Any], ...]:
        """Sort, then swap: each is about half of the work."""
        return (lambda job: (_ranked(job[0]), job[1]), lambda job: _swapped(job[0], p=self.p, rng=job[1]))


@dataclass(frozen=True, kw_only=True)
class RankSwapNormal(ColumnwiseMask):
    """Exchange each value with another one at a random distance in rank that has no hard bound.

    The values of a column are ranked; visiting the ranks in random order, a value that was not swapped yet is exchanged
    with the one ``r`` ranks up or down, where ``r ~ |N(p/2, p/2)|`` percent of the records.

    Protects against the intruder who knows p: no window of ranks is sure to contain the original, so windows cannot be
    intersected over columns. Does not protect an extreme value as such: the set of values does not change, so it stays
    in the file with another record.

    Parameters
    ----------
    p
        Scale of the distance, in percent of the number of records: its mean and its standard deviation are p/2.

    Returns
    -------
    Microdata
        With the chosen columns swapped.

    Raises
    ------
    ParameterError
        When ``p`` is outside [0, 100].
    ColumnError
        When a chosen column is not there, or neither numeric nor ordinal.

    Preserves
    ---------
    marginals: the values of every column, so its mean, variance and quantiles, are exactly those of the original.
    means follow from that.

    Complexity
    ----------
    O(d n log n) time (the sorts), five arrays of the size of a column.

    Notes
    -----
    A target outside the file or already swapped is drawn again; after 32 misses the free rank next to the last target
    is taken. Missing values stay where they are and take no part. Equal values are ranked in random order. When the
    number of values is odd one of them keeps its place.

    References
    ----------
    Nin, J., Herranz, J. and Torra, V. (2008), Rethinking rank swapping to decrease disclosure risk, method
    "p-distribution".

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = RankSwapNormal(columns=["savings"], p=10).apply(data, seed=7)
    """

    name = "rank_swap_normal"
    traits = Traits(scales={"numeric", "ordinal"}, stochastic=True, preserves=("marginals", "means"))
    p: Annotated[float, Interval(0, 100)] = 10.0

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Swap one column."""
        return rank_swap_normal(values, p=self.p, rng=rng)
