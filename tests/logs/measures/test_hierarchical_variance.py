"""The variance of categories against labels that are walked down edge by edge, and by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.directory.category_tree import CategoryTree
from tacita.logs import HierarchicalVariance
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.measures.hierarchical_variance import digits_of, hierarchical_variance
from tests.logs.material import TREE, interested_users
from tests.logs.measures.material import MadeOf, releases
from tests.oracles.logs import measures as slow


@given(st.lists(st.integers(0, len(TREE) - 1), min_size=1, max_size=30))
def test_digits_and_variance_of_the_slow_version(sample: list[int]) -> None:
    counts = np.bincount(sample, minlength=len(TREE)).astype(float)
    digits, base = digits_of(TREE, counts)
    wanted, of_slow = slow.numbers_of(TREE, Counter(sample))
    assert base == of_slow
    assert digits.astype(int).tolist() == [wanted[category] for category in range(len(TREE))]
    assert hierarchical_variance(TREE, counts) == pytest.approx(slow.variance(wanted, base, sample))


@given(releases())
def test_shares_of_the_slow_version(found: MadeOf) -> None:
    (log, topics), made = found
    assert made.topics is not None
    values = slow.deepest(log, topics)
    sample = [category for _, category in values]
    fast = HierarchicalVariance().of(log, topics, made)
    if not sample:
        assert fast.value == 0.0
        return
    digits, base = slow.numbers_of(TREE, Counter(sample))
    total = slow.variance(digits, base, sample)
    if not total:
        assert fast.value == 0.0
        return
    groups = slow.grouped(values, lambda user: int(made.profile[user]))
    within = sum(len(group) * slow.variance(digits, base, group) for group in groups.values()) / len(sample)
    assert fast.value == pytest.approx(100 * within / total, abs=1e-9)
    assert fast.parts["between"] == pytest.approx(100 - 100 * within / total, abs=1e-9)
    left = [category for _, category in slow.deepest(made.log, made.topics)]
    released = slow.variance(digits, base, left) if left else 0.0
    assert fast.parts["released"] == pytest.approx(100 * released / total, abs=1e-9)


def test_related_categories_vary_less() -> None:
    """What the article asks of the measure: siblings are nearer than cousins, and these nearer than strangers."""

    def variance(*paths: tuple[str, ...]) -> float:
        counts = np.zeros(len(TREE))
        counts[[TREE.places[path] for path in paths]] = 1
        return hierarchical_variance(TREE, counts)

    siblings = variance(("Arts", "East", "Old"), ("Arts", "East", "New"))
    cousins = variance(("Arts", "East", "Old"), ("Arts", "West", "Old"))
    strangers = variance(("Arts", "East", "Old"), ("Sports", "East", "Old"))
    assert 0 < siblings < cousins < strangers


def test_labels_go_from_the_middle_outwards() -> None:
    for base, labels in ((4, [1, 2, 0, 3]), (5, [2, 1, 3, 0, 4]), (1, [0]), (2, [0, 1])):
        tree = CategoryTree.from_paths((str(i),) for i in range(base))
        counts = np.arange(base, 0, -1).astype(float)
        assert digits_of(tree, counts)[0].ravel().astype(int).tolist() == labels


def test_groups_of_one_interest_have_no_variance_within() -> None:
    log, topics = interested_users(30)
    each = AnonymisedLog(log=log, profile=np.full(30, -1, np.int32), method="x", topics=topics)
    assert HierarchicalVariance().of(log, topics, each).value == pytest.approx(100.0)
    own = AnonymisedLog(log=log, profile=np.arange(30, dtype=np.int32), method="x", topics=topics)
    assert HierarchicalVariance().of(log, topics, own).value < 90
