"""Atoms that no small group can tell apart: a quick proof that totals disclose nothing, before any elimination.

What follows from the figures of several outputs is a sum of functions, one of each output's own classes. Take two atoms that
differ in some outputs J only. By how much a group differs between them depends on their classes in J alone, so it is the same for
all pairs of atoms with these classes. If a group had one of the two atoms and not the other, it would have one side of all such
pairs; when both sides are large, no small group can. Then the two atoms are in a small group both or neither, and with them all
pairs of their kind. Atoms that hang together so, and are large together, are in no small group.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tacita.core.arrays import BoolArray, IntArray

__all__ = ["atoms_in_doubt"]

MOST_ROUNDS = 50

IsLarge = Callable[[IntArray, IntArray, int], BoolArray]
"""From pairs of an atom and a label, and the number of labels: which labels have atoms that together are no small group."""


def atoms_in_doubt(codes: IntArray, moves: Sequence[Sequence[int]], is_large: IsLarge) -> BoolArray:
    """Return (a,): the atoms that may be in a small group; none is a proof that there is none.

    Parameters
    ----------
    codes
        (a, k): class of each atom in each output.
    moves
        Sets of outputs J in which two atoms may differ.
    is_large
        Which unions of atoms are large.

    Notes
    -----
    O(m a log a) for m moves. In every line of atoms that agree outside J, each is compared with the next and with the
    commonest, which are enough in tables without many holes.

    Examples
    --------
    >>> grid = np.array([[i, j] for i in range(3) for j in range(3)])
    >>> sizes = np.full(9, 4)
    >>> large = lambda atoms, labels, n: np.bincount(labels, sizes[atoms], n) >= 10
    >>> atoms_in_doubt(grid, [[0], [1]], large).any()
    np.False_
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = len(codes)
    first, second, kind = _edges(codes, moves)
    kinds = int(kind.max(initial=-1)) + 1
    equal = is_large(first, kind, kinds) & is_large(second, kind, kinds)
    part = np.arange(count, dtype=np.int64)
    for _ in range(MOST_ROUNDS):
        kept = equal[kind]
        links = coo_array((np.ones(int(kept.sum())), (first[kept], second[kept])), shape=(count, count))
        parts, part = connected_components(links, directed=False)
        part = part.astype(np.int64)
        out = is_large(np.arange(count, dtype=np.int64), part, int(parts))[part]
        same = out[first] & out[second]  # a small group has neither
        same |= part[first] == part[second]
        more = equal | (np.bincount(kind[same], minlength=kinds) > 0)
        if bool((more == equal).all()):
            return np.asarray(~out, bool)
        equal = more
    return np.asarray(~out, bool)


def _edges(codes: IntArray, moves: Sequence[Sequence[int]]) -> tuple[IntArray, IntArray, IntArray]:
    """Pairs of atoms that differ in the outputs of one move only, and the kind of each pair."""
    firsts, seconds, kinds = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    known = 0
    for move in moves:
        others = [j for j in range(codes.shape[1]) if j not in move]
        line = _numbered(codes[:, others])
        own = _numbered(codes[:, list(move)])
        rank = np.empty(int(own.max(initial=-1)) + 1, np.int64)
        rank[np.argsort(-np.bincount(own), kind="stable")] = np.arange(len(rank))
        own = rank[own]
        order = np.lexsort((own, line)).astype(np.int64)
        starts = np.concatenate([[True], np.diff(line[order]) > 0]) if len(order) else np.zeros(0, bool)
        hub = order[np.maximum.accumulate(np.where(starts, np.arange(len(order)), 0))]
        for before in (np.roll(order, 1), hub):
            first, second = before[~starts], order[~starts]
            word = own[first] * len(rank) + own[second]
            names, kind = np.unique(word, return_inverse=True)
            firsts.append(first)
            seconds.append(second)
            kinds.append(kind.reshape(-1).astype(np.int64) + known)
            known += len(names)
    return np.concatenate(firsts), np.concatenate(seconds), np.concatenate(kinds)


def _numbered(codes: IntArray) -> IntArray:
    """Number the distinct rows."""
    if not codes.shape[1]:
        return np.zeros(len(codes), np.int64)
    return np.unique(codes, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
