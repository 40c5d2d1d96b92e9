from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.logs.microaggregation.generalisation import generalised, is_shared, shared_interests
from tacita.logs.microaggregation.interests import interests_of
from tests.logs.material import TREE, made_material

LINES = st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 4)), max_size=30)


@given(LINES, st.integers(1, 4))
def test_shared_counts_different_users(lines: list[tuple[int, int]], askers: int) -> None:
    user, what = np.array([u for u, _ in lines], np.int64), np.array([w for _, w in lines], np.int64)
    group = user // 3
    expected = [w >= 0 and len({v for v, x in lines if x == w and v // 3 == u // 3}) >= askers for u, w in lines]
    assert is_shared(group, what, user, askers).tolist() == expected


def test_the_deepest_shared_category_of_every_group() -> None:
    """Users 0 and 1 share a leaf; 2 and 3 only the level above it; what 1 alone is interested in leaves as nothing."""
    old, new, other_root = (
        TREE.places["Arts", "East", "Old"],
        TREE.places["Arts", "East", "New"],
        TREE.places["Health",],
    )
    log, topics = made_material([0, 1, 2, 3, 1], [0, 1, 0, 2, 3], [[old], [old], [new], [other_root]])
    labels, interests = np.array([0, 0, 1, 1]), interests_of(log, topics)
    shared = shared_interests(interests.counts, labels)
    assert shared.toarray().max() == 2
    found = generalised(labels[log.user], log.query.astype(np.int64), topics, interests, shared, 2)
    above = TREE.places["Arts", "East"]
    assert found.tolist() == [old, old, above, above, -1]
