"""Comparison: what several methods make of one variable, as counts and widths of their bins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.streams import check_seed
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.fixed_width import FixedWidth
from tacita.query.cutpoints.method import Cutpoints
from tacita.query.cutpoints.minimum_width import MinimumWidth

__all__ = ["BinCounts", "compare_cutpoints", "normal_comparison"]


@dataclass(frozen=True, eq=False)
class BinCounts:
    """The bins that one method makes, and the records in each.

    Parameters
    ----------
    name
        What the method is called in the comparison.
    bins
        The bins.
    counts
        Records in each bin.
    """

    name: str
    bins: Bins
    counts: IntArray

    @property
    def widths(self) -> FloatArray:
        """Width of each bin; infinite for open ones."""
        return self.bins.widths


def compare_cutpoints(
    values: FloatArray, methods: Mapping[str, Cutpoints] | Sequence[Cutpoints]
) -> tuple[BinCounts, ...]:
    """Cut one variable by several methods.

    Parameters
    ----------
    values
        The values of all records; missing ones are left out.
    methods
        Methods by any names; a list takes the methods' own, with a number after those that occur again.

    Returns
    -------
    tuple of BinCounts
        One for each method, in their order.

    Complexity
    ----------
    O(n log n) for each method.

    Examples
    --------
    >>> values = np.array([1.0, 1, 2, 2, 4, 4, 5, 6])
    >>> for found in compare_cutpoints(values, [FixedWidth(minimum=2), MinimumWidth(minimum=2)]):
    ...     print(found.name, found.counts.tolist())
    fixed [4, 2, 2]
    minimum [2, 2, 2, 2]
    """
    named = dict(methods) if isinstance(methods, Mapping) else _with_names(methods)
    known = np.asarray(values, dtype=np.float64)
    known = known[~np.isnan(known)]
    found = []
    for name, method in named.items():
        bins = method.cut(known)
        found.append(BinCounts(name, bins, np.bincount(bins.codes(known), minlength=bins.n_bins)))
    return tuple(found)


def _with_names(methods: Sequence[Cutpoints]) -> dict[str, Cutpoints]:
    named: dict[str, Cutpoints] = {}
    for method in methods:
        name, again = method.name, 2
        while name in named:
            name, again = f"{method.name} {again}", again + 1
        named[name] = method
    return named


def normal_comparison(*, n: int = 1000, minimum: int = 10, seed: int = 1) -> tuple[BinCounts, ...]:
    """Compare fixed and minimum width on a sample of the standard normal distribution.

    The tails set the one width of the fixed bins, so those in the centre are dense; bins of minimum width are fine in the
    centre and wide in the tails.

    Parameters
    ----------
    n
        Size of the sample.
    minimum
        Least number of records in a bin.
    seed
        Seed of the sample.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, Figure 3.

    Examples
    --------
    >>> fixed, narrow = normal_comparison()
    >>> fixed.bins.n_bins < narrow.bins.n_bins
    True
    """
    sample = np.random.default_rng(check_seed(seed, owner="normal_comparison")).standard_normal(n)
    return compare_cutpoints(sample, [FixedWidth(minimum=minimum), MinimumWidth(minimum=minimum)])
