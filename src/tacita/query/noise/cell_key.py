"""Cell keys: each count gets noise that only the set of its members decides, from a table of noise with most entropy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, ClassVar

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.keyed import Key
from tacita.numeric.perturbation.noise_table import noise_from_table, noise_table
from tacita.query.noise.cell_noise import CellNoise
from tacita.query.noise.set_numbers import set_uniforms

__all__ = ["CellKeyNoise"]


@dataclass(frozen=True, kw_only=True)
class CellKeyNoise(CellNoise):
    """Add whole noise of mean 0 and variance V, at most D either way, to each count but 0.

    u is a keyed number of the cell's members; the noise is the first v with ``P(noise <= v) > u`` in the row of the count.
    The same set of members shows the same count in every table, so asking again gains nothing.

    Protects against differences of small sets and against repetition. Does not protect against averaging: a set that is
    split in t ways, the counts of each split added up, is found with variance 2 V / t. Count the decompositions, or add
    layers that do not shrink.

    Parameters
    ----------
    bound
        D, the most that a count is changed.
    variance
        V, the variance of the noise; at most D, so that a count of 1 can have it.
    smallest
        The smallest count but 0 that is shown; 3 means that no ones and no twos are shown.

    Notes
    -----
    Tables are not additive: margins have noise of their own. Zero stays zero, which tells that nobody is in the cell. A
    weighted count is a total of weights and is protected as one: times the perturbed count it would show the exact mean
    weight.

    Complexity: O(m D) for m cells.

    References
    ----------
    Thompson, G., Broadfoot, S. and Elazar, D. (2013), Methodology for the automatic confidentialisation of statistical
    outputs from remote servers at the Australian Bureau of Statistics, UNECE work session on statistical data
    confidentiality.

    Giessing, S. (2016), Computational issues in the design of transition probabilities and disclosure risk estimation for
    additive noise, Privacy in Statistical Databases, LNCS 9867, 237-251.

    Examples
    --------
    >>> import numpy as np
    >>> key = Key(b"0123456789abcdef")
    >>> one = CellKeyNoise(bound=3, variance=2).protect(np.array([7]), np.array([[11, 13]]), key=key)
    >>> two = CellKeyNoise(bound=3, variance=2).protect(np.array([0, 7]), np.array([[0, 0], [11, 13]]), key=key)
    >>> two[1] == one[0], two[0] == 0
    (np.True_, np.True_)
    """

    name: ClassVar[str] = "cell_key"
    bound: Annotated[int, Interval(1, 100)] = 5
    variance: Annotated[float, Interval(0, closed="neither")] = 3.0
    smallest: Annotated[int, Interval(1, 100)] = 1

    def check(self) -> None:
        """Make the table once, so that a policy with impossible noise is refused when it is read."""
        self.table()

    def table(self) -> FloatArray:
        """Return the cumulative noise table, read-only."""
        return _table(self.bound, self.variance, self.smallest)

    def noise(self, counts: IntArray, sums: IntArray, *, key: Key, statistic: str = "count") -> IntArray:
        """Return what is added to each count; see :meth:`protect`."""
        # Under other parameters the numbers are others: two noises of one number would narrow it down.
        labels = ("cell", repr((self.bound, self.variance, self.smallest)), statistic)
        return noise_from_table(self.table(), counts, set_uniforms(key, sums, counts, *labels))

    def protect(self, counts: IntArray, sums: IntArray, *, key: Key, statistic: str = "count") -> IntArray:
        return counts + self.noise(counts, sums, key=key, statistic=statistic)


@lru_cache(maxsize=32)
def _table(bound: int, variance: float, smallest: int) -> FloatArray:
    table = noise_table(bound, variance, smallest=smallest)
    table.flags.writeable = False
    return table
