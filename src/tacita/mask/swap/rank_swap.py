"""Rank swapping: each value is exchanged with one at most p percent of the ranks away."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import TacitaWarning
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.numeric_mask import ColumnwiseMask
from tacita.numeric.compiled.threads import in_threads

__all__ = ["RankSwap", "RankSwapNormal", "rank_swap", "rank_swap_normal"]


_FINE_WINDOW, _SHORT = 2**18, 2**31
_FEW = 10
"""Values below which the look after every mask says nothing."""


class _Workspace(NamedTuple):
    """Memory to swap one column in: clearing new memory for every column would take longer than the swapping."""

    words: npt.NDArray[np.uint64]
    ranked: FloatArray
    drawn: npt.NDArray[np.floating[Any]]
    partner: npt.NDArray[np.signedinteger[Any]]

    @classmethod
    def of(cls, n: int, window: int) -> _Workspace:
        # Single precision costs half and is fine as long as every rank of the window can be hit.
        precision: type[np.floating[Any]] = np.float32 if window < _FINE_WINDOW else np.float64
        drawn = np.empty(n, precision)
        return cls(np.empty(n, np.uint64), np.empty(n), drawn, np.empty(n, np.int32 if n < _SHORT else np.int64))


def rank_swap(x: FloatArray, *, p: float, rng: np.random.Generator) -> FloatArray:
    """Swap one column. O(n log n) time for the sort, O(n) memory."""
    window = _window(p, len(x))
    work = _Workspace.of(len(x), window)
    return _swapped(_ranked(x, work), work, window, rng)


def _window(p: float, n: int) -> int:
    """Return the largest difference in rank."""
    return int(np.floor(p * n / 100 + 1e-9))


def _ranked(x: FloatArray, work: _Workspace) -> IntArray:
    """Return the records by rank; the values by rank are then in the workspace."""
    from tacita.numeric.statistics.order import in_order, sorting_order  # loads when used

    order = sorting_order(x, work.words)
    in_order(x, order, work.ranked)
    return order


def _swapped(order: IntArray, work: _Workspace, window: int, rng: np.random.Generator) -> FloatArray:
    """Swap a column whose ranks are in the workspace."""
    from tacita.numeric.perturbation.swaps import choose_partners, exchanged

    n = len(order)
    if n < 2 or window < 1:
        work.partner[:] = np.arange(n)
    else:
        rng.random(n, work.drawn.dtype, work.drawn)
        choose_partners(order, work.ranked, window, work.drawn, rng, work.partner)
    return np.asarray(exchanged(order, work.ranked, work.partner))


def rank_swap_normal(x: FloatArray, *, p: float, rng: np.random.Generator) -> FloatArray:
    """Swap one column over distances without a hard bound. O(n log n) time for the sort, O(n) memory."""
    from tacita.numeric.perturbation.swaps import exchanged, swap_partners_normal  # loads when used
    from tacita.numeric.statistics.order import sorting_order

    n = len(x)
    if n < 2 or p == 0:
        return x.copy()
    order = sorting_order(x)
    ranked = x[order]
    partner = swap_partners_normal(order, ranked, rng.permutation(n), 0.5 * p * n / 100, rng)
    return np.asarray(exchanged(order, ranked, partner))


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
    window is already swapped stays. Where p percent are less than one rank nothing is swapped, with a warning. Within
    strata (``by``) n is the size of the stratum.

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
    title = "Rank swapping"
    attacks = (
        Attack(
            measure="rank_swap_linkage",
            knows="values moved by at most {p:g} % of the ranks",
            takes=("p", "by", "unit", "keep_zeros"),
        ),
    )
    faces = ("distance_link", "probabilistic_link", "rank_swap_intersection")
    traits = Traits(scales={"numeric", "ordinal"}, stochastic=True, preserves=("marginals", "means"))
    advice = "use a larger p or larger strata: p percent of them must be one rank, and reach another value"
    p: Annotated[float, Interval(0, 100)] = 5.0

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Swap one column."""
        return rank_swap(values, p=self.p, rng=rng)

    def look_at(self, before: dict[str, FloatArray], masked: dict[str, FloatArray], data: Microdata) -> None:
        """Warn where p percent of a file or stratum are less than one rank, so that nothing is swapped."""
        del masked
        if self.p == 0:
            return
        strata = self._strata(data)

        def too_few(values: FloatArray) -> int:
            if strata is None and not self.keep_zeros and not np.isnan(values.sum()):
                sizes = np.array([len(values)])  # the usual case, without a mask
            else:
                there = self._active(values)
                sizes = np.array([there.sum()]) if strata is None else np.bincount(strata[there])
            return int(sizes[self.p * sizes / 100 + 1e-9 < 1].sum())

        stuck = max(in_threads(too_few, before.values(), records=len(data)))
        if 0 < stuck < max(len(data) / 2, _FEW):  # of more than that every mask is told
            warnings.warn(
                f"RankSwap: {stuck} record(s) came out as they were: p = {self.p:g} percent of their file or stratum are less "
                "than one rank. Use a larger p, or larger strata.",
                TacitaWarning,
                stacklevel=4,
            )

    def column_steps(self) -> tuple[Callable[[Any], Any], ...]:
        """Sort, then swap: each is about half of the work. Desks go from column to column."""
        spaces: list[_Workspace] = []

        def rank(job: tuple[FloatArray, np.random.Generator]) -> tuple[IntArray, _Workspace, int, np.random.Generator]:
            values, rng = job
            window = _window(self.p, len(values))
            try:
                work = spaces.pop()
            except IndexError:
                work = _Workspace.of(len(values), window)
            return _ranked(values, work), work, window, rng

        def swap(job: tuple[IntArray, _Workspace, int, np.random.Generator]) -> FloatArray:
            masked = _swapped(*job)
            spaces.append(job[1])
            return masked

        return (rank, swap)


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
    title = "Rank swapping, normal distances"
    attacks = (Attack(measure="pld", knows="ranks moved at random, by {p:g} / 2 % on average"),)
    traits = Traits(scales={"numeric", "ordinal"}, stochastic=True, preserves=("marginals", "means"))
    p: Annotated[float, Interval(0, 100)] = 10.0

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Swap one column."""
        return rank_swap_normal(values, p=self.p, rng=rng)
