"""Missing values that match little: classes of k records, by hand and against a recount."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.vocabulary import MissingKeys
from tacita.numeric.local_suppression.classes import form_classes
from tacita.numeric.local_suppression.local_suppression import SuppressionTask
from tacita.numeric.local_suppression.state import BAD, HARD_FIRST
from tests.effort import examples
from tests.numeric.local_suppression.states import shown, started
from tests.oracles.mask.local_suppression import is_k_anonymous_oracle

VIEWS = ((0, 1, 2),)


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        # The last record hides behind its first two keys; where a class must lack the same keys the others join it.
        ("conservative", [[0, 0, 0], [0, 0, 0], [0, 0, -1]]),
        ("own category", [[0, 0, -1], [0, 0, -1], [0, 0, -1]]),
    ],
)
def test_by_hand(missing: MissingKeys, expected: list[list[int]]) -> None:
    codes = np.array([[0, 0, 0], [0, 0, 0], [0, 0, 1]])
    state, room, patterns = started(codes, SuppressionTask(k=2, views=VIEWS, price=np.ones(3), missing=missing))
    form_classes(state, room)
    assert shown(codes, state, patterns).tolist() == expected


def test_donors_come_from_patterns_that_can_spare_them() -> None:
    """Of five equal records one joins the class of the sixth: four stay, which is k."""
    codes = np.array([[0, 0, 0]] * 5 + [[0, 0, 1]] * 3)
    task = SuppressionTask(k=4, views=VIEWS, price=np.ones(3), missing="own category")
    state, room, patterns = started(codes, task)
    form_classes(state, room)
    made = shown(codes, state, patterns)
    assert state.tally[BAD] == 0
    assert (made < 0).sum(axis=0).tolist() == [0, 0, 4]


@given(
    st.lists(st.lists(st.integers(-1, 2), min_size=3, max_size=3), min_size=4, max_size=14),
    st.integers(2, 4),
    st.sampled_from(["conservative", "own category"]),
    st.booleans(),
)
@settings(max_examples=examples(60), deadline=None)
def test_the_tally_says_whether_everybody_is_safe(
    rows: list[list[int]], k: int, missing: MissingKeys, hard_first: bool
) -> None:
    codes = np.array(rows)
    state, room, patterns = started(codes, SuppressionTask(k=k, views=VIEWS, price=np.ones(3), missing=missing))
    state.tally[HARD_FIRST] = hard_first
    form_classes(state, room)
    made = shown(codes, state, patterns)
    assert (state.tally[BAD] == 0) == is_k_anonymous_oracle(made, VIEWS, k, missing)
    if missing == "conservative":
        assert state.tally[BAD] == 0, "who lacks all keys hides among everybody"
