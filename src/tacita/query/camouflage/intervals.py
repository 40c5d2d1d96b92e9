"""The answer to a question: an interval that contains the range of the statistic over all candidates."""

from __future__ import annotations

import math
from typing import Literal, get_args

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError, did_you_mean
from tacita.query.camouflage.extremes import maximum_interval, minimum_interval
from tacita.query.camouflage.hull import Hull, MemberRows
from tacita.query.camouflage.linear import linear_interval
from tacita.query.camouflage.order import count_interval, quantile_interval
from tacita.query.camouflage.outward import Bounds, rounded_outward
from tacita.query.camouflage.quadratic import root, variance_interval

__all__ = ["STATISTICS", "CamouflageStatistic", "interval"]

CamouflageStatistic = Literal[
    "sum", "mean", "minimum", "maximum", "variance", "sd", "median", "quantile", "count_above"
]
STATISTICS: tuple[str, ...] = get_args(CamouflageStatistic)
"""What can be asked of one column; regression has functions of its own."""


def interval(
    hull: Hull,
    statistic: CamouflageStatistic,
    members: MemberRows | None = None,
    *,
    weights: FloatArray | None = None,
    q: float | None = None,
    limit: float | None = None,
    digits: int | None = None,
) -> Bounds:
    """Return [q-, q+], which contains the statistic of every candidate, the true column among them.

    ======================  =================================  ================================
    statistic               lower end                          upper end
    ======================  =================================  ================================
    sum, mean (weighted)    best vertex                        best vertex
    variance, sd            quadratic programme, with a proof  best vertex
    maximum                 linear programme, with a proof     best vertex
    minimum                 best vertex                        linear programme, with a proof
    median, quantile        all least values                   all greatest values
    count_above             all least values                   all greatest values
    ======================  =================================  ================================

    Parameters
    ----------
    hull
        The candidates.
    statistic
        One of the above. The variance has the divisor n - 1.
    members
        Row numbers or a mask; None for all records. Records without a value are left out.
    weights
        (n,): for sum and mean, one public weight for each record of the hull.
    q
        For ``quantile``: from 0 to 1.
    limit
        For ``count_above``: what members must be above to be counted.
    digits
        Significant digits that the ends are rounded to, away from the middle; None for all that there are.

    Returns
    -------
    Bounds
        The pair (low, high).

    Raises
    ------
    ParameterError
        When the statistic is unknown, or is given what it does not take or not given what it needs.
    DataError
        When there is no member with a value (two for a variance), or weights of a mean sum to 0.

    Notes ----- Every interval that contains [min f, max f] over the set keeps both guarantees: the truth is inside, and no
    candidate is ruled out. So bounds may be coarse where the exact range would be costly, and all rounding goes outwards.

    References
    ----------
    Gopal, R., Garfinkel, R. and Goes, P. (2002), Confidentiality via camouflage, Operations Research 50(3), 501-516.

    Examples
    --------
    >>> hidden = Hull(np.array([[1.0, 5.0, 3.0], [2.0, 4.0, 9.0]]), np.array([0.5, 0.5]))
    >>> interval(hidden, "sum", np.array([0, 1]), digits=3)
    Bounds(low=5.99, high=6.01)
    >>> interval(hidden, "count_above", limit=3.5)
    Bounds(low=1.0, high=2.0)
    """
    if statistic not in STATISTICS:
        raise ParameterError(
            f"interval: there is no statistic '{statistic}'.{did_you_mean(str(statistic), STATISTICS)} "
            f"There are: {', '.join(STATISTICS)}."
        )
    _check_options(statistic, weights=weights, q=q, limit=limit)
    rows = hull.members(members)
    if statistic in ("sum", "mean"):
        found = linear_interval(
            hull, rows, _member_weights(hull, rows, weights, statistic), is_mean=statistic == "mean"
        )
    elif statistic == "variance":
        found = variance_interval(hull, rows)
    elif statistic == "sd":
        found = root(variance_interval(hull, rows))
    elif statistic == "maximum":
        found = maximum_interval(hull, rows)
    elif statistic == "minimum":
        found = minimum_interval(hull, rows)
    elif statistic == "count_above":
        found = count_interval(hull, rows, 0.0 if limit is None else limit)
    else:
        found = quantile_interval(hull, rows, 0.5 if q is None else q)
    return rounded_outward(found, digits)


def _check_options(statistic: str, *, weights: FloatArray | None, q: float | None, limit: float | None) -> None:
    """Check that a statistic has what it needs and nothing else: an option without effect would be misread."""
    if weights is not None and statistic not in ("sum", "mean"):
        raise ParameterError(f"interval: 'weights' go with sum and mean, not with {statistic}; leave them out.")
    if (q is None) == (statistic == "quantile"):
        raise ParameterError("interval: 'q' must be given for a quantile, and for nothing else.")
    if (limit is None) == (statistic == "count_above"):
        raise ParameterError("interval: 'limit' must be given for count_above, and for nothing else.")
    if q is not None and not 0 <= q <= 1:
        raise ParameterError(f"interval: 'q' must be in [0, 1], got {q}.")
    if limit is not None and not math.isfinite(limit):
        raise ParameterError(f"interval: 'limit' must be finite, got {limit}.")


def _member_weights(
    hull: Hull, rows: IntArray | slice, weights: FloatArray | None, statistic: str
) -> FloatArray | None:
    if weights is None:
        return None
    given = np.asarray(weights, dtype=np.float64)
    if given.shape != (hull.records,):
        raise ParameterError(f"interval: 'weights' must have one entry for each of {hull.records} records.")
    given = given[rows]
    if not np.isfinite(given).all():
        raise DataError("interval: the weights of all members must be finite.")
    if statistic == "mean" and not (given.sum() > 0 and (given >= 0).all()):
        raise DataError("interval: weights of a mean must not be negative and must not all be 0.")
    return given
