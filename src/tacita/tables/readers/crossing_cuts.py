"""Smallest differences between unions of the areas of two geographies, as minimum cuts in the graph of their crossings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.progress import task

__all__ = ["CrossingCut", "Crossings", "crossing_cuts"]


@dataclass(frozen=True, eq=False)
class Crossings:
    """Where two geographies cross: for each pair of areas with records in both, how many.

    Parameters
    ----------
    fine, coarse
        (k,): areas of both geographies, as numbers from 0; each pair once.
    records
        (k,): how many records are in both, at least 1.
    """

    fine: IntArray = field(repr=False)
    coarse: IntArray = field(repr=False)
    records: IntArray = field(repr=False)

    @property
    def sizes(self) -> tuple[int, int]:
        """Number of areas of both geographies."""
        return int(self.fine.max(initial=-1)) + 1, int(self.coarse.max(initial=-1)) + 1

    @property
    def is_split(self) -> BoolArray:
        """(k,): whether the fine area lies in several coarse ones."""
        return np.asarray(np.bincount(self.fine)[self.fine] > 1, bool)


@dataclass(frozen=True, eq=False)
class CrossingCut:
    """A union of coarse areas without all fine areas that lie in it.

    Parameters
    ----------
    coarse
        (C,): the coarse areas.
    inside
        (F,): the fine areas that lie in them.
    rest
        (k,): the crossings that are left: in these coarse areas, in none of these fine ones.
    size
        Records in them.
    """

    coarse: BoolArray = field(repr=False)
    inside: BoolArray = field(repr=False)
    rest: BoolArray = field(repr=False)
    size: int


def crossing_cuts(crossings: Crossings, most: int) -> list[CrossingCut]:
    """Return the smallest differences of at most ``most`` records, each once.

    A union B of coarse areas without the fine areas A that lie in it leaves ``sum n_sm`` over the crossings (s, m) with m in B
    and s not in A. In the graph with an arc from m to s of capacity ``n_sm``, and one back without bound, this is the cut of B
    and A from the rest. So the smallest difference with m inside and its neighbour m' outside is a maximum flow from m to m'.
    Every crossing that is left by any difference of at most ``most`` records is left by one of those returned, and by one that
    is smallest: the neighbour that shares its fine area and stays outside gives it.

    Parameters
    ----------
    crossings
        Where the geographies cross.
    most
        The most records of a difference.

    Returns
    -------
    list of CrossingCut
        Of each pair of neighbours the cut with the fewest and the one with the most coarse areas; the same rest stands once.
        In the order of their sizes.

    Complexity
    ----------
    A maximum flow for each pair of neighbours that no arc of more than ``most`` ties together, in the graph in which areas that
    must lie on one side are one node.

    Examples
    --------
    Square 0 lies in municipalities 0 and 1, with one person in 0; square 1 in 0 alone, square 2 in 1 alone.

    >>> found = crossing_cuts(Crossings(np.array([0, 0, 1, 2]), np.array([0, 1, 0, 1]), np.array([1, 9, 50, 60])), 2)
    >>> [(cut.size, cut.coarse.tolist(), cut.inside.tolist()) for cut in found]
    [(1, [True, False], [False, True, False])]
    """
    pairs = _neighbours(crossings, most)
    if not len(pairs):
        return []
    nodes, graph = _condensed(crossings, most)
    pairs = np.unique(nodes[pairs], axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    if not len(pairs):
        return []
    found: dict[bytes, CrossingCut] = {}
    sources, start = np.unique(pairs[:, 0], return_index=True)
    with task("Differences of geographies", len(sources)) as running:
        for source, sinks in zip(sources.tolist(), np.split(pairs[:, 1], start[1:]), strict=True):
            for sides in _cuts_from(graph, source, sinks, most):
                cut = _as_cut(crossings, sides[nodes])
                found.setdefault(np.packbits(cut.rest).tobytes(), cut)
            running.advance()
    return sorted(found.values(), key=lambda cut: cut.size)


def _neighbours(crossings: Crossings, most: int) -> IntArray:
    """Return (p, 2): pairs of coarse areas that share a fine one, of which the first has few records in it."""
    order = np.argsort(crossings.fine, kind="stable")
    fine, coarse, records = crossings.fine[order], crossings.coarse[order], crossings.records[order]
    times = np.bincount(fine)
    first = np.cumsum(times) - times
    many = times[fine]
    left = np.repeat(np.arange(len(fine)), many)
    right = first[fine[left]] + np.arange(len(left)) - np.repeat(np.cumsum(many) - many, many)
    chosen = (left != right) & (records[left] <= most)
    if not chosen.any():
        return np.zeros((0, 2), np.int64)
    return np.unique(np.stack([coarse[left[chosen]], coarse[right[chosen]]], axis=1), axis=0).astype(np.int64)


def _condensed(crossings: Crossings, most: int) -> tuple[IntArray, Any]:
    """Return the node of each coarse area, then of each fine one, and the arcs between nodes.

    Areas that arcs of more than ``most`` tie together in both directions lie on one side of every cut, and become one node;
    arcs between the same nodes add up, which may tie further ones.
    """
    import scipy.sparse as sp
    from scipy.sparse.csgraph import connected_components

    fine, coarse = crossings.sizes
    here = crossings.is_split
    there, squares = crossings.coarse[here], crossings.fine[here] + coarse
    tail, head = np.concatenate([there, squares]), np.concatenate([squares, there])
    full = most + 1
    flow = np.concatenate([np.minimum(crossings.records[here], full), np.full(len(squares), full)])
    nodes, size = np.arange(coarse + fine), coarse + fine
    while True:
        apart = nodes[tail] != nodes[head]
        arcs = sp.csr_array((flow[apart], (nodes[tail[apart]], nodes[head[apart]])), shape=(size, size))
        arcs.sum_duplicates()
        arcs.data = np.minimum(arcs.data, full)
        heavy = arcs.copy()
        heavy.data = (heavy.data >= full).astype(np.int8)
        heavy.eliminate_zeros()
        left, part = connected_components(heavy, directed=True, connection="strong")
        if left == size:
            return nodes.astype(np.int64), arcs.astype(np.int32)
        nodes, size = part[nodes].astype(np.int64), int(left)


def _cuts_from(graph: Any, source: int, sinks: IntArray, most: int) -> list[BoolArray]:
    """Return the sides of the sources of all cuts of at most ``most`` between one node and some others."""
    from scipy.sparse.csgraph import breadth_first_order, maximum_flow

    joined = np.zeros(graph.shape[0], bool)
    joined[breadth_first_order(graph, source, directed=False, return_predecessors=False)] = True
    heavy = graph.copy()
    heavy.data = (heavy.data > most).astype(np.int8)
    heavy.eliminate_zeros()
    tied = np.zeros(graph.shape[0], bool)
    tied[breadth_first_order(heavy, source, return_predecessors=False)] = True
    found: list[BoolArray] = []
    for sink in sinks[~tied[sinks]].tolist():
        flow = maximum_flow(graph, source, sink)
        if flow.flow_value > most:
            continue
        left = graph - flow.flow
        left.eliminate_zeros()
        near, far = np.zeros(len(tied), bool), joined.copy()
        near[breadth_first_order(left, source, return_predecessors=False)] = True
        far[breadth_first_order(left.T.tocsr(), sink, return_predecessors=False)] = False
        found += [near] if np.array_equal(near, far) else [near, far]
    return found


def _as_cut(crossings: Crossings, side: BoolArray) -> CrossingCut:
    fine, coarse = crossings.sizes
    chosen = side[:coarse]
    outside = np.bincount(crossings.fine, ~chosen[crossings.coarse], fine) > 0
    inside = np.asarray(~outside, bool)
    rest = np.asarray(chosen[crossings.coarse] & ~inside[crossings.fine], bool)
    return CrossingCut(chosen, inside, rest, int(crossings.records[rest].sum()))
