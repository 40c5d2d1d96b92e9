"""Made networks have the shapes that they are named for, from every seed the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.social.generators import (
    complete_network,
    random_network,
    scale_free_network,
    small_world_network,
)
from tacita.games.social.network import Network

MAKERS = [scale_free_network, small_world_network, random_network]


def triangles(network: Network) -> int:
    linked = np.zeros((network.users, network.users))
    linked[network.tails, network.links.neighbour] = 1
    return round(float(np.trace(linked @ linked @ linked)) / 6)


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_seed_gives_the_same_network(make: Callable[..., Network]) -> None:
    a, b, c = make(200, 3, seed=4), make(200, 3, seed=4), make(200, 3, seed=5)
    assert np.array_equal(a.links.neighbour, b.links.neighbour)
    assert not np.array_equal(a.links.neighbour, c.links.neighbour)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("users", [1, 2, 3, 5, 9])
def test_small_ones_are_whole(make: Callable[..., Network], users: int) -> None:
    network = make(users, 3, seed=2)
    assert network.users == users
    assert network.degrees.max() <= users - 1


def test_preferential_attachment_has_the_tail_of_barabasi_and_albert() -> None:
    """The share of users with degree k is 2 m (m + 1) / (k (k + 1) (k + 2)) in the limit."""
    m, n = 3, 40_000
    degrees = scale_free_network(n, m, seed=1).degrees
    for k in (3, 4, 6, 10):
        expected = 2 * m * (m + 1) / (k * (k + 1) * (k + 2))
        assert (degrees == k).mean() == pytest.approx(expected, rel=0.12)
    tail = (m * (m + 1)) / (30 * 31)  # P(degree >= 30)
    assert (degrees >= 30).mean() == pytest.approx(tail, rel=0.15)
    assert random_network(n, m, seed=1).degrees.max() < 30 < degrees.max()


def test_a_small_world_keeps_its_triangles_and_loses_its_distances() -> None:
    ring, small = (small_world_network(400, 3, rewired=p, seed=1) for p in (0.0, 0.1))
    even = random_network(400, 3, seed=1)
    assert len(ring.links.neighbour) == len(small.links.neighbour) == len(even.links.neighbour)
    assert triangles(ring) == 400 * 3
    assert triangles(small) > 8 * triangles(even)
    moved = ~np.isin((ring.tails - ring.links.neighbour) % 400, [1, 2, 3, 397, 398, 399])
    assert not moved.any()
    far = ~np.isin((small.tails - small.links.neighbour) % 400, [1, 2, 3, 397, 398, 399])
    assert far.mean() == pytest.approx(0.1, abs=0.03)


def test_links_are_drawn_evenly_among_pairs() -> None:
    degrees = random_network(20_000, 3, seed=3).degrees
    assert degrees.mean() == 6
    assert degrees.var() == pytest.approx(6, rel=0.05)  # Poisson
    assert len(random_network(5, 3).links.neighbour) == 20


@pytest.mark.parametrize("make", [*MAKERS, complete_network])
@pytest.mark.parametrize("users", [0, -1, 1.5, True, "many", 10**12])
def test_a_number_of_users_that_is_none_is_refused(make: Callable[..., Network], users: object) -> None:
    with pytest.raises(ParameterError, match="'users'"):
        make(users)


def test_other_numbers_are_refused() -> None:
    with pytest.raises(ParameterError, match="'links'"):
        scale_free_network(10, 0)
    with pytest.raises(ParameterError, match="'rewired'"):
        small_world_network(10, 2, rewired=1.5)
