"""Cross-tabulation of the records that are analysed, and the policy's protection of its cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.query.noise.cell_noise import Plain, means_of
from tacita.query.noise.magnitude_key import largest_in_cells
from tacita.query.requests.tabulate import Tabulate
from tacita.query.tables.cell_table import CellTable
from tacita.query.tables.design import SampleDesign, cell_variances, share_variances
from tacita.query.universe.members import sums_by_cell

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["answer_table"]


class _Cells:
    """The records of a question in the cells of its table; parts are computed when they are needed."""

    def __init__(self, question: Question, request: Tabulate) -> None:
        version, rows = question.version, question.rows
        self.question, self.version, self.rows = question, version, rows
        index = version.cells(request.by)
        self.shape, self.count = index.shape, index.count
        self.cells = index.values[rows].astype(np.int64)
        self.counts = np.bincount(self.cells, minlength=self.count).astype(np.int64)
        self.protection = question.policy.cells
        self.is_plain = isinstance(self.protection, Plain)

    def keep(self, chosen: FloatArray) -> None:
        """Leave out the records without a value."""
        self.rows, self.cells = self.rows[chosen], self.cells[chosen]
        self.counts = np.bincount(self.cells, minlength=self.count).astype(np.int64)

    @property
    def sums(self) -> IntArray:
        return sums_by_cell(self.cells, self.version.record_keys[self.rows], self.count)

    @property
    def weights(self) -> FloatArray:
        return np.ones(len(self.rows)) if self.version.weights is None else self.version.weights[self.rows]

    def protected(self, counts: IntArray, statistic: str, sums: IntArray | None = None) -> IntArray:
        """Counts as they are shown."""
        if self.is_plain:
            return counts
        key = self.version.key.derive("cells")
        return self.protection.protect(counts, self.sums if sums is None else sums, key=key, statistic=statistic)

    def protected_total(self, count: int, statistic: str) -> int:
        """The number of all records that are analysed, as it is shown."""
        if self.is_plain:
            return count
        keys = self.version.record_keys[self.rows].sum(axis=0, keepdims=True)
        return int(self.protected(np.array([count]), statistic, keys)[0])

    @property
    def design(self) -> SampleDesign:
        return self.version.design

    def made(self, request: Tabulate, values: FloatArray, variances: FloatArray | None) -> CellTable:
        catalogue = self.version.catalogue
        return CellTable(
            request.by,
            {name: catalogue[name].all_classes for name in request.by},
            request.statistic,
            np.asarray(values, dtype=np.float64).reshape(self.shape),
            None
            if variances is None or not self.question.policy.standard_errors
            else np.sqrt(variances).reshape(self.shape),
        )


def answer_table(question: Question, request: Tabulate) -> CellTable:
    """Compute the table of a request on the records that are analysed, and protect its cells as the policy says.

    Parameters
    ----------
    question
        The question with its records.
    request
        Its request.

    Notes
    -----
    Standard errors are design-based, from strata, clusters and weights of the schema. Where the policy changes counts
    by keyed noise or rounding, an exact standard error would give the count back (that of a count is a function of
    it), so they are then computed from what is shown: the variance of a count of n records with the design effect ``1
    + cv(w)**2`` of the whole version.

    Complexity
    ----------
    O(n) for n records that are analysed, and O(n log n) with clusters and very many cells.
    """
    cells = _Cells(question, request)
    if request.statistic in ("mean", "total"):
        return _of_response(cells, request)
    if request.unit == "households":
        return _households(cells, request)
    if request.statistic == "count":
        return cells.made(request, cells.protected(cells.counts, "count"), None)
    return _weighted(cells, request)


def _weighted(cells: _Cells, request: Tabulate) -> CellTable:
    """What the records stand for, or their share of the universe."""
    w = cells.weights
    sums = np.bincount(cells.cells, w, cells.count)
    shown = cells.protected(cells.counts, "count")
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_weight = np.where(cells.counts > 0, sums / cells.counts, 0.0)
    if request.statistic == "weighted_count":
        values = sums if cells.is_plain else np.rint(mean_weight * shown)
        variances = cell_variances(w, cells.cells, cells.count, cells.design, cells.rows) if cells.is_plain else None
        if variances is None:
            variances = cells.version.design_effect * mean_weight**2 * np.maximum(shown, 1)
        return cells.made(request, values, variances)
    whole = float(w.sum())
    if cells.is_plain:
        shares = sums / whole if whole > 0 else np.full(cells.count, np.nan)
        return cells.made(
            request, 100 * shares, 1e4 * share_variances(w, cells.cells, shares, cells.design, cells.rows)
        )
    total = cells.protected_total(len(cells.rows), "count")
    mean_of_all = whole / len(w) if len(w) else np.nan
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = (
            np.clip(mean_weight * shown / (mean_of_all * total), 0, 1) if total > 0 else np.full(cells.count, np.nan)
        )
    variances = cells.version.design_effect * shares * (1 - shares) / max(total, 1)
    return cells.made(request, np.round(100 * shares, 1), 1e4 * variances)


def _households(cells: _Cells, request: Tabulate) -> CellTable:
    """Households that have a member in the cell, each once."""
    codes = cells.version.households[cells.rows].astype(np.int64)
    pairs = np.unique(codes * cells.count + cells.cells)
    counts = np.bincount(pairs % cells.count, minlength=cells.count).astype(np.int64)
    shown = cells.protected(counts, "households")
    if request.statistic == "count":
        return cells.made(request, shown, None)
    total = cells.protected_total(len(np.unique(codes)), "households")
    shares = np.clip(shown / total, 0, 1) if total > 0 else np.full(cells.count, np.nan)
    variances = shares * (1 - shares) / max(total, 1)
    return cells.made(request, 100 * shares if cells.is_plain else np.round(100 * shares, 1), 1e4 * variances)


def _of_response(cells: _Cells, request: Tabulate) -> CellTable:
    """Means and totals; records without a value of the response are left out."""
    x = cells.version.values(str(request.response))[cells.rows]
    known = ~np.isnan(x)
    if not known.all():
        x = x[known]
        cells.keep(known)
    w = cells.weights
    sums, totals = np.bincount(cells.cells, w, cells.count), np.bincount(cells.cells, w * x, cells.count)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(sums > 0, totals / sums, np.nan)
    if cells.is_plain:
        if request.statistic == "total":
            return cells.made(
                request, totals, cell_variances(w * x, cells.cells, cells.count, cells.design, cells.rows)
            )
        with np.errstate(invalid="ignore", divide="ignore"):
            z = w * (x - means[cells.cells]) / sums[cells.cells]
        return cells.made(request, means, cell_variances(z, cells.cells, cells.count, cells.design, cells.rows))
    return _protected_response(cells, request, w * x, sums)


def _protected_response(cells: _Cells, request: Tabulate, amounts: FloatArray, sums: FloatArray) -> CellTable:
    """Totals with noise in proportion to their largest contributions; means as shown total over shown count."""
    magnitudes = cells.question.policy.magnitudes
    largest = largest_in_cells(
        amounts, cells.version.record_ids[cells.rows], cells.cells, cells.count, depth=len(magnitudes.multipliers)
    )
    totals = np.bincount(cells.cells, amounts, cells.count)
    key = cells.version.key.derive("magnitudes")
    shown = magnitudes.protect(totals, largest, cells.counts, cells.sums, key=key, variable=str(request.response))
    if request.statistic == "total":
        return cells.made(request, shown, None)
    counts = cells.protected(cells.counts, "count")
    with np.errstate(invalid="ignore", divide="ignore"):
        weights = np.where(cells.counts > 0, sums / cells.counts, 0.0)
    means = means_of(shown, counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        return cells.made(request, np.where(weights > 0, means / weights, np.nan), None)
