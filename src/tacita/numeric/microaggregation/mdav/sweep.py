"""Nearest and farthest records of many records at once, by one pass over all of them in single precision.

In many columns a tree of boxes leaves little out, and walking it costs more than it saves.  A plain pass is hard to beat
when many records are asked about together: sixteen distances at once in single precision, and a block of records in cache
serves all questions (measured in 13 columns: 0.35 ns for a distance; 2 ns in double precision, one question at a time).

**First the extremes, then the records.**  With an origin o, a = s (x - o) for a record and b = s (q - o) for the one asked
about, the pass computes values v = |a - b|^2, but keeps only the smallest and the largest of each chunk of 256 records.
If m is the L-th smallest of these minima, at least L records have values up to m, so the list of the L nearest is
in the chunks whose minimum is not above m: L of them, as a rule.  Only these are looked at again.

**Nothing is lost to rounding.**  The values only choose candidates; their distances are computed as documented, and
these decide.  Let u = 2^-24 and t = s |x - q|.  Rounding a and b moves a - b by at most u sqrt(2 (|a|^2 + |b|^2)); the
subtraction, the squares and their sum change the root of v by at most (d / 2 + 2) u of itself to first order, and rounding the
limit with which v is compared by u / 2; the documented distance errs by far less.  So

    (1 - g) t - h <= sqrt(v) <= (1 + g) t + h,      g = (d + 8) u,    h = 2 u sqrt(|a|^2 + |b|^2),

where g covers the higher orders for a million columns, and a bound for |a|^2 serves all records.  `_upper` and `_lower` turn
a squared distance into the limits of v, `_rest` is what underflow may add.  If the limit comes from a value and not from a
distance, they are applied twice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import Float1, Float2, FloatArray, Int1, Int2, IntArray, Single3
from tacita.core.kernel import entry, kernel
from tacita.numeric.compiled.lanes import (
    WIDE,
    at_least,
    at_most,
    broadcast,
    larger,
    largest,
    load,
    lowest_bit,
    plus_product,
    smaller,
    smallest,
)
from tacita.numeric.nearest.deletion_tree import NOBODY

__all__ = ["Lists", "Sweep", "hide_records", "limit_reach", "new_lists", "new_sweep", "sweep_cost", "sweep_records"]

SingleArray = npt.NDArray[np.float32]

_TOGETHER = 4
"""Questions whose values grow in registers at the same time."""
_CHUNK = 16
"""Most blocks in a chunk."""
_LINE = 64
"""Bytes of a cache line; lanes that cross from one to the next load at half the speed."""


class Sweep(NamedTuple):
    """The records left, scaled to [-1, 1] in single precision, in blocks of sixteen."""

    points: Single3
    """(blocks, d, 16): a; the first column is NaN where nobody is, and no comparison with a NaN is true."""
    rows: Int1
    """(16 * blocks,): the numbers of the records in the file."""
    place: Int1
    """(n,): where a record of the file stands, 16 * block + lane; -1 for nowhere."""
    gone: Int1
    """(1,): number of records that are not there, for they were left out or hidden."""
    origin: Float1
    """(d,): o."""
    scale: float
    """s, a power of two."""
    reach: Float1
    """(1,): no |a|^2 is larger."""


class Lists(NamedTuple):
    """First records in the documented order, by slot; NOBODY fills up."""

    near: Int2
    """(slots, L): nearest records, the nearest first."""
    near_keys: Float2
    """Their distances."""
    far: Int2
    """(slots, L'): farthest records, the farthest first."""
    far_keys: Float2
    """Their negative distances."""


def new_lists(slots: int, near: int, far: int) -> Lists:
    """Lists of these lengths, still empty."""
    return Lists(
        near=np.full((slots, near), NOBODY),
        near_keys=np.full((slots, near), np.inf),
        far=np.full((slots, far), NOBODY),
        far_keys=np.full((slots, far), np.inf),
    )


def new_sweep(x: FloatArray, members: IntArray, origin: FloatArray) -> Sweep:
    """Copy some rows of x, at least one. O(n d) time."""
    m, d = members.size, x.shape[1]
    blocks = (m + WIDE - 1) // WIDE
    points = _aligned((blocks, d, WIDE))
    points[-1] = np.nan
    rows, place = np.full(WIDE * blocks, -1), np.full(x.shape[0], -1)
    rows[:m] = _scattered(members)
    place[rows[:m]] = np.arange(m)
    # Beyond 2^510 the square of the scale would overflow.
    width = max(_width(x, members, origin), 2.0**-510)
    scale = 2.0 ** -int(np.frexp(width)[1])
    reach = np.array([_copy(x, rows[:m], origin, scale, points)])
    return Sweep(
        points=points,
        rows=rows,
        place=place,
        gone=np.array([x.shape[0] - m]),
        origin=origin.copy(),
        scale=scale,
        reach=reach,
    )


def _aligned(shape: tuple[int, ...]) -> SingleArray:
    """An array of float32 that starts with a cache line."""
    size = int(np.prod(shape))
    room = np.empty(size + _LINE // 4, np.float32)
    start = -room.ctypes.data % _LINE // 4
    return room[start : start + size].reshape(shape)


def _scattered(members: IntArray) -> IntArray:
    """The records in an order in which neighbours of the file are far apart.

    In a sorted file the nearest records would stand in one chunk, and the L-th smallest minimum would be a poor limit.
    """
    step = max(1, int(0.618 * members.size))
    while np.gcd(step, members.size) > 1:
        step += 1
    return members[np.arange(members.size) * step % members.size]


@entry
def _width(x: Float2, members: Int1, origin: Float1) -> float:
    """Largest |x_j - o_j|."""
    width = 0.0
    for row in members:
        for j in range(origin.size):
            width = max(width, abs(x[row, j] - origin[j]))
    return width


@entry
def _copy(x: Float2, rows: Int1, origin: Float1, scale: float, points: Single3) -> float:
    """Fill the blocks; return the largest |a|^2."""
    reach = 0.0
    for i in range(rows.size):
        block, lane = i // WIDE, i % WIDE
        norm = 0.0
        for j in range(origin.size):
            a = (x[rows[i], j] - origin[j]) * scale
            norm += a * a
            points[block, j, lane] = a
        reach = max(reach, norm)
    return reach


@entry
def hide_records(sweep: Sweep, records: Int1) -> None:
    """Pass over these records from now on. O(1) time each."""
    for row in records:
        sweep.points[sweep.place[row] // WIDE, 0, sweep.place[row] % WIDE] = np.nan
    sweep.gone[0] += records.size


def limit_reach(sweep: Sweep, centre: FloatArray, farthest: FloatArray) -> None:
    """Lower the bound for |a|^2, and with it the margin, knowing the record that is farthest from a centre.

    In a file with a few enormous values the margin would otherwise remember them when they are long in groups.
    """
    radius = float(np.linalg.norm(farthest - centre) + np.linalg.norm(centre - sweep.origin)) * sweep.scale
    sweep.reach[0] = min(sweep.reach[0], radius * radius * (1.0 + 1e-6))


def sweep_cost(size: int, records: int, candidates: int) -> float:
    """What it costs to ask about some records among `size`, in visits of a tree's block (measured)."""
    return records * (size / 200 + 60) + candidates


@entry
def sweep_records(sweep: Sweep, x: Float2, records: Int1, slots: Int1, lists: Lists) -> int:
    """Fill the lists of some records, each in its slot; return the number of candidates.

    O(n d) time for each record. Threads with different slots do not meet.
    """
    d, blocks = x.shape[1], sweep.points.shape[0]
    groups = (records.size + _TOGETHER - 1) // _TOGETHER
    # Enough chunks for limits that mean something, in a small file too.
    chunk = max(1, min(_CHUNK, blocks // (4 * max(lists.near.shape[1], lists.far.shape[1]))))
    chunks = (blocks + chunk - 1) // chunk
    asked, norm = np.zeros((groups, d, _TOGETHER), np.float32), np.zeros(records.size)
    for i in range(records.size):
        for j in range(d):
            b = (x[records[i], j] - sweep.origin[j]) * sweep.scale
            norm[i] += b * b
            asked[i // _TOGETHER, j, i % _TOGETHER] = b
    low = np.empty((groups * _TOGETHER, chunks), np.float32)
    high = np.empty((groups * _TOGETHER, chunks), np.float32)
    _find_extremes(sweep.points, asked, chunk, low, high)
    candidates = 0
    for i in range(records.size):
        b = asked[i // _TOGETHER, :, i % _TOGETHER]
        candidates += _fill_lists(sweep, x, records[i], slots[i], b, norm[i], chunk, low[i], high[i], lists)
    return candidates


@kernel
def _find_extremes(points: SingleArray, asked: SingleArray, chunk: int, low: SingleArray, high: SingleArray) -> None:
    """Smallest and largest |a - b|^2 of each chunk for each b in `asked`, four at a time."""
    d = asked.shape[1]
    for c in range(low.shape[1]):
        for g in range(asked.shape[0]):
            low0 = low1 = low2 = low3 = broadcast(np.float32(np.inf))
            high0 = high1 = high2 = high3 = broadcast(np.float32(-np.inf))
            for block in range(c * chunk, min((c + 1) * chunk, points.shape[0])):
                start = block * d * WIDE
                v0 = v1 = v2 = v3 = broadcast(np.float32(0.0))
                for j in range(d):
                    a = load(points, start + j * WIDE)
                    b0, b1 = a - broadcast(asked[g, j, 0]), a - broadcast(asked[g, j, 1])
                    b2, b3 = a - broadcast(asked[g, j, 2]), a - broadcast(asked[g, j, 3])
                    v0, v1 = plus_product(v0, b0, b0), plus_product(v1, b1, b1)
                    v2, v3 = plus_product(v2, b2, b2), plus_product(v3, b3, b3)
                # In this order a NaN, nobody, loses.
                low0, low1, low2, low3 = smaller(v0, low0), smaller(v1, low1), smaller(v2, low2), smaller(v3, low3)
                high0, high1, high2, high3 = larger(v0, high0), larger(v1, high1), larger(v2, high2), larger(v3, high3)
            q = g * _TOGETHER
            low[q, c], high[q, c] = smallest(low0), largest(high0)
            low[q + 1, c], high[q + 1, c] = smallest(low1), largest(high1)
            low[q + 2, c], high[q + 2, c] = smallest(low2), largest(high2)
            low[q + 3, c], high[q + 3, c] = smallest(low3), largest(high3)


@kernel
def _fill_lists(
    sweep: Sweep,
    x: FloatArray,
    record: int,
    slot: int,
    b: SingleArray,
    norm: float,
    chunk: int,
    low: SingleArray,
    high: SingleArray,
    lists: Lists,
) -> int:
    """Look again at the chunks that can hold records of the lists; return the number of candidates."""
    points, rows, square = sweep.points, sweep.rows, sweep.scale * sweep.scale
    near, near_keys, far, far_keys = lists.near[slot], lists.near_keys[slot], lists.far[slot], lists.far_keys[slot]
    d, blocks, candidates, last, far_last = b.size, points.shape[0], 0, near.size - 1, far.size - 1
    g, h, rest = (d + 8) * 2.0**-24, 2.0**-23 * np.sqrt(sweep.reach[0] + norm), _rest(d, square)
    nearer = np.float32(_upper(_upper(_smallest_keys(low, 1.0, near_keys), g, h, rest), g, h, rest))
    farther = np.float32(_lower(_lower(-_smallest_keys(high, -1.0, far_keys), g, h, rest), g, h, rest))
    near[:], near_keys[:], far[:], far_keys[:] = NOBODY, np.inf, NOBODY, np.inf
    for c in range(low.size):
        if low[c] > nearer and high[c] < farther:
            continue
        for block in range(c * chunk, min((c + 1) * chunk, blocks)):
            start = block * d * WIDE
            value = broadcast(np.float32(0.0))
            for j in range(d):
                difference = load(points, start + j * WIDE) - broadcast(b[j])
                value = plus_product(value, difference, difference)
            hits = at_most(value, nearer) | at_least(value, farther)
            if hits == 0:
                continue
            while hits:
                row = rows[block * WIDE + lowest_bit(hits)]
                hits &= hits - 1
                candidates += 1
                distance = 0.0
                for j in range(d):
                    step = x[row, j] - x[record, j]
                    distance += step * step
                if distance <= near_keys[last]:
                    _keep(near_keys, near, distance, row)
                if -distance <= far_keys[far_last]:
                    _keep(far_keys, far, -distance, row)
            nearer = min(nearer, np.float32(_upper(near_keys[last] * square, g, h, rest)))
            farther = max(farther, np.float32(_lower(-far_keys[far_last] * square, g, h, rest)))
    return candidates


@kernel
def _upper(value: float, g: float, h: float, rest: float) -> float:
    """No value of a record whose squared distance is at most this exceeds the result; and the same the other way round."""
    root = np.sqrt(value) * (1.0 + g) + h
    return float(root * root + rest)


@kernel
def _lower(value: float, g: float, h: float, rest: float) -> float:
    """No value of a record whose squared distance is at least this is below the result; and the same the other way round."""
    root = np.sqrt(max(value, 0.0)) * (1.0 - g) - h
    return float(max(root, 0.0) * root - rest)


@kernel
def _rest(d: int, square: float) -> float:
    """What squares that underflow, in double precision or in single, may be missing in d columns."""
    return d * (2.0**-1074 * square + 2.0**-120)


@kernel
def _smallest_keys(values: SingleArray, sign: float, best: FloatArray) -> float:
    """The L-th smallest of sign * values, infinite if there are fewer; `best` is memory for L."""
    last = best.size - 1
    best[:] = np.inf
    for value in values:
        key = sign * value
        if key < best[last]:
            i = last
            while i > 0 and best[i - 1] > key:
                best[i] = best[i - 1]
                i -= 1
            best[i] = key
    return float(best[last])


@kernel
def _keep(keys: FloatArray, rows: IntArray, key: float, row: int) -> None:
    """Insert a record into a list, if it belongs there. O(length of the list) time."""
    i = keys.size - 1
    if key == keys[i] and row > rows[i]:
        return
    while i > 0 and (keys[i - 1] > key or (keys[i - 1] == key and rows[i - 1] > row)):
        keys[i], rows[i] = keys[i - 1], rows[i - 1]
        i -= 1
    keys[i], rows[i] = key, row
