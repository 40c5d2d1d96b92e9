"""The tree over the bins of a variable: runs of neighbouring bins that lie in each other or apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tacita.core.errors import ParameterError

__all__ = ["BinNode", "run_parents"]


@dataclass(frozen=True)
class BinNode:
    """One choice that a user has: a bin, or a run of neighbouring bins.

    Parameters
    ----------
    number
        Bins have the numbers of their codes; runs come after them, larger ones first.
    label
        What it is called.
    first, last
        The first and the last of its bins.
    parent
        Number of the smallest run that it is part of; None at the top.

    Examples
    --------
    >>> BinNode(4, "up to 2", 0, 1, None).leaves
    (0, 1)
    """

    number: int
    label: str
    first: int
    last: int
    parent: int | None

    @property
    def leaves(self) -> tuple[int, ...]:
        """The bins it is made of."""
        return tuple(range(self.first, self.last + 1))


def run_parents(runs: Sequence[tuple[int, int]]) -> list[int | None]:
    """Return for each run, the first and last of its bins, the place of the smallest run that it lies in.

    Raises
    ------
    ParameterError
        When two runs overlap without one lying in the other, or one stands twice.

    Complexity
    ----------
    O(r log r) for r runs.

    Examples
    --------
    >>> run_parents([(0, 3), (0, 1), (2, 3), (0, 0)])
    [None, 0, 0, 1]
    """
    parents: list[int | None] = [None] * len(runs)
    around: list[int] = []
    for place in sorted(range(len(runs)), key=lambda i: (runs[i][0], -runs[i][1])):
        first, last = runs[place]
        while around and runs[around[-1]][1] < first:
            around.pop()
        if around:
            outer = runs[around[-1]]
            if last > outer[1] or (first, last) == outer:
                raise ParameterError(
                    f"Bins: 'tree' must have runs that lie in each other or apart, got {list(outer)} and {[first, last]}."
                )
            parents[place] = around[-1]
        around.append(place)
    return parents
