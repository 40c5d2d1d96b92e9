"""Gaussian copula: a new file from the margins of all columns and the rank correlations between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.traits import Traits
from tacita.mask.synthetic.latent_draw import LatentDraw
from tacita.numeric.synthesis.copula import copula_correlations, copula_shares
from tacita.numeric.synthesis.latent import LatentFile

__all__ = ["GaussianCopula"]


@dataclass(frozen=True, kw_only=True)
class GaussianCopula(LatentDraw):
    """Draw a new file of mixed columns whose distributions and rank correlations are those of the original.

    Each record is a draw of correlated normal numbers z, one for each column and one more where the column has gaps. The share
    ``Phi(z)`` picks the value: a number by a smoothed quantile function, a class by thresholds, a gap and its reason by
    thresholds too. The correlations of z are those with which what comes out has the rank correlations of the original.

    Protects against linkage: a new record comes from nobody; only margins and one number for each pair of columns enter. Does not
    protect a class that tells by its presence, nor a value that dominates its k neighbours at an end of a column, whose size
    shows in the mean of these: top-code such values before. What is not monotone, three columns together, and rules between
    columns (no children with an occupation) are lost.

    Complexity
    ----------
    O(n d (d + log n)) time for d columns, arrays of n times twice the columns.

    Notes
    -----
    Numbers that k or more records share keep their shares. Others are smoothed over bins of k neighbours that keep their mean, so
    none comes out as it was, unless rounding to the decimals of the column brings it back. Correlations are those of tied ranks
    (not polychoric by likelihood), sought by repetition; unordered classes are put into the order that goes best with the other
    columns. A column of numbers with fewer than k values comes out empty.

    References
    ----------
    Nelsen, R. B. (2006), An introduction to copulas; Cario, M. C. and Nelson, B. L. (1997), Modeling and generating random
    vectors with arbitrary marginal distributions and correlation matrix.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> made = GaussianCopula(records=500).apply(data, seed=7)
    >>> len(made), made.is_synthetic
    (500, True)
    """

    name = "gaussian_copula"
    title = "Gaussian copula"
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, keeps_rows=False, synthetic=True)
    no_attack = "its records come from nobody, so that none can be linked"
    faces = ("closest_record", "shadow_membership", "attribute_cap", "singling_out")

    def draw_shares(self, file: LatentFile, n: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Draw records one by one."""
        correlations = copula_correlations(file, rng)
        return copula_shares(correlations, n, rng), correlations
