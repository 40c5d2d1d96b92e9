"""Figures of an output, recomputed from the records behind them: kernels on plain arrays."""

from __future__ import annotations

import numpy as np

from tacita.compare.output_check.basis import OutputBasis
from tacita.core.arrays import FloatArray, IntArray
from tacita.data.microdata import Microdata

__all__ = ["figures", "largest_shares", "shared_by", "smallest_and_largest"]


def figures(basis: OutputBasis, statistic: str, data: Microdata) -> FloatArray:
    """Return (c,): the figures of one statistic; NaN where there is none, or where it is not recomputed.

    Notes
    -----
    Standard deviations divide by the sum of the weights less one. Medians and quantiles with weights have several
    definitions and are not recomputed.
    """
    output, (cells, records), size = basis.output, basis.pairs, len(basis)
    weights = np.ones(len(data)) if output.weight is None else data.float(output.weight)
    weight = np.asarray(np.bincount(cells, weights[records], size), np.float64)
    if statistic.startswith(("count", "percent")):
        return _share(basis, statistic, weight)
    values = data.numbers(str(output.values))[records]
    total = np.bincount(cells, weights[records] * values, size)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / weight
        if statistic == "sum":
            return np.where(basis.records > 0, total, np.nan)
        if statistic == "mean":
            return mean
        if statistic == "ratio":
            below = data.float(str(output.denominator))[records]
            return total / np.bincount(cells, weights[records] * below, size)
        if statistic in ("std", "variance"):
            off = np.bincount(cells, weights[records] * (values - mean[cells]) ** 2, size) / (weight - 1)
            found = np.where(basis.records > 1, off, np.nan)
            return np.sqrt(found) if statistic == "std" else found
    if statistic in ("min", "max"):
        return smallest_and_largest(cells, values, size)[int(statistic == "max")]
    return _of_sorted(statistic, cells, values, weights[records], size)


def _share(basis: OutputBasis, statistic: str, weight: FloatArray) -> FloatArray:
    """Counts as they are, or in percent of all, of their row or of their column."""
    if statistic == "count":
        return weight
    rows = len(basis.output.rows)
    inside = (basis.codes >= 0).all(axis=1)
    base = np.full(len(basis), weight[inside].sum())
    if statistic != "percent":
        fixed = basis.codes[:, :rows] if statistic == "percent_rows" else basis.codes[:, rows:]
        _, line = np.unique(fixed, axis=0, return_inverse=True)
        line = line.reshape(-1)
        other = (basis.codes[:, rows:] if statistic == "percent_rows" else basis.codes[:, :rows]) >= 0
        base = np.bincount(line, np.where(other.all(axis=1), weight, 0.0), line.max(initial=0) + 1)[line]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(base > 0, 100 * weight / base, np.nan), np.float64)


def _of_sorted(statistic: str, cells: IntArray, values: FloatArray, weights: FloatArray, size: int) -> FloatArray:
    """Figures that need the values of a cell in their order."""
    found = np.full(size, np.nan)
    if statistic == "median" and not bool((weights == 1).all()):
        return found
    order = np.lexsort((values, cells))
    cells, values, weights = cells[order], values[order], weights[order]
    begins = np.searchsorted(cells, np.arange(size + 1))
    for cell in np.flatnonzero(np.diff(begins)).tolist():
        part = slice(begins[cell], begins[cell + 1])
        found[cell] = _ORDERED[statistic](values[part], weights[part])
    return found


def _gini(values: FloatArray, weights: FloatArray) -> float:
    """Return the Gini coefficient of sorted values."""
    share, total = np.cumsum(weights), float((weights * values).sum())
    if total == 0:
        return float("nan")
    middle = share - weights / 2
    return float(2 * (weights * values * middle).sum() / (total * share[-1]) - 1)


def _hhi(values: FloatArray, weights: FloatArray) -> float:
    total = float((weights * values).sum())
    return float("nan") if total == 0 else float((weights * (values / total) ** 2).sum())


def _median(values: FloatArray, weights: FloatArray) -> float:
    del weights  # all of them are one here
    return float(np.median(values))


def _mode(values: FloatArray, weights: FloatArray) -> float:
    known, place = np.unique(values, return_inverse=True)
    return float(known[np.bincount(place, weights).argmax()])


_ORDERED = {
    "median": _median,
    "mode": _mode,
    "gini": _gini,
    "hhi": _hhi,
}


def smallest_and_largest(cells: IntArray, values: FloatArray, size: int) -> tuple[FloatArray, FloatArray]:
    """Return (c,) twice: the smallest and the largest value of each cell; NaN where there is none."""
    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, cells, values)
    np.maximum.at(high, cells, values)
    return np.where(np.isfinite(low), low, np.nan), np.where(np.isfinite(high), high, np.nan)


def shared_by(cells: IntArray, values: FloatArray, owners: IntArray, point: FloatArray) -> IntArray:
    """Return (c,): how many distinct owners have exactly the given value in each cell."""
    at = values == point[cells]
    words = np.unique(cells[at] * (int(owners.max(initial=0)) + 1) + owners[at])
    return np.bincount(words // (int(owners.max(initial=0)) + 1), minlength=len(point)).astype(np.int64)


def largest_shares(
    cells: IntArray, owners: IntArray, amounts: FloatArray, size: int, depth: int
) -> tuple[IntArray, FloatArray, IntArray]:
    """Return for each cell the number of contributors, their largest contributions and whose these are.

    O(m log m) for m pairs of cell and record.

    Examples
    --------
    >>> counts, amounts, whose = largest_shares(
    ...     np.array([0, 0, 0, 1]), np.array([7, 7, 8, 8]), np.array([1.0, 2.0, -9.0, 4.0]), 2, 2
    ... )
    >>> counts.tolist(), amounts.tolist(), whose.tolist()
    ([2, 1], [[-9.0, 3.0], [4.0, 0.0]], [[8, 7], [8, -1]])
    """
    span = int(owners.max(initial=0)) + 1
    words, place = np.unique(cells * span + owners, return_inverse=True)
    sums = np.bincount(place.reshape(-1), amounts, len(words))
    cell, owner = words // span, words % span
    order = np.lexsort((owner, -np.abs(sums), cell))
    cell, owner, sums = cell[order], owner[order], sums[order]
    counts = np.bincount(cell, minlength=size).astype(np.int64)
    rank = np.arange(len(cell)) - np.repeat(np.cumsum(counts) - counts, counts)
    top = rank < depth
    found, whose = np.zeros((size, depth)), np.full((size, depth), -1, np.int64)
    found[cell[top], rank[top]] = sums[top]
    whose[cell[top], rank[top]] = owner[top]
    return counts, found, whose
