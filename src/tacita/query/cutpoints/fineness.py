"""Fineness: where bins are so narrow that whoever knows a record's bin knows its value."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError, TacitaWarning
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.distinct import DistinctValues

__all__ = ["Fineness", "too_fine", "warn_if_too_fine"]

_MOST_SHOWN = 10


@dataclass(frozen=True, eq=False)
class Fineness:
    """How much the bins of a variable tell of its values. It holds counts and numbers of bins, no values.

    Parameters
    ----------
    counts
        Records in each bin.
    distinct
        Distinct values in each bin.
    possible
        How many values the decimals of the variable allow in each bin; infinite for open bins and continuous variables.
    known
        Bins whose limits tell every value in them to within ``p`` percent.
    p
        Percent within which a value must not be known.
    minimum
        Least number of records in a bin.
    """

    counts: IntArray
    distinct: IntArray
    possible: FloatArray
    known: BoolArray
    p: float
    minimum: int

    @property
    def single(self) -> tuple[int, ...]:
        """The bins in which all records have one value."""
        return _numbers(self.distinct == 1)

    @property
    def narrow(self) -> tuple[int, ...]:
        """The bins that are so narrow that their limits tell the value to within p percent."""
        return _numbers(self.known & (self.counts > 0))

    @property
    def sparse(self) -> tuple[int, ...]:
        """The bins with fewer than ``minimum`` records, which only declared cutpoints can have."""
        return _numbers(self.counts < self.minimum)

    @property
    def bins(self) -> tuple[int, ...]:
        """Every bin that is too fine, for whatever reason."""
        return tuple(sorted({*self.single, *self.narrow, *self.sparse}))

    def __bool__(self) -> bool:
        return bool(self.bins)

    def words(self) -> str:
        """Say what was found, by the numbers of the bins."""
        reasons = [
            (self.single, "have one value only"),
            (self.narrow, f"are so narrow that their limits tell the value to within {self.p:g} percent"),
            (self.sparse, f"have fewer than {self.minimum} records"),
        ]
        said = [f"{len(found)} of {len(self.counts)} bins {why} ({_listed(found)})" for found, why in reasons if found]
        return "; ".join(said) if said else "no bin is too fine"


def too_fine(values: FloatArray, bins: Bins, *, p: float = 5.0, minimum: int = 1) -> Fineness:
    """Find the bins that show values.

    A bin shows a value when all of its records have the same one; or when its limits lie so close together that any guess
    between them is within p percent of the value: ``U - L <= (p / 100) min(|L|, |U|)`` with L the smallest and U the largest
    value that the bin allows. Where the values have d decimals, L is a unit ``10^-d`` above the lower cutpoint. Open bins have
    no limits.

    Parameters
    ----------
    values
        The values of all records; missing ones are left out.
    bins
        The bins of the variable.
    p
        Percent within which a value must not be known.
    minimum
        Least number of records in a bin; 1 finds empty bins.

    Returns
    -------
    Fineness
        True where any bin is too fine.

    Raises
    ------
    ParameterError
        When p is negative.
    DataError
        When there are no values, or an infinite one.

    Complexity
    ----------
    O(n log n) time, O(n) memory.

    Notes
    -----
    The paper only warns that minimum width and partitioned bins "may provide binning so fine that the exact values for some
    records are at risk". Five percent lets five-year age groups pass up to the age of 80, and finds one-year groups.

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue,
    section 3.1.3.

    Examples
    --------
    >>> found = too_fine(np.array([1.0, 1, 2, 2, 4, 4, 5, 6]), Bins(cuts=[1, 3, 4], whole=True))
    >>> found.single, found.narrow, found.bins
    ((0, 1, 2), (2,), (0, 1, 2))
    """
    if not 0 <= p < np.inf:
        raise ParameterError(f"too_fine: 'p' must be at least 0, got {p:g}.")
    found = DistinctValues.of(values)
    codes = bins.codes(found.points)
    counts = np.zeros(bins.n_bins, dtype=np.int64)
    np.add.at(counts, codes, found.counts)
    unit = 0.0 if found.decimals is None else 10.0**-found.decimals
    lower, upper = bins.edges[:-1] + unit, bins.edges[1:]
    if bins.low is not None:
        lower[0] = bins.low  # a limit of the variable is a value that it can have
    possible = np.round((upper - lower) / unit, 6) + 1 if unit else np.full(bins.n_bins, np.inf)
    least = np.where((lower <= 0) & (upper >= 0), 0.0, np.minimum(np.abs(lower), np.abs(upper)))
    closed = np.isfinite(lower) & np.isfinite(upper)
    spread = np.where(closed, upper, 0.0) - np.where(closed, lower, 0.0)
    known = closed & (spread <= p / 100 * np.where(closed, least, 0.0) * (1 + 1e-12) + unit * 1e-6)
    return Fineness(counts, np.bincount(codes, minlength=bins.n_bins), possible, known, float(p), minimum)


def warn_if_too_fine(values: FloatArray, bins: Bins, *, column: str, p: float = 5.0, minimum: int = 1) -> Fineness:
    """Look for bins that show values and warn of them; for the moment at which a variable's bins are fixed.

    Parameters
    ----------
    values, bins, p, minimum
        As in :func:`too_fine`.
    column
        Name of the variable, for the warning.

    Warns
    -----
    TacitaWarning
        When a bin is too fine. It names bins by their numbers and no value.
    """
    found = too_fine(values, bins, p=p, minimum=minimum)
    if found:
        warnings.warn(
            f"The bins of '{column}' are so fine that they show values: {found.words()}. "
            "Take a larger 'minimum', a 'grain', or declare cutpoints.",
            TacitaWarning,
            stacklevel=2,
        )
    return found


def _numbers(chosen: BoolArray) -> tuple[int, ...]:
    return tuple(np.flatnonzero(chosen).tolist())


def _listed(numbers: Sequence[int]) -> str:
    more = f" and {len(numbers) - _MOST_SHOWN} more" if len(numbers) > _MOST_SHOWN else ""
    return ", ".join(str(number) for number in numbers[:_MOST_SHOWN]) + more
