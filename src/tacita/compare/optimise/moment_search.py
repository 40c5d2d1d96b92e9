"""Two searches for values whose moments are the original's while IL1' comes to a target: hill climbing and gradients."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tacita.compare.optimise.optimised import BAND
from tacita.compare.optimise.post_masking import PostMasked, PostMaskingTask, Stop, StopLimits
from tacita.core.arrays import FloatArray
from tacita.core.errors import DataError
from tacita.core.progress import task as progress
from tacita.numeric.compiled.threads import in_blocks

if TYPE_CHECKING:
    from tacita.numeric.post_masking.hill_climb import Climb
    from tacita.numeric.post_masking.moment_objective import Objective

__all__ = ["climb_moments", "descend_moments", "goal_of"]


_CHUNK = 10_000
_PATIENCE = 20
"""So many steps for each value without progress are enough to say that there is none."""
_BLOCK = 512
_ROUND = 60
_INNER = 0.004
_PRICE = 10.0


class Goal(NamedTuple):
    """The wanted sum of relative errors, and that of the values that stay."""

    total: float
    fixed: float
    cells: int


def goal_of(task: PostMaskingTask, target_ratio: float) -> Goal:
    """Return the target p IL1', and raise where the values that stay exceed it by themselves."""
    losses = task.losses(task.y, task.nearest)
    there = ~np.isnan(losses)
    total, cells = float(losses[there].sum()), int(there.sum())
    moved = task.movable @ (np.abs(task.rules.effect()) > 0)  # a total moves with its parts
    fixed = float(losses[there & ~moved].sum())
    if fixed > (1 + BAND) * target_ratio * total:
        raise DataError(
            f"optimise: the values that may change make up {100 * (1 - fixed / total):.0f} % of IL1', so that it cannot fall "
            f"to {target_ratio:g} of what it is; raise 'share' or 'target_ratio'."
        )
    return Goal(target_ratio * total, fixed, cells)


# --- Algorithm 13 ------------------------------------------------------------------------------------------------------


def climb_moments(
    task: PostMaskingTask, limits: StopLimits, *, target_ratio: float, step: float, words_seed: int
) -> PostMasked:
    """Run Algorithm 13: change one random value at a time and keep what lowers E and brings IL1' to its band."""
    from tacita.numeric.compiled.random import stream_state
    from tacita.numeric.nearest.kd_tree import build_kd_tree
    from tacita.numeric.post_masking.hill_climb import Band, climb, reached

    goal = goal_of(task, target_ratio)
    state, rules = _climb_state(task), task.rules.compiled()
    cells = np.ascontiguousarray(np.argwhere(task.movable), dtype=np.int64)
    wanted = goal.total / max(goal.cells, 1)
    target = -np.inf if limits.target_e is None else limits.target_e
    band = Band(low=(1 - BAND) * wanted, high=(1 + BAND) * wanted, goal=wanted, target_e=target)  # (5.4)
    tree, words = build_kd_tree(state.original), stream_state(words_seed)
    started, steps, stopped = time.monotonic(), 0, "step limit"
    patience, idle, last = max(_PATIENCE * len(cells), 10 * _CHUNK), 0, (np.inf, np.inf)
    with progress("Climbing", limits.max_steps) as running:
        while steps < limits.max_steps:
            count = min(_CHUNK, limits.max_steps - steps)
            tried, _ = climb(state, cells, rules, tree, band, step, task.reading == "standardised", words, count)
            steps += tried
            running.advance(tried)
            if tried < count:
                stopped = "target reached"
                break
            error, loss = reached(state)
            now = (error, max(0.0, abs(loss - wanted) - BAND * wanted))
            idle = 0 if now[0] < 0.999 * last[0] or now[1] < 0.999 * last[1] else idle + tried
            last = now if idle == 0 else last
            stop = _why_stop(idle >= patience, started, limits)
            if stop is not None:
                stopped = stop
                break
    return PostMasked(task.rules.with_totals(state.values), steps, _typed(stopped))


def _climb_state(task: PostMaskingTask) -> Climb:
    from tacita.numeric.post_masking.hill_climb import Climb
    from tacita.numeric.post_masking.moment_objective import moment_error, moment_sums

    zx, z = task.standard(task.x), task.standard(task.y)
    of_x, of_y = moment_sums(zx), moment_sums(z)
    losses = task.losses(task.y, task.nearest)
    there = ~np.isnan(losses)
    return Climb(
        original=zx,
        base=task.base(),
        values=np.ascontiguousarray(task.y).copy(),
        z=z,
        mean=task.mean,
        sd=task.sd,
        nearest=task.nearest.copy(),
        gap=np.zeros(len(z)),
        first=of_y.first / len(z) - of_x.first / len(zx),
        second=of_y.second / len(z) - of_x.second / len(zx),
        sums=np.array([moment_error(of_y, of_x), losses[there].sum(), there.sum()], dtype=np.float64),
    )


def _why_stop(is_idle: bool, started: float, limits: StopLimits) -> Stop | None:
    if limits.time_limit is not None and time.monotonic() - started >= limits.time_limit:
        return "time limit"
    return "no further improvement" if is_idle else None


def _typed(stopped: str) -> Stop:
    found: Stop = stopped  # type: ignore[assignment]
    return found


# --- gradients ---------------------------------------------------------------------------------------------------------


class _Descent:
    """The records that may change, on their way down; all arrays have one row for each of them."""

    def __init__(self, task: PostMaskingTask, target_ratio: float) -> None:
        from tacita.numeric.nearest.kd_tree import build_kd_tree
        from tacita.numeric.post_masking.moment_objective import moment_error, moment_sums

        self.task, self.goal = task, goal_of(task, target_ratio)
        self.rows = np.flatnonzero(task.movable.any(axis=1))
        self.free = task.movable[self.rows]
        self.start, self.values = task.y[self.rows], task.y[self.rows].copy()
        self.nearest, self.gap = task.nearest[self.rows], np.zeros(len(self.rows))
        self.mean, self.sd = task.mean, task.sd
        self.zx, self.base = task.standard(task.x), task.base()
        self.tree = build_kd_tree(self.zx)
        of_x, of_y = moment_sums(self.zx), moment_sums(task.standard(task.y))
        self.searched = self._standard(self.values)  # where the records were when their nearest originals were found
        mine = moment_sums(self.searched)
        n = len(task.y)
        self.first = of_y.first - mine.first - n * of_x.first / of_x.n
        self.second = of_y.second - mine.second - n * of_x.second / of_x.n
        self.scale = max(moment_error(of_y, of_x), 1e-12)
        others = np.delete(task.losses(task.y, task.nearest), self.rows, axis=0)
        self.fixed, self.fixed_cells = float(np.nansum(others)), int((~np.isnan(others)).sum())
        # What a standard deviation of each free column brings to every column, in its own standard deviations.
        self.follow = task.rules.effect() * self.sd[:, None] / self.sd

    def _standard(self, values: FloatArray) -> FloatArray:
        return np.ascontiguousarray(np.nan_to_num((values - self.mean) / self.sd))

    def ratio(self) -> float:
        """IL1' relative to its target."""
        return (self.fixed + float(np.nansum(self.task_losses()))) / max(self.wanted(), 1e-300)

    def wanted(self) -> float:
        """Return the sum of relative errors at the target; how many there are changes with the nearest originals."""
        cells = self.fixed_cells + int((~np.isnan(self.task_losses())).sum())
        return self.goal.total * cells / max(self.goal.cells, 1)

    def task_losses(self) -> FloatArray:
        """Relative errors of the records that may change."""
        return self.task.losses(self.values, self.nearest)

    def error(self) -> float:
        """Return E of the whole file."""
        z, n = self._standard(self.values), len(self.task.y)
        first, second = (self.first + z.sum(axis=0)) / n, (self.second + z.T @ z) / n
        return float((first**2).sum() + (np.triu(second) ** 2).sum())

    def units(self) -> FloatArray:
        """Return the size of one relative error in standard deviations, 0 where a value has none or must not move."""
        near = np.abs(self.base[self.nearest])
        units = near / self.sd if self.task.reading == "raw" else near
        return np.ascontiguousarray(np.where(np.isnan(units) | np.isnan(self.values), 0.0, units))

    def take(self, values: FloatArray, *, renews: bool = True) -> None:
        """Move to values as far as the rules allow, and find the nearest originals anew: C(i) of constraint (5.4)."""
        from tacita.numeric.nearest.neighbour import renew_nearest

        self.values = self.task.rules.held(self.start, values)
        if not renews:
            return
        old, points = self.searched, self._standard(self.values)
        self.searched = points

        def block(a: int, b: int) -> None:
            part = slice(a, b)
            renew_nearest(points[part], old[part], self.zx, self.nearest[part], self.gap[part], self.tree)

        in_blocks(block, len(points), block=_BLOCK, done=lambda _: None)

    def level(self, *, renews: bool = True) -> None:
        """Bring IL1' to its target by moving the values where that takes the least."""
        from tacita.numeric.post_masking.moment_objective import level_losses

        for _ in range(6):
            if abs(self.ratio() - 1) <= _INNER:
                return
            units, losses = self.units(), np.nan_to_num(self.task_losses())
            cells = self.free & (units > 0)
            rest = self.fixed + float(losses[~cells].sum())
            wanted = level_losses(losses[cells], units[cells], max(self.wanted() - rest, 0.0))
            near = self._near_values()[cells]
            away = np.where(self.values[cells] >= near, 1.0, -1.0) * wanted * (units * self.sd)[cells]
            made = self.values.copy()
            made[cells] = np.where(wanted == losses[cells], self.values[cells], near + away)
            self.take(self.task.rules.with_totals(made), renews=renews)

    def mend(self) -> None:
        """Take records back to where they started until IL1' is in its band, where levelling could not bring it.

        Values that moved may have found originals so near, and whole numbers round to so little, that IL1' stays below; an
        original that is 0 makes an error of 1 at once. What a record adds does not depend on the others, so the largest that
        fit are taken.
        """
        missing, slack = (1 - self.ratio()) * self.wanted(), 0.5 * BAND * self.wanted()
        if abs(missing) <= 2 * slack:
            return
        near, back = self.task.nearest[self.rows], []
        gain = np.nansum(self.task.losses(self.start, near), axis=1) - np.nansum(self.task_losses(), axis=1)
        gain, missing = gain * np.sign(missing), abs(missing)
        for i in np.argsort(-gain, kind="stable"):
            if missing <= slack or gain[i] <= 0:
                break
            if gain[i] <= missing + slack:
                missing -= gain[i]
                back.append(i)
        self.values = self.values.copy()
        self.values[back], self.nearest[back], self.gap[back] = self.start[back], near[back], 0.0
        self.searched[back] = self._standard(self.start[back])

    def _near_values(self) -> FloatArray:
        return self.task.x[self.nearest]

    def objective(self) -> Objective:
        """Return what the gradient needs to know."""
        from tacita.numeric.post_masking.moment_objective import Objective

        still = float(
            np.nansum(self.task_losses()[self.units() == 0])
        )  # where the original is 0, an error is 1 or none
        goal = max(self.wanted() - self.fixed - still, 1e-9)
        slack = _INNER * self.wanted() / goal
        return Objective(
            first=self.first,
            second=self.second,
            n=len(self.task.y),
            goal=goal,
            slack=slack,
            weight=_PRICE,
            scale=self.scale,
        )

    def round(self, iterations: int, target_e: float) -> int:
        """Run L-BFGS-B with C(i) as it is; return the number of iterations."""
        from scipy.optimize import Bounds, minimize

        from tacita.numeric.post_masking.moment_objective import objective

        start, units = self._standard(self.values), self.units()
        # A value whose original is near 0 moves on the scale of that original, or its relative error would explode.
        scale = np.where(units > 0, units / (1 + units), 1.0)
        near = self._standard(self._near_values())
        part, gradient, seen = self.objective(), np.empty_like(start), [np.inf]
        has_totals = bool(self.task.rules.identities)

        def moved(u: FloatArray) -> FloatArray:
            step = np.where(self.free, u.reshape(start.shape) * scale - start, 0.0)
            return np.ascontiguousarray(start + (step @ self.follow if has_totals else step))

        def value(u: FloatArray) -> tuple[float, FloatArray]:
            total, seen[0] = objective(moved(u), near, units, part, gradient)
            own = gradient @ self.follow.T if has_totals else gradient
            return total, np.where(self.free, own * scale, 0.0).ravel()

        def watch(_: Any) -> None:
            if seen[0] <= 0.98 * target_e:
                raise StopIteration

        low = ((self.task.rules.lowest(self.start) - self.mean) / self.sd / scale).ravel()
        high = ((self.task.rules.high - self.mean) / self.sd / scale).ravel()
        result = minimize(
            value,
            np.clip((start / scale).ravel(), low, high),
            jac=True,
            method="L-BFGS-B",
            callback=watch,
            bounds=Bounds(low, high) if np.isfinite(low).any() or np.isfinite(high).any() else None,
            options={"maxiter": iterations, "maxfun": 2 * iterations, "maxcor": 10},
        )
        z = moved(result.x)
        wanted = np.where(np.isnan(self.values) | (z == start), self.values, z * self.sd + self.mean)
        self.take(wanted)
        return int(result.nit)


def descend_moments(task: PostMaskingTask, limits: StopLimits, *, target_ratio: float) -> PostMasked:
    """Minimise E by its gradient under the band on IL1'; the nearest originals are found anew between rounds."""
    descent = _Descent(task, target_ratio)
    target = -np.inf if limits.target_e is None else limits.target_e
    started, steps, idle = time.monotonic(), 0, 0
    best, kept, stopped = (True, np.inf), descent.values, "step limit"
    descent.level(renews=False)  # the first round moves everything anyway
    with progress("Descending", limits.max_steps) as running:
        while steps < limits.max_steps:
            used = max(1, descent.round(min(_ROUND, limits.max_steps - steps), target))
            descent.level()
            descent.mend()
            steps += used
            running.advance(used)
            now = (bool(abs(descent.ratio() - 1) > BAND), descent.error())
            idle = 0 if (now[0], now[1]) < (best[0], 0.999 * best[1]) else idle + 1
            if now < best:
                best, kept = now, descent.values
            if not now[0] and now[1] <= target:
                stopped = "target reached"
                break
            stop = _why_stop(idle >= 2, started, limits)
            if stop is not None:
                stopped = stop
                break
    values = task.y.copy()
    values[descent.rows] = kept
    return PostMasked(values, steps, _typed(stopped))
