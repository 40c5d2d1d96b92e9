"""Searching for a better microaggregation: a fast mode at the cost of a few MDAVs, and a quality mode.

All functions take standardised records x of shape (n, d), a least group size k and return int64 labels 0.. of groups
with k..2k-1 records. The fast mode starts from MDAV and descends. The quality mode anneals: chains run side by side
from the same partition, their results are mixed component by component (`mix_partitions`), and from the mixture they
are reheated and mixed again.

References
----------
Domingo-Ferrer, J., Torra, V. (2005). Ordinal, continuous and heterogeneous k-anonymity through microaggregation. Data
Mining and Knowledge Discovery 11(2), 195-212: MDAV.
Domingo-Ferrer, J., Mateo-Sanz, J. M. (2002). Practical data-oriented microaggregation for statistical disclosure
control. IEEE TKDE 14(1), 189-201: sizes k..2k-1 suffice.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tacita.core.arrays import FloatArray, IntArray, PlaceArray, WordArray
from tacita.core.errors import ParameterError
from tacita.core.progress import task
from tacita.numeric.compiled.random import stream_state
from tacita.numeric.microaggregation.growth import growth_partition
from tacita.numeric.microaggregation.improve.anneal import anneal, survey
from tacita.numeric.microaggregation.improve.descent import descend
from tacita.numeric.microaggregation.improve.mix import mix_partitions
from tacita.numeric.microaggregation.improve.near import forest_lists, group_lists, leaf_order, near_lists
from tacita.numeric.microaggregation.mdav.mdav import mdav_partition
from tacita.numeric.microaggregation.order import group_order, nearest_tour, order_partition
from tacita.numeric.microaggregation.partition import group_centroids, partition_sse, relabel, sizes_between

__all__ = ["default_moves", "fast_partition", "improve_partition", "order_partition", "settled_partition"]


_SMALL = 5_000
"""Records from which near groups are searched for instead of near records."""
_TINY = 2_000
"""Records up to which the fast mode compares every record with every group."""
_FEW, _FEWEST = 8, 3
"""Near records or near groups to look at; the fast mode looks at the fewest in small files, where MDAV costs next to nothing."""
_SWEEPS, _REACH = 2, 1.25
"""Sweeps and reach of a short descent."""
_LARGE = 8
"""Groups from this size on count as large."""
_SETTLE = 200
"""Sweeps of a descent that is meant to end by itself."""
_CHAINS = 2
"""Chains that run side by side. Part of the method: the result must not depend on the number of cores."""
_PLAN = ((24, 1.0), (6, 0.3), (6, 0.2), (6, 0.1), (6, 0.05))
"""Rounds of the quality mode: slices of equal work, and the first temperature as a share of the hottest."""
_MOVES, _GROWTH, _MOST = 450_000, 0.8, 5000
"""Proposals of the quality mode are _MOVES * n^_GROWTH up to _MOST records, from there on they grow with n^(1/4) only."""
_TRIAL = 100_000
"""Moves of the first slice under a time budget; it shows how fast the machine is."""


def fast_partition(x: FloatArray, k: int) -> IntArray:
    """Return a partition that is never worse than MDAV's, at the cost of at most a few MDAVs.

    Parameters
    ----------
    x
        Standardised records, shape (n, d), finite.
    k
        Least group size. Fewer than 2k records form one group.

    Notes
    -----
    MDAV's groups make a few sweeps of the descent. Below 2000 records the partners come from the groups nearest to each
    record, from there on from those near its own group, found by a forest on the n / k centroids: O(n k d) on top of
    MDAV. No choice depends on anything but the records, so the same records give the same labels.
    """
    plain = np.ascontiguousarray(x, dtype=np.float64)
    start = mdav_partition(plain, k)
    if k == 1 or len(x) < 2 * k:
        return start
    wide = _padded(plain)
    # MDAV's time falls with k and that of a sweep grows: with large groups one sweep is all that a few MDAVs pay for.
    sweeps, fewest = (_SWEEPS, _FEWEST) if k < _LARGE else (_SWEEPS - 1, _FEWEST - 1)
    near = group_lists(wide, start, fewest) if len(x) < _TINY else _group_lists(wide, start)
    swept = _descended(wide, near, start, k, sweeps, _REACH)
    return min([swept, start], key=lambda labels: partition_sse(plain, labels))


def settled_partition(x: FloatArray, k: int) -> IntArray:
    """Return a local optimum never worse than MDAV's partition: where the quality mode starts.

    Below 5000 records three starts (MDAV, growing by the running centroid, the exact programme along a tour of the MDAV
    groups) descend until nothing improves, and the best is kept; larger files take the fast mode's partition.
    """
    plain = np.ascontiguousarray(x, dtype=np.float64)
    if len(x) >= _SMALL or k == 1 or len(x) < 2 * k:
        return fast_partition(plain, k)
    start, wide, near = mdav_partition(plain, k), _padded(plain), near_lists(plain, _FEW)
    tour = group_order(plain, start, nearest_tour(group_centroids(plain, start)))
    starts = [start, growth_partition(plain, k), order_partition(plain, tour, k)]
    tries = [_descended(wide, near, labels, k) for labels in starts]
    return min([*tries, start], key=lambda labels: partition_sse(plain, labels))


def default_moves(n: int) -> int:
    """Return the proposals that the quality mode makes for n records when it is not told.

    Measured: about 10 s of processor time for a thousand records and 40 s for four thousand, shared by two cores.

    Examples
    --------
    >>> default_moves(1000) < default_moves(4000) < 4 * default_moves(1000)
    True
    """
    return int(_MOVES * min(n, _MOST) ** _GROWTH * max(n / _MOST, 1.0) ** 0.25)


def improve_partition(
    x: FloatArray,
    labels: IntArray,
    k: int,
    *,
    rng_seed: int,
    moves: int | None = None,
    seconds: float | None = None,
) -> IntArray:
    """Return a partition with an SSE at most that of `labels`, usually far below: the quality mode.

    Parameters
    ----------
    x
        Standardised records, shape (n, d).
    labels
        The partition to start from, groups of k..2k-1 records.
    k
        Least group size.
    rng_seed
        Non-negative integer from which all random choices follow.
    moves
        Proposals in total; `default_moves(n)` when neither `moves` nor `seconds` is given. Seed and moves fix the result,
        whatever the number of cores and the load of the machine.
    seconds
        Wall time instead of moves. The cooling then follows the clock, so the result is **not** reproducible. Finding
        near records beforehand and the last descent come on top.

    Raises
    ------
    ParameterError
        If both budgets are given, one is not positive, or a group of `labels` is too small or too large.

    Notes
    -----
    Two chains anneal side by side (Kirkpatrick et al. 1983) over shifts, swaps, dissolved and created groups; their
    results and the start are mixed component by component, and the mixture is reheated several times. The best
    partition seen is kept by construction, and the last one descends to a local optimum. Partners come from lists of
    max(4k, 20) near records. O(moves d) time, O(n (k + d)) memory.
    """
    start = relabel(labels)
    _check(start, len(x), k, moves, seconds)
    if len(x) < 2 * k:
        return start
    wide = _padded(np.asarray(x, dtype=np.float64))
    if partition_sse(wide, start) == 0.0:
        return start
    order = leaf_order(wide)  # neighbours in memory too: the caches see one part of a large file at a time
    clock = _Clock(default_moves(len(x)) if moves is None and seconds is None else moves, seconds)
    improved = np.empty_like(start)
    improved[order] = _anneal_and_mix(wide[order], relabel(start[order]), k, rng_seed, clock)
    return min([relabel(improved), start], key=lambda labels: partition_sse(wide, labels))


def _anneal_and_mix(wide: FloatArray, start: IntArray, k: int, seed: int, clock: _Clock) -> IntArray:
    """Run the rounds of `_PLAN`: anneal all chains from the best partition, mix what they found into it."""
    near = near_lists(wide, max(4 * k, 20))
    known = survey(wide, near, k)
    best = start
    anneal(wide, known, start, k, 0, known.warm, known.cold, stream_state(0))  # compiles before the clock runs
    clock.restart()
    with ThreadPoolExecutor(_CHAINS) as pool, task("Improving the groups", clock.slices) as running:
        for turn, (parts, heat) in enumerate(_PLAN):
            chains, warm = [best] * _CHAINS, known.warm * heat
            cooling = (known.cold / warm) ** (1 / parts)
            for part in range(parts):
                work = [
                    pool.submit(anneal, wide, known, chain, k, clock.moves, warm, warm * cooling, state)
                    for chain, state in zip(chains, _states(seed, turn, part), strict=True)
                ]
                chains = [job.result()[0] for job in work]
                warm *= cooling
                clock.tick()
                running.advance()
            for chain in pool.map(lambda chain: _descended(wide, near, chain, k, _SWEEPS, _REACH), chains):
                best = mix_partitions(wide, best, chain)
    return _descended(wide, near, best, k)


def _states(seed: int, *place: int) -> list[WordArray]:
    """Return the random stream of each chain at a place of the plan."""
    return [stream_state(seed, *place, chain) for chain in range(_CHAINS)]


class _Clock:
    """Deals out the work of a slice: a fixed number of moves, or what fits into the time that is left."""

    slices = sum(parts for parts, _ in _PLAN)

    def __init__(self, moves: int | None, seconds: float | None) -> None:
        self.seconds = seconds
        self.done = 0
        self.moves = _TRIAL if moves is None else -(-moves // (_CHAINS * self.slices))
        self.restart()

    def restart(self) -> None:
        """Let the time begin."""
        self.begin = self.last = time.monotonic()

    def tick(self) -> None:
        """Note that a slice is done; with a time budget set the moves of the next one by the speed of this one."""
        self.done += 1
        now = time.monotonic()
        if self.seconds is not None and self.done < self.slices:
            share = (self.begin + self.seconds - now) / (self.slices - self.done)
            self.moves = max(int(self.moves * share / max(now - self.last, 1e-6)), 0)
        self.last = now


def _descended(
    wide: FloatArray, near: PlaceArray, labels: IntArray, k: int, sweeps: int = _SETTLE, reach: float = np.inf
) -> IntArray:
    """Return the labels after a descent, numbered anew because it may have dissolved groups."""
    count = (near >= 0).sum(axis=1).astype(np.int64)
    return relabel(descend(wide, near, count, labels, k, sweeps, reach)[0])


def _padded(x: FloatArray) -> FloatArray:
    """Centre the columns and add zero columns up to a multiple of four; distances stay the same.

    Centring keeps the group sums small, so that differences of centroids keep their digits.
    """
    n, d = x.shape
    wide = np.zeros((n, d + -d % 4))
    wide[:, :d] = x - x.mean(axis=0)
    return wide


def _group_lists(wide: FloatArray, labels: IntArray) -> PlaceArray:
    """Return for each record one member of each of the groups that are near to its own."""
    groups = forest_lists(group_centroids(wide, labels), _FEW, trees=4, leaf=32)
    member = np.empty(len(groups) + 1, dtype=np.int32)
    member[labels] = np.arange(len(labels), dtype=np.int32)
    member[-1] = -1  # an empty entry of a list stays one
    return member[groups][labels]


def _check(labels: IntArray, n: int, k: int, moves: int | None, seconds: float | None) -> None:
    """Refuse what the kernels must never see: group rows of `members` have room for 2k records."""
    if len(labels) != n:
        raise ParameterError(
            f"improve_partition: 'labels' must have one entry for each of the {n} records, got {len(labels)}."
        )
    if n >= k and not sizes_between(labels, k, 2 * k - 1):
        raise ParameterError(
            f"improve_partition: 'labels' must form groups of {k} to {2 * k - 1} records; start from MDAV."
        )
    if moves is not None and seconds is not None:
        raise ParameterError("improve_partition: give 'moves' (reproducible) or 'seconds' (wall time), not both.")
    if (moves is not None and moves < 0) or (seconds is not None and not seconds > 0):
        raise ParameterError("improve_partition: 'moves' must not be negative and 'seconds' must be positive.")
