"""Settling: inner cells are annealed towards noisy counts, and cells that end at fault are called back."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray, PlaceArray
from tacita.core.progress import task
from tacita.numeric.additive.anneal import anneal, temperatures
from tacita.numeric.additive.goal import LEAST, STEEP, VALUE, Holders, add_up, faults, make_board
from tacita.tables.additive.level_aims import LevelAims

__all__ = ["Settled", "board_of", "settle"]

UNIT = 8
"""What a unit of distance to the noisy count costs. Charges and temperatures are in this unit, and pulls are parts of it."""
CHARGE, FIXED_CHARGE = 5, 20
"""What a unit of fault costs at first, and in a fixed cell."""
HARDER, MOST_CHARGE, PATIENCE = 3, (30, 1000), 20
"""How many times as much it costs in the next round where a cell is still at fault; at most, in the first 20 rounds and after.

Where faults are much dearer than the table is warm, nothing moves; so the charge stays low at first.
"""
HOT, MILD, WARM, COLD = 2.0, 1.0, (0.7, 1.5), 0.2
"""Temperatures at the beginning, there with levels to look at, in rounds by turns, and at the end.

What one warmth of a round cannot mend, the other mostly can. Levels need time at low temperatures rather than a hot beginning.
"""
ROUND_SWEEPS, ROUNDS, WIDE, LAST_SWEEPS = 40, 60, 12, 5
PORTION = 5
"""Sweeps between two reports of progress, and between two looks at the levels."""
LOOKED_AT = 0.5
"""Levels are looked at below this temperature: above it all of them are far from the truth."""


@dataclass(frozen=True, eq=False)
class Settled:
    """Where the search ended.

    Parameters
    ----------
    inner, values
        The inner cells, and all cells.
    at_fault
        (n,): cells that are further from the truth than their bound, or small.
    sweeps, rounds
        Sweeps that were made, and rounds in which cells at fault were called back.
    """

    inner: IntArray = field(repr=False)
    values: IntArray = field(repr=False)
    at_fault: BoolArray = field(repr=False)
    sweeps: int
    rounds: int


def board_of(noisy: IntArray, truth: IntArray, *, reach: int, least: int, fixed: BoolArray) -> PlaceArray:
    """Put together what the cells should be; a fixed cell should be its true count, and nothing else.

    Parameters
    ----------
    noisy, truth
        (n,): noisy and true counts.
    reach
        How far from the truth a cell may be.
    least
        The smallest count but 0 that may be shown.
    fixed
        (n,): cells that must have their true count.
    """
    n = len(truth)
    return make_board(
        np.where(fixed, truth, noisy),
        truth,
        np.where(fixed, 0, reach),
        np.where(fixed, 0, UNIT),
        np.where(fixed, UNIT * FIXED_CHARGE, UNIT * CHARGE),
        np.full(n, least),
    )


def settle(
    holders: Holders,
    board: PlaceArray,
    inner: IntArray,
    *,
    smallest: int,
    sweeps: int,
    rng: np.random.Generator,
    aims: LevelAims | None = None,
) -> Settled:
    """Anneal the inner cells.

    Parameters
    ----------
    holders, board
        The table, and what its cells should be; the board is changed.
    inner
        Where to start: counts of the inner cells, brought to 0 or ``smallest`` where they are between.
    smallest
        The smallest count but 0 of inner cells.
    sweeps
        How long to anneal, in tries for each inner cell.
    rng
        Where the draws come from.
    aims
        How far levels of the table may be from the truth on the whole; None for no such demand.

    Notes
    -----
    The temperature falls from 2, with levels to look at from 1, to 0.2 by equal ratios. Below 0.5 the levels are looked at
    after every five sweeps: one that is too far is pulled towards the truth by an eighth more, one that need not be by an
    eighth less. Then, while cells are
    at fault, a fault of theirs is made three times as dear, up to 30 at first and to 1000 after 20 rounds, and the inner cells
    that they hold are warmed to 0.7 or 1.5, by turns, and cooled in 40 sweeps; in every twelfth round all inner cells are; for
    60 rounds at most. Levels that are too far are called back in the same rounds. Whatever is at fault then stays so, and is
    reported. The work is counted in sweeps and not in seconds, so that a seed repeats.

    Complexity: O(sweeps x entries of the inner cells' lists).
    """
    now = _allowed(np.asarray(inner, np.int64), smallest)
    board[:, VALUE] = add_up(holders, now)
    jump = int(board[:, LEAST].max(initial=1))

    def cool(chosen: IntArray, heats: FloatArray) -> None:
        anneal(holders, board, now, chosen, smallest, jump, np.ascontiguousarray(UNIT * heats), rng)

    everything = np.arange(len(now), dtype=np.int64)
    with task("Restoring additivity", sweeps) as report:
        heats = temperatures(sweeps, HOT if aims is None else MILD, COLD)
        for start in range(0, sweeps, PORTION):
            part = heats[start : start + PORTION]
            if aims is not None and part[0] < LOOKED_AT:
                aims.adjust(board)
            cool(everything, part)
            report.advance(len(part))
    cool(everything, np.zeros(LAST_SWEEPS))
    found, best, rounds = now.copy(), _misses(board, aims), 0
    while sum(best) and rounds < ROUNDS:
        wrong = faults(board) > 0
        board[wrong, STEEP] = np.minimum(HARDER * board[wrong, STEEP], UNIT * MOST_CHARGE[rounds >= PATIENCE])
        if aims is not None:
            aims.adjust(board)
            wrong = wrong | aims.too_far(board)
        held = everything if rounds % WIDE == WIDE - 2 else _held_by(holders, wrong)
        cool(held, temperatures(ROUND_SWEEPS, WARM[rounds % 2], COLD))
        cool(held, np.zeros(LAST_SWEEPS))
        rounds += 1
        if (misses := _misses(board, aims)) <= best:
            found, best = now.copy(), misses
    board[:, VALUE] = add_up(holders, found)
    return Settled(found, board[:, VALUE].astype(np.int64), np.asarray(faults(board) > 0, bool), sweeps, rounds)


def _misses(board: PlaceArray, aims: LevelAims | None) -> tuple[int, int]:
    """Return by how much cells are at fault, and levels too far, in this order of importance."""
    return int(faults(board).sum()), 0 if aims is None else int(aims.excess(board).sum())


def _allowed(counts: IntArray, smallest: int) -> IntArray:
    """Bring counts between 0 and the smallest to the nearer of the two."""
    low = (counts > 0) & (counts < smallest)
    return np.where(low, np.where(2 * counts >= smallest, smallest, 0), np.maximum(counts, 0)).astype(np.int64)


def _held_by(holders: Holders, cells: BoolArray) -> IntArray:
    """Return the inner cells that are counted in some cells."""
    owner = np.repeat(np.arange(len(holders.start) - 1, dtype=np.int64), np.diff(holders.start))
    return np.unique(owner[cells[holders.cells]])
