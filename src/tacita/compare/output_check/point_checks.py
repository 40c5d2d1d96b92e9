"""Checks of points of a distribution: extremes, quantiles, edges of histograms, box plots."""

from __future__ import annotations

import numpy as np

from tacita.compare.output_check.basis import OutputBasis, Owners
from tacita.compare.output_check.figures import shared_by, smallest_and_largest
from tacita.compare.output_check.output_limits import OutputLimits
from tacita.compare.output_check.table_checks import OutputFindings, check_counts, found_in, nothing_found
from tacita.core.arrays import FloatArray
from tacita.data.microdata import Microdata

__all__ = ["check_boxplot", "check_extremes", "check_histogram", "check_quantiles", "whiskers"]

_FEWER = "Give percentiles with enough contributors beyond them instead."


def check_extremes(
    basis: OutputBasis, data: Microdata, owners: Owners, limits: OutputLimits, ends: tuple[str, ...] = ("min", "max")
) -> OutputFindings:
    """Smallest and largest values belong to somebody, unless enough contributors share them."""
    cells, records = basis.pairs
    values = data.numbers(str(basis.output.values))[records]
    found = nothing_found(basis)
    for word, point in zip(("min", "max"), smallest_and_largest(cells, values, len(basis)), strict=True):
        if word in ends:
            few = shared_by(cells, values, owners.units[records], point) < limits.at_least
            words = (
                f"the {word} of {basis.output.values} belongs to fewer than {limits.at_least} contributors in {{n}} "
                "figure(s): {cells}."
            )
            found += found_in(basis, "extremes", "fail", basis.shown & (basis.records > 0) & few, words, _FEWER)
    return found


def check_quantiles(basis: OutputBasis, data: Microdata, owners: Owners, limits: OutputLimits) -> OutputFindings:
    """Every step between two quantiles must have enough contributors in it, also those before the first and after the last.

    Notes
    -----
    A median alone is judged by the number of contributors of its cell, as the guidelines do.
    """
    points = np.unique(np.asarray(basis.output.probabilities))
    found = check_counts(basis, owners, limits)
    ends = tuple(word for word, end in (("min", 0.0), ("max", 1.0)) if end in points)
    if ends:
        found += check_extremes(basis, data, owners, limits, ends)
    inner = points[(points > 0) & (points < 1)]
    if not len(inner) or inner.tolist() == [0.5]:
        return found
    step = float(np.diff([0.0, *inner, 1.0]).min())
    counts = basis.distinct(owners.units)
    few = basis.shown & (counts >= limits.at_least) & (counts * step < limits.at_least - 1e-9)
    words = (
        f"the narrowest step has {100 * step:g} % of the contributors, which are fewer than {limits.at_least} in {{n}} "
        "figure(s): {cells}."
    )
    return found + found_in(basis, "steps", "fail", few, words, "Give fewer or less extreme percentiles.")


def check_histogram(basis: OutputBasis, data: Microdata, owners: Owners, limits: OutputLimits) -> OutputFindings:
    """Bins are counts; edges must not be the smallest or largest value of somebody, unless the column's definition has them."""
    found = check_counts(basis, owners, limits)
    values = data.float(str(basis.output.values))[basis.inner >= 0]
    edges = basis.output.bins
    if not len(values):
        return found
    ends = [
        word
        for word, edge, end in (("first", edges[0], values.min()), ("last", edges[-1], values.max()))
        if edge == end
        and edge not in (data.schema[str(basis.output.values)].bounds or ())
        and len(np.unique(owners.units[basis.inner >= 0][values == end])) < limits.at_least
    ]
    if not ends:
        return found
    every = np.zeros(len(basis), bool)
    every[[0 if word == "first" else len(basis) - 1 for word in ends]] = True
    words = f"the {' and the '.join(ends)} edge is the value of few contributors."
    return found + found_in(
        basis, "extremes", "fail", every, words, "Take round edges that are not taken from the data."
    )


def check_boxplot(basis: OutputBasis, data: Microdata, owners: Owners, limits: OutputLimits) -> OutputFindings:
    """Quartiles need enough contributors between them; whiskers and outliers are values of single records."""
    found = check_counts(basis, owners, limits)
    counts = basis.distinct(owners.units)
    few = basis.shown & (counts >= limits.at_least) & (counts / 4 < limits.at_least - 1e-9)
    words = f"fewer than {limits.at_least} contributors lie between two quartiles in {{n}} box(es): {{cells}}."
    found += found_in(basis, "steps", "fail", few, words, "Draw fewer boxes.")
    cells, records = basis.pairs
    values = data.numbers(str(basis.output.values))[records]
    low, high, beyond = whiskers(basis, values)
    for word, point in (("lower", low), ("upper", high)):
        few = shared_by(cells, values, owners.units[records], point) < limits.at_least
        words = f"the {word} whisker ends at the value of fewer than {limits.at_least} contributors in {{n}} box(es): {{cells}}."
        advice = "End the whiskers at percentiles with enough contributors beyond them."
        found += found_in(basis, "extremes", "fail", basis.shown & (basis.records > 0) & few, words, advice)
    if basis.output.outliers:
        words = "{n} box(es) have outliers drawn as single points: {cells}."
        found += found_in(basis, "single_records", "fail", basis.shown & (beyond > 0), words, "Draw no outliers.")
    return found


def whiskers(basis: OutputBasis, values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return (c,) three times: the ends of the whiskers, as Tukey draws them, and how many records lie beyond."""
    cells = basis.pairs[0]
    low, high, beyond = (np.full(len(basis), np.nan) for _ in range(3))
    order = np.lexsort((values, cells))
    begins = np.searchsorted(cells[order], np.arange(len(basis) + 1))
    for cell in np.flatnonzero(np.diff(begins)).tolist():
        part = values[order][begins[cell] : begins[cell + 1]]
        first, third = np.quantile(part, [0.25, 0.75])
        inside = part[(part >= first - 1.5 * (third - first)) & (part <= third + 1.5 * (third - first))]
        low[cell], high[cell], beyond[cell] = inside.min(), inside.max(), len(part) - len(inside)
    return low, high, beyond
