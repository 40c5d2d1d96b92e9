"""A social network: who is linked to whom, as adjacency lists in compressed rows."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.numeric.social_games.within import Adjacency

__all__ = ["Network"]

_MOST_USERS = 2**31 - 1


@dataclass(frozen=True, eq=False, repr=False)
class Network:
    """Users and the links between them; a link has no direction, and a user none to himself.

    Parameters
    ----------
    links
        Neighbours of every user, ascending.
    names
        What the users are called; None: they are numbers.
    merged
        How many edges were given more than once, in either direction, and were taken as one.

    Notes
    -----
    Networks of networkx and rustworkx are taken as they come (:meth:`of_graph`), but the package needs neither. What is asked of
    a network here is sums over all users within a few links, for all users at once. rustworkx has searches from one node, each a
    call from Python, and none that adds up weights by distance; the kernel of ``numeric/social_games`` looks
    two links far from each of 100 000 users in a tenth of a second. The library would have been there to hold an adjacency list.

    References
    ----------
    Domingo-Ferrer (2011), section 5.

    Examples
    --------
    >>> network = Network.of_edges([("Ann", "Ben"), ("Ben", "Cem"), ("Ben", "Ann")])
    >>> network, network.merged
    (Network of 3 users, 2 links, 1)
    >>> network.neighbours_of("Ben")
    ('Ann', 'Cem')
    """

    links: Adjacency
    names: tuple[Hashable, ...] | None = None
    merged: int = 0

    # --- making ---------------------------------------------------------------------------------------------------------

    @classmethod
    def of_edges(cls, edges: Iterable[tuple[Hashable, Hashable]], *, users: Iterable[Hashable] = ()) -> Network:
        """Make a network of pairs of names.

        Parameters
        ----------
        edges
            Pairs; the direction does not count.
        users
            Names that come first, among them users without a link.

        Raises
        ------
        DataError
            When an edge leads from a user to himself, or is no pair of names.
        """
        places = {name: place for place, name in enumerate(dict.fromkeys(users))}
        ends: list[int] = []
        for edge in edges:
            if isinstance(edge, str) or not isinstance(edge, Sequence) or len(edge) != 2:
                raise DataError("Network: every edge must be a pair of users; got something else among the edges.")
            for name in edge:
                if not isinstance(name, Hashable) or name is None or (isinstance(name, float) and math.isnan(name)):
                    raise DataError("Network: the ends of an edge must be names; a missing or unfit one is among them.")
                ends.append(places.setdefault(name, len(places)))
        return cls.of_arrays(np.array(ends, np.int64).reshape(-1, 2), len(places), names=tuple(places))

    @classmethod
    def of_arrays(cls, edges: IntArray, users: int, *, names: tuple[Hashable, ...] | None = None) -> Network:
        """Make a network of (links, 2) numbers from 0 to users - 1. O(links log links) time.

        Raises
        ------
        DataError
            When an edge leads from a user to himself; the message says how many do.
        """
        if isinstance(users, bool) or not isinstance(users, (int, np.integer)) or not 1 <= users <= _MOST_USERS:
            raise ParameterError("Network: there must be at least one user.")
        pairs = np.asarray(edges)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu":
            raise ParameterError(f"Network: 'edges' must be whole numbers in two columns, got {pairs.shape}.")
        if len(pairs) and not (pairs.min() >= 0 and pairs.max() < users):
            raise ParameterError(f"Network: 'edges' must hold numbers from 0 to {users - 1}.")
        loops = int((pairs[:, 0] == pairs[:, 1]).sum())
        if loops:
            raise DataError(
                f"Network: {loops} edge{'s lead' if loops > 1 else ' leads'} from a user to himself; take such self-loops "
                "out first. A user sees what he published himself without a link."
            )
        low, high = pairs.min(axis=1, initial=users), pairs.max(axis=1, initial=0)
        codes = np.unique(low.astype(np.int64) * users + high)
        low, high = codes // users, codes % users
        tail, head = np.concatenate([low, high]), np.concatenate([high, low])
        order = np.lexsort((head, tail))
        start = np.zeros(users + 1, np.int64)
        np.cumsum(np.bincount(tail, minlength=users), out=start[1:])
        return cls(Adjacency(start, head[order].astype(np.int32)), names, len(pairs) - len(codes))

    @classmethod
    def of_graph(cls, graph: Any) -> Network:
        """Make a network of an undirected graph of networkx or rustworkx.

        Nodes of rustworkx are called by their values where these are texts or whole numbers and all different, otherwise by
        their places.

        Raises
        ------
        ParameterError
            When it is no such graph, or has directions.
        """
        directed = getattr(graph, "is_directed", None)
        if (directed() if callable(directed) else False) or type(graph).__name__ == "PyDiGraph":
            raise ParameterError(
                "Network: 'graph' must have no directions; make it undirected first, in the way that is right for your links."
            )
        if hasattr(graph, "node_indices") and hasattr(graph, "edge_list"):
            places, named = list(graph.node_indices()), list(graph.nodes())
            fit = all(isinstance(name, (str, int)) for name in named) and len(set(named)) == len(named)
            names = dict(zip(places, named if fit else places, strict=True))
            return cls.of_edges(((names[a], names[b]) for a, b in graph.edge_list()), users=names.values())
        if callable(getattr(graph, "edges", None)) and hasattr(graph, "nodes"):
            return cls.of_edges(((edge[0], edge[1]) for edge in graph.edges()), users=graph.nodes())
        raise ParameterError(
            f"Network: 'graph' must be a graph of networkx or rustworkx, got {type(graph).__name__}; "
            "Network.of_edges takes pairs."
        )

    # --- looking --------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"Network of {self.users:,} users, {len(self.links.neighbour) // 2:,} links"

    @property
    def users(self) -> int:
        """How many users there are."""
        return len(self.links.start) - 1

    @property
    def degrees(self) -> IntArray:
        """(N,): how many links each user has."""
        return np.diff(self.links.start)

    @property
    def tails(self) -> IntArray:
        """(2 links,): the user at whom each entry of the lists stands."""
        return np.repeat(np.arange(self.users), self.degrees)

    def backwards(self) -> IntArray:
        """(2 links,): for the entry of j' with j the place of the entry of j with j'."""
        tails, heads = self.tails, self.links.neighbour.astype(np.int64)
        # Entries are sorted by (tail, head); in the order of (head, tail) stand their counterparts.
        return np.asarray(np.argsort(np.lexsort((tails, heads)), kind="stable"), np.int64)

    def place_of(self, name: Hashable) -> int:
        """Return the number of a user.

        Raises
        ------
        DataError
            When there is no such user; the name is not repeated, for it may be one of the data.
        """
        if self.names is None:
            if isinstance(name, (int, np.integer)) and not isinstance(name, bool) and 0 <= name < self.users:
                return int(name)
        elif name in self.names:
            return self.names.index(name)
        raise DataError("Network: there is no such user.", details={"user": name})

    def name_of(self, place: int) -> Hashable:
        """Return what a user is called."""
        return place if self.names is None else self.names[place]

    def neighbours_of(self, name: Hashable) -> tuple[Hashable, ...]:
        """Return the names of those linked to a user."""
        place = self.place_of(name)
        listed = self.links.neighbour[self.links.start[place] : self.links.start[place + 1]]
        return tuple(self.name_of(int(other)) for other in listed)
