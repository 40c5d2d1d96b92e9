"""The proof that a pattern is safe: moves of the hidden cells that reach every level, against every attacker.

A move that keeps what a seat knows holds against that seat too, and stretched to the bounds that each attacker
knows, up or down, it serves every cell that it moves. Only what no move reaches gets a programme of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.tables.suppression.exact.block_attack import BlockAttack, Stretch
from tacita.tables.suppression.exact.block_form import OUTSIDER, Core

__all__ = ["Miss", "Proof", "complete"]


_FAR = 1e9
"""Longest move that counts where no bound is known."""
_FINE = 1e-3
"""Smallest step, as a share of the largest one of a move, that counts."""


@dataclass(frozen=True, eq=False)
class Miss:
    """A level that a pattern does not reach.

    Parameters
    ----------
    guard
        Place of the unsafe cell among the guarded ones.
    attacker
        Who finds it.
    level
        The level.
    parts
        For each side that was attacked (1 up, -1 down) the multipliers of the relations that show it.
    """

    guard: int
    attacker: int
    level: float
    parts: tuple[tuple[FloatArray, int], ...] = field(repr=False)


class _Moves:
    """Moves of the cells, few of them different from zero, and for each cell those that move it."""

    def __init__(self) -> None:
        self.cells: list[IntArray] = []
        self.steps: list[FloatArray] = []
        self.of_cell: dict[int, list[int]] = {}

    def __len__(self) -> int:
        return len(self.cells)

    def add(self, move: FloatArray) -> int:
        there = np.flatnonzero(move)
        number = len(self.cells)
        self.cells.append(there)
        self.steps.append(move[there])
        for cell in there.tolist():
            self.of_cell.setdefault(cell, []).append(number)
        return number


class Proof:
    """What is known about a pattern so far.

    Parameters
    ----------
    core
        The problem.
    hidden
        (m,): the pattern.
    """

    def __init__(self, core: Core, hidden: BoolArray) -> None:
        self.core = core
        self.hidden = hidden.copy()
        shape = (2, len(core.guarded), core.attackers)
        self.reach = np.zeros(shape)
        self._by = np.full(shape, -1)
        self._moves = _Moves()  # shared with the proofs of smaller patterns, where some of them are dead
        self._dead: set[int] = set()

    @property
    def room(self) -> tuple[FloatArray, FloatArray]:
        """How far each cell can move down and up."""
        return np.where(self.hidden, self.core.down, 0.0), np.where(self.hidden, self.core.up, 0.0)

    def lacking(self, guard: Any = slice(None)) -> BoolArray:
        """Return (g, attackers) or one row of it: pairs with a level that no move reaches."""
        core = self.core
        up, down = self.reach[:, guard]
        above, below, sliding = core.above[guard], core.below[guard], core.sliding[guard]
        slack = core.slack[guard][..., None]
        short: BoolArray = (up < above - slack) | (down < below - slack)
        short |= (sliding > 0) & (up + down < sliding - slack)
        return short

    def hide(self, cells: BoolArray) -> None:
        """Hide more cells; every move stays one."""
        self.hidden |= cells

    def add(self, move: FloatArray) -> int:
        """Take a move into the proof, stretched as far as the bounds let it go, and its opposite too."""
        number = self._moves.add(move)
        self._stretch(number)
        return number

    def _stretch(self, number: int) -> None:
        there, steps = self._moves.cells[number], self._moves.steps[number]
        if not len(there):
            return
        core, far = self.core, np.zeros(self.core.size)
        far[there] = steps
        most = float(np.abs(steps).max())
        # Stretching a small step to a whole level would stretch the solver's rounding with it.
        moved = np.flatnonzero(np.abs(far[core.guarded]) > _FINE * most)
        far = far[core.guarded[moved]]
        for lengths, sign in zip(core.lengths(there, steps), (1.0, -1.0), strict=True):
            length = np.minimum(lengths, _FAR / most)
            for side, direction in ((0, sign), (1, -sign)):
                rows = np.flatnonzero(direction * far > 0)
                gain, spot = (direction * far[rows])[:, None] * length[None, :], moved[rows]
                known = self.reach[side][spot]
                better = gain > known
                if better.any():
                    self.reach[side][spot] = np.where(better, gain, known)
                    self._by[side][spot] = np.where(better, number, self._by[side][spot])

    def credit(self, side: int, guard: int, who: int, amount: float, number: int) -> None:
        """Take what the solver reached for one pair at its word; the bounds it overstepped by rounding do not count."""
        place = 0 if side > 0 else 1
        if amount > self.reach[place, guard, who]:
            self.reach[place, guard, who] = amount
            self._by[place, guard, who] = number

    def without(self, cell: int) -> Proof:
        """Return what is still known when a cell is published."""
        made = Proof(self.core, self.hidden)
        made.hidden[cell] = False
        made._moves, made._dead = self._moves, self._dead | set(self._moves.of_cell.get(cell, ()))
        alive = np.ones(len(self._moves) + 1, bool)
        alive[list(made._dead)] = False
        alive[-1] = False
        kept = alive[self._by]
        made.reach, made._by = np.where(kept, self.reach, 0.0), np.where(kept, self._by, -1)
        needs = self.core.guarded[made.lacking().any(axis=1)]
        for number in sorted({n for k in needs.tolist() for n in self._moves.of_cell.get(k, ()) if alive[n]}):
            made._stretch(number)
        return made


def complete(
    proof: Proof,
    attack: BlockAttack,
    *,
    first: bool = False,
    order: IntArray | None = None,
    tick: Callable[[], bool] | None = None,
) -> list[Miss]:
    """Find moves for all that is lacking; return the levels that cannot be reached.

    With ``first`` the first of them is enough; ``order`` says which guarded cells to look at first. ``tick`` returning
    True stops: the list is then incomplete.
    """
    misses: list[Miss] = []
    lacking = proof.lacking()
    settled = ~lacking
    guards = np.arange(len(lacking)) if order is None else order
    for guard in guards:
        if not lacking[guard].any():
            continue
        while True:
            open_ = np.flatnonzero(proof.lacking(guard) & ~settled[guard])
            if not len(open_):
                break
            if tick is not None and tick():
                return misses
            who = int(open_[0])
            settled[guard, who] = True
            found = _attacked(proof, attack, int(guard), who)
            if found is not None:
                misses.append(found)
                if first:
                    return misses
                if who == OUTSIDER:
                    settled[guard] = True
    return misses


def _attacked(proof: Proof, attack: BlockAttack, guard: int, who: int) -> Miss | None:
    """Look for moves for one cell against one attacker; return the level that is missed, if any."""
    core = proof.core
    slack = core.slack[guard]
    for place, side, level in ((0, 1, core.above[guard, who]), (1, -1, core.below[guard, who])):
        if proof.reach[place, guard, who] < level - slack:
            found = _pushed(proof, attack, guard, who, side, level)
            if found.share * level < level - slack:
                return Miss(guard, who, level, ((found.weights, side),))
    level = core.sliding[guard, who]
    both: list[tuple[FloatArray, int]] = []
    for side in (1, -1):
        if level > 0 and proof.reach[:, guard, who].sum() < level - slack:
            both.append((_pushed(proof, attack, guard, who, side, level).weights, side))
    if level > 0 and proof.reach[:, guard, who].sum() < level - slack:
        return Miss(guard, who, level, tuple(both))
    return None


def _pushed(proof: Proof, attack: BlockAttack, guard: int, who: int, side: int, level: float) -> Stretch:
    """Move a cell towards a level, over few others if that reaches it, and note the move."""
    core, cell = proof.core, int(proof.core.guarded[guard])
    down, up = (np.where(proof.hidden, room, 0.0) for room in core.rooms_of(who))
    found = attack.move(cell, side, down / level, up / level)
    if found is None:
        found = attack.stretch(cell, side, down / level, up / level)
    proof.credit(side, guard, who, found.share * level, proof.add(found.move))
    return found
