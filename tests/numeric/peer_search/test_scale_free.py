from __future__ import annotations

import numpy as np

from tacita.numeric.peer_search.scale_free import preferential_edges


def ends(peers: int, links: int, seed: int) -> np.ndarray:
    found = np.zeros(2 * peers * links, np.int32)
    preferential_edges(links, np.array([seed], np.uint64), found)
    return found


def test_each_edge_is_of_its_node_and_an_older_one() -> None:
    found = ends(200, 3, 1)
    assert np.array_equal(found[::2], np.repeat(np.arange(200), 3))
    assert (found[1::2] <= found[::2]).all()


def test_few_nodes_have_very_many_links() -> None:
    """At 5000 nodes the largest degree is near sqrt(5000) times the smallest; of random pairs it is near three times the mean."""
    degree = np.bincount(ends(5000, 3, 2))
    assert degree.max() > 60
    assert np.median(degree) < degree.mean()
