"""Decimals of changed values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.tables.adjustment.adjust import Adjust
from tacita.tables.protect.even_decimals import with_even_decimals, without_noise
from tacita.tables.protect.protected import Protected
from tacita.tables.rules.named_cells import NamedCells
from tests.tables.tables_by_hand import row_of


@pytest.fixture
def moved() -> Protected:
    """12 must move by 2.5 % or more: to 12.3, among whole numbers."""
    table = row_of([[10.0, 2.0], [20.0, 5.0], [7.0, 1.0]])
    return Adjust(time_limit=5).protect(table, NamedCells(cells=[{"cell": "c0"}], span=2.5).judge(table))


def test_noise_of_sums_is_left_out() -> None:
    assert without_noise(np.array([0.1 + 0.2, 1e-20, 547109024.5689999])).tolist() == [0.3, 1e-20, 547109024.569]


def test_changed_values_get_the_decimals_of_the_others(moved: Protected) -> None:
    assert np.any(moved.values != np.rint(moved.values))
    found, decimals = with_even_decimals(moved)
    assert decimals is None
    assert np.array_equal(found.values, np.rint(found.values))
    assert not np.any(moved.table.relations.residuals(found.values))
    assert abs(found.values[1] - 12.0) >= 0.3  # the level still holds
    assert len(found.notes) == len(moved.notes) + 1


def test_values_that_were_not_changed_stay(moved: Protected) -> None:
    same = replace(moved, values=moved.table.values)
    assert with_even_decimals(same) == (same, None)


def test_multiples_of_a_base_tell_nothing(moved: Protected) -> None:
    rounded = replace(moved, values=np.array([45.0, 12.5, 25.0, 7.5]), base=2.5)
    assert with_even_decimals(rounded) == (rounded, None)
