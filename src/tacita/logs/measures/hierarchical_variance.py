"""The variance of topics as a tree has them: how much of it lies within the groups that share a profile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import LogMeasureTraits
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.log_measure import LogFigure, LogMeasure
from tacita.logs.measures.matched import deepest, same_tree

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["HierarchicalVariance", "digits_of", "hierarchical_variance"]


def digits_of(tree: CategoryTree, counts: FloatArray) -> tuple[FloatArray, int]:
    """Return for each category its digits, the most significant first, and the base b of the digits.

    The edges below a category are labelled from the middle of 0, ..., b - 1 outwards, in the order of how many values of the
    sample lie below them; b is the largest number of children in the tree. A category above the deepest level that the sample
    reaches is followed by the label of the middle.

    Parameters
    ----------
    tree
        The hierarchy.
    counts
        How often the sample has each category.

    Examples
    --------
    >>> tree = CategoryTree.from_paths([("a", "a1"), ("a", "a2"), ("b",), ("c",)])
    >>> digits, base = digits_of(tree, np.array([0.0, 3.0, 1.0, 2.0, 1.0]))
    >>> base, digits.astype(int).tolist()
    (3, [[1, 1], [1, 1], [1, 0], [0, 1], [2, 1]])
    """
    parents = tree.parents.astype(np.int64)
    below = counts.astype(np.float64)
    for level in range(tree.depth, 1, -1):
        here = np.flatnonzero(tree.levels == level)
        np.add.at(below, parents[here], below[here])
    order = np.lexsort((np.arange(len(tree)), -below, parents))
    ordered = parents[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if len(order) else np.zeros(0, int)
    sizes = np.diff(np.append(starts, len(order)))
    rank = np.empty(len(tree), np.int64)
    rank[order] = np.arange(len(order)) - np.repeat(starts, sizes)
    base = int(sizes.max(initial=1))
    labels = _labels(base)
    depth = int(tree.levels[counts > 0].max(initial=1))
    digits = np.full((len(tree), depth), float(labels[0]))
    for level in range(1, depth + 1):
        above = tree.at_level(level)
        has = above >= 0
        digits[has, level - 1] = labels[rank[above[has]]]
    return digits, base


def _labels(base: int) -> IntArray:
    """Return the labels 0, ..., b - 1 from the middle outwards, first to the side that has more of them left."""
    middle, first = ((base - 1) // 2, -1) if base % 2 else ((base - 2) // 2, 1)
    step = (np.arange(base) + 1) // 2
    side = np.where(np.arange(base) % 2 == 1, first, -first)
    return np.asarray(middle + side * step, np.int64)


def hierarchical_variance(tree: CategoryTree, counts: FloatArray) -> float:
    """Return the variance of a sample of categories: ``Var_H = sum over j of b^(2 j) Var(T(j))``, T(j) the digits of weight b^j.

    Examples
    --------
    >>> tree = CategoryTree.from_paths([("a", "a1"), ("a", "a2"), ("b", "b1")])
    >>> hierarchical_variance(tree, np.array([0.0, 1.0, 1.0, 0.0, 0.0]))
    0.25
    >>> hierarchical_variance(tree, np.array([0.0, 1.0, 0.0, 0.0, 1.0]))
    1.0
    """
    digits, base = digits_of(tree, counts)
    total = counts.sum()
    if not total:
        return 0.0
    apart = digits - counts @ digits / total
    weights = float(base) ** (2 * np.arange(digits.shape[1] - 1, -1, -1))
    return float((counts @ apart**2 / total) @ weights)


@dataclass(frozen=True, kw_only=True)
class HierarchicalVariance(LogMeasure):
    """Share of the variance of topics that lies within the groups of users who share a profile.

    Every category has a number in base b whose digits are the labels of the edges from the top of the tree down to it, so that
    categories far apart in the tree are far apart. With T(j) the digits of weight b^j in a sample of categories::

        Var_H = Var(T(0)) + b^2 Var(T(1)) + ... + b^(2 (L - 1)) Var(T(L - 1))

    The value is ``100 * Var_H within the groups / Var_H of the whole log``, like the within-group sum of squares of
    microaggregation: 0 where all users of each group search for the same topics, 100 where groups are as mixed as the whole log.

    Protects nothing; it says whether users with like interests were put together.

    Returns
    -------
    LogFigure
        Percent. Parts in percent of the variance of the original: ``between``, what lies between the groups; ``released``, the
        variance of the released log.

    Complexity
    ----------
    O(L (e + c)) time for L levels, e pairs of a group and a category that occur and c categories.

    Notes
    -----
    A value of the sample is a category of a query at the deepest level that the query has below it, once for each line and term.
    Edges are labelled once, by the queries of the whole original, and these labels hold in every group: the variance then falls
    apart into one within and one between groups, which it would not with labels of each group's own. What lies below an edge is
    counted in values, repetitions included; ties go to the category that stands first in the tree. Variances are those of a
    population, with n below the line. What lies above the first level is one root. Users for whom no profile stands are one
    group: nothing tells them apart.

    The labels are what the article describes, recalled in the author's later report on marginality; what its erratum of 2009
    changed could not be compared.

    References
    ----------
    Domingo-Ferrer, J. and Solanas, A. (2008), A measure of variance for hierarchical nominal attributes, Information Sciences
    178(24); erratum (2009), 179, 3732.

    Domingo-Ferrer, J. (2012), Marginality: a numerical mapping for enhanced treatment of nominal and hierarchical attributes,
    arXiv:1202.6009.

    Examples
    --------
    >>> tree = CategoryTree.from_paths([("Sports", "Soccer"), ("Sports", "Tennis"), ("Arts", "Opera")])
    >>> every = np.arange(3)
    >>> topics = Classified.from_categories(tree, 3, every, every, np.array([1, 2, 4]), depth=2)
    >>> log = QueryLog.from_columns(["ann", "bob", "eve", "joe"], ["goal", "serve", "aria", "aria"])
    >>> left = QueryLog.from_columns(["one", "two"], ["goal", "aria"])
    >>> made = AnonymisedLog(
    ...     log=left, profile=np.array([0, 0, 1, 1], np.int32), method="by hand", topics=topics.at(np.array([0, 2]))
    ... )
    >>> round(HierarchicalVariance().of(log, topics, made).value, 2)
    10.53
    """

    name = "hierarchical_variance"
    title = "Variance of topics within groups"
    traits = LogMeasureTraits(needs_topics=True, better="lower")

    def measure(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> LogFigure:
        """Take the variance apart."""
        before, after = same_tree(topics, anonymised.topics, self.speaker())
        counts = _grouped(log, before, anonymised)
        sample = np.asarray(counts.sum(axis=0), float).ravel()
        n = sample.sum()
        if not n:
            return LogFigure(value=0.0, note="No query of the log is classified.")
        digits, base = digits_of(before.tree, sample)
        weights = float(base) ** (-2 * np.arange(digits.shape[1]))  # only shares matter: b^(2 (L - 1)) is left out
        apart = digits - sample @ digits / n
        total = float((sample @ apart**2) @ weights)
        sizes = np.asarray(counts.sum(axis=1), float).ravel()
        means = (counts @ apart) / np.where(sizes > 0, sizes, 1.0)[:, None]
        between = float((sizes @ means**2) @ weights)
        left = np.asarray(deepest(after).T @ _times(anonymised.log), float).ravel()
        released = 0.0
        if left.sum():
            moved = digits - left @ digits / left.sum()
            released = float((left @ moved**2 / left.sum()) @ weights) * n
        if not total:
            return LogFigure(value=0.0, parts={"between": 0.0}, note="The topics of the log do not vary.")
        parts = {"between": float(100 * between / total), "released": float(100 * released / total)}
        return LogFigure(value=max(0.0, 100 * (total - between) / total), parts=parts)


def _times(log: QueryLog) -> FloatArray:
    return np.bincount(log.query[log.query >= 0], minlength=len(log.texts)).astype(np.float64)


def _grouped(log: QueryLog, topics: Classified, anonymised: AnonymisedLog) -> sparse.csr_array:
    """Return how often each group has each deepest category; users without a profile are the last group."""
    from scipy import sparse  # loads when used

    groups = len(anonymised.log.users)
    group = np.where(anonymised.profile >= 0, anonymised.profile, groups)
    shape = (groups + 1, len(log.users))
    members = sparse.coo_array((np.ones(len(group)), (group, np.arange(len(group)))), shape=shape)
    return sparse.csr_array(sparse.csr_array(members) @ log.asked.astype(np.float64) @ deepest(topics))
