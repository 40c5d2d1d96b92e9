"""The answer of an attacker about one side of one cell: how far, and the proof."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["Reach"]


@dataclass(frozen=True, eq=False)
class Reach:
    """How far a cell can be from its true value on one side, as far as it was asked.

    Parameters
    ----------
    cell
        The hidden cell.
    side
        ``"below"`` or ``"above"``.
    amount
        How far the attacker cannot exclude. Where the level is met this is what a checked move proves,
        otherwise the exact maximum.
    is_met
        Whether a move that goes as far as needed was found and checked.
    prices
        Where the level is not met: the price y of each relation that the attacker combines. With s = 1 above and
        s = -1 below, ``alpha = s e_cell - A' y`` bounds the move: ``amount = sum over hidden j of
        max(alpha_j, 0) (upper_j - a_j) + max(-alpha_j, 0) (a_j - lower_j)``, cells known to the attacker left out. As
        the prices do not depend on the pattern, this is a Benders cut: the sum with a 0-1 variable on each cell j must
        be at least the level. For whole numbers, where such prices may not exist, the relations of the proof at price 0.
    cells, moves
        Where the level is met: the move that shows it, as hidden cells and what each moves by.
    """

    cell: int
    side: Literal["below", "above"]
    amount: float
    is_met: bool
    prices: dict[int, float] = field(default_factory=dict, repr=False)
    cells: IntArray = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    moves: FloatArray = field(default_factory=lambda: np.empty(0), repr=False)
