"""Paired hybrid: each record is mixed with the synthetic record that is nearest to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.attacks import Attack
from tacita.core.errors import DataError
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.mask.numeric_mask import Draw, NumericMask
from tacita.numeric.synthesis.paired import Mixture, hypercube_of, mixed, nearest_synthetic

__all__ = ["PairedHybrid"]


@dataclass(frozen=True, kw_only=True)
class PairedHybrid(NumericMask):
    """Mix each record with the nearest record of a synthetic file.

    The synthetic file is a Latin hypercube sample of the chosen columns (as by :class:`LatinHypercube`), of as many records. Each
    record is paired with its nearest synthetic record in standardised columns, and becomes ``a x + (1 - a) s``, or, for values
    above 0, ``x^a s^(1-a)``: ``a`` is the similarity.

    Protects values from being matched exactly. Does not protect against linkage as drawn values do: even with a similarity of 0 a
    masked record is the synthetic one nearest to the original, and in a sparse part of the file that is near enough to find it:
    a third of the records of the census file of this field, with all columns known.
    :class:`HybridMicroaggregation` and :class:`SufficientPerturbation` say what they keep, and this does not.

    Parameters
    ----------
    similarity
        How much of the true value stays: 0 is the nearest synthetic record, 1 would leave the values as they are.
    mixture
        ``additive`` or ``multiplicative``; the second needs values above 0.
    k
        Values that fewer records share are smoothed over so many neighbouring ones before synthetic ones are drawn.

    Returns
    -------
    Microdata
        With the chosen columns mixed with synthetic values.

    Raises
    ------
    DataError
        When fewer than k records have values in the columns that go together, or a column has values of 0 or less with
        ``multiplicative``.

    Preserves
    ---------
    Nothing exactly. Means, variances and rank correlations are near those of the original.

    Complexity
    ----------
    O(n d (d + log n)) time to draw, and the search for nearest records; a few arrays of the size of the data.

    Notes
    -----
    Records that lack the same values are paired among themselves, with a synthetic file of all records that have these columns. A
    synthetic record can be the nearest of several. The paper tries several shares of the original; which one, it leaves open.

    References
    ----------
    Dandekar, R. A., Domingo-Ferrer, J. and Sebe, F. (2002), LHS-based hybrid microdata vs rank swapping and microaggregation for
    numeric microdata protection, Lecture Notes in Computer Science 2316, 153-162.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.business_survey(300, seed=1)
    >>> masked = PairedHybrid(columns=["turnover", "wages"], similarity=0.1).apply(data, seed=7)
    >>> len(masked) == len(data)
    True
    """

    name = "paired_hybrid"
    title = "Hybrid of paired records"
    traits = Traits(scales={"numeric"}, stochastic=True)
    attacks = (Attack(measure="dld", knows="values were mixed with those of the nearest synthetic record"),)
    advice = "use a smaller similarity, or hybrid_microaggregation"
    similarity: Annotated[float, Interval(0, 1, "left")] = 0.0
    mixture: Mixture = "additive"
    k: Annotated[int, Interval(2)] = 5

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Mix, pattern by pattern of missing values."""
        if not len(x):
            return x
        self._check_positive(x, active, names)
        masked, rng = x.copy(), draw.joint(names)
        patterns, block = np.unique(active, axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            there = np.flatnonzero(pattern)
            if not there.size:
                continue
            every = np.flatnonzero(active[:, there].all(axis=1))
            if len(every) < self.k:
                raise DataError(
                    f"PairedHybrid: only {len(every)} records have a value in each of {len(there)} columns that go together "
                    f"somewhere, and k = {self.k} are needed. Mask fewer columns at once, or take larger strata."
                )
            cells = np.ix_(np.flatnonzero(block.ravel() == number), there)
            like = x[np.ix_(every, there)]
            synthetic = hypercube_of(like, self.k, len(every), rng)
            masked[cells] = mixed(x[cells], nearest_synthetic(x[cells], synthetic, like), self.similarity, self.mixture)
        return masked

    def _check_positive(self, x: FloatArray, active: BoolArray, names: tuple[str, ...]) -> None:
        for j, name in enumerate(names):
            if self.mixture == "multiplicative" and (x[active[:, j], j] <= 0).any():
                raise DataError(
                    f"PairedHybrid: mixture 'multiplicative' needs values above 0, and column '{name}' has others; take "
                    "'additive', or keep_zeros where only zeros are in the way."
                )
