"""Iterative proportional fitting: inner cells are scaled to each noisy sum in turn, round by round."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.tables.additive.inner_cells import inner_cells
from tacita.tables.model.relations import Relations

__all__ = ["ProportionalFit", "proportional_fit"]


@dataclass(frozen=True, eq=False)
class ProportionalFit:
    """What fitting found.

    Parameters
    ----------
    values
        (n,): counts that add up; fractions.
    rounds
        Rounds that were made.
    misfit
        Largest share by which a sum misses its noisy count: not 0 where the noisy sums contradict each other.
    """

    values: FloatArray = field(repr=False)
    rounds: int
    misfit: float


def proportional_fit(
    relations: Relations, noisy: IntArray, *, rounds: int = 50, tolerance: float = 1e-6
) -> ProportionalFit:
    """Scale the inner cells of a noisy table to its noisy sums.

    Inner cells x_i start at their noisy counts. For each sum c in turn, ``x_i <- x_i a_c / sum_{j in c} x_j`` for the inner cells
    i of c; a round goes through all sums, small ones first. The table is the last round's inner cells added up.

    Protects no more than the noise: small counts appear again, and nothing bounds the distance to the truth. It stands here to
    be compared with. Does not protect against whoever rounds the fractions and averages.

    Parameters
    ----------
    relations
        Sums of one table, any number of dimensions.
    noisy
        (n,): noisy counts.
    rounds
        Most rounds.
    tolerance
        Stop when no inner cell changes by more than this share in a round.

    Raises
    ------
    ParameterError
        When ``noisy`` has another length or negative counts, or there are no rounds.
    DataError
        When sums do not follow from inner cells, as in linked tables.

    Complexity
    ----------
    O(rounds x cells that the inner cells are counted in).

    Notes
    -----
    Noisy sums contradict each other, so the rounds end in a cycle: the sums that are fitted last, the largest, are met best. A
    sum of 0 makes its inner cells 0; inner cells that are all 0 stay so.

    References
    ----------
    Deming, W. E. and Stephan, F. F. (1940), On a least squares adjustment of a sampled frequency table, Annals of Mathematical
    Statistics 11, 427-444.

    Examples
    --------
    >>> rows = Relations.of([(0, [1, 2])], 3)
    >>> proportional_fit(rows, np.array([9, 4, 2])).values.tolist()
    [9.0, 6.0, 3.0]
    """
    aim = np.asarray(noisy, np.float64)
    if aim.shape != (relations.size,) or not np.isfinite(aim).all() or (aim < 0).any():
        raise ParameterError(f"proportional_fit: 'noisy' must have {relations.size} counts of at least 0.")
    if rounds < 1:
        raise ParameterError(f"proportional_fit: 'rounds' must be at least 1, got {rounds}.")
    found = inner_cells(relations, np.ones(relations.size, bool))
    if not found.are_free:
        raise DataError(f"proportional_fit: {len(found.ties)} sums do not follow from the inner cells.")
    layers = _layers(found.holders.first, found.holders.inner.astype(np.int64), found.places, relations.size)
    inner = aim[found.places].copy()
    made, is_still = 0, False
    while made < rounds and not is_still:
        made += 1
        before = inner.copy()
        for cells, owner, part in layers:
            sums = np.bincount(owner, inner[part], len(cells))
            ratio = np.divide(aim[cells], sums, out=np.zeros(len(cells)), where=sums > 0)
            inner[part] *= ratio[owner]
        is_still = bool((np.abs(inner - before) <= tolerance * np.maximum(before, 1.0)).all())
    values = np.zeros(relations.size)
    np.add.at(values, found.holders.cells, np.repeat(inner, np.diff(found.holders.start)))
    misfit = np.abs(values - aim) / np.maximum(aim, 1.0)
    is_sum = np.ones(relations.size, bool)
    is_sum[found.places] = False
    return ProportionalFit(values, made, float(misfit[is_sum].max(initial=0.0)))


def _layers(first: IntArray, inner: IntArray, places: IntArray, size: int) -> list[tuple[IntArray, IntArray, IntArray]]:
    """Put sums into layers without a common inner cell, small ones first, so that a layer is fitted at once."""
    width = np.diff(first)
    is_inner = np.zeros(size, bool)
    is_inner[places] = True
    last = np.full(len(places), -1, np.int64)
    layers: list[list[int]] = []
    for cell in np.argsort(width, kind="stable").tolist():
        if is_inner[cell] or not width[cell]:
            continue
        held = inner[first[cell] : first[cell + 1]]
        layer = int(last[held].max()) + 1
        last[held] = layer
        if layer == len(layers):
            layers.append([])
        layers[layer].append(cell)
    found = []
    for cells in layers:
        parts = [inner[first[c] : first[c + 1]] for c in cells]
        owner = np.repeat(np.arange(len(cells)), [len(part) for part in parts])
        found.append((np.array(cells, np.int64), owner, np.concatenate(parts)))
    return found
