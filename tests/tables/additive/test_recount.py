"""The recount sees every promise that is broken."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.tables.additive.recount import recount_table
from tacita.tables.model.relations import Relations

ROWS = Relations.of([(0, [1, 2, 3])], 4)
TRUTH = np.array([9, 1, 8, 0])


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ([9, 0, 9, 0], ""),
        ([9, 0, 8, 0], "broken"),
        ([9, 1, 8, 0], "small"),
        ([9, -1, 10, 0], "small"),
        ([12, 0, 9, 3], "filled"),
        ([15, 3, 12, 0], "beyond"),
        ([10, 0, 10, 0], "moved"),
    ],
)
def test_a_planted_fault_is_seen(values: list[int], fault: str) -> None:
    found = recount_table(
        ROWS, TRUTH, np.array(values), D=3, smallest=3, fixed=np.array([fault == "moved", False, False, False])
    )
    wrong = {name for name in ("broken", "small", "filled", "beyond", "moved") if len(getattr(found, name))}
    assert (fault in wrong) if fault else not wrong
    assert found.is_within == (not fault)
    assert found.holds == (fault in {"", "beyond"})
    assert ("sums hold" in found.words()) == (not fault)


def test_deviations_are_over_cells_with_somebody() -> None:
    found = recount_table(ROWS, TRUTH, np.array([12, 3, 9, 0]), D=3, smallest=3)
    assert (found.largest, found.mean) == (3, 2.0)
    assert recount_table(ROWS, np.zeros(4, int), np.zeros(4, int), D=3, smallest=3).mean == 0.0
