"""Kinship: who cannot stand beside whom."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.households.homes import Homes
from tacita.numeric.synthesis.households.kinship import Kinship, kinds_of_members


def families(count: int, seed: int = 1) -> tuple[FloatArray, ColumnValues, Homes]:
    """Two spouses and a child, 20 to 40 years younger than the first."""
    rng = np.random.default_rng(seed)
    homes = Homes(np.full(count, 3))
    head = rng.integers(42, 70, count).astype(float)
    ages = np.stack([head, head + rng.integers(-3, 4, count), head - rng.integers(20, 41, count)], axis=1)
    return ages.ravel(), ColumnValues.of_classes(np.tile([1, 1, 0], count), 2), homes


def broken(learned: Kinship, ages: list[float], wed: list[int]) -> list[bool]:
    homes = Homes(np.array([len(ages)]))
    kinds = kinds_of_members({"wed": ColumnValues.of_classes(np.array(wed), 2)}, ["wed"], homes)
    there: BoolArray = np.ones(len(ages), np.bool_)
    return learned.broken(np.arange(len(ages)), np.array(ages), there, kinds, homes).tolist()


def test_a_child_that_is_too_old_for_its_parents_is_seen() -> None:
    ages, wed, homes = families(200)
    learned = Kinship.learn(ages, np.ones(600, np.bool_), kinds_of_members({"wed": wed}, ["wed"], homes), homes)
    assert broken(learned, [50, 49, 25], [1, 1, 0]) == [False, False, False]
    assert broken(learned, [50, 49, 40], [1, 1, 0])[2]
    assert broken(learned, [50, 30, 29], [1, 1, 0])[2], "ten years below the first, and none at all below the second"


def test_the_file_itself_breaks_nothing() -> None:
    ages, wed, homes = families(200)
    kinds = kinds_of_members({"wed": wed}, ["wed"], homes)
    there: BoolArray = np.ones(600, np.bool_)
    learned = Kinship.learn(ages, there, kinds, homes)
    assert not learned.broken(np.arange(600), ages, there, kinds, homes).any()


def test_nobody_is_younger_than_the_youngest_of_his_class() -> None:
    ages, wed, homes = families(200)
    learned = Kinship.learn(ages, np.ones(600, np.bool_), kinds_of_members({"wed": wed}, ["wed"], homes), homes)
    assert broken(learned, [20, 20, 1], [1, 1, 0])[0]


def test_few_of_a_kind_say_nothing() -> None:
    ages, wed, homes = families(10)
    learned = Kinship.learn(ages, np.ones(30, np.bool_), kinds_of_members({"wed": wed}, ["wed"], homes), homes)
    assert learned.apart == {}


def test_rare_classes_are_judged_by_the_first_two() -> None:
    """Of divorced children there are few, of children of two spouses many."""
    ages, _, homes = families(200)
    marital = np.tile([1, 1, 0], 200)
    marital[2 : 2 + 3 * 5 : 3] = 2
    column = ColumnValues.of_classes(marital, 3)
    kinds = kinds_of_members({"wed": column}, ["wed"], homes)
    there: BoolArray = np.ones(600, np.bool_)
    learned = Kinship.learn(ages, there, kinds, homes)
    new = ages.copy()
    new[2] = new[0] - 5
    assert learned.broken(np.array([2]), new, there, kinds, homes).tolist() == [True]
