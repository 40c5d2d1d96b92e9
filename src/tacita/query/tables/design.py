"""Design-based variances of the cells of a table: strata, clusters and weights of the survey, by linearisation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import FloatArray, IntArray, PlaceArray

__all__ = ["SampleDesign", "cell_variances", "clusters_in_cells", "share_variances", "stratum_factors"]

Wholes: TypeAlias = IntArray | PlaceArray

_MOST_DENSE = 4
"""Up to so many places for each record a table of marks is quicker than sorting, and small."""


@dataclass(frozen=True, eq=False)
class SampleDesign:
    """How the records were drawn.

    Parameters
    ----------
    stratum
        (n,): the design stratum of every record of the version.
    cluster
        (n,): the cluster (household) of every record; None where records were drawn one by one.
    strata, clusters
        How many there are.
    sizes
        Number of clusters (or records) in each stratum, in the whole version.
    """

    stratum: IntArray = field(repr=False)
    cluster: IntArray | None = field(repr=False)
    strata: int
    clusters: int
    sizes: FloatArray = field(repr=False)

    @classmethod
    def of(cls, stratum: npt.NDArray[np.integer[Any]] | None, cluster: IntArray | None, records: int) -> SampleDesign:
        """Return the design of some records; without strata and clusters it is a simple random sample.

        Parameters
        ----------
        stratum, cluster
            (n,): numbers from 0; None where there are none.
        records
            n, how many records the version has.

        Notes
        -----
        A cluster belongs to the stratum of its first record.
        """
        layer = np.zeros(records, dtype=np.int64) if stratum is None else np.asarray(stratum, dtype=np.int64)
        strata = int(layer.max(initial=-1)) + 1 or 1
        if cluster is None:
            return cls(layer, None, strata, records, np.bincount(layer, minlength=strata).astype(np.float64))
        clusters = int(cluster.max(initial=-1)) + 1
        home = np.zeros(clusters, dtype=np.int64)
        home[cluster[::-1]] = layer[::-1]  # the first record of a cluster is written last
        there = np.bincount(cluster, minlength=clusters) > 0
        sizes = np.bincount(home[there], minlength=strata).astype(np.float64)
        return cls(home[cluster], cluster, strata, clusters, sizes)


def cell_variances(z: FloatArray, cells: Wholes, count: int, design: SampleDesign, rows: Wholes) -> FloatArray:
    """Return the variance of the sum of ``z`` in every cell, under the design.

    With t_hp the sum of z over the records of cluster p of stratum h that lie in the cell, and n_h clusters in the stratum,
    ``V = sum_h n_h / (n_h - 1) * (sum_p t_hp**2 - (sum_p t_hp)**2 / n_h)``: clusters that have nobody in the cell count with 0
    (a domain of a sample).

    Parameters
    ----------
    z
        (m,): weighted (or linearised) values of the records that are analysed.
    cells
        (m,): their cells.
    count
        Number of cells.
    design
        The design of the whole version.
    rows
        (m,): row numbers of these records in the version.

    Returns
    -------
    array
        (count,) variances; 0 in a cell without records.

    Notes
    -----
    A stratum with one cluster adds its square without centring, which overstates the variance rather than leaving it out.

    Complexity
    ----------
    O(m log m); memory for the pairs of stratum and cell that occur, not for all.

    References
    ----------
    Cochran (1977), 5A; Lumley (2010), 2.2.
    """
    pairs = _StratumCells(cells, count, design, rows)
    totals = pairs.by_cluster(z)
    squares, sums = pairs.by_stratum(totals**2), pairs.by_stratum(totals)
    factor, per = stratum_factors(design)
    return np.maximum(pairs.by_cell(factor[pairs.stratum] * (squares - per[pairs.stratum] * sums**2)), 0.0)


def share_variances(w: FloatArray, cells: Wholes, shares: FloatArray, design: SampleDesign, rows: Wholes) -> FloatArray:
    """Return the variance of the share of every cell in the sum of ``w`` over all records that are analysed.

    The share is a ratio; its linearised values are ``(w [in cell] - share w) / sum w``. With a_p the sum of w over the
    records of a cluster in the cell and b_p over all of them, ``(a_p - share b_p)**2`` is multiplied out, so that strata
    without records in the cell need no place of their own.

    Parameters
    ----------
    w
        (m,): weights of the records.
    cells
        (m,): their cells.
    shares
        (count,): the shares.
    design, rows
        As in :func:`cell_variances`.

    Returns
    -------
    array
        (count,) variances; NaN where nothing is weighed.

    Complexity
    ----------
    As :func:`cell_variances`.
    """
    count, whole = len(shares), float(w.sum())
    if whole <= 0:
        return np.full(count, np.nan)
    pairs = _StratumCells(cells, count, design, rows)
    inside, together = pairs.by_cluster(w), pairs.of_whole_cluster(w)
    factor, per = stratum_factors(design)
    all_cells = _StratumCells(np.zeros_like(cells), 1, design, rows)
    everything = all_cells.by_cluster(w)
    b2, b1 = np.zeros(design.strata), np.zeros(design.strata)
    b2[all_cells.stratum], b1[all_cells.stratum] = all_cells.by_stratum(everything**2), all_cells.by_stratum(everything)
    h = pairs.stratum
    a2, a1, ab = pairs.by_stratum(inside**2), pairs.by_stratum(inside), pairs.by_stratum(inside * together)
    ours = pairs.by_cell(factor[h] * (a2 - per[h] * a1**2))
    both = pairs.by_cell(factor[h] * (ab - per[h] * a1 * b1[h]))
    theirs = float((factor * (b2 - per * b1**2)).sum())
    return np.maximum(ours - 2 * shares * both + shares**2 * theirs, 0.0) / whole**2


def clusters_in_cells(cells: Wholes, count: int, design: SampleDesign, rows: Wholes) -> IntArray:
    """Return how many clusters (or records, where there are no clusters) have somebody in each cell.

    Parameters
    ----------
    cells, count, design, rows
        As in :func:`cell_variances`.
    """
    where = cells
    if design.cluster is not None:
        pair, _ = _numbered(np.asarray(design.cluster[rows], dtype=np.int64) * count + cells, design.clusters * count)
        where = pair % count
    return np.bincount(where, minlength=count).astype(np.int64)


def stratum_factors(design: SampleDesign) -> tuple[FloatArray, FloatArray]:
    """Return n / (n - 1) and 1 / n of each stratum; 1 and 0 where it has one cluster, whose square then stands as it is."""
    n = design.sizes
    alone = n <= 1
    return np.where(alone, 1.0, n / np.maximum(n - 1, 1.0)), np.where(alone, 0.0, 1.0 / np.maximum(n, 1.0))


class _StratumCells:
    """The records that are analysed, by cluster and cell and by stratum and cell; only pairs that occur have a place."""

    def __init__(self, cells: Wholes, count: int, design: SampleDesign, rows: Wholes) -> None:
        self.count = count
        self.clusters, self.mine = design.clusters, None
        layer, where = design.stratum[rows], cells
        self.number: IntArray | None = None
        if design.cluster is not None:
            self.mine = np.asarray(design.cluster[rows], dtype=np.int64)
            self.pair, self.number = _numbered(self.mine * count + cells, design.clusters * count)
            home = np.zeros(design.clusters, dtype=np.int64)
            home[self.mine] = layer
            layer, where = home[self.pair // count], self.pair % count
        place, self.of = _numbered(layer * count + where, design.strata * count)
        self.stratum, self.cell = place // count, place % count

    def by_cluster(self, z: FloatArray) -> FloatArray:
        """Sums over the records of each pair of cluster and cell."""
        return z if self.number is None else _added(self.number, z, len(self.pair))

    def of_whole_cluster(self, z: FloatArray) -> FloatArray:
        """For each pair of cluster and cell the sum over the whole cluster."""
        return z if self.mine is None else _added(self.mine, z, self.clusters)[self.pair // self.count]

    def by_stratum(self, totals: FloatArray) -> FloatArray:
        """Sums over the clusters of each pair of stratum and cell."""
        return _added(self.of, totals, len(self.cell))

    def by_cell(self, parts: FloatArray) -> FloatArray:
        """Sums over the strata of each cell."""
        return _added(self.cell, parts, self.count)


def _added(places: IntArray, values: FloatArray, count: int) -> FloatArray:
    return np.asarray(np.bincount(places, values, count), dtype=np.float64)


def _numbered(key: IntArray, below: int) -> tuple[IntArray, IntArray]:
    """The keys that occur, in order, and the place of each record's key among them."""
    if below > _MOST_DENSE * len(key):
        found, number = np.unique(key, return_inverse=True)
        return found, np.asarray(number, dtype=np.int64)
    marks = np.zeros(below, dtype=np.bool_)
    marks[key] = True
    return np.flatnonzero(marks), (np.cumsum(marks, dtype=np.int64) - 1)[key]
