"""Hidden cells: what follows of them from what was published, for outsiders and from every contributor's seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.tables.known_bounds import claimed_cells, known_bounds
from tacita.attack.tables.seat_view import SeatView
from tacita.attack.targets import TableTarget
from tacita.core.parameters import Interval
from tacita.core.progress import task
from tacita.core.traits import AttackTraits
from tacita.solve.cell_intervals import CellSystem

__all__ = ["HiddenCells"]


@dataclass(frozen=True, kw_only=True)
class HiddenCells(Attacker):
    """Solve for hidden cells: the least and the most that each can be, by linear programmes.

    An outsider knows the published cells, the sums and what everybody knows beforehand. A contributor knows his own amounts too:
    a cell that he is in is not smaller, and one that he is alone in he knows. What he is after is the amount of another: at most
    the upper end of the cell less what he has in it himself.

    Parameters
    ----------
    tolerance
        How wide the interval of a cell may be for the cell to count as known: half of it, as a share of its lower end.
    guesses
        Whether the middle of wider intervals is claimed too, as ``estimate``.
    integer
        Whether cells are solved for in whole numbers where they are counts; otherwise ends are rounded inwards.
    most_tried
        Linear programmes for one victim from the seats; the best seat that they found counts.

    Complexity
    ----------
    O(v) linear programmes for v victims, each in the hidden cells that hang together with the victim, from the last basis; with
    seats at most ``most_tried`` more for each.

    Notes
    -----
    This does not share a line with the auditor of tables beyond the solver. An interval says what is possible and not what is
    likely, so that by default nothing is said of a cell whose interval is wide. Rules that protect contributors let a total be
    known well where many small ones are in it; who is near to a contributor is told by what is claimed of him.

    The condition of the p % rule from a seat is that its upper end less its own amount is at least ``1 + p / 100`` times the
    victim's amount. What this claims of a contributor is that difference: it is near the amount where the condition is broken.

    References
    ----------
    Fischetti, M. and Salazar, J. J. (2001), Solving the cell suppression problem on tabular data with linear constraints,
    Management Science 47(7), 1008-1027: the attacker's programmes.

    Examples
    --------
    One hidden cell with its total shown.

    >>> import numpy as np, scipy.sparse as sp
    >>> shown = np.array([10.0, 4.0, np.nan])
    >>> target = TableTarget(relations=sp.csr_matrix([[1.0, -1, -1]]), shown=shown, wanted=np.array([2]),
    ...                      lower=np.zeros(3), upper=np.full(3, np.inf))
    >>> HiddenCells().run(target, np.random.default_rng(1))[0].said.tolist()
    [6.0]
    """

    name = "hidden_cells"
    title = "Hidden cells from the sums"
    traits = AttackTraits(
        against="table",
        learns="value",
        knows="all published cells, their sums, and from each seat what that contributor has himself",
        breaks="suppression of the unsafe cells alone; suppression that forgets contributors",
        held_by="suppression that is audited from every contributor's seat",
    )

    tolerance: Annotated[float, Interval(0, 1)] = 0.001
    guesses: bool = False
    integer: bool = False
    most_tried: Annotated[int, Interval(1)] = 64

    def declined(self, target: Any) -> str:
        if not isinstance(target, TableTarget):
            return "There are no cells with sums."
        return "" if target.hidden[target.wanted].any() else "No cell that is wanted is hidden."

    def cost(self, target: Any) -> float:
        each = 2e-4 + 2e-7 * float(target.relations.nnz)
        from_seats = 25.0 if target.sought is not None and target.seats else 0.0
        return float(target.victims) * each * (1.0 + from_seats)

    def run(self, target: TableTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng  # nothing is drawn
        lower, upper = known_bounds(target)
        is_whole = self.integer and target.is_count
        system = CellSystem(target.relations, lower, upper, whole=is_whole)
        ends = system.intervals(target.wanted)
        found = claimed_cells(
            target,
            ends,
            tolerance=self.tolerance,
            guesses=self.guesses,
            impossible="The published cells do not add up, so that nothing can be solved for; say how far they may be changed.",
        )
        return found if target.sought is None else (*found, self._of_contributors(target, system))

    def _of_contributors(self, target: TableTarget, system: CellSystem) -> Claims:
        """Claim the largest amount that a victim can have, as the seat sees it that learns most."""
        view = SeatView(system, target.seats, most_tried=self.most_tried)
        said, who = np.full(target.victims, np.nan), np.full(target.victims, -1, np.int64)
        sought = np.full(target.victims, -1, np.int64) if target.sought is None else target.sought
        with task("Attacking from the seats", target.victims) as running:
            for i, cell in enumerate(target.wanted.tolist()):
                said[i], who[i] = view.nearest(cell, without=int(sought[i]))
                running.advance()
        from_seats = int((who >= 0).sum())
        return Claims(
            about="contributor",
            said=np.where(np.isfinite(said), said, np.nan),
            learned=f"Of {from_seats} cells a contributor inside the table says more than an outsider."
            if from_seats
            else "",
            figures={"from_seats": float(from_seats)},
        )
