"""Search for a lower Score', risk included."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from tacita.compare.optimise.post_masking import PostMasked, PostMaskingTask, Stop, StopLimits
from tacita.compare.optimise.primed_score import ScoreParts, score_parts
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.progress import task as progress
from tacita.risk.intervals import WIDTHS

if TYPE_CHECKING:
    from tacita.numeric.post_masking.score_climb import ScoreState

__all__ = ["search_for_score"]


_CHUNK = 5_000
_PASSES = 6
"""Steps for each value between two renewals of the order statistics."""


def search_for_score(
    task: PostMaskingTask,
    limits: StopLimits,
    *,
    step: float,
    words_seed: int,
    rewards_lower_risk: bool,
    before: ScoreParts,
) -> PostMasked:
    """Change one value at a time and keep what lowers Score'; the best file at the end of a round is returned.

    Rounds end when every value had some steps: then the ranks, which stand still in a round, are taken anew, and the file
    is measured exactly.
    """
    from tacita.numeric.compiled.random import stream_state
    from tacita.numeric.nearest.kd_tree import build_kd_tree
    from tacita.numeric.nearest.neighbours import nearest_records
    from tacita.numeric.post_masking.score_climb import Prices, fill_risks, hit_share, search_score

    zx = task.standard(task.x)
    trees = (build_kd_tree(zx), build_kd_tree(np.ascontiguousarray(zx[:, : task.known])))
    floors = (0.0, 0.0) if rewards_lower_risk else (before.dld / 100, before.rid / 100)
    # (5.1): 0.5 IL' with IL' = 20 (IL1' + ... + IL5), 0.25 DLD', 0.25 ID'
    prices = Prices(loss=10.0, linkage=25.0, intervals=25.0, linkage_floor=floors[0], intervals_floor=floors[1])
    cells, rules = np.ascontiguousarray(np.argwhere(task.movable), dtype=np.int64), task.rules.compiled()
    words, started = stream_state(words_seed), time.monotonic()
    best, kept, steps, idle = _charged(before, floors), task.y, 0, 0
    values, nearest = task.y, task.nearest
    stopped: Stop = "step limit"
    with progress("Searching", limits.max_steps) as running:
        while steps < limits.max_steps:
            state = _state(task, zx, values, nearest)
            fill_risks(state, task.known, trees[1])
            left = min(_PASSES * len(cells), limits.max_steps - steps)
            while left > 0 and not _is_late(started, limits):
                count = min(_CHUNK, left)
                search_score(state, cells, rules, trees, task.known, prices, step, words, count)
                left, steps = left - count, steps + count
                running.advance(count)
            values = task.rules.with_totals(state.values)
            nearest = nearest_records(zx, task.standard(values))
            found = score_parts(task.x, values, known=task.known, nearest=nearest)
            now = _charged(found, floors)
            # Ranks moved during the round: what ID' came out above what the search believed is aimed below next time.
            drift = found.rid / 100 - hit_share(state)
            prices = prices._replace(intervals_floor=floors[1] - max(drift, 0.0))
            idle = 0 if now < 0.999 * best else idle + 1
            if now < best:
                best, kept = now, values
            if _is_late(started, limits):
                stopped = "time limit"
                break
            if idle >= 2:
                stopped = "no further improvement"
                break
    return PostMasked(kept, steps, stopped)


def _charged(parts: ScoreParts, floors: tuple[float, float]) -> float:
    """Return the score in which risks below where they started bring nothing."""
    return 0.5 * parts.il + 25 * max(parts.dld / 100, floors[0]) + 25 * max(parts.rid / 100, floors[1])


def _is_late(started: float, limits: StopLimits) -> bool:
    return limits.time_limit is not None and time.monotonic() - started >= limits.time_limit


def _state(task: PostMaskingTask, zx: FloatArray, values: FloatArray, nearest: IntArray) -> ScoreState:
    from tacita.numeric.post_masking.score_climb import ScoreState
    from tacita.numeric.statistics.moments import column_mean, covariance
    from tacita.numeric.statistics.relative import without_rounding

    n = len(values)
    z = task.standard(values)
    there = (~np.isnan(values)).sum(axis=0).astype(np.int64)
    return ScoreState(
        original=zx,
        base=np.ascontiguousarray(task.x),
        values=np.ascontiguousarray(values).copy(),
        z=z,
        mean=task.mean,
        sd=task.sd,
        nearest=nearest.copy(),
        first=z.mean(axis=0),
        second=z.T @ z / n,
        mean_x=without_rounding(column_mean(task.x), np.nanmax(np.abs(task.x), axis=0)),
        cov_x=without_rounding(covariance(zx)),
        ordered=np.ascontiguousarray(np.sort(values, axis=0).T),  # NaN sorts to the end
        there=there,
        # A column with missing values has fewer ranks.
        widths=np.asarray(WIDTHS)[None, :] * there[:, None] / 100,
        linked=np.empty(n),
        hits=np.empty(n),
        sums=np.zeros(5),
    )
