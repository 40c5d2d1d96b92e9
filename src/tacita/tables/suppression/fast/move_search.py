"""The search behind the fast suppression: the kernels, the cases they leave open, and time.

See :mod:`tacita.numeric.table_moves.pattern_search` for how it works. This side feeds the kernels in pieces short enough to stop
between them, makes room in their stores, and settles by the general solver what they could not.
"""

from __future__ import annotations

import time

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import TacitaError
from tacita.core.progress import task
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.fast.demands import Demands, rooms
from tacita.tables.suppression.fast.whole_moves import cheapest_move, farthest_move, neighbourhood, other_sides

__all__ = ["FEW_STEPS", "TRIAL_STEPS", "Search", "usual_work"]


_BASIS, _STEPS = 600, 2000
"""Most relations and steps of a linear programme before the general solver takes over."""
TRIAL_STEPS, FEW_STEPS = 300, 60
"""Most steps in a trial; and where most trials are in vain, as in tables that are sparse and deep."""
_FREE, _FREE_SEAT = 1e-4, 5e-4
"""What a hidden cell charges, in shares of the lowest cost; more where a seat knows it, so that moves leave it alone."""
_PIECE = 200
"""Demands or cells that a kernel is given at a time; an interrupt is heard in between."""
_LITTLE = 0.01
"""How far fees stray from costs, so that there are no ties."""
_WIDEST, _HEAT, _NOISE = 8, 0.5, 1.0
"""Annealing: most cells in a trial, loss that is accepted at first in mean costs, and how far fees stray from costs."""
_NEAR = 4000
"""Cells around a cell that the general solver is given first."""
_EXPLAINED = 5
"""Demands whose relations are looked for when there is no way."""


WORK, FEW, MANY = 60_000.0, 200.0, 40.0
"""Steps of the simplex method that the improvement usually takes: ``FEW`` for each cell of a small table, up to ``WORK``
in all, and ``MANY`` for each cell of any table."""


def usual_work(problem: Problem) -> float:
    """Steps of the simplex method that the improvement of a pattern is worth."""
    return min(WORK, FEW * problem.size) + MANY * problem.size


class Search:
    """A pattern that grows until it is safe and is then made cheaper, with the proofs at hand all the time.

    Parameters
    ----------
    problem
        What is to be protected.
    hidden
        Cells that are hidden from the start beside the unsafe cells.
    keeps
        Whether those stay hidden; otherwise the search may publish them again.
    accepts_leaks
        Whether to go on without the demands that no pattern can meet.
    seed
        Of everything that is drawn.
    upwards
        What share of a sliding level is asked of the upper side; see :meth:`Demands.of`.
    trial_steps
        Most steps of the simplex method for a demand in a trial.
    smallest_first
        Whether small demands are met before large ones; otherwise large ones come first.
    """

    def __init__(
        self,
        problem: Problem,
        hidden: BoolArray | None = None,
        *,
        keeps: bool = False,
        accepts_leaks: bool = False,
        seed: int = 0,
        upwards: float | FloatArray = 0.5,
        trial_steps: int = TRIAL_STEPS,
        smallest_first: bool = False,
    ) -> None:
        from tacita.numeric.table_moves.workspace import make_net, make_workspace

        self.problem = problem
        self.accepts_leaks, self._trial_steps, self._smallest_first = accepts_leaks, trial_steps, smallest_first
        self.rng = np.random.default_rng([seed, 6])
        self._start = problem.unsafe.copy() if hidden is None else hidden | problem.unsafe
        self.fixed = self._start if keeps else problem.unsafe
        self._net = make_net(problem.relations.matrix, problem.relations.columns, *rooms(problem))
        self._work = make_workspace(len(problem.relations), problem.size, min(_BASIS, len(problem.relations) + 1))
        self._split: set[tuple[int, int]] = set()
        self.is_stopped = False
        self._open(Demands.of(problem, upwards=upwards))

    def _open(self, demands: Demands) -> None:
        from tacita.numeric.table_moves.pattern_search import make_pattern_state
        from tacita.numeric.table_moves.proofs import make_proofs

        problem, seats = self.problem, self.problem.seats
        free = np.full(problem.size, _FREE)
        free[seats.cells] = _FREE_SEAT
        free *= problem.cost.min(initial=np.inf) * (1 + 0.1 * self.rng.random(problem.size))  # no ties, no circles
        self.demands = demands
        self._proofs = make_proofs(
            demands.arrays(),
            self.fixed,
            problem.rooms_of_seats,
            4 * len(demands) + 1000,
            40 * len(demands) + 10_000 + problem.size,
        )
        self._state = make_pattern_state(self._start, problem.cost, free, len(demands), len(problem.rooms_of_seats[1]))
        self._draw_fees(_LITTLE)

    def _draw_fees(self, share: float) -> None:
        state = self._state
        state.noisy[:] = state.cost * (1 + share * self.rng.random(self.problem.size))
        state.fee[:] = np.where(state.hidden, state.free, state.noisy)

    @property
    def hidden(self) -> BoolArray:
        """The pattern as it is now."""
        return self._state.hidden.copy()

    @property
    def cost(self) -> float:
        """What the pattern costs."""
        return float(self.problem.cost[self._state.hidden].sum())

    @property
    def steps(self) -> int:
        """Steps of the simplex method so far: a measure of work that does not depend on the machine."""
        from tacita.numeric.table_moves.workspace import STEPS

        return int(self._work.sizes[STEPS])

    @property
    def _secondary(self) -> IntArray:
        return np.flatnonzero(self._state.hidden & ~self.fixed).astype(np.int64)

    # --- until it is safe ----------------------------------------------------------------------------------------------

    def cover(self) -> None:
        """Hide cells until every demand is met.

        Raises
        ------
        InfeasibleError
            When a demand cannot be met even with everything hidden, unless leaks are accepted.
        """
        waiting = self._everything()
        while len(waiting):
            self._meet(waiting)
            failures = [tuple(f) for f in self._state.failures[: int(self._state.failed[0])].tolist()]
            self._state.failed[0] = 0
            rest, moved = [], set[int]()
            for demand, seat, verdict in failures:
                if demand in moved:  # the move that was found may hold off this seat too: the kernel looks
                    continue
                if self._meet_whole(demand, seat, verdict):
                    moved.add(demand)
                else:
                    rest.append((demand, seat))
            waiting = np.unique(np.array([f[0] for f in failures], np.int64))
            self._proofs.is_open[waiting] = True
            if rest:
                self._open(self._relaxed(rest))
                waiting = self._everything()
        self.check()

    def _everything(self) -> IntArray:
        """All demands, by their amounts."""
        self._proofs.is_open[:] = True
        size = np.abs(self.demands.amounts)
        return np.argsort(size if self._smallest_first else -size, kind="stable").astype(np.int64)

    def _meet_whole(self, demand: int, seat: int, verdict: int) -> bool:
        """Try the general solver on a demand that the kernel could not decide."""
        from tacita.numeric.table_moves.cheapest_move import GAVE_UP
        from tacita.numeric.table_moves.proofs import store_move

        if verdict != GAVE_UP:
            return False
        cell, share = int(self.demands.cells[demand]), self.demands.share(demand, seat)
        amount, (up, down) = share * float(self.demands.amounts[demand]), rooms(self.problem, _of(seat))
        less = amount - 0.5 * np.sign(amount) * min(float(self.problem.tolerance()[cell]), abs(amount))
        fee = self._state.fee
        near = neighbourhood(self.problem, cell, _NEAR)
        found = cheapest_move(self.problem, fee, (np.where(near, up, 0.0), np.where(near, down, 0.0)), cell, amount)
        found = found or cheapest_move(self.problem, fee, (up, down), cell, amount)
        found = found or cheapest_move(self.problem, fee, (up, down), cell, less)
        if found is None:
            return False
        while store_move(self._proofs, demand, *found, 1.0 / share, max(self._reach(*found) * share, share)) < 0:
            self._make_room()
        self._state.hidden[found[0]] = True
        self._state.fee[found[0]], self._state.due[found[0]] = self._state.free[found[0]], 0.0
        return True

    def _reach(self, cells: IntArray, moves: FloatArray) -> float:
        """How many times a move can be made until a cell meets a bound that everybody knows."""
        room = np.where(moves > 0, self._net.room[cells, 0], self._net.room[cells, 1])
        return float((room / np.abs(moves)).min())

    def _relaxed(self, failed: list[tuple[int, int]]) -> Demands:
        """Ask the width that a sliding level wants on other sides; give up what no pattern can meet, or say so."""
        impossible: dict[int, set[int]] = {}
        trifles: dict[int, set[int]] = {}
        split: dict[tuple[int, int], tuple[float, float]] = {}
        for demand, seat in failed:
            cell = int(self.demands.cells[demand])
            if abs(self.demands.amounts[demand]) * self.demands.share(demand, seat) <= self.problem.tolerance()[cell]:
                trifles.setdefault(demand, set()).add(seat)
                continue
            amounts = None if (cell, seat) in self._split else other_sides(self.problem, cell, _of(seat))
            if amounts is None:
                impossible.setdefault(demand, set()).add(seat)
            else:
                split[cell, seat] = amounts
        if impossible and not self.accepts_leaks:
            raise self._no_way(impossible)
        self._split |= split.keys()
        demands = self.demands.without(impossible | trifles)
        for (cell, seat), amounts in split.items():
            demands = demands.split_off(cell, seat, amounts) if seat >= 0 else demands.asking(cell, amounts)
        return demands

    def _no_way(self, impossible: dict[int, set[int]]) -> InfeasibleError:
        cells = sorted({int(self.demands.cells[d]) for d in impossible})
        relations: set[int] = set()
        for demand, seats in list(impossible.items())[:_EXPLAINED]:
            sign = float(np.sign(self.demands.amounts[demand]))
            cell = int(self.demands.cells[demand])
            relations.update(farthest_move(self.problem, _of(min(seats)), cell, sign)[1])
        is_inside = all(min(seats) >= 0 for seats in impossible.values())
        whom = "from the place of a contributor" if is_inside else "from anybody"
        return InfeasibleError(
            f"No pattern protects {len(cells)} of {int(self.problem.unsafe.sum())} unsafe cells: even with every cell "
            f"hidden that may be, their levels are out of reach, {whom}. Lower their levels, unlock cells, or merge codes.",
            cells=cells,
            relations=sorted(relations),
        )

    def _meet(self, order: IntArray) -> None:
        from tacita.numeric.table_moves.pattern_search import meet_all

        at = 0
        with task("Protecting cells", len(order)) as running:
            while at < len(order):
                stop = min(at + _PIECE, len(order))
                done = meet_all(self._net, self._work, self._proofs, self._state, order, at, stop, _STEPS)
                if done < stop:
                    self._make_room()
                running.advance(done - at)
                at = done

    def _make_room(self) -> None:
        from tacita.numeric.table_moves.proofs import enlarged

        self._proofs = enlarged(self._proofs)

    # --- cheaper ---------------------------------------------------------------------------------------------------------

    def thin(self, *, exchanges: bool, until: float = np.inf) -> None:
        """Publish hidden cells that are not needed, the dearest first; with exchanges also where cheaper ones can stand in.

        The pattern stays safe whenever it is stopped, which is at a time by ``time.perf_counter``.
        """
        saved = np.inf
        while saved > 1e-9 * self.cost:
            # Without exchanges one pass is enough: what is needed among many cells is needed among fewer.
            cells = self._secondary
            order = cells[np.argsort(-self.problem.cost[cells], kind="stable")]
            at, saved = 0, 0.0
            while at < len(order):
                if time.perf_counter() > until:
                    return
                piece = order[at : at + _PIECE]
                allowed = -self.problem.cost[piece] * (1e-9 if exchanges else 1.0)
                done, gain = self._try(piece, np.ones(len(piece), np.int64), allowed, np.empty((len(piece), 0)))
                saved, at = saved + gain if exchanges else 0.0, at + done

    def _try(self, cells: IntArray, sizes: IntArray, allowed: FloatArray, dice: FloatArray) -> tuple[int, float]:
        from tacita.numeric.table_moves.trials import try_without

        done, saved = try_without(
            self._net, self._work, self._proofs, self._state, cells, sizes, allowed, dice, self._trial_steps
        )
        if done < len(cells):
            self._make_room()
        return int(done), float(saved)

    def improve(self, *, steps: float = np.inf, until: float = np.inf) -> BoolArray:
        """Anneal: publish a few cells that stand near each other, protect anew, and stay when it is cheap enough.

        Parameters
        ----------
        steps
            Work to spend, in steps of the simplex method.
        until
            Time to stop at, by ``time.perf_counter``.

        Returns
        -------
        hidden
            The cheapest safe pattern that was met. An interrupt ends the search, sets ``is_stopped``, and the pattern is
            returned.
        """
        best, least, begin, spent, done = self.hidden, self.cost, time.perf_counter(), -self.steps, 0.0
        try:
            with task("Looking for a cheaper pattern", 1.0) as running:
                while done < 1.0 and len(self._secondary):
                    spent += self._anneal(1.0 - done)  # a trial is work too when it takes no step
                    if self.cost < least:
                        best, least = self.hidden, self.cost
                    before, passed = done, time.perf_counter() - begin
                    done = max((spent + self.steps) / steps, passed / max(until - begin, 1e-9))
                    running.advance(min(done, 1.0) - before, note=f"cost {least:.6g}, {passed:.0f} s")
                self._draw_fees(_LITTLE)
                self.thin(exchanges=False)
        except KeyboardInterrupt:
            self.is_stopped = True  # a safe pattern is at hand
        return self.hidden if self.cost < least else best

    def _anneal(self, left: float) -> int:
        """Make some trials, the warmer the more is left of the search; returns how many."""
        cells = self._secondary
        self._draw_fees(_NOISE)
        heat = _HEAT * left * float(self.problem.cost[cells].mean())
        count = min(max(len(cells), 20), 500)
        first = cells[self.rng.integers(len(cells), size=count)]
        sizes = self.rng.integers(1, _WIDEST + 1, size=count)
        allowed = heat * self.rng.standard_exponential(count)
        self._try(first, sizes, allowed, self.rng.random((count, 2 * _WIDEST)))
        return count

    # --- proof -----------------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Look at every move again: it keeps the relations, stays within the bounds and uses hidden cells alone."""
        import scipy.sparse as sp

        proofs = self._proofs
        used = np.flatnonzero(proofs.owner >= 0)
        if not len(used) or not len(self.problem.relations):
            return
        length = proofs.length[used]
        start = np.concatenate([[0], np.cumsum(length)])
        entries = np.repeat(proofs.begin[used] - start[:-1], length) + np.arange(start[-1])
        cells, moves = proofs.entry_cell[entries], proofs.entry_move[entries]
        demand = proofs.owner[used]
        wanted = np.abs(proofs.amount[demand])
        table = sp.csr_array((moves, cells, start), shape=(len(used), self.problem.size))
        off = abs(table @ self.problem.relations.columns.T).max(axis=1)
        off = off.toarray().ravel() if sp.issparse(off) else np.asarray(off).ravel()
        room = np.where(moves > 0, self._net.room[cells, 0], self._net.room[cells, 1])
        reached = np.zeros(len(used))
        target = cells == np.repeat(proofs.cell[demand], length)
        reached[np.repeat(np.arange(len(used)), length)[target]] = moves[target]
        short = np.sign(proofs.amount[demand]) * reached < wanted - self.problem.tolerance()[proofs.cell[demand]]
        # A move that is for seats alone goes no farther than they ask.
        far = np.repeat(np.minimum(proofs.reach[used], 1.0), length)
        over = far * np.abs(moves) > room + 1e-6 * far * np.repeat(wanted, length)
        if np.any(off > 1e-6 * wanted) or over.any() or short.any() or not self._state.hidden[cells].all():
            raise TacitaError("A proof of protection does not hold; this is a fault of the search for moves.")


def _of(seat: int) -> int | None:
    """The seat of a number, None for the outsider's -1."""
    return seat if seat >= 0 else None
