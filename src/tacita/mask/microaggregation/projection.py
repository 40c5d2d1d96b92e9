"""Microaggregation by projection: records are put in one order, and the order is cut into groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import Traits
from tacita.mask.microaggregation.microaggregation import MultivariateMicroaggregation
from tacita.numeric.statistics.moments import covariance, standardise

__all__ = ["Projection", "principal_scores", "z_score_sums"]


def principal_scores(x: FloatArray) -> FloatArray:
    """Return the score of each record on the first principal component. O(n d^2) time.

    Examples
    --------
    >>> principal_scores(np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])).round(3).tolist()
    [0.0, 1.414, 2.828]
    """
    direction = np.linalg.eigh(covariance(x))[1][:, -1]
    # The sign of an eigenvector is nobody's: the largest loading is made positive.
    return np.asarray(x @ (direction * np.sign(direction[np.argmax(np.abs(direction))])))


def z_score_sums(x: FloatArray) -> FloatArray:
    """Return the sum of the standardised values of each record. O(n d) time."""
    return np.asarray(standardise(x).sum(axis=1))


@dataclass(frozen=True, kw_only=True)
class Projection(MultivariateMicroaggregation):
    """Replace each record's values by the means of a group of neighbours in one common order.

    Records are sorted by one number: their score on the first principal component, or the sum of their standardised
    values. The order is cut into groups of k, or, with F(b) the least sum of squares of the first b records, where
    ``F(b) = min over s = k..2k-1 of F(b - s) + SSE(b - s, b)`` says.

    Protects against linkage: in the masked columns every record has at least k - 1 equals. Does not protect a group
    whose members share a confidential value, nor against an intruder who knows k - 1 members of a group.

    Parameters
    ----------
    axis
        What records are sorted by: ``component``, the first principal component, or ``z_scores``, the sum of standardised
        values, which needs columns that grow together.
    cut
        ``optimal`` cuts the order where the sum of squares over all columns is least, ``fixed`` after every k records.

    Complexity
    ----------
    O(n log n + n d^2) time to sort, O(k n d) to cut; O(n d) memory.

    Notes
    -----
    Fast, but records with equal scores can be far apart, so with several unrelated columns far more is lost than by MDAV.
    Without ``standardise`` the component is that of the covariances; z-scores are standardised in any case. Equal scores
    stand in the order of the file. Cut after every k records, the last group takes what is left.

    References
    ----------
    Defays, D. and Nanopoulos, P. (1993), Panels of enterprises and confidentiality: the small aggregates method; Mateo-Sanz,
    J. M. and Domingo-Ferrer, J. (1998), A comparative study of microaggregation methods (projections); Hansen, S. L. and
    Mukherjee, S. (2003), A polynomial algorithm for optimal univariate microaggregation (the cut).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = Projection(columns=["age", "savings"], axis="z_scores", k=3).apply(data)
    """

    name = "projection"
    title = "Microaggregation along a projection"
    traits = Traits(scales={"numeric"}, preserves=("means", "k-anonymity"))
    axis: Literal["component", "z_scores"] = "component"
    cut: Literal["optimal", "fixed"] = "optimal"

    def partition(self, space: FloatArray, rng: np.random.Generator) -> IntArray:
        """Group neighbours in the order of the projection."""
        from tacita.numeric.microaggregation.order import order_partition  # loads when used
        from tacita.numeric.microaggregation.univariate import runs_of

        scores = principal_scores(space) if self.axis == "component" else z_score_sums(space)
        order = np.argsort(scores, kind="stable")
        if self.cut == "optimal":
            return order_partition(space, order, self.k)
        labels = np.empty(len(space), dtype=np.int64)
        labels[order] = runs_of(self.k, len(space))
        return labels
