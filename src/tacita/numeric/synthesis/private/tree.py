"""A distribution whose columns hang together as a tree: its one- and two-way tables, and records drawn down the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.numeric.synthesis.private.shares import drawn_codes

__all__ = ["ColumnTree", "TreeTables"]


@dataclass(frozen=True)
class TreeTables:
    """Tables of a distribution over a tree.

    Parameters
    ----------
    singles
        For each column its shares.
    pairs
        For each edge its shares: classes of the upper column by those of the lower one.
    """

    singles: tuple[FloatArray, ...]
    pairs: tuple[FloatArray, ...]


@dataclass(frozen=True)
class ColumnTree:
    """Columns and the edges between them, each from an upper to a lower column, upper ones first.

    Parameters
    ----------
    columns
        How many columns there are.
    edges
        Pairs (upper, lower); every column but the first one, which is the root, is the lower one of exactly one edge.
    """

    columns: int
    edges: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, columns: int, pairs: Sequence[tuple[int, int]]) -> ColumnTree:
        """Hang up a tree that is given by its pairs at column 0.

        Examples
        --------
        >>> ColumnTree.of(3, [(1, 2), (0, 2)]).edges
        ((0, 2), (2, 1))
        """
        beside: list[list[int]] = [[] for _ in range(columns)]
        for a, b in pairs:
            beside[a].append(b)
            beside[b].append(a)
        edges, seen, waiting = [], {0}, [0]
        for upper in waiting:
            for lower in sorted(set(beside[upper]) - seen):
                edges.append((upper, lower))
                seen.add(lower)
                waiting.append(lower)
        return cls(columns, tuple(edges))

    def tables(self, singles: Sequence[FloatArray], pairs: Sequence[FloatArray]) -> TreeTables:
        """Return the tables of the distribution ``exp(sum of potentials)``, by passing messages up and down. O(cells).

        Parameters
        ----------
        singles, pairs
            Potentials of columns and edges, in logarithms.
        """
        belief = [part.copy() for part in singles]
        said: list[FloatArray] = [np.zeros(0)] * len(self.edges)
        for place in reversed(range(len(self.edges))):
            upper, lower = self.edges[place]
            said[place] = np.asarray(_log_sum(pairs[place] + belief[lower], 1))
            belief[upper] = belief[upper] + said[place]
        known: list[FloatArray] = [np.zeros(0)] * self.columns
        known[0] = belief[0] - _log_sum(belief[0], 0)
        joint: list[FloatArray] = []
        for place, (upper, lower) in enumerate(self.edges):
            whole = (known[upper] - said[place])[:, None] + pairs[place] + belief[lower]
            known[lower] = np.asarray(_log_sum(whole, 0))
            joint.append(np.exp(whole))
        return TreeTables(tuple(map(np.exp, known)), tuple(joint))

    def drawn(self, tables: TreeTables, n: int, rng: np.random.Generator) -> list[IntArray]:
        """Return n records as one array of codes for each column.

        The counts of each class given its upper class are rounded, not drawn: two-way tables of the edges are as near to the
        distribution as whole numbers allow, level by level. O(n log n) for each column.
        """
        found: list[IntArray] = [np.zeros(0, dtype=np.int64)] * self.columns
        found[0] = drawn_codes(tables.singles[0], n, rng)
        for place, (upper, lower) in enumerate(self.edges):
            codes = np.empty(n, dtype=np.int64)
            order = np.argsort(found[upper], kind="stable")
            ends = np.searchsorted(found[upper][order], np.arange(len(tables.singles[upper]) + 1))
            for above, (begin, end) in enumerate(pairwise(ends.tolist())):
                if end > begin:
                    codes[order[begin:end]] = drawn_codes(tables.pairs[place][above], end - begin, rng)
            found[lower] = codes
        turned = rng.permutation(n)
        return [codes[turned] for codes in found]


def _log_sum(values: FloatArray, axis: int) -> FloatArray:
    """Return logarithms of sums of exponentials of finite numbers; scipy's looks at more cases, and takes longer."""
    highest = values.max(axis=axis, keepdims=True)
    return np.asarray(np.log(np.exp(values - highest).sum(axis=axis)) + np.squeeze(highest, axis=axis))
