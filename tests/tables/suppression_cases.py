"""Small problems with few cells to hide, as cores, for the tests of exact suppression."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from tacita.tables.protect.problem import Problem
from tacita.tables.suppression.exact.block_form import Core, cores_of
from tests.oracles.tables.suppression import is_safe_oracle
from tests.tables.small_problems import random_problem

BoolArray = npt.NDArray[np.bool_]

SQUARE = np.array([[3.0, 20.0, 9.0], [15.0, 12.0, 7.0], [6.0, 11.0, 8.0]])


def solvable(seed: int, *, most: int) -> tuple[Problem, Core] | None:
    """A random problem of one block that can be protected; None where the seed gives none."""
    rng = np.random.default_rng(seed)
    made = random_problem(rng, small=bool(rng.random() < 0.3))
    free = np.flatnonzero(made.can_hide & ~made.unsafe)
    locked = np.zeros(made.size, bool)
    locked[rng.permutation(free)[most:]] = True
    made = replace(
        made,
        cost=np.round(rng.uniform(0.2, 9, made.size), 2),
        locked=locked,
        below=0.1 * made.below,
        above=0.1 * made.above,
        sliding=0.1 * made.sliding,
    )
    cores = cores_of(made)
    if len(cores) != 1 or not is_safe_oracle(made, made.unsafe | made.can_hide):
        return None
    return made, cores[0]


def whole(problem: Problem, core: Core, hidden: BoolArray) -> BoolArray:
    """The pattern of a core as one of all cells."""
    full = problem.unsafe.copy()
    full[core.cells] = hidden
    return full


def safe_patterns(problem: Problem, core: Core) -> Iterator[BoolArray]:
    """Every safe pattern of a core."""
    free = np.flatnonzero(~core.forced).tolist()
    for count in range(len(free) + 1):
        for chosen in combinations(free, count):
            hidden = core.forced.copy()
            hidden[list(chosen)] = True
            if is_safe_oracle(problem, whole(problem, core, hidden)):
                yield hidden
