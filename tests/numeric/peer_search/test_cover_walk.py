from __future__ import annotations

import numpy as np

from tacita.numeric.peer_search.cover_walk import cover_walk


def walk(evolve: float) -> tuple[np.ndarray, np.ndarray]:
    """Two peers; peer 0 had the queries 0 and 1, peer 1 the queries 1 and 2; the list of each begins with query 0 alone."""
    seeds, query = np.zeros((2, 1), np.int32), np.zeros(400, np.int32)
    name = np.tile(np.array([0, 1], np.int32), 200)
    askers = np.array([0, 1, 3, 4]), np.array([0, 0, 1, 1], np.int32)
    asked = np.array([0, 2, 4]), np.array([0, 1, 1, 2], np.int32)
    cover_walk(name, seeds, evolve, *askers, *asked, np.array([3], np.uint64), query)
    return query, seeds


def test_a_list_that_does_not_evolve_stays() -> None:
    query, seeds = walk(0.0)
    assert not query.any()
    assert not seeds.any()


def test_a_list_that_evolves_goes_to_what_others_asked_too() -> None:
    query, _ = walk(1.0)
    assert query[:2].tolist() == [0, 0]
    assert query[2] in (0, 1)  # of query 0 only peer 0 asked, who had 0 and 1
    assert set(query.tolist()) == {0, 1, 2}
