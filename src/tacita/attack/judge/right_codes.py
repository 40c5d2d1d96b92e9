"""Right codes: a truth with several right answers for each victim, such as the queries that he asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["RightCodes"]


@dataclass(frozen=True, eq=False)
class RightCodes:
    """What is right of each victim, and how often each answer is right of somebody else.

    Parameters
    ----------
    matrix
        A sparse matrix of victims x codes: where it is not zero, the code is right of the victim.
    shares
        For each code the share of all people of whom it is right: the chance that it is right of somebody unknown.

    Examples
    --------
    >>> from scipy import sparse
    >>> asked = RightCodes(sparse.csr_array([[1, 0, 1], [1, 0, 0]]), np.array([1.0, 0.0, 0.5]))
    >>> asked.right(np.array([2, 2])).tolist(), asked.chance(np.array([2, 0]))
    ([True, False], 0.75)
    """

    matrix: Any
    shares: FloatArray

    def __len__(self) -> int:
        return int(self.matrix.shape[0])

    def right(self, said: IntArray) -> BoolArray:
        """Return which claims are right; nothing said is not."""
        found = np.zeros(len(said), bool)
        there = np.flatnonzero(said >= 0)
        if len(there):
            found[there] = np.asarray(self.matrix[there, said[there]]).ravel() != 0
        return found

    def chance(self, said: IntArray) -> float:
        """Return the share of the victims of whom the same claims would be right if others had been asked."""
        if not len(said):
            return 0.0
        return float(np.append(self.shares, 0.0)[np.where(said >= 0, said, len(self.shares))].mean())

    def among(self, chosen: IntArray) -> RightCodes:
        """Return what is right of some of the victims."""
        return replace(self, matrix=self.matrix[chosen])
