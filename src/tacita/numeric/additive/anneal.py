"""Annealing of counts: steps of one inner cell, or of two that make up for each other, taken by Metropolis' rule.

An inner cell is 0, or at least ``smallest``: then so is every sum of such cells. From 0 it goes to ``smallest`` or one more, from
there back to 0 or up, and by one up or down elsewhere.
"""

from __future__ import annotations

import math

import numpy as np

from tacita.core.arrays import Float1, FloatArray, Int1, IntArray, Place2, PlaceArray
from tacita.core.kernel import entry, kernel
from tacita.numeric.additive.goal import Holders, make_step, price_of, price_of_two

__all__ = ["anneal", "temperatures"]


def temperatures(sweeps: int, hot: float, cold: float) -> FloatArray:
    """Return the temperature of each sweep: falling by the same ratio from ``hot`` to ``cold``."""
    return np.geomspace(hot, cold, max(sweeps, 1))[:sweeps]


@kernel(inline=True)
def _step(value: int, smallest: int, jump: int, dice: float) -> int:
    """Draw the step of an inner cell; each comes with its reverse at the same chance or a higher one."""
    if jump > smallest:
        # Small counts of sums are dear: a sum leaves 0 for the smallest count that may be shown in one step, or never.
        if dice < 0.1:
            return jump if dice < 0.05 or value < jump else -jump
        dice = (dice - 0.1) / 0.9
    if value == 0:
        return smallest if dice < 0.75 else smallest + 1
    if value == smallest:
        return -smallest if dice < 0.5 else 1
    if value == smallest + 1 and dice < 0.25:
        return -value
    # What is left of the dice is cut in two halves.
    return 1 if dice < (0.625 if value == smallest + 1 else 0.5) else -1


@kernel(inline=True)
def _can(value: int, step: int, smallest: int) -> bool:
    """Whether an inner cell may take this step."""
    after = value + step
    return after == 0 or after >= smallest


@kernel
def _partner(holders: Holders, one: int, rng: np.random.Generator) -> int:
    """Draw an inner cell that some cell holds together with this one."""
    first, last = holders.start[one], holders.start[one + 1]
    cell = holders.cells[first + int(rng.random() * (last - first))]
    first, last = holders.first[cell], holders.first[cell + 1]
    return int(holders.inner[first + int(rng.random() * (last - first))])


@kernel(inline=True)
def _stays(price: int, heat: float, rng: np.random.Generator) -> bool:
    """Metropolis' rule."""
    return price <= 0 or (heat > 0.0 and rng.random() < math.exp(-price / heat))


@kernel
def _try_one(
    holders: Holders,
    board: PlaceArray,
    inner: IntArray,
    one: int,
    smallest: int,
    jump: int,
    heat: float,
    rng: np.random.Generator,
) -> int:
    step = _step(inner[one], smallest, jump, rng.random())
    price = price_of(holders, board, one, step)
    if not _stays(price, heat, rng):
        return 0
    make_step(holders, board, one, step)
    inner[one] += step
    return price


@kernel
def _try_two(
    holders: Holders,
    board: PlaceArray,
    inner: IntArray,
    one: int,
    smallest: int,
    jump: int,
    heat: float,
    rng: np.random.Generator,
) -> int:
    """Change one inner cell and take the change back in another, so that cells that hold both stay as they are."""
    step = _step(inner[one], smallest, jump, rng.random())
    other = _partner(holders, one, rng)
    if other == one or not _can(inner[other], -step, smallest):
        return 0
    price = price_of_two(holders, board, one, other, step)
    if not _stays(price, heat, rng):
        return 0
    make_step(holders, board, one, step)
    make_step(holders, board, other, -step)
    inner[one] += step
    inner[other] -= step
    return price


@entry
def anneal(
    holders: Holders,
    board: Place2,
    inner: Int1,
    chosen: Int1,
    smallest: int,
    jump: int,
    heats: Float1,
    rng: np.random.Generator,
) -> int:
    """Anneal inner cells and the sums of them, in place.

    Parameters
    ----------
    holders, board
        The table, and what its cells are and should be; values are the sums of the inner cells.
    inner
        (i,): inner cells, each 0 or at least ``smallest``.
    chosen
        Inner cells that steps begin with; the second of two may be any other.
    smallest
        The smallest count but 0 of inner cells.
    jump
        A further step up and down, where it is above ``smallest``: the smallest count but 0 of sums.
    heats
        (sweeps,): temperature of each sweep; in a sweep there are as many tries of one inner cell, and as many of two, as
        inner cells are chosen. At 0 no step may cost anything.
    rng
        Where the draws come from.

    Returns
    -------
    By how much the cost changed.

    Notes
    -----
    O(sweeps x entries of the inner cells' lists).
    """
    change = 0
    for sweep in range(len(heats)):
        for _ in range(len(chosen)):
            one = chosen[int(rng.random() * len(chosen))]
            change += _try_one(holders, board, inner, one, smallest, jump, heats[sweep], rng)
            one = chosen[int(rng.random() * len(chosen))]
            change += _try_two(holders, board, inner, one, smallest, jump, heats[sweep], rng)
    return change
