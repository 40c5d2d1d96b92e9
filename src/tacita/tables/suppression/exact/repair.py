"""Making patterns safe, and safe patterns cheaper: repair by cheapest moves, then publishing what is not needed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.solve import Solver
from tacita.tables.suppression.exact.block_attack import BlockAttack
from tacita.tables.suppression.exact.block_form import Core
from tacita.tables.suppression.exact.proof import Miss, Proof, complete

__all__ = ["Repair"]


Tick = Callable[[], bool]


class Repair:
    """Turns any pattern of a core into a safe one that hides nothing in vain.

    Parameters
    ----------
    core
        The problem; it must be safe when everything is hidden.
    attacker
        Its attacks.
    """

    def __init__(self, core: Core, attacker: BlockAttack) -> None:
        import scipy.sparse as sp

        self._core, self._attacker = core, attacker
        n = core.size
        sides, none = np.zeros(core.rows.shape[0]), np.zeros(2 * n)
        self._model = Solver(none, sp.hstack([core.rows, -core.rows], format="csr"), sides, sides, none, none)
        self._all = np.arange(2 * n)
        self._by_cell = core.rows.tocsc()

    def safe(self, hidden: BoolArray, price: FloatArray, tick: Tick) -> Proof | None:
        """Hide more cells, cheap ones by ``price``, until every level is reached; None when stopped before."""
        proof = Proof(self._core, hidden | self._core.forced)
        while True:
            misses = complete(proof, self._attacker, first=True, tick=tick)
            if tick():
                return None
            if not misses:
                return proof
            self._mend(proof, misses[0], price)

    def _mend(self, proof: Proof, miss: Miss, price: FloatArray) -> None:
        """Hide the support of a cheap move that reaches the level."""
        before = int(proof.hidden.sum())
        for side, amount in self._amounts(miss):
            move = self._cheapest(proof, miss, side, amount, price)
            proof.hide(move != 0)
            proof.credit(side, miss.guard, miss.attacker, amount, proof.add(move))
        if int(proof.hidden.sum()) == before:  # rounding: what the programme reaches with all cells it may use
            proof.hide(np.ones(self._core.size, bool))

    def _amounts(self, miss: Miss) -> list[tuple[int, float]]:
        """How far to go on each side: a sliding level may need both."""
        if len(miss.parts) == 1:
            return [(miss.parts[0][1], miss.level)]
        core, cell = self._core, int(self._core.guarded[miss.guard])
        down, up = (room / miss.level for room in core.rooms_of(miss.attacker))
        most = self._attacker.stretch(cell, 1, down, up).share
        if most >= 1.0 - 1e-7:
            return [(1, miss.level)]
        first = [(1, most * miss.level)] if most > 1e-7 else []
        return [*first, (-1, (1.0 - most) * miss.level)]

    def _cheapest(self, proof: Proof, miss: Miss, side: int, amount: float, price: FloatArray) -> FloatArray:
        """Return a move of the cell by ``amount`` over cheap cells: linear costs, then costs by the move found."""
        core, cell = self._core, int(self._core.guarded[miss.guard])
        down, up = (room / amount for room in core.rooms_of(miss.attacker))
        high = np.concatenate([up, down])
        low = np.zeros_like(high)
        there, other = (cell, core.size + cell) if side > 0 else (core.size + cell, cell)
        low[there] = high[there] = min(1.0, high[there])
        low[other] = high[other] = 0.0
        self._model.set_bounds(self._all, low, high)
        free = 1e-6 * float(price.max())
        weight = np.where(proof.hidden, free, price) / np.clip(np.minimum(up, down), 0.05, 1.0)
        move = np.zeros(core.size)
        for _ in range(3):
            self._model.set_cost(self._all, np.tile(weight, 2))
            answer = self._model.run()
            if not answer.has_solution:
                break
            found = answer.values[: core.size] - answer.values[core.size :]
            now = np.where(np.abs(found) > 1e-7, found, 0.0) * amount
            if not move.any() or self._spent(proof, now, price) < self._spent(proof, move, price):
                move = now
            weight = np.where(proof.hidden, free, price / np.maximum(np.abs(found), 0.02))
        return move

    def _spent(self, proof: Proof, move: FloatArray, price: FloatArray) -> float:
        return float(price[(move != 0) & ~proof.hidden].sum())

    def lean(self, proof: Proof, order: FloatArray, tick: Tick, among: BoolArray | None = None) -> Proof:
        """Publish every cell that is not needed, those first that rank highest in ``order``; only ``among`` these."""
        core = self._core
        attack = BlockAttack(core, proof.hidden)
        trials = proof.hidden & ~core.forced & (True if among is None else among)
        for cell in np.argsort(-order, kind="stable"):
            if not trials[cell]:
                continue
            if tick():
                break
            trial = proof.without(int(cell))
            near = np.argsort(~self._neighbours(int(cell)), kind="stable")
            if not complete(trial, attack, first=True, order=near, tick=tick) and not tick():
                proof = trial
        return proof

    def _neighbours(self, cell: int) -> BoolArray:
        """Return which guarded cells stand in a relation with a cell: they are the first to need it."""
        rows = self._by_cell.indices[self._by_cell.indptr[cell] : self._by_cell.indptr[cell + 1]]
        near = np.zeros(self._core.size, bool)
        for row in rows:
            near[self._core.rows.indices[self._core.rows.indptr[row] : self._core.rows.indptr[row + 1]]] = True
        found: BoolArray = near[self._core.guarded]
        return found
