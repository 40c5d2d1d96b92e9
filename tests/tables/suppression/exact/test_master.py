"""The master problem: partner rows, relaxation, whole solutions and what is fixed."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.tables.suppression.exact.block_form import cores_of
from tacita.tables.suppression.exact.cuts import Cut
from tacita.tables.suppression.exact.master import Master, partner_cuts
from tests.tables.small_problems import grid
from tests.tables.suppression_cases import SQUARE


def test_partner_rows() -> None:
    (core,) = cores_of(grid(SQUARE, unsafe=[(0, 0)], level=3.0))
    cuts = partner_cuts(core)
    unsafe = [cut for cut in cuts if cut.side == 1.0]
    assert sorted(cut.cells.tolist() for cut in unsafe) == [[1, 2, 3], [4, 8, 12]]
    # Six relations without the unsafe cell, four cells each: whoever is hidden needs one of the other three.
    assert len(cuts) - len(unsafe) == 24
    alone = core.forced.astype(float)
    alone[5] = 1.0
    assert sum(cut.missing(alone) > 0 for cut in cuts) == 2 + 2


def test_two_unsafe_cells_are_partners() -> None:
    (core,) = cores_of(grid(SQUARE, unsafe=[(0, 0), (0, 1)], level=3.0))
    assert all(0 not in cut.cells or 1 not in cut.cells for cut in partner_cuts(core))


def test_relaxed_and_whole() -> None:
    problem = grid(SQUARE, unsafe=[(0, 0)], level=3.0)
    (core,) = cores_of(problem)
    master = Master(core)
    master.add([])
    pairs = [(1, 2), (2, 3), (1, 3)]
    master.add([Cut(np.array(pair), np.ones(2)) for pair in pairs])
    assert len(master) == 3
    assert master.relaxed(9.0).objective == pytest.approx(1 + 1.5)
    everything = np.ones(core.size, bool)
    answer = master.whole(9.0, 0.0, everything, None, lambda *_: False)
    assert answer.objective == pytest.approx(3.0)
    fixed = np.arange(core.size) == 1
    published = everything & (np.arange(core.size) != 1)
    kept = master.whole(9.0, 0.0, published, fixed, lambda *_: False)
    assert kept.values[1] == 0.0
    assert kept.objective == pytest.approx(3.0)
    high = np.where(np.arange(core.size) == 2, 0.0, 1.0)
    master.fix(np.zeros(core.size), high)
    assert master.whole(9.0, 0.0, everything, None, lambda *_: False).values[[1, 2, 3]].tolist() == [1.0, 0.0, 1.0]
