"""Linkage after multiplicative noise by an intruder who knows its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.parameters import Columns, Interval
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.scenario import LINKED_BY
from tacita.numeric.perturbation.multiplicative import Scheme, plan_noise
from tacita.numeric.statistics.whitening import whitening_of
from tacita.risk.known_strata import attacked_parts
from tacita.risk.sampled import SampledRisk, refuse_circles

__all__ = ["RatioLinkage", "ratio_linked_share"]

Lag = float | tuple[float, ...] | None

_FAR = 1e3
"""How far apart a gap and a value lie, in standard deviations of the noise."""


def ratio_linked_share(
    originals: FloatArray,
    masked: FloatArray,
    own: IntArray,
    *,
    inflation: float,
    scheme: Scheme,
    lag: Lag = None,
    keep_zeros: bool = False,
) -> FloatArray:
    """Link each masked record to the original from which it follows by the likeliest noise. Near n log n time.

    Where noise is ``w' = w exp(E)``, ``log w' - log w + diag(Sigma) / 2`` is normal with covariance Sigma: the likeliest original
    is the nearest one in coordinates that make this noise round. Gaps, and zeros that stayed, are the same before and after.
    """
    from tacita.numeric.nearest.neighbours import own_is_nearest  # loads when used

    zeros = ((originals == 0) & keep_zeros, (masked == 0) & keep_zeros)
    originals, masked = (np.where(zero, np.nan, z) for zero, z in zip(zeros, (originals, masked), strict=True))
    fixed = [np.hstack([zero, np.isnan(z)]) for zero, z in zip(zeros, (originals, masked), strict=True)]
    if not np.array_equal(fixed[0][own], fixed[1]):  # something else was masked after the noise
        fixed = [np.zeros((len(z), 0), dtype=np.bool_) for z in fixed]
    plan = plan_noise(originals, k=inflation, scheme=scheme, lag=lag)
    moves = plan.moves & (np.diag(plan.noise.matrix) > 0)
    if not moves.any():
        return own_is_nearest(np.nan_to_num(originals), np.nan_to_num(masked), own)
    before = ((originals - plan.origin) / plan.unit + plan.shift)[:, moves]
    after = (((masked - plan.origin) / plan.unit - plan.base) * sqrt(1 + inflation))[:, moves]
    noise = plan.noise.matrix[np.ix_(moves, moves)]
    x, y = _logs(before, before), _logs(after, before) + np.diag(noise) / 2
    centre = np.nan_to_num(np.array([column[~np.isnan(column)].mean() for column in x.T]))
    turned = whitening_of(noise)
    x, y = (
        np.hstack([np.nan_to_num(z - centre) @ turned, _FAR * there]) for z, there in zip((x, y), fixed, strict=True)
    )
    return own_is_nearest(np.ascontiguousarray(x), np.ascontiguousarray(y), own)


def _logs(w: FloatArray, like: FloatArray) -> FloatArray:
    """Return logarithms; zero, which has none, lies below the smallest value of its column."""
    positive = np.where(like > 0, like, np.inf)
    least = np.fmin.reduce(positive, axis=0, initial=np.inf)
    floor = np.where(np.isfinite(least), least, 1.0) / 10
    return np.asarray(np.log(np.where(np.isnan(w), np.nan, np.maximum(w, floor))))


@dataclass(frozen=True, kw_only=True)
class RatioLinkage(SampledRisk):
    """Share of records linked by an intruder who knows the parameters of multiplicative noise.

    The noise of ``multiplicative_noise`` is ``w' = w exp(E)`` with w the original plus a shift and E normal with a covariance
    that follows from the data and k. So ``log w' - log w`` is normal with known mean and covariance, and the likeliest original
    of a masked record is the nearest one in logarithms, in coordinates that make the noise round. Plain distances (``dld``) are
    ruled by large values, whose noise is large, and understate the risk.

    Parameters
    ----------
    columns
        The masked variables that the intruder knows; by default the numeric keys, or all numeric columns where there are
        none.
    inflation
        The k that the intruder believes in. Give the one that was used.
    scheme
        The scheme of the noise: ``safe``, ``plain`` or ``z-score``.
    lag
        For ``z-score``: the lag that was used.
    by
        Strata that the mask worked within and that the release shows as they were: each is attacked as a file of its own.

    keep_zeros
        Whether zeros stayed zeros and took no part.

    Returns
    -------
    Measured
        Percent of linked records; for each record its chance, 1/m where m originals are equally near.

    Raises
    ------
    MeasureError
        When records are paired by nearness in just these columns, where links would be right by definition.

    Complexity
    ----------
    O(n d^2) for the coordinates, near O(n log n) for the search in a tree, O(n d) memory.

    Notes
    -----
    The intruder has the true values of everybody in the file, from which the mask's means and covariances follow. Directions in
    which the noise has less than a thousandth of its largest variance count as if they had that much, so that rounding of
    the masked values does not decide. Zeros lie below the smallest value of their column. Missing values stay missing, which the
    intruder uses unless a later step changed that.
    Chains and zones of the mask are not used: with them the attack is weaker than it could be.

    References
    ----------
    Oganian, A. (2011), Multiplicative noise for masking numerical microdata with constraints, equations (7) to (23), for the
    noise; Torra, V., Abowd, J. M. and Domingo-Ferrer, J. (2006), Using Mahalanobis distance-based record linkage for disclosure
    risk assessment.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> known = ["age", "tax", "savings"]
    >>> masked = tc.mask.MultiplicativeNoise(columns=known, inflation=0.02).apply(data, seed=7)
    >>> plain = tc.risk.DistanceLinkage(columns=known)(data, masked).value
    >>> RatioLinkage(columns=known, inflation=0.02)(data, masked).value > 1.5 * plain
    True
    """

    name = "ratio_linkage"
    title = "Linkage after multiplicative noise"
    traits = MeasureTraits(
        scales={"numeric"}, paired=True, per_record=True, unit="%", upper=100.0, by_default=False, identifies=True
    )
    columns: Columns = LINKED_BY
    inflation: Annotated[float, Interval(0)] = 0.15
    scheme: Scheme = "safe"
    lag: float | tuple[float, ...] | None = None
    by: Columns = ()
    keep_zeros: bool = False

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage of linked records."""
        refuse_circles(type(self).__name__, pair, names)
        rows = self.chosen(pair)
        x, y = pair.original.floats(names), pair.masked.floats(names)[pair.masked_rows]
        share = np.zeros(len(rows))
        for members, _, mine in attacked_parts(pair, self.by, rows, type(self).__name__):
            own = np.searchsorted(members, pair.rows[rows[mine]])
            share[mine] = ratio_linked_share(
                x[members],
                y[rows[mine]],
                own,
                inflation=self.inflation,
                scheme=self.scheme,
                lag=self.lag,
                keep_zeros=self.keep_zeros,
            )
        note = f"intruder knows {', '.join(names)} and believes inflation = {self.inflation:g}, scheme {self.scheme}"
        return self.of_shares(pair, share, {}, note)
