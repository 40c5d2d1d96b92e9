"""Which values came out of a mask as they went in, and which of them matter: rare ones and extreme ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.numeric.statistics.decimals import decimals_of

__all__ = ["dominated_means", "is_common", "is_rare", "same_numbers"]


_COMMON = 0.1
"""The most frequent value of a column is common where at least this share of the records has it."""
_RARE = 0.01
_FEW_VALUES = 50
_MOST_EXTREME = 0.05
_RELATIVE = 1e-9


def same_numbers(x: FloatArray, y: FloatArray) -> BoolArray:
    """Return where y is x to rounding: within half of the last decimal that x is written with; false where one is missing.

    Examples
    --------
    >>> same_numbers(np.array([3.0, 3.0, 4.0]), np.array([3.4, 3.6, np.nan])).tolist()
    [True, False, False]
    """
    decimals = decimals_of(x)
    with np.errstate(invalid="ignore"):
        if decimals is None:
            return np.asarray(np.abs(x - y) <= _RELATIVE * np.abs(x))
        return np.asarray(np.abs(x - y) < 0.5 * 10.0**-decimals)


def is_common(codes: IntArray) -> BoolArray:
    """Return which records have the most frequent code, where a tenth of the records or more have it; -1 is missing."""
    there = codes >= 0
    if not there.any():
        return there
    counts = np.bincount(codes[there])
    if counts.max() < _COMMON * there.sum():
        return np.zeros(len(codes), dtype=np.bool_)
    return np.asarray(codes == counts.argmax())


def is_rare(codes: IntArray, x: FloatArray | None = None) -> BoolArray:
    """Return which records stand out: by a value that at most one percent have, or by one percent of extreme numbers.

    Numbers ``x`` with more than 50 different values are looked at by their distance from the median; where more than
    five percent share the limit there are no extremes.
    """
    there = codes >= 0
    n = int(there.sum())
    if not n:
        return there
    counts = np.bincount(codes[there])
    if x is None or (counts > 0).sum() <= _FEW_VALUES:
        return np.asarray(there & (counts[np.maximum(codes, 0)] <= max(_RARE * n, 1)))
    far = np.abs(x - np.median(x[there]))
    limit = np.partition(far[there], n - max(1, int(_RARE * n)))[n - max(1, int(_RARE * n))]
    extreme = there & (far >= limit)
    return extreme if extreme.sum() <= max(_MOST_EXTREME * n, 1) else np.zeros(len(codes), dtype=np.bool_)


def _numbered(y: FloatArray, *, overwrite: bool) -> tuple[IntArray, FloatArray, IntArray]:
    """Return the number of each value among the different ones in order, these, and how often each occurs."""
    order = np.argsort(y)
    in_order = y[order]
    is_first = np.ones(len(y), dtype=bool)
    np.not_equal(in_order[1:], in_order[:-1], out=is_first[1:])
    values = in_order[is_first]
    del in_order
    sizes = np.diff(np.append(np.flatnonzero(is_first), len(y)))
    place = np.cumsum(is_first)
    place -= 1
    labels = y.view(np.int64) if overwrite else np.empty(len(y), dtype=np.int64)
    labels[order] = place
    return labels, values, sizes


def dominated_means(
    x: FloatArray,
    y: FloatArray,
    weights: FloatArray | Callable[[], FloatArray],
    share: float,
    *,
    overwrite: bool = False,
) -> int:
    """Count the values of y that are the (weighted) mean of their records' x and of which one record makes up ``share``.

    ``x`` and ``y`` have no missing values. Weights may be made when they are needed,
    and the memory of y may be used with ``overwrite``. A mean is recognised to the decimals of x. O(n log n) time.
    """
    from tacita.numeric.microaggregation.group_values import dominated_groups, group_means

    labels, values, sizes = _numbered(y, overwrite=overwrite)
    if len(values) == len(y):
        return 0
    column = x[:, None]
    decimals = decimals_of(x)
    slack = _RELATIVE * np.abs(values) + (0.0 if decimals is None else 0.5 * 10.0**-decimals)
    found = np.zeros(len(values), dtype=np.bool_)
    for w in (None, weights() if callable(weights) else weights):
        is_mean = np.abs(group_means(column, labels, w)[:, 0] - values) <= slack
        found |= is_mean & dominated_groups(column, labels, share, w)[:, 0]
    return int((found & (sizes > 1)).sum())
