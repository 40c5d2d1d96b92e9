"""The record that costs a query least, where costs are sums over columns of mixed scales.

A cost that is a sum of products, ``sum_m q_vm r_nm``, is one product of matrices: squared differences of numbers and what
it costs that classes differ both are. Blocks of queries are compared with all records, so that memory stays small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.progress import task

__all__ = ["Cheapest", "Windows", "cheapest_records", "class_factors", "number_factors"]

_CELLS = 2_000_000
_TIE = 1e-9
"""Difference below which two costs count as equal: products of matrices round in the last digits."""


class Cheapest(NamedTuple):
    """For each query the cheapest record, what it costs, what the next dearer one costs, and how many cost the same."""

    rows: IntArray
    cost: FloatArray
    second: FloatArray
    ties: IntArray


class Windows(NamedTuple):
    """For each query the least and the largest value that a record may have in each column, and the records' values.

    A record with a missing value (NaN) is let through.
    """

    low: FloatArray
    high: FloatArray
    values: FloatArray


def number_factors(queries: FloatArray, records: FloatArray, gap: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Return factors whose products sum to the squared distance; a missing value on either side costs ``gap``.

    Examples
    --------
    >>> left, right = number_factors(np.array([[1.0, np.nan]]), np.array([[3.0, 7.0]]), gap=0.5)
    >>> (left @ right.T).tolist()
    [[4.5]]
    """
    here, there = (~np.isnan(x) for x in (queries, records))
    x, y = np.nan_to_num(queries), np.nan_to_num(records)
    # (x - y)^2 = x^2 1 - 2 x y + 1 y^2, less gap, each where both values are there, and gap for every pair.
    whole = np.full((len(queries), 1), gap * queries.shape[1])
    left = np.hstack([x * x - gap * here, -2.0 * x, here, whole])
    return left, np.hstack([there, y, y * y, np.ones((len(records), 1))])


def class_factors(
    codes: IntArray, record_codes: IntArray, costs: FloatArray, gap: float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """Return factors whose products are the cost of each pair of classes; a missing class (-1) costs ``gap``.

    ``costs`` has a row for each class of the queries and a column for each class of the records.
    """
    padded = np.full((costs.shape[0] + 1, costs.shape[1] + 1), gap)
    padded[:-1, :-1] = costs
    shown = np.zeros((len(record_codes), costs.shape[1] + 1))
    shown[np.arange(len(record_codes)), record_codes] = 1.0
    return padded[codes], shown


def cheapest_records(
    queries: FloatArray,
    records: FloatArray,
    *,
    order: IntArray,
    windows: Windows | None = None,
    unequal: Sequence[tuple[IntArray, IntArray, float]] = (),
) -> Cheapest:
    """Return the cheapest record of each query. O(v n m) time, of which most is a product of matrices.

    Parameters
    ----------
    queries, records
        Factors of the cost, (v, m) and (n, m).
    order
        An order of the records; of those that cost the same the first in it is taken.
    windows
        Which records a query may take; without it all.
    unequal
        Further columns of very many classes: codes of the queries, of the records, and what it costs that they differ. A
        negative code costs nothing.

    Returns
    -------
    Cheapest
        Row -1 and infinite costs where a query may take no record.
    """
    v, n = len(queries), len(records)
    found = Cheapest(np.full(v, -1, np.int64), np.full(v, np.inf), np.full(v, np.inf), np.zeros(v, np.int64))
    if not n or not v:
        return found
    turned = np.ascontiguousarray(records[order].T)
    step = max(1, _CELLS // n)
    with task("Comparing records", v) as running:
        for a in range(0, v, step):
            part = slice(a, min(a + step, v))
            cost = queries[part] @ turned
            for mine, theirs, dear in unequal:
                other = theirs[order]
                cost += dear * ((mine[part, None] != other) & (mine[part, None] >= 0) & (other >= 0))
            if windows is not None:
                cost[~_inside(windows, part, order)] = np.inf
            _take_cheapest(cost, part, order, found)
            running.advance(part.stop - part.start)
    return found


def _inside(windows: Windows, part: slice, order: IntArray) -> BoolArray:
    values = windows.values[order]
    allowed = np.ones((part.stop - part.start, len(values)), bool)
    for j in range(values.shape[1]):
        gone = np.isnan(values[:, j])
        allowed &= (values[:, j] >= windows.low[part, j, None]) & (values[:, j] <= windows.high[part, j, None]) | gone
    return allowed


def _take_cheapest(cost: FloatArray, part: slice, order: IntArray, found: Cheapest) -> None:
    best = cost.min(axis=1)
    some = np.isfinite(best)
    tied = cost <= (best + _TIE * (1.0 + np.abs(np.where(some, best, 0.0))))[:, None]
    found.rows[part] = np.where(some, order[tied.argmax(axis=1)], -1)
    found.cost[part] = best
    found.ties[part] = np.where(some, tied.sum(axis=1), 0)
    cost[tied] = np.inf
    found.second[part] = cost.min(axis=1)
