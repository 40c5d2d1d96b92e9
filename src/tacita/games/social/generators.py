"""Made networks: scale-free, small worlds and random ones, the same from the same seed."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed, Streams
from tacita.games.social.network import Network

__all__ = ["complete_network", "random_network", "scale_free_network", "small_world_network"]

_MOST_LINKS = 2**25
_MOST_TRIES = 50
"""How often a link of a small world that met another one is drawn anew; then it stays where it was."""


def scale_free_network(users: int, links: int = 3, *, seed: Seed = 1) -> Network:
    """Return a network that grew by preferential attachment: each new user links to earlier ones by how many links they have.

    An entry of the list of ends is the end of an earlier entry drawn evenly, which draws a user in proportion to his links. The
    chains of such references are followed for all entries at once.

    Parameters
    ----------
    users
        How many.
    links
        How many each new one draws; the first ``links + 1`` are all linked to each other.
    seed
        Repeats the network.

    Complexity
    ----------
    O(users links log(users)) time.

    Notes
    -----
    Two equal draws of one user are one link, so that he may have fewer than ``links`` of his own; at 100 000 users
    and 3 links this concerns one draw in five thousand.

    References
    ----------
    Barabasi, A.-L. and Albert, R. (1999), Emergence of scaling in random networks, Science 286, 509-512.
    Sanders, P. and Schulz, C. (2016), Scalable generation of scale-free graphs, Information Processing Letters 116, 489-491.

    Examples
    --------
    >>> network = scale_free_network(1000, 3, seed=1)
    >>> int(network.degrees.max()) > 40, int(network.degrees.min()) >= 1
    (True, True)
    """
    _check(users, links, "scale_free_network", "links")
    first = links + 1
    if users <= first:
        return complete_network(users)
    rng = Streams(seed).stream("scale_free_network", str(users), str(links))
    low, high = np.triu_indices(first, 1)
    begun = np.stack([low, high], axis=1).reshape(-1)  # ends of the links among the first
    tail = np.repeat(np.arange(first, users), links)
    drawn = 2 * links * (tail - first) + len(begun)  # so many ends there are before the user of this draw comes
    refers = (rng.random(len(tail)) * drawn).astype(np.int64)
    place = refers.copy()
    # Behind the first ends, even entries are new users and odd ones draws, which refer to an entry before them.
    while True:
        is_draw = (place >= len(begun)) & ((place - len(begun)) % 2 == 1)
        if not is_draw.any():
            break
        place[is_draw] = refers[(place[is_draw] - len(begun)) // 2]
    head = np.empty_like(place)
    is_begun = place < len(begun)
    head[is_begun] = begun[place[is_begun]]
    head[~is_begun] = tail[(place[~is_begun] - len(begun)) // 2]
    edges = np.concatenate([np.stack([low, high], axis=1), np.stack([tail, head], axis=1)])
    return _made(edges, users)


def small_world_network(users: int, links: int = 3, *, rewired: float = 0.1, seed: Seed = 1) -> Network:
    """Return a ring on which everybody is linked to the nearest ``2 links`` users, with some links led elsewhere.

    Parameters
    ----------
    users
        How many.
    links
        How many neighbours on each side.
    rewired
        The share of links whose far end is drawn anew.
    seed
        Repeats the network.

    Complexity
    ----------
    O(users links log(users)) time.

    References
    ----------
    Watts, D. J. and Strogatz, S. H. (1998), Collective dynamics of small-world networks, Nature 393, 440-442.

    Examples
    --------
    >>> small_world_network(100, 2, rewired=0.0).neighbours_of(0)
    (1, 2, 98, 99)
    """
    _check(users, links, "small_world_network", "links")
    if isinstance(rewired, bool) or not isinstance(rewired, (int, float)) or not 0 <= rewired <= 1:
        raise ParameterError("small_world_network: 'rewired' must be a share, between 0 and 1.")
    if users <= 2 * links + 1:
        return complete_network(users)
    rng = Streams(seed).stream("small_world_network", str(users), str(links))
    tail = np.tile(np.arange(users), links)
    head = (tail + np.repeat(np.arange(1, links + 1), users)) % users
    codes = _codes(tail, head, users)
    left = np.flatnonzero(rng.random(len(tail)) < rewired)
    for _ in range(_MOST_TRIES):
        if not len(left):
            break
        other = rng.integers(0, users, len(left))
        new = _codes(tail[left], other, users)
        _, firsts = np.unique(new, return_index=True)
        is_free = np.zeros(len(left), np.bool_)
        is_free[firsts] = True
        is_free &= (other != tail[left]) & ~np.isin(new, codes)
        codes[left[is_free]], head[left[is_free]] = new[is_free], other[is_free]
        left = left[~is_free]
    return _made(np.stack([tail, head], axis=1), users)


def random_network(users: int, links: int = 3, *, seed: Seed = 1) -> Network:
    """Return a network of ``users links`` links drawn evenly among all pairs, so that users have ``2 links`` on average.

    Parameters
    ----------
    users
        How many.
    links
        Links for each user; where there are not so many pairs, all are linked.
    seed
        Repeats the network.

    Complexity
    ----------
    O(users links log(users)) time.

    References
    ----------
    Erdos, P. and Renyi, A. (1959), On random graphs, Publicationes Mathematicae 6, 290-297.

    Examples
    --------
    >>> random_network(1000, 3, seed=1)
    Network of 1,000 users, 3,000 links
    """
    _check(users, links, "random_network", "links")
    pairs, wanted = users * (users - 1) // 2, users * links
    if 2 * wanted >= pairs:
        rng = Streams(seed).stream("random_network", str(users), str(links))
        low, high = np.triu_indices(users, 1)
        kept = np.sort(rng.permutation(pairs)[: min(wanted, pairs)])
        return _made(np.stack([low[kept], high[kept]], axis=1), users)
    rng = Streams(seed).stream("random_network", str(users), str(links))
    codes = np.empty(0, np.int64)
    while (
        len(codes) < wanted
    ):  # less than half of the pairs are wanted, so each turn brings half of what is lacking or more
        tail, head = rng.integers(0, users, (2, wanted - len(codes)))
        new = _codes(tail, head, users)[tail != head]
        codes = np.unique(np.concatenate([codes, new]))
    return _made(np.stack([codes // users, codes % users], axis=1), users)


def complete_network(users: int) -> Network:
    """Return the network in which everybody is linked to everybody: the audience of equation (3)."""
    _check(users, 1, "complete_network", "links")
    if users > 5000:
        raise ParameterError("complete_network: 'users' must be at most 5000; take prf_2, which needs no links.")
    return _made(np.stack(np.triu_indices(users, 1), axis=1), users)


def _made(edges: IntArray, users: int) -> Network:
    made = Network.of_arrays(edges.astype(np.int64), users)
    return Network(made.links)


def _codes(tail: IntArray, head: IntArray, users: int) -> IntArray:
    return np.asarray(np.minimum(tail, head) * users + np.maximum(tail, head), np.int64)


def _check(users: int, links: int, owner: str, name: str) -> None:
    if isinstance(users, bool) or not isinstance(users, (int, np.integer)) or users < 1:
        raise ParameterError(f"{owner}: 'users' must be a whole number, at least 1.")
    if isinstance(links, bool) or not isinstance(links, (int, np.integer)) or links < 1:
        raise ParameterError(f"{owner}: '{name}' must be a whole number, at least 1.")
    if users * links > _MOST_LINKS:
        raise ParameterError(f"{owner}: 'users' times '{name}' must be at most {_MOST_LINKS:,}.")
