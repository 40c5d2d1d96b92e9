"""A callable that says how many people of a set have a property, as the theory of reconstruction has it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from tacita.attack.targets import AttackTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["SumsTarget"]


@dataclass(frozen=True, eq=False, kw_only=True)
class SumsTarget(AttackTarget):
    """Somebody who answers how many people of any set have a property, perhaps not exactly.

    Parameters
    ----------
    answer
        The answers: (q, n) sets, true for the people who are in each, go in; (q,) numbers come out, NaN where one is refused.
    people
        How many people there are; the attacker can tell them apart.
    chosen
        The victims among them.
    most_queries
        Questions that he can afford.
    """

    answer: Callable[[BoolArray], FloatArray]
    people: int
    chosen: IntArray
    most_queries: int = 100_000

    @property
    def victims(self) -> int:
        return len(self.chosen)

    def among(self, chosen: IntArray) -> Self:
        return replace(self, chosen=np.asarray(self.chosen[chosen], np.int64))
