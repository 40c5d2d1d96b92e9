"""What an attacker measures: a lower bound of epsilon from many answers about two data sets that differ in one unit."""

from __future__ import annotations

import math

from tacita.core.arrays import IntArray
from tacita.core.errors import ParameterError

__all__ = ["epsilon_lower_bound"]


def epsilon_lower_bound(first: IntArray, second: IntArray, threshold: int, *, false_alarm: float = 1e-6) -> float:
    """Return the epsilon that a mechanism has at least, given how often its answers reach a threshold on either data set.

    With p1, p2 the chances of an answer at or above the threshold, pure differential privacy demands ``p1 <= exp(epsilon)
    p2`` and ``1 - p2 <= exp(epsilon) (1 - p1)``. Exact binomial limits stand in for the chances; the larger of the two
    bounds is returned.

    Parameters
    ----------
    first, second
        Independent answers on the data set with the unit and on the one without.
    threshold
        The attacker's event, chosen before looking.
    false_alarm
        The chance that the bound is above the true epsilon; half of it goes to each of two limits.

    Returns
    -------
    At least 0; infinite never, because limits of finitely many answers are neither 0 nor 1.

    Notes
    -----
    A bound above the claim proves a fault; one below proves nothing. Complexity: O(answers).

    References
    ----------
    Jagielski, M., Ullman, J. and Oprea, A. (2020), Auditing differentially private machine learning, section 3
    (Clopper-Pearson limits).

    Examples
    --------
    >>> import numpy as np
    >>> epsilon_lower_bound(np.ones(1000, dtype=int), np.zeros(1000, dtype=int), 1) > 3
    True
    """
    if not len(first) or not len(second) or not 0 < false_alarm < 1:
        raise ParameterError("epsilon_lower_bound: there must be answers on both sides, and a false alarm in (0, 1).")
    tail = false_alarm / 2
    low = _at_least(int((first >= threshold).sum()), len(first), tail)
    high = 1 - _at_least(int((second < threshold).sum()), len(second), tail)
    reached = math.log(low / high) if low > 0 else 0.0
    missed = math.log((1 - high) / (1 - low)) if high < 1 else 0.0
    return max(reached, missed, 0.0)


def _at_least(hits: int, trials: int, tail: float) -> float:
    """Return the exact lower limit of a chance, too high with the probability ``tail`` (Clopper and Pearson)."""
    from scipy.stats import beta

    return float(beta.ppf(tail, hits, trials - hits + 1)) if hits else 0.0
