"""A round in turns, against the same round played user by user with the paper's sums."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.social_games.turns import HIDE, PUBLISH, STAY, take_turns
from tests.games.social.material import Small, small_networks
from tests.oracles.games import social as oracle


@given(small_networks(), st.sampled_from([HIDE, STAY, PUBLISH]))
def test_each_user_answers_what_those_before_him_chose(small: Small, ties: int) -> None:
    network, edges, beta, reach = small
    order = np.random.default_rng(int(reach.sum())).permutation(network.users).astype(np.int32)
    low, high = np.zeros_like(reach), np.full_like(reach, beta.shape[1])
    free = np.array(
        [[next((k for k in range(beta.shape[1]) if row[k] > 0), beta.shape[1]) for row in beta]] * network.users,
        np.int32,
    )
    ours, slow, changed = reach.copy(), reach.copy(), 0
    found = take_turns(network.links, order, np.ascontiguousarray(beta), low, free, high, ties, ours)
    for j in order:
        best = oracle.best_of_all(int(j), network.users, edges, slow, beta)
        lower, upper = np.min(list(best), axis=0), np.max(list(best), axis=0)
        chosen = {HIDE: lower, PUBLISH: upper, STAY: np.clip(slow[j], lower, upper)}[ties]
        changed += int((chosen != slow[j]).any())
        slow[j] = chosen
    assert np.array_equal(ours, slow)
    assert found == changed
