from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.search.topology import TopologyKind, draw_topology


@pytest.mark.parametrize("kind", get_args(TopologyKind))
@pytest.mark.parametrize("peers", [2, 7, 100])
def test_neighbours_are_mutual_and_never_oneself(kind: TopologyKind, peers: int) -> None:
    graph = draw_topology(kind, peers, degree=4, rng=np.random.default_rng(1))
    lists = [graph.neighbours(peer).tolist() for peer in range(peers)]
    assert [len(one) for one in lists] == graph.degrees.tolist()
    for peer, friends in enumerate(lists):
        assert peer not in friends
        assert len(set(friends)) == len(friends)
        assert all(peer in lists[friend] for friend in friends)


def test_a_ring_has_the_nearest() -> None:
    graph = draw_topology("ring", 9, degree=4, rng=np.random.default_rng(1))
    assert graph.neighbours(0).tolist() == [1, 2, 7, 8]


def test_random_pairs_have_the_mean_degree() -> None:
    graph = draw_topology("random", 500, degree=7, rng=np.random.default_rng(1))
    assert graph.degrees.sum() == 500 * 7
    assert graph.degrees.std() > 1.5  # about the square root of 7


def test_a_scale_free_graph_has_hubs() -> None:
    graph = draw_topology("scale_free", 2000, degree=6, rng=np.random.default_rng(1))
    assert graph.degrees.max() > 10 * np.median(graph.degrees)
    assert draw_topology("random", 2000, degree=6, rng=np.random.default_rng(1)).degrees.max() < 30


def test_with_enough_neighbours_it_is_complete() -> None:
    graph = draw_topology("ring", 5, degree=4, rng=np.random.default_rng(1))
    assert graph.is_complete
    assert graph.neighbours(2).tolist() == [0, 1, 3, 4]


@pytest.mark.parametrize(
    ("kind", "degree", "words"), [("star", 4, "must be one of"), ("ring", 3, "even"), ("random", 0, "at least 1")]
)
def test_what_does_not_fit_is_said(kind: TopologyKind, degree: int, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        draw_topology(kind, 10, degree=degree, rng=np.random.default_rng(1))
