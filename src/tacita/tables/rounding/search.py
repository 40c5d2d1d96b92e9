"""The search behind controlled rounding: relaxation first, whole numbers only where it leaves fractions.

1. The linear relaxation. In two dimensions, one of them nested, its matrix is that of a network and the answer is whole.
2. Where it is not, the cells near a fraction are rounded by a whole-number model while the rest keeps its multiples; the
   part grows until it works.
3. If that fails, the whole table is one model; a large one is first asked for any rounding, without costs.
4. While time is left (:func:`improve_by_parts`), neighbourhoods of the best rounding are solved again, one at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.clock import Clock
from tacita.core.progress import task
from tacita.tables.protect.neighbourhood import grown, neighbourhood
from tacita.tables.rounding.model import RoundingModel

__all__ = ["RoundingSearch", "improve_by_parts", "search_rounding"]


FRACTION = 1e-6
PART_SIZES = (600, 6000)
"""Cells in a part that is solved again: the first size, and the largest one it grows to when small parts gain nothing."""
PART_SECONDS = 10.0
PATIENCE = 8
WHOLE_SIZE = 4000
"""Tables with more cells than this to choose, and more fractions in the relaxation than ``WHOLE_FRACTIONS``, are improved
by parts after the first rounding, not as one model."""
WHOLE_FRACTIONS = 0.05


@dataclass(eq=False)
class RoundingSearch:
    """What is known about the roundings within some reach.

    Parameters
    ----------
    steps
        (n,): the best rounding so far in steps; None where none was found.
    bound
        No rounding within this reach is nearer than this.
    is_impossible
        Whether it is proven that there is none.
    """

    steps: FloatArray | None = field(repr=False)
    bound: float
    is_impossible: bool = False


def search_rounding(model: RoundingModel, reach: int, clock: Clock, *, gap: float = 0.0) -> RoundingSearch:
    """Look for the nearest additive rounding with at most ``reach`` steps beyond the neighbouring multiples.

    Returns the best one found before the clock ran out. Deterministic but for the clock.
    """
    free = np.flatnonzero(model.can_move(reach))
    base = np.clip(model.floor, *model.range(reach))  # cells without a choice stand at their only multiple
    answer, steps = model.solve(free, base, reach=reach, integer=False, time_limit=clock.share(0.5))
    if answer.status == "infeasible":
        return RoundingSearch(None, np.inf, is_impossible=True)
    found, fractions = RoundingSearch(None, model.least_distance), len(free)
    if answer.status == "optimal":
        found.bound = max(found.bound, _safe(answer.objective + model.offset(free, base)))
    if answer.has_solution:
        broken = np.abs(steps - np.rint(steps)) > FRACTION
        whole, fractions = np.rint(steps), int(broken.sum())
        if not broken.any() and model.is_additive(whole):
            found.steps = whole
            return found
        _near_fractions(model, found, whole, broken, free, reach, clock)
    is_easy = len(free) <= WHOLE_SIZE or fractions <= WHOLE_FRACTIONS * len(free) or np.isinf(clock.end)
    if found.steps is None and not is_easy:
        # Without costs a rounding may use all its reach: give it no more than the relaxation needs, and some.
        needed = int(np.ceil(np.abs(steps - model.floor).max(initial=0.0))) + 1
        _any_rounding(model, found, base, free, min(reach, needed), clock)
    if not found.is_impossible and _is_open(model, found, gap) and is_easy:
        _whole_table(model, found, base, free, reach, clock, gap)
    return found


def _safe(bound: float) -> float:
    """Take the solver's rounding off a bound."""
    return bound - 1e-9 * max(1.0, abs(bound))


def _is_open(model: RoundingModel, found: RoundingSearch, gap: float) -> bool:
    """Whether the distance is not yet proven to be within the gap."""
    if found.steps is None:
        return True
    distance = model.distance(found.steps)
    return distance - found.bound > max(gap * distance, 1e-8 * max(model.base, distance))


def _near_fractions(
    model: RoundingModel,
    found: RoundingSearch,
    whole: FloatArray,
    broken: BoolArray,
    free: IntArray,
    reach: int,
    clock: Clock,
) -> None:
    """Round the cells around fractions anew while the others keep the multiples of the relaxation."""
    part, mine = broken, np.zeros(model.size, bool)
    mine[free] = True
    for _ in range(3):
        part = grown(model.rows, part) & mine
        if part.sum() > 0.8 * len(free):
            return
        cells = np.flatnonzero(part)
        answer, steps = model.solve(cells, whole, reach=reach, integer=True, time_limit=clock.share(0.2, most=60.0))
        if answer.has_solution and model.is_additive(steps):
            found.steps = steps
            return


def _any_rounding(
    model: RoundingModel, found: RoundingSearch, base: FloatArray, free: IntArray, reach: int, clock: Clock
) -> None:
    """Find a first rounding, however far; parts of it are improved afterwards."""
    limit = clock.share(0.6)
    answer, steps = model.solve(free, base, reach=reach, integer=True, time_limit=limit, costs_count=False)
    found.is_impossible = answer.status == "infeasible"
    if answer.has_solution and model.is_additive(steps):
        found.steps = steps


def _whole_table(
    model: RoundingModel, found: RoundingSearch, base: FloatArray, free: IntArray, reach: int, clock: Clock, gap: float
) -> None:
    known = found.steps is not None
    start = base if found.steps is None else found.steps
    limit = clock.share(0.5)
    answer, steps = model.solve(free, start, reach=reach, integer=True, time_limit=limit, start=known, gap=gap)
    if answer.status == "infeasible":
        found.is_impossible = not known
        return
    if np.isfinite(answer.bound):
        found.bound = max(found.bound, _safe(answer.bound + model.offset(free, base)))
    is_better = found.steps is None or model.distance(steps) < model.distance(found.steps)
    if answer.has_solution and is_better and model.is_additive(steps):
        found.steps = steps


def improve_by_parts(
    model: RoundingModel, found: RoundingSearch, reach: int, clock: Clock, *, gap: float = 0.0
) -> None:
    """Solve neighbourhoods of the best rounding again, starting from it, until the clock runs out or nothing gains."""
    if found.steps is None:
        return
    rng = np.random.default_rng(0)  # which part comes next; every order gives a valid rounding
    columns, low, high = model.rows.tocsc(), *model.range(reach)
    idle, size = 0, float(PART_SIZES[0])
    with task("Rounding: improving by parts") as running:
        while clock.left > 0.2 and _is_open(model, found, gap):
            if idle >= PATIENCE:
                if size >= min(PART_SIZES[1], model.size):
                    return
                idle, size = 0, size * 1.6
            steps = found.steps
            # Start where a cell did not get its nearer multiple.
            excess = np.abs(steps - model.floor - model.part) - np.minimum(model.part, 1 - model.part)
            excess[low >= high] = 0.0
            if excess.sum() <= 0:
                return
            middle = int(rng.choice(model.size, p=excess / excess.sum()))
            cells = neighbourhood(model.rows, columns, middle, int(size), rng)
            cells = cells[low[cells] < high[cells]]
            answer, better = model.solve(
                cells,
                steps,
                reach=reach,
                integer=True,
                time_limit=clock.share(1.0, most=PART_SECONDS),
                start=True,
                gap=1e-3,
            )
            gained = answer.has_solution and model.is_additive(better)
            gained = gained and model.distance(better) < model.distance(steps) - 1e-9 * model.base
            idle = 0 if gained else idle + 1
            if gained:
                found.steps = better
            share = 1 - found.bound / max(model.distance(found.steps), 1e-300)
            running.advance(note=f"gap {100 * share:.2f} %")
