"""Cuts: by hand, trimmed and sharpened, and never against a safe pattern."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tacita.tables.suppression.exact.block_attack import BlockAttack
from tacita.tables.suppression.exact.block_form import cores_of
from tacita.tables.suppression.exact.cuts import bridge_cut, combination, level_cut
from tacita.tables.suppression.exact.separation import Separator
from tests.effort import examples
from tests.tables.small_problems import grid
from tests.tables.suppression_cases import SQUARE, safe_patterns, solvable


def test_cut_of_one_row_by_hand() -> None:
    """The first row: 3 + 20 + 9 = 32. Up by 10 needs the total, or 20, or 9 and more: 9 counts nine tenths."""
    (core,) = cores_of(grid(SQUARE, unsafe=[(0, 0)], level=10.0))
    weights = np.zeros(core.rows.shape[0])
    weights[0] = 1.0
    r = combination(core, weights, 0)
    assert r is not None
    assert r[:4].tolist() == [0.0, -1.0, -1.0, 1.0]
    y = core.forced.astype(float)
    up = level_cut(core, [(r, 1)], 10.0, (core.down, core.up), y)
    assert up is not None
    assert dict(zip(up.cells.tolist(), up.weights.tolist(), strict=True)) == {1: 1.0, 2: 0.9, 3: 1.0}
    # With 9 hidden the last tenth is missing: any of the other two must go.
    y[2] = 1.0
    sharp = level_cut(core, [(r, 1)], 10.0, (core.down, core.up), y)
    assert sharp is not None
    assert (sharp.cells.tolist(), sharp.weights.tolist()) == ([1, 3], [1.0, 1.0])
    assert sharp.missing(y) == 1.0
    known = np.isin(np.arange(core.size), [1, 3])
    seat = level_cut(core, [(r, 1)], 10.0, (np.where(known, 0.0, core.down), np.where(known, 0.0, core.up)), y)
    assert seat is not None
    assert len(seat.cells) == 0, "who knows the other two cells cannot be kept out"
    down = core.down.copy()
    down[1] = 4.0
    floor = level_cut(core, [(r, 1)], 10.0, (down, core.up), core.forced.astype(float))
    assert floor is not None, "who has 16 of the 20 knows that the cell falls by 4 at most"
    assert dict(zip(floor.cells.tolist(), floor.weights.tolist(), strict=True)) == {1: 0.4, 2: 0.9, 3: 1.0}


def test_cut_of_a_sliding_level_adds_both_sides() -> None:
    (core,) = cores_of(grid(SQUARE, unsafe=[(0, 0)], level=10.0))
    weights = np.zeros(core.rows.shape[0])
    weights[0] = 1.0
    r = combination(core, weights, 0)
    assert r is not None
    cut = level_cut(core, [(r, 1), (r, -1)], 40.0, (core.down, core.up), core.forced.astype(float))
    assert cut is not None
    # Nobody bounds any cell from above, so each of the three can slide alone.
    assert cut.weights.tolist() == [1.0, 1.0, 1.0]


def test_nothing_to_say() -> None:
    (core,) = cores_of(grid(SQUARE, unsafe=[(0, 0), (0, 1)], level=3.0))
    weights = np.zeros(core.rows.shape[0])
    assert combination(core, weights, 0) is None
    weights[0] = 1.0
    r = combination(core, weights, 0)
    assert r is not None
    assert level_cut(core, [(r, 1)], 3.0, (core.down, core.up), np.zeros(core.size)) is None, (
        "the other unsafe cell gives way"
    )
    assert bridge_cut(core, r, 0) is None


@settings(max_examples=examples(8), deadline=None)
@given(st.integers(0, 10**6))
def test_no_cut_is_against_a_safe_pattern(seed: int) -> None:
    """Level cuts hold for all safe patterns, bridge cuts for the cheapest."""
    case = solvable(seed, most=6)
    assume(case is not None)
    assert case is not None
    problem, core = case
    separator = Separator(core, BlockAttack(core))
    rng = np.random.default_rng(seed)
    safe = [pattern.astype(float) for pattern in safe_patterns(problem, core)]
    best = min(safe, key=lambda pattern: float(core.cost @ pattern))
    for share in (0.0, 0.3, 0.7):
        y = np.where(core.forced, 1.0, rng.random(core.size) * (rng.random(core.size) < share))
        for cut in separator.at(y, 50, lambda: False):
            assert cut.missing(y) > 0
            assert max(cut.missing(pattern) for pattern in safe) <= 1e-6
        for cut in separator.bridges(y, 50, lambda: False):
            assert cut.missing(y) > 0
            assert cut.missing(best) <= 1e-9
    assert best.sum() == pytest.approx(np.rint(best.sum()))
