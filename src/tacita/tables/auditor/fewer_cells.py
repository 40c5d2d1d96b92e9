"""The attacker's cells with one for all that move by the same amount, to look for moves among fewer.

A relation with two hidden cells that are a total and its only hidden part makes them move alike, so one variable stands for
both, with the smaller of their rooms; what somebody knows of one of them is known of all. Deep tables of few contributors lose
two thirds of their cells by that. Nothing rests on it: a move is brought back to all cells and checked against every relation
and bound of the table, and a bound is proven by relations of the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.tables.auditor.knowledge import Known
from tacita.tables.auditor.polytope import Polytope

__all__ = ["FewerCells"]


@dataclass(frozen=True, eq=False)
class FewerCells:
    """Groups of cells of a polytope that move alike, with the relations between groups.

    Parameters
    ----------
    place
        Group of each cell of the polytope.
    start, members
        The cells of each group, one group after the other.
    rows
        The relation of the polytope that each relation between groups comes from.
    tie_start, ties
        The relations of the polytope inside each group.
    net
        The relations between groups, and how far each group can go up and down.
    """

    place: IntArray = field(repr=False)
    start: IntArray = field(repr=False)
    members: IntArray = field(repr=False)
    rows: IntArray = field(repr=False)
    tie_start: IntArray = field(repr=False)
    ties: IntArray = field(repr=False)
    net: Any = field(repr=False)

    @classmethod
    def of(cls, polytope: Polytope, *, merges: bool = True) -> FewerCells:
        """Find what moves alike. O(entries of the relations) for each turn, of which there are as many as chains are nested.

        Parameters
        ----------
        polytope
            The attacker's polytope.
        merges
            Whether to look; otherwise each cell is a group of its own.
        """
        from tacita.numeric.table_moves.workspace import make_net

        place, matrix = _merged(polytope.by_row) if merges else (np.arange(len(polytope)), polytope.by_row.tocsr())
        count = matrix.shape[1]
        order = np.argsort(place, kind="stable").astype(np.int64)
        length = np.diff(matrix.indptr)
        kept = np.flatnonzero(length > 0)
        inside = np.flatnonzero((length == 0) & (np.diff(polytope.by_row.indptr) > 0))
        owner = place[polytope.by_row.indices[polytope.by_row.indptr[inside]]]
        by_owner = np.argsort(owner, kind="stable")
        up, down = np.full(count, np.inf), np.full(count, np.inf)
        np.minimum.at(up, place, polytope.up)
        np.minimum.at(down, place, polytope.down)
        left = matrix[kept]
        return cls(
            place=place.astype(np.int64),
            start=np.searchsorted(place[order], np.arange(count + 1)).astype(np.int64),
            members=order,
            rows=kept.astype(np.int64),
            tie_start=np.searchsorted(owner[by_owner], np.arange(count + 1)).astype(np.int64),
            ties=inside[by_owner].astype(np.int64),
            net=make_net(left, left.tocsc(), up, down),
        )

    def __len__(self) -> int:
        return len(self.start) - 1

    def most(self, values: FloatArray) -> FloatArray:
        """Return the largest value among the cells of each group."""
        found = np.full(len(self), -np.inf)
        np.maximum.at(found, self.place, values)
        return found

    def known(self, known: Known) -> Known:
        """What somebody who knows this of cells knows of groups."""
        if not len(known.held):
            return Known(np.unique(self.place[known.fixed]))
        held, at = np.unique(self.place[known.held], return_inverse=True)
        room = np.full(len(held), np.inf)
        np.minimum.at(room, at.ravel(), known.room)
        return Known(np.unique(self.place[known.fixed]), held, room)

    def back(self, groups: IntArray, moves: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return a move of groups as one of their cells."""
        return _gathered(self.start, self.members, groups), np.repeat(moves, np.diff(self.start)[groups])

    def explained(self, group: int, rows: IntArray) -> IntArray:
        """Return relations of the polytope that say what relations between groups say, and what ties the groups."""
        net = self.net
        touched = _gathered(net.row_start, net.row_cells, rows)
        groups = np.unique(np.append(touched, group))
        return np.unique(np.concatenate([self.rows[rows], _gathered(self.tie_start, self.ties, groups)]))


def _gathered(start: IntArray, entries: IntArray, lists: IntArray) -> IntArray:
    """The entries of some lists, one list after the other."""
    count = start[lists + 1] - start[lists]
    first = np.repeat(start[lists] - np.cumsum(count) + count, count)
    found: IntArray = entries[first + np.arange(int(count.sum()))]
    return found


def _merged(rows: Any) -> tuple[IntArray, Any]:
    """Return the group of each cell, and the relations of groups; each turn merges what became a pair by the last."""
    import scipy.sparse as sp
    from scipy.sparse.csgraph import connected_components

    matrix = sp.csr_array(rows)
    place = np.arange(matrix.shape[1])
    while True:  # ends: groups become fewer in every turn but the last
        matrix.eliminate_zeros()
        pairs = _pairs(matrix)
        n = matrix.shape[1]
        if not len(pairs):
            return place, matrix
        ones = np.ones(len(pairs))
        ties = sp.coo_array((ones, (matrix.indices[pairs], matrix.indices[pairs + 1])), shape=(n, n))
        count, label = connected_components(ties, directed=False)
        place = label[place]
        onto = sp.csr_array((np.ones(n), (np.arange(n), label)), shape=(n, count))
        matrix = sp.csr_array(matrix @ onto)


def _pairs(matrix: Any) -> IntArray:
    """Where the relations begin that are a total and its only part."""
    first = matrix.indptr[:-1][np.diff(matrix.indptr) == 2]
    alike: BoolArray = matrix.data[first] == -matrix.data[first + 1]
    found: IntArray = first[alike]
    return found
