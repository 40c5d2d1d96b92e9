"""Levels of agreement between the records of two files, as plain integer arithmetic.

Values are turned into whole positions beforehand, so that comparing a record with all others runs through a column in order,
many values at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from tacita.core.arrays import Bool2, BoolArray, FloatArray, Place1, Place2, PlaceArray
from tacita.core.kernel import kernel
from tacita.numeric.linkage.value_intervals import rank_places
from tacita.numeric.statistics.order import sorting_order

__all__ = ["CHUNK", "FINE_BITS", "Positions", "add_up", "level_of", "positions_of", "width_in_positions"]

Unit = Literal["ranks", "sd"]

CHUNK = 1024
"""Originals that one call of :func:`add_up` is given: their totals stay in the fastest cache."""
FINE_BITS = 16
"""Weights are whole multiples of 1/65536 bit, so that equal totals are equal whatever the order of summation."""
_RANK_UNITS = 1 << 24
"""Positions in one percent of the ranks; a whole file has 100 times as many, which fits into 32 bits."""
_SD_UNITS = 1 << 13
"""Positions in one percent of a standard deviation; 1024 standard deviations either way fit into 32 bits."""
_FARTHEST = 102_400.0


class Positions(NamedTuple):
    """Both files as whole numbers, one row for each column of the data, and where a value is missing."""

    originals: Place2
    masked: Place2
    originals_gone: Bool2
    masked_gone: Bool2
    limits: Place1
    """Largest difference of each level of agreement, increasing; beyond the last one values disagree."""


def positions_of(originals: FloatArray, masked: FloatArray, widths: Sequence[float], unit: Unit) -> Positions:
    """Return positions of all records of both files, and the widths in the same unit. O(d n log n).

    With ``ranks`` a value's position is its middle rank within its own file, in percent of the records; with ``sd`` it is the
    value in percent of the original's standard deviation, cut at 1024 of them from the original's mean.
    """
    d = originals.shape[1]
    gone = np.isnan(originals).T.copy(), np.isnan(masked).T.copy()
    places = np.zeros((d, len(originals)), np.int32), np.zeros((d, len(masked)), np.int32)
    for j in range(d):
        base = originals[~gone[0][j], j]
        spread = base.std(ddof=1) if len(base) > 1 else 0.0
        for file, missing, made in zip((originals, masked), gone, places, strict=True):
            there = file[~missing[j], j]
            if not there.size:
                continue
            if unit == "ranks":
                order = sorting_order(there)
                first, last = rank_places(there, order, there[order])
                percent = 100 * ((first + last) / 2 + 0.5) / len(there) * _RANK_UNITS
            else:
                centre = base.mean() if base.size else 0.0
                scaled = 100 * ((there - centre) / (spread if spread > 0 else 1.0))
                percent = np.clip(scaled, -_FARTHEST, _FARTHEST) * _SD_UNITS
            made[j, ~missing[j]] = np.rint(percent)
    limits = np.array([width_in_positions(width, unit) for width in sorted(widths)], dtype=np.int32)
    return Positions(*places, *gone, limits)


def width_in_positions(width: float, unit: Unit) -> int:
    """Return a width given in percent as a difference of positions."""
    # One more, because both positions are rounded.
    return round(width * (_RANK_UNITS if unit == "ranks" else _SD_UNITS)) + 1


@kernel(inline=True)
def level_of(away: int, limits: PlaceArray) -> int:
    """Return the level of agreement: 0 within the first limit, ``len(limits)`` beyond the last."""
    level = 0
    for k in range(len(limits)):
        level += away > limits[k]
    return level


@kernel
def add_up(
    originals: PlaceArray,
    gone: BoolArray,
    has_gaps: BoolArray,
    places: PlaceArray,
    places_gone: BoolArray,
    limits: PlaceArray,
    weights: PlaceArray,
    a: int,
    b: int,
    total: PlaceArray,
) -> None:
    """Write into ``total`` what agreement of one masked record with the originals a, ..., b - 1 weighs.

    ``weights`` has a row for each column: the weight of each level. A missing value on either side weighs nothing.
    """
    total[: b - a] = 0
    last = len(limits)
    for j in range(len(places)):
        if places_gone[j]:
            continue
        place, column = places[j], originals[j, a:b]
        if has_gaps[j]:
            holes = gone[j, a:b]
            for i in range(b - a):
                if not holes[i]:
                    total[i] += weights[j, level_of(abs(column[i] - place), limits)]
            continue
        for i in range(b - a):
            total[i] += weights[j, last]
        for k in range(last):  # one vector operation for each limit
            more = np.int32(weights[j, k] - weights[j, k + 1])
            # |x - place| <= limit without a sign: below the window the difference wraps round to a large number.
            begin, length = np.int32(place - limits[k]), np.uint32(2 * np.int64(limits[k]))
            for i in range(b - a):
                total[i] += more if np.uint32(column[i] - begin) <= length else np.int32(0)
