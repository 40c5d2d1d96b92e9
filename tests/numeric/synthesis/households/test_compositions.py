"""Compositions: the classes of all members of a household at once."""

from __future__ import annotations

import numpy as np

from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.households.compositions import find_compositions
from tacita.numeric.synthesis.households.homes import Homes

SIZES = np.array([2, 1, 2, 2])
HOMES = Homes(SIZES)
WED = np.array([1, 1, 0, 1, 1, 0, 0])


def test_two_households_are_the_same_if_their_members_are_in_order() -> None:
    found = find_compositions({"wed": ColumnValues.of_classes(WED, 2)}, ["wed"], HOMES, often=1)
    assert found.names == ("wed",)
    assert len(set(found.number.tolist())) == found.count == 3
    assert found.number[0] == found.number[2] != found.number[3]


def test_members_are_given_with_all_their_classes() -> None:
    columns = {"wed": ColumnValues.of_classes(WED, 2)}
    found = find_compositions(columns, ["wed"], HOMES, often=1)
    chosen = found.number[[3, 0]]
    assert found.sizes(chosen).tolist() == [2, 2]
    assert columns["wed"].of(found.members(chosen)).values.tolist() == [0, 0, 1, 1]


def test_what_would_single_out_households_is_no_part_of_it() -> None:
    rng = np.random.default_rng(1)
    homes = Homes(np.full(300, 4))
    columns = {
        "wed": ColumnValues.of_classes(np.tile([1, 1, 0, 0], 300), 2),
        "street": ColumnValues.of_classes(rng.integers(0, 30, 1200), 30),
    }
    assert find_compositions(columns, ["wed", "street"], homes, often=5).names == ("wed",)


def test_gaps_are_classes_of_their_own() -> None:
    columns = {"wed": ColumnValues.of_classes(np.array([1, -1, 1, 1, -1, 1, 1]), 2)}
    found = find_compositions(columns, ["wed"], HOMES, often=1)
    assert found.number[0] == found.number[2] != found.number[3]
