"""Groups by chance: even, drawn anew by every seed, and worse than groups of like interests."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.logs import HierarchicalVariance, RandomGroups, SemanticMicroaggregation, SemanticRemain
from tacita.logs.rivals.random_groups import random_partition
from tests.logs.material import interested_users


@given(st.integers(2, 60), st.integers(2, 9), st.integers(0, 99))
def test_groups_are_as_even_as_can_be(n: int, k: int, seed: int) -> None:
    k = min(k, n)
    sizes = np.bincount(random_partition(n, k, np.random.default_rng(seed)))
    assert sizes.min() >= k
    assert sizes.max() - sizes.min() <= 1
    assert sizes.max() <= 2 * k - 1


def test_groups_of_like_interests_keep_more() -> None:
    """And both keep more than the bound of users who have nothing in common."""
    log, topics = interested_users(120)
    drawn, like = (
        method(k=3, mode="paper").apply(log, topics, seed=1) for method in (RandomGroups, SemanticMicroaggregation)
    )
    random, semantic = (SemanticRemain().of(log, topics, made) for made in (drawn, like))
    assert semantic.value > random.value + 10
    assert semantic.value > semantic.parts["bound"]
    mixed, alike = (HierarchicalVariance().of(log, topics, made).value for made in (drawn, like))
    assert alike < mixed - 5
