"""Innocent recipients: how likely one of them reaches a score, bounded by proof for the very file that was received."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError
from tacita.numeric.fingerprints.tardos import symbol_scores

__all__ = ["accusation_threshold", "cumulants", "innocent_bounds"]

_LARGEST = 700.0
"""Exponents that a float64 can hold."""


def cumulants(theta: float, weights: FloatArray, p: FloatArray) -> tuple[float, float]:
    """Return K(theta) = log E exp(theta S) of an innocent's score and its derivative, exactly. O(length).

    K(theta) = sum_j log( p_j exp(theta w_j U_1) + (1 - p_j) exp(theta w_j U_0) ).
    """
    zero, one = symbol_scores(p)
    low, high = theta * weights * zero + np.log1p(-p), theta * weights * one + np.log(p)
    both = np.logaddexp(low, high)
    share = np.exp(high - both)
    return float(both.sum()), float((weights * (zero + share * (one - zero))).sum())


def accusation_threshold(weights: FloatArray, p: FloatArray, false_accusation: float) -> float:
    """Return a score that an innocent recipient reaches with at most this probability.

    The symbols of an innocent recipient are independent of what was received, so that Chernoff's bound holds without any
    approximation:

        P(S >= t) <= exp(K(theta) - theta t) for every theta >= 0,

    and the threshold is t = K'(theta) where theta K'(theta) - K(theta) = log(1 / false_accusation).

    Parameters
    ----------
    weights
        (length,): what was received, from 0 to 1 turned into -1 to 1 (or any other soft values); 0 where erased.
    p
        (length,): the biases.
    false_accusation
        The probability for one recipient; divide by their number for all of them together.

    Returns
    -------
    float
        The threshold; infinity where even the largest score that there is would not be so unlikely.

    Raises
    ------
    ParameterError
        When ``false_accusation`` is no probability.

    Complexity
    ----------
    O(length) for each of at most 200 steps.

    Notes
    -----
    The bound is about ten times the probability itself at one in a million, which costs a threshold that is a tenth higher.

    References
    ----------
    Chernoff, H. (1952). A measure of asymptotic efficiency for tests of a hypothesis based on the sum of observations. Annals of
    Mathematical Statistics 23, 493-507.

    Examples
    --------
    >>> round(accusation_threshold(np.ones(1000), np.full(1000, 0.5), 1e-6), 1)  # in standard deviations 5.2
    165.8
    >>> accusation_threshold(np.ones(10), np.full(10, 0.5), 1e-6)
    inf
    """
    if not 0 < false_accusation < 1:
        raise ParameterError(f"'false_accusation' must be above 0 and below 1, got {false_accusation}.")
    weights, p, scale = _standardised(weights, p)
    if not len(weights):
        return math.inf
    wanted = -math.log(false_accusation)

    def lacking(theta: float) -> float:
        k, slope = cumulants(theta, weights, p)
        return theta * slope - k - wanted

    upper = 1.0
    while lacking(upper) < 0:
        upper *= 2.0
        if upper > _LARGEST:
            return math.inf
    theta = float(brentq(lacking, 0.0, upper, xtol=1e-12, maxiter=200))
    return cumulants(theta, weights, p)[1] * scale


def innocent_bounds(scores: npt.ArrayLike, weights: FloatArray, p: FloatArray) -> FloatArray:
    """Return for each score a bound on the probability that an innocent recipient reaches it; 1 where it is not above 0.

    The same bound as in :func:`accusation_threshold`, with theta where K'(theta) is the score.

    Parameters
    ----------
    scores
        (recipients,).
    weights
        (length,): what was received.
    p
        (length,): the biases.

    Complexity
    ----------
    O(recipients x length) for each of at most 200 steps.

    Examples
    --------
    >>> innocent_bounds([0.0, 30.0, 100.0], np.ones(1000), np.full(1000, 0.5)).round(4).tolist()
    [1.0, 0.6376, 0.0067]
    """
    wanted = np.asarray(scores, np.float64).ravel()
    bounds = np.ones(len(wanted))
    weights, p, scale = _standardised(weights, p)
    if len(weights):
        for place in np.flatnonzero(wanted > 0):
            bounds[place] = _bound(float(wanted[place]) / scale, weights, p)
    return bounds


def _bound(score: float, weights: FloatArray, p: FloatArray) -> float:
    """Return the least of the bounds for one score; any theta gives a valid one, so the search may stop anywhere."""
    upper = 1.0
    while cumulants(upper, weights, p)[1] < score and upper < _LARGEST:
        upper *= 2.0
    if cumulants(upper, weights, p)[1] < score:
        theta = upper
    else:
        theta = float(brentq(lambda at: cumulants(at, weights, p)[1] - score, 0.0, upper, xtol=1e-9, maxiter=200))
    return min(1.0, math.exp(min(cumulants(theta, weights, p)[0] - theta * score, 0.0)))


def _standardised(weights: FloatArray, p: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """Drop positions that say nothing, and give scores of innocents the standard deviation 1; also return what it was."""
    if weights.shape != p.shape:
        raise ParameterError("'weights' and 'p' must have the same number of positions.")
    told = weights != 0
    scale = float(np.sqrt((weights[told] ** 2).sum()))
    return weights[told] / (scale or 1.0), p[told], scale
