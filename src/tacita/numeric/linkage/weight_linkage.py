"""Linking each masked record to the original with the largest total weight of agreement."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tacita.core.arrays import (
    Bool1,
    Bool2,
    BoolArray,
    Float1,
    FloatArray,
    Int1,
    Int2,
    IntArray,
    Place1,
    Place2,
    PlaceArray,
)
from tacita.core.kernel import entry
from tacita.core.progress import task
from tacita.numeric.compiled.threads import in_blocks
from tacita.numeric.linkage.agreement import CHUNK, Positions, add_up

__all__ = ["Heaviest", "heaviest_records", "own_weighs_most"]


_BLOCK = 256


class Heaviest(NamedTuple):
    """For each query the record that weighs most, its weight, that of the next lighter one, and how many weigh the same."""

    rows: IntArray
    weight: IntArray
    second: IntArray
    ties: IntArray


def heaviest_records(positions: Positions, weights: PlaceArray, rows: IntArray, order: IntArray) -> Heaviest:
    """Return the record (of ``positions.originals``) that weighs most for each of some queries (of ``positions.masked``).

    Of those that weigh the same the first in ``order`` is taken. O(pairs d) time, O(n d) memory.
    """
    originals = np.ascontiguousarray(positions.originals[:, order])
    gone = np.ascontiguousarray(positions.originals_gone[:, order])
    has_gaps: BoolArray = np.asarray(gone.any(axis=1))
    masked, masked_gone = positions.masked[:, rows], positions.masked_gone[:, rows]
    found = np.zeros((len(rows), 4), np.int64)

    def part(a: int, b: int) -> None:
        _heaviest(
            originals, np.ascontiguousarray(masked[:, a:b]), gone, np.ascontiguousarray(masked_gone[:, a:b]), has_gaps,
            positions.limits, weights, found[a:b],
        )  # fmt: skip

    with task("Linking records", len(rows)) as running:
        in_blocks(part, len(rows), block=_BLOCK, done=running.advance)
    return Heaviest(order[found[:, 0]] if len(order) else found[:, 0] - 1, found[:, 1], found[:, 2], found[:, 3])


@entry
def _heaviest(
    originals: Place2,
    masked: Place2,
    gone: Bool2,
    masked_gone: Bool2,
    has_gaps: Bool1,
    limits: Place1,
    weights: Place2,
    found: Int2,
) -> None:
    n = originals.shape[1]
    total = np.empty(CHUNK, np.int32)
    for q in range(masked.shape[1]):
        places, empty = masked[:, q].copy(), masked_gone[:, q].copy()
        row, best, second, ties = 0, -(1 << 40), -(1 << 40), 0
        for a in range(0, n, CHUNK):
            b = min(a + CHUNK, n)
            add_up(originals, gone, has_gaps, places, empty, limits, weights, a, b, total)
            for i in range(b - a):
                weight = int(total[i])
                if weight > best:
                    row, second, best, ties = a + i, best, weight, 1
                elif weight == best:
                    ties += 1
                elif weight > second:
                    second = weight
        found[q, 0], found[q, 1], found[q, 2], found[q, 3] = row, best, second, ties


def own_weighs_most(
    positions: Positions,
    weights: PlaceArray,
    rows: IntArray,
    own: IntArray,
    *,
    reach: int | None = None,
    block: int = 0,
) -> FloatArray:
    """Return for each of some masked records the chance that linking it to the original that weighs most finds its own.

    Parameters
    ----------
    positions, weights
        The files, and what each level of agreement weighs in each column.
    rows
        The masked records to link.
    own
        For each of them the row of its original.
    reach
        Largest difference of positions in column ``block`` at which an original is looked at; None looks at all.
    block
        The column that limits which originals are looked at.

    Returns
    -------
    FloatArray
        0 where another original weighs more or the own one is not looked at; 1/m where m weigh the same.

    Notes
    -----
    Originals are put in the order of the column ``block``, so that those within reach stand side by side; those with a
    missing value there stand at the end and are always looked at. The search ends at the first original that weighs more
    than the own one.
    """
    n = positions.originals.shape[1]
    order = np.lexsort((positions.originals[block], positions.originals_gone[block]))
    known = n - int(positions.originals_gone[block].sum())
    place = np.empty(n, dtype=np.int64)
    place[order] = np.arange(n)
    originals = np.ascontiguousarray(positions.originals[:, order])
    gone = np.ascontiguousarray(positions.originals_gone[:, order])
    has_gaps: BoolArray = np.asarray(gone.any(axis=1))
    masked, masked_gone = positions.masked[:, rows], positions.masked_gone[:, rows]
    start, stop = np.zeros(len(rows), np.int64), np.full(len(rows), known, np.int64)
    if reach is not None:
        there, at = ~masked_gone[block], masked[block].astype(np.int64)
        sorted_places = originals[block, :known].astype(np.int64)
        start[there] = np.searchsorted(sorted_places, at[there] - reach, side="left")
        stop[there] = np.searchsorted(sorted_places, at[there] + reach, side="right")
    found, mine = np.empty(len(rows)), place[own]

    def part(a: int, b: int) -> None:
        _link(
            originals, np.ascontiguousarray(masked[:, a:b]), gone, np.ascontiguousarray(masked_gone[:, a:b]), has_gaps,
            positions.limits, weights, mine[a:b], start[a:b], stop[a:b], known, found[a:b],
        )  # fmt: skip

    with task("Linking records", len(rows)) as running:
        in_blocks(part, len(rows), block=_BLOCK, done=running.advance)
    return found


@entry
def _link(
    originals: Place2,
    masked: Place2,
    gone: Bool2,
    masked_gone: Bool2,
    has_gaps: Bool1,
    limits: Place1,
    weights: Place2,
    own: Int1,
    start: Int1,
    stop: Int1,
    known: int,
    found: Float1,
) -> None:
    n = originals.shape[1]
    total = np.empty(CHUNK, np.int32)
    for q in range(len(own)):
        places, empty, mine = masked[:, q].copy(), masked_gone[:, q].copy(), own[q]
        found[q] = 0.0
        if not (start[q] <= mine < stop[q] or mine >= known):
            continue
        add_up(originals, gone, has_gaps, places, empty, limits, weights, mine, mine + 1, total)
        wanted, ties, above = total[0], 0, 0
        for side in range(2):  # those within reach, then those that cannot be placed
            first, last = (start[q], stop[q]) if side == 0 else (known, n)
            for a in range(first, last, CHUNK):
                b = min(a + CHUNK, last)
                add_up(originals, gone, has_gaps, places, empty, limits, weights, a, b, total)
                for i in range(b - a):
                    above += total[i] > wanted
                    ties += total[i] == wanted
                if above > 0:
                    break
            if above > 0:
                break
        if above == 0:
            found[q] = 1.0 / ties
