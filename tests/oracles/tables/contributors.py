"""What every contributor can find out: one linear programme for each of them, with nothing taken from the product.

The table is built again from the records: cells by the codes of the dimensions, sums by the dimensions' own lists, the
amount of every unit and every holding in every cell. Each of them sits down in turn, whoever the product counts as an attacker:

* he knows all published cells and that no amount is negative;
* he knows what he has in every cell, so a hidden cell is not smaller than that;
* a cell that he is alone in he knows, unless he was sampled and stands for others there too.

He asks for the largest value u of a hidden cell. The p % condition is broken when ``u - own < (1 + p / 100) victim``, where
the victim is the largest contributor to the cell who is not under one control with him.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.optimize import linprog

from tacita.tables.model.dimension import Dimension
from tests.oracles.tables.tables import leaves_under

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

SLACK = 1e-6
"""Share of the victim's amount that counts as rounding of the solver."""


@dataclass(frozen=True, eq=False)
class Records:
    """What the office has: for each record its codes, its amount, and who stands behind it.

    ``labels`` has one list of codes for each dimension; ``units`` and ``holdings`` are numbers from 0. Cells are weighted
    sums; a firm knows its amount, not how many firms it stands for.
    """

    labels: Sequence[Sequence[str]]
    amounts: FloatArray
    weights: FloatArray
    units: IntArray
    holdings: IntArray


@dataclass(frozen=True)
class Breach:
    """One contributor's amount in one cell is known too well to another contributor."""

    cell: int
    attacker: tuple[str, int]
    known_to: float
    """Upper estimate over the victim's amount, less 1: 0.022 means known to 2.2 percent."""


def membership(records: Records, dimensions: Sequence[Dimension], codes: IntArray) -> sp.csr_matrix:
    """(cells x records): which records a cell is made of."""
    axes = []
    for dimension, labels in zip(dimensions, records.labels, strict=True):
        inside = [leaves_under(dimension, code) for code in dimension.codes]
        column = np.array(labels, dtype=object)
        axes.append(np.array([np.isin(column, sorted(leaves)) for leaves in inside]))
    rows = [np.logical_and.reduce([axis[place] for axis, place in zip(axes, cell, strict=True)]) for cell in codes]
    return sp.csr_matrix(np.array(rows, dtype=float))


def sums(dimensions: Sequence[Dimension], codes: IntArray) -> sp.csr_matrix:
    """(sums x cells): every sum of every dimension at every combination of the others, among the cells that there are."""
    place = {tuple(cell): at for at, cell in enumerate(codes.tolist())}
    rows: dict[tuple[tuple[int, float], ...], None] = {}
    for axis, dimension in enumerate(dimensions):
        for total, parts in dimension.sums:
            top, below = dimension.codes.index(total), [dimension.codes.index(part) for part in parts]
            for cell, at in place.items():
                if cell[axis] != top:
                    continue
                found = [place.get((*cell[:axis], part, *cell[axis + 1 :])) for part in below]
                entries = [(at, -1.0), *((part, 1.0) for part in found if part is not None)]
                rows[tuple(sorted(entries))] = None
    data = [(row, cell, sign) for row, entries in enumerate(rows) for cell, sign in entries]
    r, c, v = zip(*data, strict=True)
    return sp.csr_matrix((v, (r, c)), shape=(len(rows), len(codes)))


def amounts_of(groups: IntArray, records: Records, members: sp.csr_matrix) -> tuple[FloatArray, FloatArray]:
    """(groups x cells): what each group of records has in each cell, and with how many records that stand for themselves."""
    there = sp.csr_matrix((np.ones(len(groups)), (groups, np.arange(len(groups)))))
    amount = (there.multiply(records.amounts[None, :]).tocsr() @ members.T).toarray()
    for_itself = there.multiply((records.weights <= 1.0)[None, :]).tocsr()
    return amount, (for_itself @ members.T).toarray()


class Contributors:
    """All attackers of one table of records.

    Parameters
    ----------
    records
        The records.
    dimensions, codes
        The table: codes of each cell as places in the codes of the dimensions.
    """

    def __init__(self, records: Records, dimensions: Sequence[Dimension], codes: IntArray) -> None:
        members = membership(records, dimensions, codes)
        self.matrix = sums(dimensions, codes)
        self.values = np.asarray(members @ (records.weights * records.amounts)).ravel()
        self.size = np.asarray(members.sum(axis=1)).ravel()
        assert np.allclose(self.matrix @ self.values, 0.0, atol=1e-6 * max(1.0, np.abs(self.values).max()))
        self.by: dict[str, tuple[FloatArray, FloatArray]] = {
            "unit": amounts_of(records.units, records, members),
            "holding": amounts_of(records.holdings, records, members),
        }
        self.control = {"unit": _holding_of(records), "holding": np.arange(records.holdings.max() + 1)}

    def victims(self, level: str, attackers: str) -> FloatArray:
        """(attackers x cells): the largest amount of a contributor at a level who is not under one control with the attacker."""
        amount, control = self.by[level][0], self.control[level]
        largest = np.zeros((len(self.control["holding"]), amount.shape[1]))
        np.maximum.at(largest, control, amount)
        first, second = largest.argmax(axis=0), np.sort(largest, axis=0)[-2] if len(largest) > 1 else 0.0 * largest[0]
        mine = self.control[attackers][:, None] == first[None, :]
        found: FloatArray = np.where(mine, second, largest.max(axis=0))
        return found

    def breaches(self, hidden: BoolArray, targets: IntArray, *, p: float, level: str) -> list[Breach]:
        """Every attacker who comes within p percent of a contributor to one of the target cells.

        A table that agrees with all that an attacker knows and has the cell large enough proves that he does not; the tables
        that programmes find for one are tried on the others, shrunk towards the true table as far as their own amounts
        ask for it (the tables that agree with what somebody knows are convex). Whoever is left gets a programme.
        """
        found: list[Breach] = []
        outsider = np.zeros(len(self.values))
        for kind, (own, _) in self.by.items():
            alone, victims = self._alone(kind), self.victims(level, kind)
            for cell in targets.tolist():
                victim = victims[:, cell]
                goal = (1.0 + p / 100.0 - SLACK) * victim + own[:, cell]
                left = (victim > 0) & ~alone[:, cell]
                _, table = self._largest(cell, hidden, outsider, outsider > 0)
                while True:
                    left &= self._shown(cell, table, own, alone) < goal
                    if not left.any():
                        break
                    who = int(left.argmax())
                    high, table = self._largest(cell, hidden, own[who], alone[who])
                    left[who] = False
                    if high < goal[who]:
                        found.append(Breach(cell, (kind, who), (high - own[who, cell]) / victim[who] - 1.0))
        return found

    def _alone(self, kind: str) -> BoolArray:
        records_here = self.by[kind][1]
        alone: BoolArray = (records_here > 0) & (records_here == self.size[None, :])
        return alone

    def _shown(self, cell: int, table: FloatArray, own: FloatArray, alone: BoolArray) -> FloatArray:
        """How large each attacker must think the cell can be, who goes towards one table as far as he finds it possible."""
        move = table - self.values
        moved = np.abs(move) > 1e-9 * np.maximum(1.0, self.values)
        falls = np.flatnonzero(move < 0)
        room = np.maximum(self.values[falls] - own[:, falls], 0.0)
        step = np.min(np.minimum(room / -move[falls], 1.0), axis=1, initial=1.0)
        step[alone[:, moved].any(axis=1)] = 0.0
        shown: FloatArray = self.values[cell] + step * move[cell]
        return shown

    def _largest(self, cell: int, hidden: BoolArray, own: FloatArray, alone: BoolArray) -> tuple[float, FloatArray]:
        """The largest value of a cell that agrees with what an attacker knows, and a table that has it."""
        free = hidden & ~alone
        if not free[cell]:
            return float(self.values[cell]), self.values.copy()
        cells = np.flatnonzero(free)
        part = self.matrix[:, cells]
        part = part[np.diff(part.indptr) > 0]
        cost = np.where(cells == cell, -1.0, 0.0)
        # Moves from the true table: the sums of what is known stay as they are.
        ceiling = 1e3 * max(1.0, float(self.values.max()))
        low = -(self.values - np.clip(own, 0.0, self.values))[cells]
        answer = linprog(
            cost, A_eq=part, b_eq=np.zeros(part.shape[0]), bounds=[(lo, ceiling) for lo in low], method="highs"
        )
        assert answer.status == 0, answer.message
        table = self.values.copy()
        table[cells] += answer.x
        return float(table[cell]), table


def _holding_of(records: Records) -> IntArray:
    found = np.full(records.units.max() + 1, -1)
    found[records.units] = records.holdings
    return found
