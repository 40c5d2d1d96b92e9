"""Cross-tabulation of the records that are analysed, and the policy's protection of its cells."""

from __future__ import annotations

import copy
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, IntArray, PlaceArray
from tacita.query.noise.cell_noise import Plain
from tacita.query.requests.tabulate import Tabulate
from tacita.query.tables.cell_table import CellTable
from tacita.query.tables.design import cell_variances, clusters_in_cells, share_variances
from tacita.query.tables.response_sums import MOST_PAIRS, ResponseInCells
from tacita.query.universe.members import sums_by_cell

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["answer_table"]


class _Cells:
    """The records of a question in the cells of its table; parts are computed when they are needed."""

    def __init__(self, question: Question, request: Tabulate) -> None:
        self.question, self.version, self.by = question, question.version, request.by
        found = question.counted_analysed(request.by)
        self.shape, self.count = found.shape, len(found.counts)
        self.counts, self.sums = found.counts, found.sums
        self.protection = question.policy.cells
        self.is_plain = isinstance(self.protection, Plain)

    @cached_property
    def _found(self) -> tuple[PlaceArray, PlaceArray]:
        return self.question.rows_in_cells(self.by)

    @property
    def rows(self) -> PlaceArray:
        """Row numbers, increasing."""
        return self._found[0]

    @property
    def cells(self) -> PlaceArray:
        """The cell of each of these rows."""
        return self._found[1]

    def keep(self, chosen: BoolArray) -> None:
        """Leave out the records without a value."""
        self.__dict__["_found"] = (self.rows[chosen], self.cells[chosen])
        self.counts = np.bincount(self.cells, minlength=self.count).astype(np.int64)
        self.sums = sums_by_cell(self.cells, self.version.record_keys[self.rows], self.count)

    def together(self) -> _Cells:
        """The same records in one cell."""
        made = copy.copy(self)
        made.by, made.shape, made.count = (), (), 1
        made.counts, made.sums = self.counts.sum(keepdims=True), self.sums.sum(axis=0, keepdims=True)
        made.__dict__.pop("_found", None)
        if "_found" in self.__dict__:
            made.__dict__["_found"] = (self.rows, np.zeros_like(self.cells))
        return made

    @property
    def weights(self) -> FloatArray:
        return np.ones(len(self.rows)) if self.version.weights is None else self.version.weights[self.rows]

    def added(self, amounts: FloatArray) -> FloatArray:
        """Sums of amounts by cell."""
        return np.asarray(np.bincount(self.cells, amounts, self.count), dtype=np.float64)

    def variances(self, z: FloatArray) -> FloatArray:
        return cell_variances(z, self.cells, self.count, self.version.design, self.rows)

    # --- what is shown ------------------------------------------------------------------------------------------------

    def shown_counts(self, counts: IntArray, statistic: str = "count") -> IntArray:
        """Counts as they are shown."""
        if self.is_plain:
            return counts
        key = self.version.lasting_key.derive("counts")
        return np.asarray(self.protection.protect(counts, self.sums, key=key, statistic=statistic), dtype=np.int64)

    def response(self, values: FloatArray, weights: FloatArray | None) -> ResponseInCells:
        """A column of the version, weighted, in these cells."""
        return ResponseInCells(self.rows, self.cells, self.count, values, weights)

    def shown_totals(self, found: ResponseInCells, variable: str) -> FloatArray:
        """Totals with noise in proportion to their largest contributions."""
        magnitudes = self.question.policy.magnitudes
        largest = found.largest(self.version.record_ids, len(magnitudes.multipliers))
        key = self.version.lasting_key.derive("magnitudes")
        shown = magnitudes.protect(found.totals, largest, self.counts, self.sums, key=key, variable=variable)
        return np.asarray(shown, dtype=np.float64)

    def shown_weights(self, shown: IntArray) -> FloatArray:
        """What the records stand for, with the noise of the count and noise on the mean weight.

        Either noise alone gives the other away: the exact mean weight beside a count tells who is in the cell, and a total
        of nearly equal weights, divided by one of them, is the count.
        """
        if self.version.weights is None:
            return shown.astype(np.float64)
        weights = self.response(self.version.weights, None)
        noisy = np.maximum(self.shown_totals(weights, str(self.version.store.schema.weight)), 0.0)
        found = np.divide(noisy, self.counts, out=np.zeros(self.count), where=self.counts > 0) * shown
        mean = self.version.mean_weight
        step = (
            min(1.0, 10.0 ** np.floor(np.log10(mean))) if mean > 0 else 1.0
        )  # whole numbers, unless weights are below 1
        return np.rint(found / step) * step

    def made(
        self, request: Tabulate, values: npt.NDArray[np.generic], variances: FloatArray | None = None
    ) -> CellTable:
        catalogue, policy = self.version.catalogue, self.question.policy
        errors = None if variances is None or not policy.standard_errors else np.sqrt(variances).reshape(self.shape)
        return CellTable(
            request.by,
            {name: catalogue[name].all_classes for name in request.by},
            request.statistic,
            np.asarray(values, dtype=np.float64).reshape(self.shape),
            errors,
        )


def answer_table(question: Question, request: Tabulate) -> CellTable:
    """Compute the table of a request on the records that are analysed, and protect its cells as the policy says.

    Parameters
    ----------
    question
        The question with its records.
    request
        Its request.

    Returns
    -------
    CellTable
        Cells as they are shown.

    Notes
    -----
    Standard errors are design-based, from strata, clusters and weights of the schema. Where the policy changes counts by keyed
    noise or rounding, an exact standard error would give the count back (that of a count is a function of it), so they are then
    computed from what is shown and from nothing else: the variance of a count of n records, with the design effect
    ``1 + cv(w)**2`` of the whole version. Percentages and means are made of shown counts and totals as well.

    A mean of records of one cluster has no standard error: what varies between clusters cannot be seen in one.

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
        return cells.made(request, cells.shown_counts(cells.counts))
    return _weighted(cells, request) if cells.is_plain else _weighted_as_shown(cells, request)


def _weighted(cells: _Cells, request: Tabulate) -> CellTable:
    """What the records stand for, or their share of the universe."""
    w = cells.weights
    sums, whole = cells.added(w), float(w.sum())
    if request.statistic == "weighted_count":
        return cells.made(request, sums, cells.variances(w))
    shares = sums / whole if whole > 0 else np.full(cells.count, np.nan)
    variances = share_variances(w, cells.cells, shares, cells.version.design, cells.rows)
    return cells.made(request, 100 * shares, 1e4 * variances)


def _weighted_as_shown(cells: _Cells, request: Tabulate) -> CellTable:
    """The same of a table whose counts are changed: everything from shown values."""
    shown = cells.shown_counts(cells.counts)
    values, effect = cells.shown_weights(shown), cells.version.design_effect
    if request.statistic == "weighted_count":  # n cells of mean weight v / n: the variance is n (v / n)**2
        return cells.made(request, values, effect * values**2 / np.maximum(shown, 1))
    everybody = cells.together()
    records = everybody.shown_counts(everybody.counts)
    return _shown_shares(cells, request, values, float(everybody.shown_weights(records)[0]), int(records[0]), effect)


def _shown_shares(
    cells: _Cells, request: Tabulate, values: FloatArray, whole: float, units: int, effect: float
) -> CellTable:
    """Percentages of shown values in a shown total, as shares of so many units."""
    shares = np.clip(values / whole, 0, 1) if whole > 0 else np.full(cells.count, np.nan)
    variances = effect * shares * (1 - shares) / max(units, 1)
    return cells.made(request, np.round(100 * shares, 1), 1e4 * variances)


def _households(cells: _Cells, request: Tabulate) -> CellTable:
    """Households that have a member in the cell, each once."""
    codes = cells.version.households[cells.rows].astype(np.int64)
    pairs = np.unique(codes * cells.count + cells.cells)
    shown = cells.shown_counts(np.bincount(pairs % cells.count, minlength=cells.count).astype(np.int64), "households")
    if request.statistic == "count":
        return cells.made(request, shown)
    whole = int(cells.together().shown_counts(np.array([len(np.unique(codes))]), "households")[0])
    if not cells.is_plain:
        return _shown_shares(cells, request, shown.astype(np.float64), whole, whole, 1.0)
    shares = shown / whole if whole > 0 else np.full(cells.count, np.nan)
    return cells.made(request, 100 * shares, 1e4 * shares * (1 - shares) / max(whole, 1))


def _of_response(cells: _Cells, request: Tabulate) -> CellTable:
    """Means and totals; records without a value of the response are left out."""
    version, name = cells.version, str(request.response)
    x = version.analysed(name, cells.question.policy.part("input"))
    if not cells.is_plain:
        if version.has_missing(name):
            cells.keep(~np.isnan(x[cells.rows]))
        return _response_as_shown(cells, request, cells.response(x, version.weights))
    found, design = cells.response(x, version.weights), version.design
    if request.statistic == "total":
        means, scale = np.zeros(cells.count), np.ones(cells.count)
        return cells.made(request, found.totals, _variances(cells, found, means, scale))
    sums = found.sums_of_weights
    means = np.divide(found.totals, sums, out=np.full(cells.count, np.nan), where=sums > 0)
    scale = np.divide(1.0, sums, out=np.zeros(cells.count), where=sums > 0)
    several = found.weighing
    if design.cluster is not None:
        there = ~np.isnan(x[cells.rows]) & (cells.weights > 0)
        several = clusters_in_cells(cells.cells[there], cells.count, design, cells.rows[there])
    # linearised, since the mean is a ratio; a cell where nothing is weighed has no mean to take away
    variances = _variances(cells, found, np.where(sums > 0, means, 0.0), scale)
    return cells.made(request, means, np.where(several > 1, variances, np.nan))


def _variances(cells: _Cells, found: ResponseInCells, means: FloatArray, scale: FloatArray) -> FloatArray:
    """Variances of the sums of ``w (x - mean) scale``."""
    design = cells.version.design
    if design.cluster is None and design.strata * cells.count <= MOST_PAIRS:
        return found.variances(means, scale, design)
    x, w = found.values[cells.rows], cells.weights
    z = np.where((w > 0) & ~np.isnan(x), w * (x - means[cells.cells]) * scale[cells.cells], 0.0)
    return cell_variances(z, cells.cells, cells.count, design, cells.rows)


def _response_as_shown(cells: _Cells, request: Tabulate, found: ResponseInCells) -> CellTable:
    """Totals with noise; means as shown totals over shown (weighted) counts, since exact ones would tell these.

    A total has the noise of the count beside that of its largest contributions: the total of a number that differs little between
    records, divided by it, is the count, and a total that is not 0 beside a count of 0 tells that somebody is there.
    """
    counts = cells.shown_counts(cells.counts)
    noisy = cells.shown_totals(found, str(request.response))
    shown = np.divide(noisy, cells.counts, out=np.zeros(cells.count), where=cells.counts > 0) * counts
    if request.statistic == "total":
        return cells.made(request, shown)
    weights = cells.shown_weights(counts)
    return cells.made(request, np.divide(shown, weights, out=np.full(cells.count, np.nan), where=weights > 0))
