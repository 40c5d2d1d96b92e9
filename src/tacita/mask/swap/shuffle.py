"""Data shuffling: confidential values rearranged as a model of the other columns suggests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack
from tacita.core.parameters import Columns
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.given_columns import given_numbers
from tacita.mask.numeric_mask import BoolArray, Draw, NumericMask
from tacita.numeric.statistics.covariances import factor
from tacita.numeric.statistics.ranks import normal_scores, rank_correlations, values_by_rank

__all__ = ["Shuffle", "shuffled_scores"]


def shuffled_scores(x: FloatArray, s: FloatArray, rngs: list[np.random.Generator]) -> FloatArray:
    """Return scores whose ranks say which of the values of x each record gets.

    With rank correlations turned into correlations of normal scores, the new scores are drawn from the conditional
    normal distribution of x given s: ``S* B' + N(0, C)``, ``B = R_xs R_ss^-1``, ``C = R_xx - B R_sx``. O(n (p + q)^2).
    """
    p = x.shape[1]
    correlations = 2 * np.sin(np.pi / 6 * rank_correlations(np.hstack([x, s])))
    xx, xs, ss = correlations[:p, :p], correlations[:p, p:], correlations[p:, p:]
    b = xs @ np.linalg.pinv(ss, hermitian=True) if s.shape[1] else np.zeros((p, 0))
    noise = np.stack([rng.standard_normal(len(x)) for rng in rngs], axis=-1) @ factor(xx - b @ xs.T).T
    scores = [normal_scores(s[:, j], rngs[0]) for j in range(s.shape[1])]
    return noise + np.stack(scores, axis=-1) @ b.T if scores else noise


@dataclass(frozen=True, kw_only=True)
class Shuffle(NumericMask):
    """Rearrange confidential values so that they fit the other columns as well as the true ones, but on average only.

    Scores are drawn from the conditional distribution of the confidential columns given the columns in ``given``, under
    a normal copula whose correlations come from the rank correlations of the file; each record then gets the original
    value at the rank of its score.

    Protects against linkage: given the columns in ``given``, the shuffled values are independent of the true ones. Does
    not protect extreme values as such: they stay in the file.

    Parameters
    ----------
    given
        The columns that the new values may depend on; by default none, which keeps only the relations between the
        shuffled columns themselves.

    Returns
    -------
    Microdata
        With the chosen columns shuffled together.

    Raises
    ------
    ColumnError
        When a column is both shuffled and given, or a nominal column in ``given`` has more than 50 values.

    Preserves
    ---------
    marginals: every column keeps exactly its values. means follow from that. Monotone relations between the columns are
    kept approximately.

    Complexity
    ----------
    O(n log n (p + q) + n (p + q)^2) time for p shuffled and q given columns, four arrays of the size of the data.

    Notes
    -----
    Spearman's correlation r becomes the normal correlation 2 sin(pi r / 6), as the authors do. A nominal column in
    ``given`` counts as one 0/1 column for each of its values. Missing values stay missing; a missing value of a given
    column ranks in the middle.

    References
    ----------
    Muralidhar, K. and Sarathy, R. (2006), Data shuffling: a new masking approach for numerical data.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Shuffle(columns=["savings"], given=["age", "education"]).apply(data, seed=7)
    """

    name = "shuffle"
    title = "Data shuffling"
    attacks = (
        Attack(measure="dld", knows="values were shuffled"),
        Attack(measure="pld", knows="values were shuffled"),
    )
    traits = Traits(scales={"numeric", "ordinal"}, stochastic=True, preserves=("marginals", "means"))
    given: Columns = ()

    def conditioning(self, data: Microdata, masked: tuple[str, ...]) -> FloatArray | None:
        """Return the given columns as numbers."""
        return given_numbers(data, self.given, masked, owner="Shuffle")

    def mask_values(self, x: FloatArray, active: BoolArray, names: tuple[str, ...], draw: Draw) -> FloatArray:
        """Shuffle the values that are there."""
        if len(x) < 2 or draw.given is None:
            return x
        rngs = [draw.column(name) for name in names]
        scores = shuffled_scores(x, draw.given, rngs)
        masked = x.copy()
        for j in range(len(names)):
            rows = active[:, j]
            masked[rows, j] = values_by_rank(scores[rows, j], x[rows, j])
        return masked
