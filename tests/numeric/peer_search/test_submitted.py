from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.peer_search.submitted import count_of, nothing_submitted, submit, verdict_on
from tests.oracles.games import peer_search as oracle


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), max_size=40))
def test_verdicts_are_those_of_whole_entropies(moves: list[tuple[int, int]]) -> None:
    state = nothing_submitted(3, len(moves))
    whole = [Counter[int]() for _ in range(3)]
    with np.errstate(over="ignore"):
        for peer, query in moves:
            change = oracle.change(whole[peer], query)
            assert verdict_on(state, peer, peer * 5 + query + 1) == (0 if abs(change) < 1e-10 else np.sign(change))
            submit(state, peer, peer * 5 + query + 1)
            whole[peer][query] += 1
        for peer in range(3):
            assert [int(count_of(state, peer * 5 + query + 1)) for query in range(5)] == [
                whole[peer][q] for q in range(5)
            ]
            n = max(int(state.total[peer]), 1)
            assert np.log2(n) - state.weight[peer] / n == pytest.approx(oracle.entropy(whole[peer]), abs=1e-12)


def test_the_same_query_again_and_again_leaves_the_entropy() -> None:
    """Of one query alone the entropy is 0 at any number: rounding must not call it a loss."""
    state = nothing_submitted(1, 5000)
    with np.errstate(over="ignore"):
        for _ in range(5000):
            assert verdict_on(state, 0, 1) == 0
            submit(state, 0, 1)
        assert verdict_on(state, 0, 2) == 1


def test_growth_is_what_the_sum_grows_by() -> None:
    state, c = nothing_submitted(1, 10), np.arange(1, 12)
    assert state.growth[1:12] == pytest.approx((c + 1) * np.log2(c + 1) - c * np.log2(c))
    assert state.slack[1:12] == pytest.approx((c + 1) * np.log2(1 + 1 / c))
