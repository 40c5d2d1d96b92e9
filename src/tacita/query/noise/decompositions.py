"""Decompositions counted per set: how often a set was answered as a sum or a difference of other answered sets.

Each decomposition is one more estimate of the set's answer with noise of its own; their mean has the noise of one divided by
their number. Sums of record keys add up over disjoint sets, so a family of parts is recognised by its sums, however it was
described.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from tacita.core.arrays import IntArray, WordArray
from tacita.core.errors import ParameterError
from tacita.query.noise.answered_universes import AnsweredUniverses, word_of
from tacita.query.noise.family_words import FamilyWords
from tacita.query.noise.set_numbers import MemberHash, checked_sets

__all__ = ["Decomposition", "DecompositionCount", "table_decompositions"]


class Decomposition(NamedTuple):
    """A set and the family of answered sets that it is made of, the family as a digest."""

    target: MemberHash
    family: str


def _digest(parts: Iterable[tuple[int, MemberHash]]) -> str:
    """Write a family of sets, each with its sign, as a digest that does not depend on their order."""
    rows = np.array([(sign, *found) for sign, found in sorted(parts)], dtype="<i8")
    return hashlib.sha256(rows.tobytes()).hexdigest()[:32]


def table_decompositions(
    sums: IntArray, counts: IntArray, codes: IntArray, *, margins: bool = True
) -> list[Decomposition]:
    """Return the decompositions that one table answers.

    Parameters
    ----------
    sums, counts
        (m, 2) and (m,): the inner cells of the table.
    codes
        (m, d): their classes in each of the d variables.
    margins
        Whether the table is shown with its margins. Then each margin cell, and the universe, is decomposed by every further
        choice of variables; without them by the inner cells only.

    Returns
    -------
    One entry for each set that is made of at least two non-empty parts; without repetition.

    Notes
    -----
    For each choice A of variables, the cells of the margin A are targets; their parts are the cells of a margin B that A is
    a part of: all such B with margins, the whole table without. Complexity: O(3^d m log m) with margins, O(2^d m log m)
    without.

    Examples
    --------
    >>> sums, counts = np.array([[1, 5], [2, 6]]), np.array([3, 4])
    >>> [d.target for d in table_decompositions(sums, counts, np.array([[0], [1]]))]
    [(3, 11, 7)]
    """
    checked_sets(sums, counts, owner="table_decompositions")
    if codes.ndim != 2 or len(codes) != len(counts):
        raise ParameterError(f"table_decompositions: 'codes' must have a row for each of {len(counts)} cells.")
    there = counts > 0
    sums, counts, codes = sums[there], counts[there], codes[there]
    names = range(codes.shape[1])
    choices = [c for size in range(codes.shape[1] + 1) for c in itertools.combinations(names, size)]
    found: dict[Decomposition, None] = {}
    for coarse in choices[:-1]:
        finer = [c for c in choices if set(coarse) < set(c)] if margins else choices[-1:]
        for fine in finer:
            found.update(dict.fromkeys(_margin_families(sums, counts, codes, coarse, fine)))
    return list(found)


def _margin_families(
    sums: IntArray, counts: IntArray, codes: IntArray, coarse: Sequence[int], fine: Sequence[int]
) -> list[Decomposition]:
    """Return the cells of one margin as sums of the cells of a finer one."""
    if not len(counts):
        return []
    parts, group = _cells_of_margin(np.column_stack([np.ones_like(counts), sums, counts]), codes, coarse, fine)
    parts[:, 0] = 1  # the sign of each part
    order = np.lexsort((parts[:, 3], parts[:, 2], parts[:, 1], group))
    parts, group = np.ascontiguousarray(parts[order], dtype="<i8"), group[order]
    starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
    wholes = np.add.reduceat(parts, starts, axis=0)
    text, width = parts.tobytes(), parts.shape[1] * parts.itemsize
    ends = [*starts[1:].tolist(), len(parts)]
    return [
        Decomposition((first, second, n), hashlib.sha256(text[start * width : end * width]).hexdigest()[:32])
        for start, end, (many, first, second, n) in zip(starts.tolist(), ends, wholes.tolist(), strict=True)
        if many > 1
    ]


def _cells_of_margin(
    cells: IntArray, codes: IntArray, coarse: Sequence[int], fine: Sequence[int]
) -> tuple[IntArray, IntArray]:
    """Return the cells of a margin, and the cell of a coarser margin that each lies in."""
    group = _numbered(codes, coarse)
    if len(fine) == codes.shape[1]:
        return cells, group
    _, first, back = np.unique(_numbered(codes, fine), return_index=True, return_inverse=True)
    parts = np.zeros((len(first), cells.shape[1]), dtype=np.int64)
    np.add.at(parts, back.ravel(), cells)
    return parts, group[first]


def _numbered(codes: IntArray, names: Sequence[int]) -> IntArray:
    """Return a number for each cell, the same for cells with the same classes of some variables."""
    number = np.zeros(len(codes), dtype=np.int64)
    for name in names:
        number = number * (int(codes[:, name].max(initial=0)) + 1) + codes[:, name]
    return number


class DecompositionCount:
    """Counts the decompositions of every set, and says when one more would pass the limit.

    Parameters
    ----------
    limit
        How many different decompositions of a set may be answered.

    Notes
    -----
    Two kinds are seen: partitions of a set by one table, with its margins, and pairs of answered universes whose sum or
    difference is an answered universe. Families put together from cells of several tables are not: the auditor's exact row
    space is for those. The same family asked again is free. Whether a question is refused depends on which sets are equal,
    which the equal noise of equal sets shows anyway; it never depends on a response. One object serves all users, because
    users can talk to each other.

    The limit bounds what averaging gains: noise of variance V for each set leaves 2 V / (limit + 2) to who averages ``limit``
    splits in two and the direct answer. Parts that are split again leave less,
    :func:`~tacita.query.noise.splitting.variance_at_depth` says how much: a limit alone is weak where small sets can be asked
    for, and a layer of records stays whatever is split.

    Examples
    --------
    >>> counted = DecompositionCount(limit=1)
    >>> halves = table_decompositions(np.array([[1, 5], [2, 6]]), np.array([3, 4]), np.array([[0], [1]]))
    >>> others = table_decompositions(np.array([[0, 1], [3, 10]]), np.array([2, 5]), np.array([[0], [1]]))
    >>> counted.fits(halves), counted.fits([*halves, *others])
    (True, False)
    >>> counted.record(halves)
    >>> counted.fits(halves), counted.fits(others)
    (True, False)
    """

    def __init__(self, limit: int) -> None:
        if limit < 1:
            raise ParameterError(f"DecompositionCount: 'limit' must be at least 1, got {limit}.")
        self.limit = limit
        self._families = FamilyWords()
        self._universes = AnsweredUniverses()

    def __repr__(self) -> str:
        return f"DecompositionCount(limit={self.limit}, decompositions={len(self._families)})"

    def count(self, target: MemberHash) -> int:
        """Return how many decompositions of a set were answered."""
        return int(self._families.counts(np.array([word_of(target)], dtype=np.uint64))[0])

    def of_universe(self, universe: MemberHash) -> list[Decomposition]:
        """Return what an answer about a further universe adds: sums and differences of it and one earlier universe.

        Only sets that were answered themselves are targets; the sum of two sets that overlap equals none but by chance.
        Complexity: O(universes).
        """
        if universe in self._universes:
            return []
        found: dict[Decomposition, None] = {}
        for whole, part, rest in self._universes.pairs(universe):
            found[Decomposition(whole, _digest([(1, part), (1, rest)]))] = None
            found[Decomposition(rest, _digest([(1, whole), (-1, part)]))] = None
            found[Decomposition(part, _digest([(1, whole), (-1, rest)]))] = None
        return list(found)

    def fits(self, decompositions: Iterable[Decomposition]) -> bool:
        """Whether no set passes the limit when these are answered together; nothing is counted."""
        sets, families = _words(decompositions)
        is_new = ~self._families.has(sets, families)
        targets, added = np.unique(sets[is_new], return_counts=True)
        return bool((self._families.counts(targets) + added <= self.limit).all())

    def record(self, decompositions: Iterable[Decomposition], *, universe: MemberHash | None = None) -> None:
        """Count what was answered, and the universe that it was about; call it before the answer leaves.

        Raises
        ------
        ParameterError
            When a set would pass the limit; then nothing is counted.
        """
        given = list(decompositions)
        if not self.fits(given):
            raise ParameterError(
                f"DecompositionCount: a set must not have more than {self.limit} decompositions; refuse it."
            )
        self._families.add(*_words(given))
        if universe is not None:
            self._universes.add(universe)


def _words(decompositions: Iterable[Decomposition]) -> tuple[WordArray, WordArray]:
    """Sets and families as words, each decomposition once."""
    listed = list(dict.fromkeys(decompositions))
    sets = np.array([word_of(target) for target, _ in listed], dtype=np.uint64)
    return sets, np.array([int(family[:16], 16) for _, family in listed], dtype=np.uint64)
