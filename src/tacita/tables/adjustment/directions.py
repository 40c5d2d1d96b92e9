"""Directions of a tabular adjustment by search: a first choice by relaxations, then better ones part by part.

The first choice fixes directions in rounds, the dearest groups first: each round solves the relaxation in which the open
groups may stand anywhere between their levels, so that they lean to where they compensate what is fixed. After that,
directions that the prices call wrong are flipped in bulk or one by one, and parts of the table are solved as whole-number
models of their own while the rest stands still.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.clock import Clock
from tacita.core.progress import task
from tacita.tables.adjustment.core import AdjustmentCore
from tacita.tables.adjustment.model import DirectionModel, Moved
from tacita.tables.adjustment.part import solve_part
from tacita.tables.protect.neighbourhood import neighbourhood

__all__ = ["choose_directions", "flip_directions", "improve_parts"]


PART_SIZES = (300, 6000)
"""Groups in a part that is solved again: the first size, and the largest it grows to when small parts gain nothing."""
PART_SECONDS = 10.0
PATIENCE = 12
OPEN_AT_ONCE = 50
"""Directions that are open at once where the whole table moves."""


def choose_directions(model: DirectionModel, clock: Clock, *, rounds: int = 20) -> Moved | None:
    """Fix all directions in rounds by where the relaxation leans; None when time was up before the first solution."""
    core = model.core
    k = len(core.unsafe)
    dearest = np.argsort(-core.weight[core.unsafe] * (core.above + core.below), kind="stable")
    steps = np.unique(np.geomspace(1, max(k, 1), rounds + 1).round().astype(int))
    answer = model.run(time_limit=_limit(clock))
    best: Moved | None = None
    with task("Adjustment: directions", len(steps)) as running:
        for step in steps.tolist():
            running.advance()
            todo = dearest[~model.is_fixed[dearest]][: max(step - int(model.is_fixed.sum()), 0)]
            if not answer.has_solution or clock.left <= 0:
                break
            if len(todo):
                model.fix(todo, model.leaning(answer)[todo] > 0.5)
                answer = model.run(time_limit=_limit(clock))
    rest = np.flatnonzero(~model.is_fixed)
    if len(rest):  # time is up: the last word of the relaxation, or up
        lean = model.leaning(answer)[rest] > 0.5 if answer.has_solution else np.ones(len(rest), bool)
        model.fix(rest, lean)
        answer = model.run(time_limit=max(clock.left, 2.0))
    if answer.has_solution:
        best = model.moved(answer)
    return best


def flip_directions(model: DirectionModel, best: Moved, clock: Clock) -> Moved:
    """Flip directions whose prices promise a gain, the most promising first, as long as the table gets nearer.

    The promise is an upper bound of the gain, so a flip that is not promised any is never tried.
    """
    core = model.core
    both = core.goes_up & core.goes_down
    model.fix(np.arange(len(best.up)), best.up)
    answer = model.run(time_limit=_limit(clock))
    if not answer.has_solution:
        return best
    best = min(best, model.moved(answer), key=lambda moved: moved.price(core))
    size = max(len(best.up) // 20, 1)
    while clock.left > 0 and answer.duals.size:
        promise = np.where(both, model.gains(answer), 0.0)
        likely = np.argsort(-promise, kind="stable")[: (promise > 1e-7 * max(best.cost, 1e-9)).sum()]
        found = False
        for start in range(0, len(likely), size):
            which = likely[start : start + size]
            model.fix(which, ~best.up[which])
            trial = model.run(time_limit=_limit(clock, most=2.0))
            if trial.has_solution and model.moved(trial).price(core) < best.price(core) * (1 - 1e-9):
                best, answer, found = model.moved(trial), trial, True
                break
            model.fix(which, best.up[which])
            if clock.left <= 0:
                return best
        if not found:
            if size == 1:
                break
            size = max(size // 4, 1)
    return best


def improve_parts(
    core: AdjustmentCore, best: Moved, cuts: Any, relaxed: FloatArray, clock: Clock, *, target: float
) -> Moved:
    """Solve parts of the table again, each with all its directions open, until the table is safe at the target cost.

    Parameters
    ----------
    core, best
        The problem and the solution to improve.
    cuts
        Rows over absolute moves that every solution meets; they make the parts easier to solve.
    relaxed
        (g,): absolute moves of a relaxation; a part is looked for where the solution moves further than that.
    clock, target
        When to stop.
    """
    rng = np.random.default_rng(0)  # which part comes next; every order gives valid moves
    columns = core.rows.tocsc()
    long_rows = core.rows.nnz > 20 * max(core.rows.shape[0], 1)
    size, idle = float(PART_SIZES[0]), 0
    with task("Adjustment: improving by parts") as running:
        while clock.left > 0.1 and (best.cost > target or not best.is_safe):
            chance = _where(core, best, relaxed)
            middle = int(rng.choice(core.size, p=chance))
            if long_rows:  # a part would be hemmed in by long relations: all groups move, few directions are open
                cells, count = np.arange(core.size), int(OPEN_AT_ONCE * size / PART_SIZES[0])
                likely = core.weight[core.unsafe] * np.abs(best.z[core.unsafe]) + 1e-12
                some = min(count, len(core.unsafe))
                opened = rng.choice(len(core.unsafe), size=some, replace=False, p=likely / likely.sum())
            else:
                cells = neighbourhood(core.rows, columns, middle, int(size), rng)
                opened = np.flatnonzero(np.isin(core.unsafe, cells))
            found, _ = solve_part(core, best, cells, opened, cuts, time_limit=clock.share(1.0, most=PART_SECONDS))
            gained = found is not None and found.price(core) < best.price(core) * (1 - 1e-7)
            idle = 0 if gained else idle + 1
            if gained and found is not None:
                best = found
            running.advance(note=f"cost {best.cost:.6g}")
            if idle >= PATIENCE:
                if size >= min(PART_SIZES[1], core.size):
                    break
                size, idle = size * 1.5, 0
    return best


def _where(core: AdjustmentCore, best: Moved, relaxed: FloatArray) -> FloatArray:
    """Return (g,) the chance of each group to be the middle of the next part."""
    size = np.abs(best.z)
    own = core.weight * (np.maximum(size - relaxed, 0.0) + 0.05 * size)
    own[core.unsafe] += 100 * core.weight[core.unsafe] * best.short
    return np.asarray(own / own.sum())


def _limit(clock: Clock, *, most: float = np.inf) -> float | None:
    return clock.share(1.0, most=most)
