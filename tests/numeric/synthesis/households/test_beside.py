"""What is known of the others when a member is drawn."""

from __future__ import annotations

import numpy as np

from tacita.numeric.synthesis.column_values import ColumnValues, NumberForm
from tacita.numeric.synthesis.households.beside import FIRST, LAST, PLACE, SECOND, beside, less_first, plus_first
from tacita.numeric.synthesis.households.homes import Homes

HOMES = Homes(np.array([4, 1]))
AGES = ColumnValues.of_numbers(np.array([50.0, 47.0, 20.0, 14.0, 80.0]))
WED = ColumnValues.of_classes(np.array([1, 1, 0, 0, 1]), 2)


def test_later_members_know_the_first_the_second_and_the_last() -> None:
    found = beside({"age": AGES, "wed": WED}, ["age", "wed"], HOMES, np.array([3]), 3)
    assert found[FIRST + "age"].values.tolist() == [50]
    assert found[SECOND + "age"].values.tolist() == [-3], "numbers are differences to the first"
    assert found[LAST + "age"].values.tolist() == [-30]
    assert found[LAST + "wed"].values.tolist() == [0]
    assert found[PLACE].values.tolist() == [3]


def test_first_members_know_what_the_second_will_be() -> None:
    found = beside({"age": AGES, "wed": WED}, ["age", "wed"], HOMES, np.array([0, 4]), 0)
    assert list(found) == [SECOND + "wed"]
    assert found[SECOND + "wed"].values.tolist() == [1, 2], "who lives alone has a class of his own"


def test_differences_come_back() -> None:
    first = AGES.of(np.array([0, 0]))
    away = less_first(AGES.of(np.array([1, 3])), first)
    assert away.values.tolist() == [-3, -36]
    assert plus_first(away, first, NumberForm(decimals=0, low=0.0)).values.tolist() == [47, 14]
