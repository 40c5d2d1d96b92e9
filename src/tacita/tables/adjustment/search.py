"""The course of one tabular adjustment: a first table, a bound, better tables, and the proof where it is within reach."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.clock import Clock
from tacita.tables.adjustment.additivity import Norm
from tacita.tables.adjustment.bound import CompensationBound
from tacita.tables.adjustment.core import AdjustmentCore
from tacita.tables.adjustment.directions import choose_directions, flip_directions, improve_parts
from tacita.tables.adjustment.model import DirectionModel, Moved
from tacita.tables.adjustment.part import solve_part
from tacita.tables.adjustment.squares import (
    bound_in_squares,
    flip_in_squares,
    nearest_with_directions,
    squared_weights,
)

__all__ = ["AdjustmentFound", "search_adjustment"]


SMALL = 60
"""Blocks with fewer unsafe groups are solved as one model at once."""


@dataclass(eq=False)
class AdjustmentFound:
    """The best moves of a block and what is known about them.

    Parameters
    ----------
    best
        The moves.
    bound
        No moves cost less.
    is_impossible
        Whether it is proven that no moves protect all cells.
    """

    best: Moved = field(repr=False)
    bound: float = 0.0
    is_impossible: bool = False

    def is_open(self, gap: float) -> bool:
        """Whether the gap is not proven yet."""
        return self.best.cost - self.bound > max(gap, 1e-9) * self.best.cost or not self.best.is_safe


def search_adjustment(
    core: AdjustmentCore, clock: Clock, weights: FloatArray, *, norm: Norm, is_exact: bool, gap: float
) -> AdjustmentFound:
    """Adjust one block; the weights are those of the cells of the table."""
    found = AdjustmentFound(_nothing(core))
    try:
        model, bound = _first(core, found, clock)
        _make_safe(model, found, bound, clock)
        if is_exact and found.is_open(gap):
            _further(core, found, bound, clock, gap if norm == "l1" else max(gap, 0.01))
    except KeyboardInterrupt:
        if not found.best.is_safe:
            raise
        return found if norm == "l1" else _in_squares(core, found, None, Clock.of(0.0), weights)
    return found if norm == "l1" else _in_squares(core, found, bound, clock, weights)


def _nothing(core: AdjustmentCore) -> Moved:
    return Moved.of(core, np.zeros(core.size), core.goes_up)


def _first(core: AdjustmentCore, found: AdjustmentFound, clock: Clock) -> tuple[DirectionModel, CompensationBound]:
    """Choose directions by relaxations, bound the cost, and flip what the prices call wrong."""
    model = DirectionModel(core)
    first = choose_directions(model, Clock.of(clock.share(0.35)))
    if first is not None:
        found.best = first
    bound = CompensationBound(core, found.best.cost if found.best.is_safe else np.inf)
    found.bound = bound.value
    bound.tighten(Clock.of(clock.share(0.4)))
    found.bound = bound.value
    if first is not None and len(core.unsafe) > 1:
        found.best = flip_directions(model, found.best, Clock.of(clock.share(0.2, most=8.0)))
    if found.best.is_safe:
        bound.best_known(found.best.cost)
    return model, bound


def _make_safe(model: DirectionModel, found: AdjustmentFound, bound: CompensationBound, clock: Clock) -> None:
    """Where the first directions leave cells short: change parts until none is, then settle the whole table anew.

    A part alone may pay dearly for safety; with its directions known, the rest of the table helps at once.
    """
    core = model.core
    if found.best.is_safe:
        return
    some = Clock.of(clock.share(0.5))
    found.best = improve_parts(core, found.best, bound.tight(), bound.v, some, target=np.inf)
    if not found.best.is_safe:
        _whole(core, found, bound, clock, gap=0.5)
    if found.best.is_safe:
        found.best = flip_directions(model, found.best, Clock.of(clock.share(0.2, most=8.0)))
        bound.best_known(found.best.cost)


def _further(core: AdjustmentCore, found: AdjustmentFound, bound: CompensationBound, clock: Clock, gap: float) -> None:
    """Improve by parts where there are many directions, then close the gap with the whole model."""
    if len(core.unsafe) > SMALL and found.is_open(gap):
        some = Clock.of(clock.share(0.85))
        target = found.bound / (1 - gap)
        found.best = improve_parts(core, found.best, bound.tight(), bound.v, some, target=target)
        if found.best.is_safe:
            bound.best_known(found.best.cost)
    if found.is_open(gap) and clock.left > 0.05 and not found.is_impossible:
        _whole(core, found, bound, clock, gap=gap)


def _whole(core: AdjustmentCore, found: AdjustmentFound, bound: CompensationBound, clock: Clock, *, gap: float) -> None:
    """Solve the block as one whole-number model, from the best table so far."""
    everything = np.arange(core.size)
    reach = 4 * float(np.maximum(core.above, core.below).sum())
    most = bound.most if found.best.is_safe else np.minimum(np.maximum(core.up, core.down), reach)
    most = np.where(np.isfinite(most), most, reach)
    limit = clock.share(1.0)
    better, answer = solve_part(
        core, found.best, everything, np.arange(len(core.unsafe)), bound.tight(), time_limit=limit, most=most, gap=gap
    )
    if answer.status == "infeasible":
        found.is_impossible = not found.best.is_safe
        return
    if better is not None and better.price(core) < found.best.price(core):
        found.best = better
    if np.isfinite(answer.bound):
        proven = answer.bound + float(core.weight[core.unsafe] @ core.below)
        found.bound = max(found.bound, min(proven, found.best.cost))


def _in_squares(
    core: AdjustmentCore, found: AdjustmentFound, bound: CompensationBound | None, clock: Clock, weights: FloatArray
) -> AdjustmentFound:
    """Go on in squares from the directions that were found."""
    if not found.best.is_safe:
        return found
    weight = squared_weights(core, weights)
    z = nearest_with_directions(core, weight, found.best.up)
    best = found.best if z is None else Moved.of(core, z, found.best.up)
    best = flip_in_squares(core, weight, best, Clock.of(clock.share(0.5)))
    least = float(weight @ core.least**2)
    if bound is not None:
        least = max(least, bound_in_squares(core, weight, bound.tight(), float(weight @ best.z**2), clock))
    return AdjustmentFound(best, least)
