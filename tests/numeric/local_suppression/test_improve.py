"""After a first solution: what comes back was needed by nobody, and second thoughts never cost more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.vocabulary import MISSING_KEYS, MissingKeys
from tacita.numeric.local_suppression.classes import form_classes
from tacita.numeric.local_suppression.improve import prune, try_again
from tacita.numeric.local_suppression.local_suppression import SuppressionTask
from tacita.numeric.local_suppression.state import BAD, COST, ROWS, Masks, SuppressionState, assign, new_row
from tacita.numeric.local_suppression.wildcard import choose_masks, set_needs
from tests.effort import examples
from tests.numeric.local_suppression.states import shown, started
from tests.oracles.mask.local_suppression import is_k_anonymous_oracle

VIEWS = ((0, 1, 2),)
PRICE = np.array([1.0, 2.0, 3.5])
files = st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=4, max_size=12)


def solve(state: SuppressionState, room: Masks, missing: str) -> None:
    if missing == "wildcard":
        set_needs(state, room)
        choose_masks(state, room)
    else:
        form_classes(state, room)


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_what_nobody_needs_comes_back(missing: MissingKeys) -> None:
    codes = np.array([[0, 0, 0]] * 4)
    state, _, patterns = started(codes, SuppressionTask(k=2, views=VIEWS, price=PRICE, missing=missing))
    assign(state, new_row(state, 0), 0b011)
    prune(state, np.arange(state.tally[ROWS]))
    assert (shown(codes, state, patterns) == codes).all()
    assert state.amounts[COST] == 0.0


@given(files, st.integers(2, 3), st.sampled_from(["wildcard", "conservative"]))
@settings(max_examples=examples(40), deadline=None)
def test_nothing_more_can_come_back(rows: list[list[int]], k: int, missing: MissingKeys) -> None:
    codes = np.array(rows)
    state, room, patterns = started(codes, SuppressionTask(k=k, views=VIEWS, price=PRICE, missing=missing))
    solve(state, room, missing)
    for _ in range(4 * len(codes)):  # one value that comes back may free another
        cost = state.amounts[COST]
        prune(state, np.arange(state.tally[ROWS]))
        if state.amounts[COST] == cost:
            break
    made = shown(codes, state, patterns)
    assert is_k_anonymous_oracle(made, VIEWS, k, missing)
    for i, j in np.argwhere(made != codes):
        trial = made.copy()
        trial[i, j] = codes[i, j]
        assert not is_k_anonymous_oracle(trial, VIEWS, k, missing), "a missing value was needed by nobody"


@given(files, st.integers(2, 3), st.sampled_from(MISSING_KEYS))
@settings(max_examples=examples(30), deadline=None)
def test_second_thoughts_never_cost_more(rows: list[list[int]], k: int, missing: MissingKeys) -> None:
    codes = np.array(rows)
    state, room, patterns = started(codes, SuppressionTask(k=k, views=VIEWS, price=PRICE, missing=missing))
    solve(state, room, missing)
    if state.tally[BAD] > 0:
        return
    before = float(state.amounts[COST])
    try_again(state, room, np.zeros((24, len(state.differences)), dtype=np.int32), 20_000)
    made = shown(codes, state, patterns)
    assert is_k_anonymous_oracle(made, VIEWS, k, missing)
    assert state.amounts[COST] <= before + 1e-9
    assert state.amounts[COST] == pytest.approx((((made < 0) & (codes >= 0)) @ PRICE).sum())
