"""Who lives together, in order."""

from __future__ import annotations

import numpy as np

from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.households.homes import Homes


def test_persons_are_put_together_in_the_order_in_which_they_stood() -> None:
    homes, order = Homes.sorted(np.array([7, 3, 7, 3, 9]))
    assert order.tolist() == [1, 3, 0, 2, 4]
    assert homes.sizes.tolist() == [2, 2, 1]
    assert homes.at(1).tolist() == [1, 3]


def test_no_persons_have_no_households() -> None:
    homes, order = Homes.sorted(np.zeros(0, np.int64))
    assert (len(homes), homes.n, len(order), len(homes.place)) == (0, 0, 0, 0)


def test_a_household_has_the_value_of_the_first_member_who_has_one() -> None:
    homes = Homes(np.array([3, 2, 1]))
    region = ColumnValues.of_classes(np.array([-1, 2, 2, 1, -1, -1]), 3)
    found = homes.of_households({"region": region}, ["region"])["region"]
    assert np.where(found.there, found.values, -1).tolist() == [2, 1, -1]
