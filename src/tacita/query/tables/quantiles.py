"""Quantiles from bins: read from the counts of published bins, never from single values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.tabulate import Tabulate
from tacita.query.tables.tabulate import answer_table

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["quantile_in_bins", "quantiles"]


def quantile_in_bins(level: float, counts: FloatArray, edges: FloatArray) -> tuple[int, float | None]:
    """Return the bin of a quantile, and its place within the bin by straight interpolation.

    Parameters
    ----------
    level
        Share of the records at or below the quantile.
    counts
        (b,): records in each bin.
    edges
        (b + 1,): the cutpoints with both ends; infinite where a bin has no end that is public.

    Returns
    -------
    tuple
        The number of the bin, and the interpolated value; None in a bin without an end, where all that can be said is the bin.

    Examples
    --------
    >>> quantile_in_bins(0.5, np.array([10.0, 20.0, 10.0]), np.array([-np.inf, 5.0, 9.0, np.inf]))
    (1, 7.0)
    >>> quantile_in_bins(0.05, np.array([10.0, 20.0, 10.0]), np.array([-np.inf, 5.0, 9.0, np.inf]))
    (0, None)
    """
    reached = np.cumsum(counts)
    wanted = level * reached[-1]
    # 0.07 * 100 is a little more than 7 in floats: a bin that is reached but for rounding is reached.
    place = int(np.searchsorted(reached, wanted * (1 - 1e-12), side="left"))
    low, high = edges[place], edges[place + 1]
    if not np.isfinite(low) or not np.isfinite(high):
        return place, None
    before = reached[place - 1] if place else 0.0
    return place, float(low + (high - low) * min((wanted - before) / counts[place], 1.0))


def quantiles(question: Question, request: Quantiles) -> dict[str, Any]:
    """Return the quantiles of a request: for each level the bin, and the interpolated value in bins that have two ends.

    The counts are those of the answer to the cross-tabulation by the bins, weighted where the data have weights,
    protected as that answer is: nothing is told here that the table would not tell.
    """
    variable = question.version.catalogue[request.response]
    statistic = "count" if question.version.weights is None else "weighted_count"
    table = answer_table(question, Tabulate(by=(request.response,), statistic=statistic))  # type: ignore[arg-type]
    counts = np.maximum(table.values[: len(variable.classes)], 0.0)
    if counts.sum() <= 0 or variable.bins is None:
        return {"response": request.response, "quantiles": []}
    found = []
    for level in request.levels:
        place, value = quantile_in_bins(level, counts, variable.bins.edges)
        row: dict[str, Any] = {"level": level, "bin": variable.classes[place]}
        if value is not None:
            row["value"] = float(f"{value:.4g}")
        found.append(row)
    return {"response": request.response, "quantiles": found}
