"""Linear: a number drawn from the normal linear regression on the given columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.numeric.synthesis.models.design import RegressionDesign
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["LinearFitted", "LinearModel"]

_RIDGE = 1e-8
"""Share of each column's own products that is added to them, so that columns that follow from others do no harm."""


@dataclass(frozen=True)
class LinearFitted:
    """A regression whose parameters were estimated or drawn.

    Parameters
    ----------
    design
        How given columns become those of the regression.
    coefficients
        (q,): of the draws.
    estimate
        (q,): the least squares estimate.
    spread
        Standard deviation of the residuals.
    """

    design: RegressionDesign
    coefficients: FloatArray
    estimate: FloatArray
    spread: float

    def draw(self, x: Sequence[ModelVariable], n: int, rng: np.random.Generator) -> FloatArray:
        """Return fitted values plus normal residuals."""
        return self.design.times(x, n, self.coefficients) + self.spread * rng.standard_normal(n)


@dataclass(frozen=True)
class LinearModel:
    """Draw ``y = X b + s e`` with e standard normal.

    Let ``V = (X'WX)^-1``, b the least squares estimate and RSS its weighted sum of squares. Proper draws take
    ``s^2 = RSS / chi2(n - q)`` and ``b' = b + s V^(1/2) z``, a draw from their posterior distribution under a flat prior; others
    ``s^2 = RSS / (n - q)`` and b itself.

    Parameters
    ----------
    proper
        Whether the parameters are drawn.

    Notes
    -----
    A ridge of 1e-8 of the diagonal of X'X keeps columns that follow from others from doing harm. Weights are scaled to the number
    of records.

    References
    ----------
    Rubin, D. B. (1987), Multiple imputation for nonresponse in surveys, p. 167; van Buuren, S. (2018), Flexible imputation of
    missing data, algorithm 3.1.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> x = ModelVariable(np.arange(100.0))
    >>> fitted = LinearModel().fit(ModelVariable(3 * x.values), [x], rng)
    >>> fitted.draw([ModelVariable(np.array([7.0]))], 1, rng).round(3).tolist()
    [21.0]
    """

    proper: bool = False

    uses_bins: ClassVar[bool] = False

    def fit(
        self,
        y: ModelVariable,
        x: Sequence[ModelVariable],
        rng: np.random.Generator,
        *,
        weights: FloatArray | None = None,
    ) -> LinearFitted:
        """Fit by the normal equations, block by block. O(n q^2) time, O(n) memory."""
        n, design = len(y), RegressionDesign.of(x)
        q = design.width
        shares = np.ones(n) if weights is None else weights * (n / weights.sum())
        gram, right = np.zeros((q, q)), np.zeros(q)
        middle = float(np.average(y.values, weights=shares))
        centred = y.values - middle
        for rows, block in design.blocks(x, n):
            weighted = block * shares[rows, None]
            gram += block.T @ weighted
            right += weighted.T @ centred[rows]
        gram[np.diag_indices(q)] *= 1 + _RIDGE
        factor = np.linalg.cholesky(gram + np.eye(q) * (_RIDGE * max(n, 1)))
        estimate = np.linalg.solve(factor.T, np.linalg.solve(factor, right))
        residuals = centred - design.times(x, n, estimate)
        squares = float((shares * residuals) @ residuals)
        freedom = max(n - q, 1)
        drawn = estimate
        if self.proper:
            spread = float(np.sqrt(squares / rng.chisquare(freedom)))
            drawn = estimate + spread * np.linalg.solve(factor.T, rng.standard_normal(q))
        else:
            spread = float(np.sqrt(squares / freedom))
        up = np.zeros(q)
        up[0] = middle
        return LinearFitted(design, drawn + up, estimate + up, spread)
