"""PR, PRF and equation (3) against sums written out, and the table of Example 2."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from tacita.core.errors import ParameterError
from tacita.games.social.generators import complete_network
from tacita.games.social.network import Network
from tacita.games.social.scores import prf, prf_2, privacy_risk, received, visibility_of_reach
from tests.games.social.material import Small, small_networks
from tests.oracles.games import social as oracle


@given(small_networks())
def test_scores_are_the_sums_of_the_paper(small: Small) -> None:
    network, edges, beta, reach = small
    V = np.random.default_rng(int(reach.sum())).random((*reach.shape, beta.shape[1]))
    for j in range(network.users):
        assert privacy_risk(V, beta)[j] == pytest.approx(oracle.pr(j, V, beta))
        assert prf(network, V, beta)[j] == pytest.approx(oracle.prf(j, network.users, edges, V, beta))


def test_the_table_of_example_2() -> None:
    """u_1(H,H) = 0; u_1(H,P) = 1; u_1(P,H) = 0; u_1(P,P) = 1/2; and for user 2 the other way round."""
    beta = np.array([1.0])
    table = {(0, 0): [0, 0], (0, 1): [1, 0], (1, 0): [0, 1], (1, 1): [0.5, 0.5]}
    for shown, worth in table.items():
        V = np.array(shown)[:, None]
        assert prf_2(V, beta).tolist() == worth
        assert prf(Network.of_edges([(0, 1)]), V, beta).tolist() == worth


def test_the_dichotomous_form_is_that_of_a_network_where_all_see_all() -> None:
    rng = np.random.default_rng(1)
    V, beta = rng.integers(0, 2, (9, 4)), rng.random(4)
    assert prf_2(V, beta) == pytest.approx(prf(complete_network(9), V, beta))
    assert prf_2(V, beta) == pytest.approx([oracle.public_prf(j, V, beta) for j in range(9)])


def test_prf_falls_with_what_one_discloses_and_rises_with_what_others_do() -> None:
    network, beta = complete_network(4), np.array([0.5, 2.0])
    some = np.array([[0, 1], [1, 0], [0, 0], [1, 1]], np.float64)
    own, others = some.copy(), some.copy()
    own[0, 0] = 1
    others[2, 1] = 1
    assert prf(network, own, beta)[0] < prf(network, some, beta)[0] < prf(network, others, beta)[0]


def test_nothing_shown_is_exactly_nothing() -> None:
    V = np.zeros((50, 3))
    V[7] = 0.1
    beta = np.array([0.1, 0.2, 0.7])
    assert (prf_2(V, beta) > 0).sum() == 49
    assert prf_2(V, beta)[7] == 0.0


def test_a_reach_is_seen_up_to_there() -> None:
    V = visibility_of_reach(np.array([[2, 0]]), 3)
    assert V.tolist() == [[[1, 1, 0], [0, 0, 0]]]


@pytest.mark.parametrize(
    ("V", "beta", "said"),
    [
        ([[2.0]], [1.0], "'visibility' must be between 0 and 1"),
        ([[float("nan")]], [1.0], "'visibility' must be between 0 and 1"),
        ([[1.0, 1.0]], [1.0], "'visibility' must be"),
        ([["x"]], [1.0], "'visibility' must be numbers"),
        ([[1.0]], [-1.0], "'sensitivities' must be finite and at least 0"),
        ([[1.0]], [float("inf")], "'sensitivities' must be finite"),
        ([[1.0]], ["x"], "'sensitivities' must be numbers"),
        ([[1.0]], [], "'sensitivities' must be"),
    ],
)
def test_what_does_not_fit_is_refused(V: object, beta: object, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        privacy_risk(np.array(V), np.array(beta))


def test_visibility_must_be_of_the_users() -> None:
    with pytest.raises(ParameterError, match=r"must be \(2, 1, 1\)"):
        received(complete_network(2), np.ones((3, 1)), np.ones(1))
    with pytest.raises(ParameterError, match="one number for each attribute"):
        prf_2(np.ones((3, 1, 2)), np.ones((1, 2)))
