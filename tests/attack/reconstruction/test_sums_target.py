"""The target of subset sums: fewer victims of the same people."""

from __future__ import annotations

import numpy as np

from tacita.attack import SumsTarget


def test_fewer_victims_of_the_same_people() -> None:
    target = SumsTarget(answer=lambda sets: sets.sum(1).astype(float), people=9, chosen=np.arange(9))
    fewer = target.among(np.array([2, 5]))
    assert (target.victims, fewer.victims, fewer.people) == (9, 2, 9)
    assert fewer.among(np.array([1])).chosen.tolist() == [5]
