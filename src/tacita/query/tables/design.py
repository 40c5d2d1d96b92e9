"""Design-based variances of the cells of a table: strata, clusters and weights of the survey, by linearisation."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["SampleDesign", "cell_variances", "share_variances"]

_MOST_DENSE = 20_000_000


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
    def of(cls, stratum: IntArray | None, cluster: IntArray | None, records: int) -> SampleDesign:
        """Return the design of some records; without strata and clusters it is a simple random sample.

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


def cell_variances(z: FloatArray, cells: IntArray, count: int, design: SampleDesign, rows: IntArray) -> FloatArray:
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

    Notes
    -----
    A stratum with one cluster adds its square without centring, which overstates the variance rather than leaving it out.

    References
    ----------
    Cochran (1977), 5A; Lumley (2010), 2.2.
    """
    where, totals, layer = _cluster_totals(z, cells, count, design, rows)
    place = layer * count + where
    squares = np.bincount(place, totals**2, design.strata * count).reshape(design.strata, count)
    sums = np.bincount(place, totals, design.strata * count).reshape(design.strata, count)
    return _joined(squares, sums**2, design)


def share_variances(
    w: FloatArray, cells: IntArray, shares: FloatArray, design: SampleDesign, rows: IntArray
) -> FloatArray:
    """Return the variance of the share of every cell in the sum of ``w`` over all records that are analysed.

    The share is a ratio; its linearised values are ``(w [in cell] - share w) / sum w``.

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
    """
    count, whole = len(shares), float(w.sum())
    if whole <= 0:
        return np.full(count, np.nan)
    where, inside, layer = _cluster_totals(w, cells, count, design, rows)
    _, everything, home = _cluster_totals(w, np.zeros_like(cells), 1, design, rows)
    together = _of_cluster(w, cells, count, design, rows)
    size = design.strata * count
    place = layer * count + where
    a2 = np.bincount(place, inside**2, size).reshape(design.strata, count)
    a1 = np.bincount(place, inside, size).reshape(design.strata, count)
    ab = np.bincount(place, inside * together, size).reshape(design.strata, count)
    b2 = np.bincount(home, everything**2, design.strata)[:, None]
    b1 = np.bincount(home, everything, design.strata)[:, None]
    squares = a2 - 2 * shares * ab + shares**2 * b2
    return _joined(squares, (a1 - shares * b1) ** 2, design) / whole**2


def _joined(squares: FloatArray, squared_sums: FloatArray, design: SampleDesign) -> FloatArray:
    n = design.sizes[:, None]
    alone = n <= 1
    factor = np.where(alone, 1.0, n / np.maximum(n - 1, 1))
    centre = np.where(alone, 0.0, squared_sums / np.maximum(n, 1))
    found: FloatArray = (factor * np.maximum(squares - centre, 0.0)).sum(axis=0)
    return found


def _cluster_totals(
    z: FloatArray, cells: IntArray, count: int, design: SampleDesign, rows: IntArray
) -> tuple[IntArray, FloatArray, IntArray]:
    """Sums of z by cluster and cell, where there are some: cells, sums, strata."""
    if design.cluster is None:
        return cells, z, design.stratum[rows]
    pair, number, _ = _pairs(cells, count, design, rows)
    totals = np.bincount(number, z, len(pair))
    where, cluster = pair % count, pair // count
    first = np.zeros(design.clusters, dtype=np.int64)
    first[design.cluster[rows]] = design.stratum[rows]
    return where, totals, first[cluster]


def _of_cluster(w: FloatArray, cells: IntArray, count: int, design: SampleDesign, rows: IntArray) -> FloatArray:
    """For each pair of cluster and cell the sum of w over the whole cluster."""
    if design.cluster is None:
        return w
    pair, _, mine = _pairs(cells, count, design, rows)
    return np.bincount(mine, w, design.clusters)[pair // count]


def _pairs(cells: IntArray, count: int, design: SampleDesign, rows: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The pairs of cluster and cell that occur, the pair of each record, and its cluster."""
    mine = np.asarray(design.cluster)[rows].astype(np.int64)
    key = mine * count + cells
    if design.clusters * count <= _MOST_DENSE:  # a table of marks is quicker than sorting
        marks = np.zeros(design.clusters * count, dtype=np.bool_)
        marks[key] = True
        pair = np.flatnonzero(marks)
        place = np.zeros(len(marks), dtype=np.int64)
        place[pair] = np.arange(len(pair))
        return pair, place[key], mine
    pair, number = np.unique(key, return_inverse=True)
    return pair, number, mine
