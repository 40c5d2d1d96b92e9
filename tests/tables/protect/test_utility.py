"""Utility of protected tables, counted by hand."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.tables.protect.utility import table_utility

VALUES = np.array([100.0, 40.0, 60.0, 0.0, 5.0])


def test_hidden_cells_by_hand() -> None:
    hidden = np.array([False, True, True, False, False])
    found = table_utility(VALUES, hidden=hidden, unsafe=np.array([False, True, False, False, False]))
    assert (found.cells, found.hidden, found.secondary) == (5, 2, 1)
    assert found.hidden_share == pytest.approx(0.4)
    assert found.hidden_value == 100
    assert found.hidden_value_share == pytest.approx(100 / 205)
    assert (found.whole.cells, found.whole.hidden, found.whole.changed) == (3, 2, 0)
    assert found.whole.largest_absolute == 0


def test_distances_by_hand() -> None:
    after = np.array([100.0, 44.0, 56.0, 0.0, 4.0])
    whole = table_utility(VALUES, after).whole
    assert (whole.changed, whole.cells) == (3, 5)
    assert whole.mean_absolute == pytest.approx(9 / 5)
    assert whole.largest_absolute == 4
    assert whole.mean_relative == pytest.approx((0 + 0.1 + 4 / 60 + 0.2) / 4)
    assert whole.largest_relative == pytest.approx(0.2)
    squares = sum((math.sqrt(a) - math.sqrt(x)) ** 2 for a, x in zip(VALUES, after, strict=True))
    assert whole.hellinger == pytest.approx(math.sqrt(squares / 2))


def test_classes_by_size() -> None:
    found = table_utility(VALUES, VALUES + 1, edges=(0.0, 10.0, 50.0))
    assert [(part.label, part.cells) for part in found.classes] == [
        ("up to 0", 1),
        ("over 0 up to 10", 1),
        ("over 10 up to 50", 1),
        ("over 50", 2),
    ]
    assert all(part.mean_absolute == 1 for part in found.classes)


def test_classes_by_level() -> None:
    found = table_utility(VALUES, VALUES, levels=np.array([0, 1, 1, 2, 2]))
    assert [(part.label, part.cells) for part in found.classes] == [("level 0", 1), ("level 1", 2), ("level 2", 2)]


def test_totals() -> None:
    totals = np.array([True, False, False, False, False])
    assert table_utility(VALUES, VALUES + np.array([0, 3, -3, 0, 0]), totals=totals).keeps_totals
    moved = table_utility(VALUES, VALUES + np.array([2, 0, 2, 0, 0]), totals=totals)
    assert not moved.keeps_totals
    assert moved.totals.largest_absolute == 2
    assert not table_utility(VALUES, hidden=totals, totals=totals).keeps_totals


def test_a_missing_value_counts_as_hidden() -> None:
    found = table_utility(VALUES, np.array([100.0, np.nan, 60.0, 0.0, 5.0]))
    assert (found.hidden, found.whole.cells) == (1, 4)


def test_negative_values_are_left_out_of_hellinger() -> None:
    found = table_utility(np.array([-4.0, 9.0]), np.array([-5.0, 16.0]))
    assert found.whole.hellinger == pytest.approx(math.sqrt(0.5))
    assert found.whole.mean_absolute == 4


def test_nothing_at_all() -> None:
    found = table_utility(np.empty(0), np.empty(0))
    assert (found.cells, found.hidden_share, found.whole.mean_absolute) == (0, 0, 0)


def test_plain_form_is_json() -> None:
    plain = table_utility(VALUES, VALUES + 1).to_plain()
    again = json.loads(json.dumps(plain))
    assert again["whole"]["changed"] == 5
    assert again["keeps_totals"] is True


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="give the 'protected' values"):
        table_utility(VALUES)
    with pytest.raises(ParameterError, match="'hidden' must have one entry"):
        table_utility(VALUES, hidden=np.zeros(3, bool))
    with pytest.raises(ParameterError, match="'edges' must be increasing"):
        table_utility(VALUES, VALUES, edges=(5.0, 1.0))
