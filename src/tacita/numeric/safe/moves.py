"""Which record moves to which elementary cell, so that as few of its values change as can be had greedily.

From a cell that loses records the lowest places of a random order leave; a cell that gains records takes leaving ones that
agree with it in all variables but one, then in all but two, and so on. Sets of variables are tried in turn, those first that
leave out the variables with most categories: a year of age is a smaller change than a sex.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from tacita.core.arrays import IntArray
from tacita.numeric.keys.frequencies import fold_codes, number_words

__all__ = ["cells_of_records", "pair_cells"]

_MOST_SETS = 64


def cells_of_records(
    labels: IntArray,
    counts: IntArray,
    codes: IntArray,
    sizes: IntArray,
    rng: np.random.Generator,
    groups: IntArray | None = None,
) -> IntArray:
    """Return the elementary cell of each record afterwards.

    Parameters
    ----------
    labels
        (n,): elementary cell of each record before.
    counts
        (m,): wanted number of records of each cell; together n.
    codes
        (m, v): categories of each cell.
    sizes
        (v,): number of categories of each variable.
    rng
        Which of the records of a cell leave.
    groups
        (m,): groups of cells from 0 that no record leaves, each with as many records as before; None for none.

    Notes
    -----
    O(s n log n) time for s sets of variables, at most 64; O(n) memory.
    """
    before = np.bincount(labels, minlength=len(counts))
    order = rng.permutation(len(labels))
    order = order[np.argsort(labels[order], kind="stable")]
    first = np.cumsum(before) - before
    place = np.arange(len(labels)) - first[labels[order]]
    leaving = order[place >= counts[labels[order]]]
    gaining = np.repeat(np.arange(len(counts)), np.maximum(counts - before, 0))
    after = labels.copy()
    after[leaving] = gaining[pair_cells(labels[leaving], gaining, codes, sizes, groups)]
    return after


def pair_cells(
    leaving: IntArray, gaining: IntArray, codes: IntArray, sizes: IntArray, groups: IntArray | None = None
) -> IntArray:
    """Return for each leaving record which of the free places it takes, near ones first, and none in another group.

    Examples
    --------
    >>> codes = np.array([[0, 0], [0, 1], [1, 1]])
    >>> pair_cells(np.array([0, 2]), np.array([2, 1]), codes, np.array([2, 2])).tolist()
    [1, 0]
    """
    taken = np.full(len(leaving), -1, dtype=np.int64)
    here, there = np.arange(len(leaving)), np.arange(len(gaining))
    always: tuple[int, ...] = ()
    chosen_from = sizes
    if groups is not None:  # one more variable, in which all must agree
        always = (len(sizes),)
        codes, sizes = np.column_stack([codes, groups]), np.append(sizes, groups.max(initial=0) + 1)
    for own in _sets(chosen_from):
        chosen = (*own, *always)
        if not len(here):
            break
        words, many = _groups(codes, sizes, chosen)
        mine, theirs = _matched(words[leaving[here]], words[gaining[there]], many)
        taken[here[mine]] = there[theirs]
        here, there = np.delete(here, mine), np.delete(there, theirs)
    return taken


def _sets(sizes: IntArray) -> Iterator[tuple[int, ...]]:
    """Yield sets of variables to agree in: all but one, all but two, ...; the last is none."""
    by_size = np.argsort(-sizes, kind="stable").tolist()
    left = _MOST_SETS
    for out in range(1, len(by_size)):
        for gone in itertools.combinations(by_size, out):
            if left == 0:
                break
            left -= 1
            yield tuple(j for j in range(len(sizes)) if j not in gone)
    yield ()


def _groups(codes: IntArray, sizes: IntArray, chosen: tuple[int, ...]) -> tuple[IntArray, int]:
    if not chosen:
        return np.zeros(len(codes), dtype=np.int64), 1
    words = fold_codes(codes[:, chosen], sizes[list(chosen)])
    labels, known, _ = number_words(words, int(words.max(initial=0)) + 1)
    return labels, len(known)


def _matched(mine: IntArray, theirs: IntArray, many: int) -> tuple[IntArray, IntArray]:
    """Pair entries of two lists that are in the same group, as many as the smaller side of each group has."""
    pairs = np.minimum(np.bincount(mine, minlength=many), np.bincount(theirs, minlength=many))
    chosen = []
    for side in (mine, theirs):
        order = np.argsort(side, kind="stable")
        held = np.bincount(side, minlength=many)
        place = np.arange(len(side)) - (np.cumsum(held) - held)[side[order]]
        chosen.append(order[place < pairs[side[order]]])
    return chosen[0], chosen[1]
