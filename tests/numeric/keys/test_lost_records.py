"""What must go from a group is never more than the best split loses, found by trying all parts of it."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.keys.diversity import GroupValues
from tacita.numeric.keys.lattice import Node
from tacita.numeric.keys.privacy_model import PrivacyModel
from tests.oracles.mask.generalisation import breaks_model

RULES: list[dict[str, Any]] = [
    {"t": 0.25, "distance": "equal"},
    {"t": 0.2, "distance": "ordered"},
    {"l": 2, "form": "recursive", "c": 1.2},
    {"l": 2.2, "form": "entropy"},
    {"beta": 0.6},
    {"beta": 5.0, "is_enhanced": True},
]


def node(counts: list[int], overall: list[int]) -> Node:
    """Make one group of so many records of each value."""
    there = np.flatnonzero(counts)
    values = GroupValues(
        np.zeros(len(there), dtype=np.int64),
        there,
        np.array(counts, dtype=np.float64)[there],
        np.array([float(sum(counts))]),
        np.array(overall) / sum(overall),
    )
    return Node(np.zeros(1, dtype=np.int64), np.array([sum(counts)]), values)


@given(
    counts=st.lists(st.integers(0, 5), min_size=3, max_size=3).filter(any),
    overall=st.lists(st.integers(5, 20), min_size=3, max_size=3),
    k=st.integers(1, 4),
    rule=st.sampled_from(RULES),
)
def test_no_part_of_a_group_that_fulfils_the_model_keeps_more(
    counts: list[int], overall: list[int], k: int, rule: dict[str, Any]
) -> None:
    model = {"k": k, **rule}
    whole = [v for v, count in enumerate(overall) for _ in range(count)]
    kept = [
        sum(part)
        for part in itertools.product(*(range(count + 1) for count in counts))
        if sum(part) and not breaks_model([v for v, c in enumerate(part) for _ in range(c)], whole, model)
    ]
    lost = float(PrivacyModel(**model).lost(node(counts, overall))[0])
    assert 0 <= lost <= sum(counts) - max(kept, default=0)


def test_the_equal_distance_is_bounded_tightly() -> None:
    """Ten of one value where the file has half of each: five more would be needed, so with t = 0.2 nothing stays."""
    assert PrivacyModel(k=1, t=0.2).lost(node([10, 0], [1, 1])).tolist() == [10]
    # 0.5 n' - 4 <= 0.2 n' holds up to n' = 13: two of sixteen records go
    assert PrivacyModel(k=1, t=0.2).lost(node([12, 4], [1, 1])).tolist() == [3]
    assert PrivacyModel(k=14, t=0.2).lost(node([12, 4], [1, 1])).tolist() == [16], "thirteen are too few"


def test_likeness_caps_shares() -> None:
    """A share may be 0.75 where it is 0.5 in the file and beta is 0.5: of twelve and two eight go... six and two stay."""
    assert PrivacyModel(k=1, beta=0.5).lost(node([12, 2], [1, 1])).tolist() == [6]
    assert PrivacyModel(k=1, beta=0.5).bad(node([6, 2], [1, 1])).tolist() == [False]
    assert PrivacyModel(k=1, beta=0.5).bad(node([7, 2], [1, 1])).tolist() == [True]


@pytest.mark.parametrize(("counts", "persons", "lost"), [(6, 10.0, 1), (5, 10.0, 0), (6, 3.0, 6)])
def test_presence_and_map(counts: int, persons: float, lost: int) -> None:
    group = Node(np.zeros(1, dtype=np.int64), np.array([counts]), None, np.array([persons]))
    model = PrivacyModel(k=1, k_map=4, presence=(0.0, 0.5))
    assert model.lost(group).tolist() == [lost]
    assert model.bad(group).tolist() == [lost > 0]
    assert not model.is_refused(group)
    assert PrivacyModel(k=1, presence=(0.7, 1.0)).is_refused(group) == (counts / persons < 0.7)


def test_uniques_are_suppressed_where_they_are_too_many() -> None:
    sizes = np.array([1, 1, 3, 5])
    group = Node(np.arange(4), sizes)
    chance = Counter(sizes.tolist())[1] / 10
    assert PrivacyModel(k=1, uniques=chance, persons=10.0).suppressed(group).tolist() == [False] * 4
    assert PrivacyModel(k=1, uniques=chance - 0.01, persons=10.0).suppressed(group).tolist() == [
        True,
        True,
        False,
        False,
    ]
