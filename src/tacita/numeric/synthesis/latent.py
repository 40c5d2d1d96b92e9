"""Latent columns: a mixed file as uniform shares, one for each column and one more where it has gaps, that correlate.

A column is one latent share u, of which its margin makes a number or a class. A column with gaps has two: one that says whether
and why a value is missing, and one for the values. Latent shares are ``u = Phi(z)`` with z normal; how strongly two of them go
together is read off the ranks of the old records, each pair over the records that have both.

Unordered classes get an order first: that in which they go together best with all other columns, as the leading singular vector
of the mean ranks within classes has it (the first step of an optimal scaling).

References
----------
Cario, M. C. and Nelson, B. L. (1997), Modeling and generating random vectors with arbitrary marginal distributions and
correlation matrix, Northwestern University: latent normals, correlated so that what they make is correlated as wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.numeric.statistics.psd import repair_covariance
from tacita.numeric.statistics.ranks import mid_ranks
from tacita.numeric.synthesis.column_values import ColumnValues, GapArray
from tacita.numeric.synthesis.margins import Margin, NumberMargin, class_margin, number_margin

__all__ = ["LatentFile", "fit_latent", "latent_factor", "rank_agreement"]

_STRONGEST = 0.9999
"""Two latent columns never follow from each other wholly."""


@dataclass(frozen=True)
class LatentFile:
    """What drawing needs to know of a file.

    Parameters
    ----------
    margins
        The margin of each latent column.
    wanted
        Their rank correlations.
    gap_of, values_of
        For each column the number of its latent column of gaps, and of values; -1 where it has none.
    columns
        The columns without their records: what kind each is.
    learnt_from
        Number of records.
    """

    margins: tuple[Margin, ...]
    wanted: FloatArray
    gap_of: tuple[int, ...]
    values_of: tuple[int, ...]
    columns: tuple[ColumnValues, ...]
    learnt_from: int

    def ranks_at(self, shares: FloatArray) -> FloatArray:
        """Return the tied ranks of what (n, latent columns) shares make."""
        made = np.empty_like(shares)
        for j, margin in enumerate(self.margins):
            made[:, j] = margin.ranks_at(np.ascontiguousarray(shares[:, j]))
        return made

    def columns_at(self, shares: FloatArray) -> list[ColumnValues]:
        """Return the columns that (n, latent columns) shares make."""
        made = []
        for column, gap, values in zip(self.columns, self.gap_of, self.values_of, strict=True):
            kinds = np.zeros(len(shares)) if gap < 0 else self.margins[gap].values_at(shares[:, gap])
            drawn = np.zeros(len(shares)) if values < 0 else self.margins[values].values_at(shares[:, values])
            gaps = kinds.astype(np.int16)
            made.append(column.like(np.where(gaps > 0, 0.0, drawn), gaps))
        return made


def fit_latent(columns: Sequence[ColumnValues], k: int) -> LatentFile:
    """Look at a file of one record or more. O(n d (d + log n)) time, two arrays of n times the latent columns.

    A column of numbers with fewer than k values is empty in what is drawn: they could not be told without telling whose.
    """
    found = _Found([], [], [], {})
    gap_of, values_of, kept = [], [], []
    for column in columns:
        there = column.there
        enough = bool(there.any()) if column.classes else int(there.sum()) >= k
        gaps = column.gaps if enough else np.maximum(column.gaps, 1)
        gap_of.append(found.gaps(gaps) if gaps.any() else -1)
        if not enough:
            values_of.append(-1)
        elif column.classes:
            values_of.append(found.classes(column.values.astype(np.int64), there, is_ordered=column.is_ordered))
        else:
            values_of.append(found.numbers(column.values, there, k))
        kept.append(column.of(np.zeros(0, np.int64)))
    margins, wanted = found.ordered()
    return LatentFile(margins, wanted, tuple(gap_of), tuple(values_of), tuple(kept), len(columns[0]) if columns else 0)


def rank_agreement(ranks: FloatArray) -> FloatArray:
    """Return the correlations of (n, d) centred ranks, each over the records that have both; NaN is missing.

    A constant column correlates with none. O(n d^2).

    Examples
    --------
    >>> rank_agreement(np.array([[-1.0, 1.0], [0.0, np.nan], [1.0, -1.0]])).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    there = ~np.isnan(ranks)
    filled = np.where(there, ranks, 0.0)
    seen = there.astype(np.float64)
    lengths = (filled * filled).T @ seen  # [i, j]: squares of i where j is there
    scale = np.sqrt(lengths * lengths.T)
    made = np.divide(filled.T @ filled, scale, out=np.zeros_like(scale), where=scale > 1e-12)
    np.fill_diagonal(made, 1.0)
    return np.asarray(np.clip(made, -1.0, 1.0))


def latent_factor(correlations: FloatArray) -> FloatArray:
    """Return the triangular factor of latent correlations, brought to a matrix that can be one."""
    strong = np.clip(correlations, -_STRONGEST, _STRONGEST)
    np.fill_diagonal(strong, 1.0)
    return repair_covariance(strong).factor


@dataclass
class _Found:
    """Latent columns as they are met: ranks of the old records, margins, and codes of classes that want an order."""

    ranks: list[FloatArray]
    margins: list[NumberMargin | tuple[IntArray, IntArray] | None]
    unordered: list[tuple[int, IntArray, BoolArray]]
    patterns: dict[bytes, int]

    def gaps(self, gaps: GapArray) -> int:
        """Enter gaps; columns that have them in the same records share them, as those of a part that some were not asked."""
        pattern = gaps.tobytes()
        if pattern not in self.patterns:
            self.patterns[pattern] = self.classes(gaps.astype(np.int64), np.ones(len(gaps), bool))
        return self.patterns[pattern]

    def numbers(self, values: FloatArray, there: BoolArray, k: int) -> int:
        some = values[there]
        self.margins.append(number_margin(some, k))
        self.ranks.append(_ranked(values, there))
        return len(self.margins) - 1

    def classes(self, codes: IntArray, there: BoolArray, *, is_ordered: bool = False) -> int:
        some = codes[there]
        count = int(some.max(initial=0)) + 1
        self.margins.append((some, np.arange(count)))
        self.ranks.append(_ranked(codes.astype(np.float64), there))
        if not is_ordered and len(np.unique(some)) > 2:
            self.unordered.append((len(self.margins) - 1, codes, there))
        return len(self.margins) - 1

    def ordered(self) -> tuple[tuple[Margin, ...], FloatArray]:
        """Return margins and rank correlations, unordered classes brought into the order that tells most."""
        if not self.ranks:
            return (), np.eye(0)
        ranks = np.column_stack(self.ranks)
        scaled = _scaled(ranks)
        for j, _, _ in self.unordered:
            scaled[:, j] = 0.0  # before they have an order, their codes say nothing to others
        for _ in range(2):  # once by the ordered columns, once by all
            for j, codes, there in self.unordered:
                order = _order_of_classes(codes, there, np.delete(scaled, j, axis=1))
                self.margins[j] = (codes[there], order)
                place = np.argsort(order).astype(np.float64)
                ranks[:, j] = _ranked(place[np.where(there, codes, 0)], there)
                scaled[:, j] = _scaled(ranks[:, [j]])[:, 0]
        margins = [class_margin(*m) if isinstance(m, tuple) else m for m in self.margins]
        return tuple(m for m in margins if m is not None), rank_agreement(ranks)


def _ranked(values: FloatArray, there: BoolArray) -> FloatArray:
    """Return centred ranks between -1/2 and 1/2; NaN where there is no value."""
    made = np.full(len(values), np.nan)
    some = values[there]
    made[there] = (mid_ranks(some, np.sort(some)) + 0.5) / max(len(some), 1) - 0.5
    return made


def _scaled(ranks: FloatArray) -> FloatArray:
    """Return ranks with gaps at the middle, each column at length 1; a constant column is 0."""
    filled = np.where(np.isnan(ranks), 0.0, ranks)
    length = np.sqrt((filled * filled).sum(axis=0))
    return np.asarray(filled / np.where(length > 1e-12, length, 1.0))


def _order_of_classes(codes: IntArray, there: BoolArray, others: FloatArray) -> IntArray:
    """Return classes in the order in which the other columns tell them apart best; the more frequent first where none does."""
    some = codes[there]
    counts = np.bincount(some)
    sums = (
        np.stack([np.bincount(some, others[there, j], len(counts)) for j in range(others.shape[1])], axis=1)
        if others.shape[1]
        else np.zeros((len(counts), 1))
    )
    weight = np.sqrt(np.maximum(counts, 1.0))
    left, size, _ = np.linalg.svd(sums / weight[:, None], full_matrices=False)
    if not size[0] > 1e-9:
        return np.argsort(-counts, kind="stable")
    score = left[:, 0] / weight
    score = score if score[np.argmax(np.abs(score))] > 0 else -score
    return np.argsort(score, kind="stable")
