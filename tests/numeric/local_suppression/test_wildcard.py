"""Missing values that match everything: what each record needs alone, and choices that leave nobody below k."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.local_suppression.local_suppression import SuppressionTask
from tacita.numeric.local_suppression.state import BAD, FEWEST, LOG
from tacita.numeric.local_suppression.wildcard import choose_masks, is_open, serve_demands, set_needs
from tests.effort import examples
from tests.numeric.local_suppression.states import shown, started
from tests.oracles.mask.local_suppression import is_k_anonymous_oracle
from tests.oracles.numeric.frequencies import frequencies_oracle

VIEWS = ((0, 1, 2),)
PRICE = np.array([1.0, 2.0, 3.5])

files = st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=4, max_size=14)


def needs(codes: np.ndarray, row: int, k: int) -> tuple[int, float]:
    """How many keys a record would have to lose if it alone were suppressed, and at which cost; nothing where it is safe."""
    does = []
    for size in range(4):
        for lost in combinations(range(3), size):
            trial = codes.copy()
            trial[row, list(lost)] = -1
            if frequencies_oracle(trial, np.ones(len(trial)), "wildcard")[row] >= k:
                does.append(lost)
    return min(map(len, does)), min(float(PRICE[list(lost)].sum()) for lost in does)


@given(files, st.integers(2, 4))
@settings(max_examples=examples(40), deadline=None)
def test_needs_are_those_of_trying_all_keys(rows: list[list[int]], k: int) -> None:
    codes = np.array(rows)
    state, room, patterns = started(codes, SuppressionTask(k=k, views=VIEWS, price=PRICE))
    set_needs(state, room)
    for row in range(len(codes)):
        kind = patterns.labels[row]
        fewest, cheapest = needs(codes, row, k)
        assert (state.kinds[FEWEST, kind], state.cheapest[kind]) == (fewest, cheapest)
        for mask in range(8):
            bits, cost = mask.bit_count(), sum(PRICE[j] for j in range(3) if mask >> j & 1)
            assert bool(is_open(state, kind, mask)) == (bits <= fewest or cost <= cheapest + 1e-9)


@given(files, st.integers(2, 4))
@settings(max_examples=examples(40), deadline=None)
def test_choices_and_repairs_leave_nobody_below_k(rows: list[list[int]], k: int) -> None:
    codes = np.array(rows)
    for serve in ("choose", "repair"):
        state, room, patterns = started(codes, SuppressionTask(k=k, views=VIEWS, price=PRICE))
        set_needs(state, room)
        if serve == "choose":
            choose_masks(state, room)
        else:
            state.tally[LOG] = 0  # a repair keeps one
            serve_demands(state, room, np.zeros((24, len(state.differences)), dtype=np.int32))
        made = shown(codes, state, patterns)
        assert (state.tally[BAD] == 0) == is_k_anonymous_oracle(made, VIEWS, k, "wildcard")
        if serve == "choose":
            assert state.tally[BAD] == 0
        safe = frequencies_oracle(codes, np.ones(len(codes)), "wildcard") >= k
        assert (made[safe] == codes[safe]).all(), "a safe record lost a value"


def test_the_value_that_others_share_is_taken() -> None:
    """Taking the second key from two of four records on a line serves all of them."""
    codes = np.array([[0, 0, 0], [0, 1, 0], [0, 2, 0], [0, 3, 0]])
    state, room, patterns = started(codes, SuppressionTask(k=3, views=VIEWS, price=np.ones(3)))
    set_needs(state, room)
    choose_masks(state, room)
    assert (shown(codes, state, patterns) < 0).sum(axis=0).tolist() == [0, 2, 0]
