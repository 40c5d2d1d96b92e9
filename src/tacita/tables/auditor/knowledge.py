"""What somebody knows of hidden cells beside what everybody knows: some exactly, of others a floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.tables.auditor.polytope import Polytope
from tacita.tables.protect.problem import Problem

__all__ = ["NOTHING", "Known"]


@dataclass(frozen=True, eq=False)
class Known:
    """Hidden cells as positions in a polytope.

    Parameters
    ----------
    fixed
        Cells that are known exactly.
    held
        Cells with a floor, in rising order.
    room
        How far under its true value each of them can be.
    """

    fixed: IntArray = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    held: IntArray = field(default_factory=lambda: np.empty(0, np.int64), repr=False)
    room: FloatArray = field(default_factory=lambda: np.empty(0), repr=False)

    @classmethod
    def of(cls, problem: Problem, polytope: Polytope, seat: int) -> Known:
        """What a seat knows of the cells of a polytope."""
        cells, room = problem.known_from(seat)
        at = polytope.place[cells]
        there = at >= 0
        at, room = at[there], room[there]
        tells = (room >= 0) & (room < polytope.down[at])
        held, left = at[tells], room[tells]
        order = np.argsort(held)
        return cls(at[room < 0], held[order], left[order])

    @classmethod
    def together(cls, several: Sequence[Known]) -> Known:
        """What all of them know, put together."""
        held = np.concatenate([each.held for each in several])
        room = np.concatenate([each.room for each in several])
        order = np.lexsort((room, held))
        held, room = held[order], room[order]
        first = np.append(True, held[1:] != held[:-1])[: len(held)]
        return cls(np.unique(np.concatenate([each.fixed for each in several])), held[first], room[first])

    @cached_property
    def fixed_set(self) -> frozenset[int]:
        """The cells that are known exactly."""
        return frozenset(self.fixed.tolist())

    @cached_property
    def floors(self) -> tuple[tuple[int, float], ...]:
        """The cells with a floor, each with how far it can be under its true value."""
        return tuple(zip(self.held.tolist(), self.room.tolist(), strict=True))

    def down(self, cells: IntArray) -> FloatArray:
        """Return how far under its true value each of these cells can be by a floor; infinity without one."""
        if not len(self.held):
            return np.full(len(cells), np.inf)
        at = np.minimum(np.searchsorted(self.held, cells), len(self.held) - 1)
        return np.where(self.held[at] == cells, self.room[at], np.inf)

    def with_fixed(self, cells: IntArray) -> Known:
        """The same with more cells that do not move."""
        return Known(np.append(self.fixed, cells), self.held, self.room)


NOTHING = Known()
