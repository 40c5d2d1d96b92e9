"""Whether the figures that are shown are those of the data, and which figures are shown at all."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from tacita.compare.output_check.basis import ALL, OutputBasis, plain_label
from tacita.compare.output_check.figures import figures
from tacita.compare.output_check.reason import OutputReason, named
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.data.formats.shown_grid import ShownGrid, read_shown
from tacita.data.microdata import Microdata

__all__ = ["TOTALS", "Matched", "match_shown"]

TOTALS = frozenset({"all", "total", "totals", "sum", "overall", "margin"})
"""Words that people write for a total, in small letters; a category of that name comes first."""


@dataclass(frozen=True, eq=False)
class Matched:
    """A basis with the figures that are shown, and what was found when these were compared.

    Parameters
    ----------
    basis
        The basis; figures that are not shown are hidden.
    reasons
        What does not fit.
    """

    basis: OutputBasis
    reasons: tuple[OutputReason, ...] = field(default=())


def match_shown(basis: OutputBasis, data: Microdata) -> Matched:
    """Find the shown figures among those of the data, and compare them."""
    output = basis.output
    if output.shown is None:
        return Matched(basis)
    if output.kind not in ("crosstab", "quantiles"):
        words = f"figures of a {output.kind} are not compared with the data."
        return Matched(basis, (OutputReason("match", "review", words, (), "Compare them by hand."),))
    if isinstance(output.shown, (str, Path)) and Path(output.shown).suffix.lower() != ".csv":
        words = "its figures are in a file that is no CSV and are not compared with the data."
        return Matched(
            basis, (OutputReason("match", "review", words, (), "Give them as CSV, or compare them by hand."),)
        )
    statistics = _statistics(basis)
    grid = read_shown(output.shown, output.rows, output.columns)
    places, lost = _placed(basis, grid, statistics, data)
    shown, wrong = np.zeros(len(basis), bool), np.zeros(len(basis), bool)
    for statistic in statistics:
        there = places[:, 2] == statistics.index(statistic)
        cells = places[there, 0]
        values, steps = grid.values.reshape(-1)[places[there, 1]], grid.steps.reshape(-1)[places[there, 1]]
        shown[cells] = True
        wrong[cells] |= _differs(basis, statistic, data, cells, values, steps)
    reasons = []
    if wrong.any():
        titles = tuple(basis.title(cell) for cell in np.flatnonzero(wrong).tolist())
        words = f"{len(titles)} of {int(shown.sum())} shown figures are not those of the data: {named(titles)}."
        advice = "Correct the description (universe, weight, statistic), or the table."
        reasons.append(OutputReason("match", "review", words, titles, advice))
    if lost:
        words = f"{lost} shown figure(s) have labels that are not in the data under this description."
        reasons.append(OutputReason("match", "review", words, (), "Correct the labels, or the description."))
    if grid.texts.any():
        words = (
            f"{int(grid.texts.sum())} shown cell(s) have a text that is neither a figure nor a sign of a hidden one."
        )
        reasons.append(OutputReason("match", "review", words, (), "Leave hidden cells empty, or write x."))
    return Matched(replace(basis, shown=shown), tuple(reasons))


def _statistics(basis: OutputBasis) -> list[str]:
    output = basis.output
    return list(output.statistic) if output.kind == "crosstab" else [f"{one:g}" for one in output.probabilities]


def _placed(basis: OutputBasis, grid: ShownGrid, statistics: list[str], data: Microdata) -> tuple[IntArray, int]:
    """Return cell, place in the grid and statistic of every shown figure, and how many were not found.

    A hidden cell, or a zero, may also be of a category that nobody of the universe has.
    """
    cells = {basis.label(cell): cell for cell in range(len(basis))}
    known = [frozenset(words) for words in basis.labels]
    codes = [{plain_label(value) for value in data.codes(name).categories} | {ALL} for name in basis.dimensions]
    found, lost = [], 0
    for i, row in enumerate(grid.rows):
        for j, column in enumerate(grid.columns):
            place = i * len(grid.columns) + j
            labels, statistic = _split(row, column, grid, basis, statistics)
            title = None if labels is None else _named(labels, known)
            cell = None if title is None else cells.get(title)
            shows_nothing = np.isnan(grid.values[i, j]) or (grid.values[i, j] == 0 and cell is None)
            if title is None or statistic is None or (cell is None and not shows_nothing):
                lost += 1
            elif cell is None:
                lost += any(word not in words for word, words in zip(title, codes, strict=True))
            elif not shows_nothing:
                found.append((cell, place, statistics.index(statistic)))
    return np.array(found, np.int64).reshape(-1, 3), lost


def _split(
    row: tuple[str, ...], column: tuple[str, ...], grid: ShownGrid, basis: OutputBasis, statistics: list[str]
) -> tuple[tuple[str, ...] | None, str | None]:
    """Return the labels of a figure and its statistic."""
    rows, columns = len(basis.output.rows), len(basis.output.columns)
    head = list(column)
    if grid.is_long or len(head) != columns:
        named_ = next((one for one in head if one in statistics), None)
        if named_ is None and len(statistics) == 1:
            named_ = statistics[0]
            head = head[-columns:] if columns and not grid.is_long else []
        elif named_ is not None:
            head.remove(named_)
            head = head[-columns:] if columns and not grid.is_long else []
        statistic = named_
    else:
        statistic = statistics[0] if len(statistics) == 1 else None
    labels = tuple(row) if grid.is_long else (*row[len(row) - rows :], *head) if rows else tuple(head)
    return (labels if len(labels) == rows + columns else None), statistic


def _named(labels: tuple[str, ...], known: list[frozenset[str]]) -> tuple[str, ...]:
    """Write totals with one word; an empty label beside a total belongs to it, as in frames of pandas."""
    is_total = [word.lower() in TOTALS and word not in words for word, words in zip(labels, known, strict=True)]
    return tuple(
        ALL if total or (not word and any(is_total)) else word for word, total in zip(labels, is_total, strict=True)
    )


def _differs(
    basis: OutputBasis, statistic: str, data: Microdata, cells: IntArray, values: FloatArray, steps: FloatArray
) -> BoolArray:
    """Return which shown figures are further from those of the data than their last digit allows."""
    if basis.output.kind == "quantiles":
        if basis.output.weight is not None:
            return np.zeros(len(cells), bool)
        true = _quantiles(basis, float(statistic), data)[cells]
    else:
        true = figures(basis, statistic, data)[cells]
    if statistic == "median" and basis.output.weight is not None:
        return np.zeros(len(cells), bool)
    if statistic.startswith("percent") and values.max(initial=0) <= 1.0 and true.max(initial=0) > 1.0:
        values, steps = 100 * values, 100 * steps
    room = np.maximum(0.5 * steps, basis.output.rounding)
    empty = np.isnan(true) & (values == 0)
    with np.errstate(invalid="ignore"):
        return np.asarray(~((np.abs(values - true) <= room * (1 + 1e-6) + 1e-9 * np.abs(true)) | empty), bool)


def _quantiles(basis: OutputBasis, probability: float, data: Microdata) -> FloatArray:
    cells, records = basis.pairs
    values = data.numbers(str(basis.output.values))[records]
    found = np.full(len(basis), np.nan)
    order = np.lexsort((values, cells))
    begins = np.searchsorted(cells[order], np.arange(len(basis) + 1))
    for cell in np.flatnonzero(np.diff(begins)).tolist():
        found[cell] = np.quantile(values[order][begins[cell] : begins[cell + 1]], probability)
    return found
