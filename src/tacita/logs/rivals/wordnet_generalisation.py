"""Generalisation along a tree: each user is told as a set of categories that at least k users have alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError
from tacita.core.parameters import Interval
from tacita.core.streams import Streams
from tacita.core.traits import AnonymiserTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.logs.measures.matched import deepest
from tacita.logs.microaggregation.profiles import LeavingLines, classify_items, make_profiles, name_items
from tacita.logs.rivals.top_down import ItemTree, ToldAlike, item_tree, top_down_parts

__all__ = ["WordnetGeneralisation"]


@dataclass(frozen=True, kw_only=True)
class WordnetGeneralisation(Anonymiser):
    """Tell each user as a set of categories, generalised until at least k users have the same set.

    Every user is the set of the deepest categories of his queries. All begin as the root of the tree. A part of the users is
    divided by expanding the node that gains most: each set is told by which children of the node it has, users with the same
    children form a part, and parts of fewer than k stay together at the node. It goes on until no node can be expanded. What an
    item loses that is told as node v is ``NCP(v) = items below v / all items``, 0 for an item itself.

    Protects against whoever knows any part of what a user searched for, as long as he knows it as categories: k users are told
    alike. Does not protect against what all users of a part have in common, which is told as what it is.

    Parameters
    ----------
    k
        Fewest users that a profile stands for.

    Returns
    -------
    AnonymisedLog
        A profile for each part of the users, with one line for each category of its set; no word that a user wrote leaves.

    Raises
    ------
    DataError
        When the log is empty, topics are lacking, or fewer than k users have a query.

    Complexity
    ----------
    O(s t) time for s items of all sets, t expansions that one set goes through; O(s) memory.

    Notes
    -----
    The article takes the hypernyms of WordNet as its tree; any tree will do, that of ``topics``. A set has no repetitions: how
    often somebody asked is lost, which measures of counts show. An item that has items below it stands beside its children when
    it is expanded. Where fewer than k users are left over, those are moved to them from larger parts that lose least by it, and
    when there are not enough of them the part that gains least is given up. What is left over is tried at other nodes, at the
    same one no more. A user whose queries have no category counts as an item of its own right below the root, which is not
    written out. A profile whose users have nothing but the root in common has no line.

    References
    ----------
    He, Y. and Naughton, J. F. (2009), Anonymization of set-valued data via top-down, local generalization, VLDB 2009, algorithm
    Anonymize with pickNode, distributeData and balancePartitions.

    Examples
    --------
    >>> from tacita.data.directory.category_tree import CategoryTree
    >>> tree = CategoryTree.from_paths([("Sports", "Soccer"), ("Sports", "Tennis"), ("Arts",)])
    >>> log = QueryLog.from_columns(["ann", "bob", "eve", "joe"], ["goal", "serve", "opera", "aria"])
    >>> every = np.arange(4)
    >>> topics = Classified.from_categories(tree, 4, every, every, np.array([1, 2, 3, 3]), depth=2)
    >>> WordnetGeneralisation(k=2).apply(log, topics, seed=1).log.texts.to_pylist()
    ['Arts', 'Sports']
    """

    name = "wordnet_generalisation"
    title = "Generalisation along a tree"
    traits = AnonymiserTraits(needs_topics=True, groups_users=True)
    k: Annotated[int, Interval(2)] = 5

    def make(self, log: QueryLog, topics: Classified | None, streams: Streams) -> AnonymisedLog:
        """Divide the users, and write the sets of the parts."""
        if topics is None:
            raise DataError(f"{self.speaker()}: 'topics' must be given.")
        asking = np.flatnonzero(np.diff(log.asked.indptr))
        if len(asking) < self.k:
            raise DataError(f"{self.speaker()}: at least k = {self.k} users must have a query, got {len(asking)}.")
        tree, start, leaf = _sets(log, topics, asking)
        parts = top_down_parts(tree, start, leaf, self.k)
        sizes = np.array([len(part.nodes) for part in parts])
        group = np.repeat(np.arange(len(parts)), sizes)
        category = tree.category[np.concatenate([part.nodes for part in parts])]
        told = category >= 0  # neither the root nor what has no category
        item = topics.texts + category[told]
        named = np.unique(item)
        names = name_items(named, log.texts, topics)
        made = make_profiles(
            LeavingLines(group[told], item), names, named, len(parts), log.users, streams.stream("order")
        )
        profile = np.full(len(log.users), -1, np.int32)
        for number, part in zip(made.number, parts, strict=True):
            profile[asking[part.members]] = number
        return AnonymisedLog(
            log=made.log,
            profile=profile,
            method=self.words(),
            topics=classify_items(made.items, topics),
            removed=_removed(log, topics),
            notes=(
                f"Generalisation loses {100 * _loss(tree, parts, start, leaf):.1f} % (NCP), repetitions not counted.",
            ),
        )


def _sets(log: QueryLog, topics: Classified, asking: IntArray) -> tuple[ItemTree, IntArray, IntArray]:
    """Return the tree of the items, and the leaves of each user who asks; who has no category has the last leaf."""
    has = (log.asked[asking] @ deepest(topics)).tocsr()
    has.eliminate_zeros()
    has.sort_indices()
    tree = item_tree(topics.tree, np.unique(has.indices).astype(np.int64))
    row = np.repeat(np.arange(len(asking)), np.diff(has.indptr))
    without = np.flatnonzero(np.diff(has.indptr) == 0)
    if len(without):
        tree = _with_unknown(tree)
    leaf = np.concatenate([tree.leaf[has.indices], np.full(len(without), tree.leaves - 1)])
    row = np.concatenate([row, without])
    order = np.lexsort((leaf, row))
    start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(asking)))])
    return tree, start, leaf[order]


def _with_unknown(tree: ItemTree) -> ItemTree:
    """Return the tree with a further leaf below the root, for what no directory knows."""
    leaves, node = tree.leaves, len(tree.category)
    last = np.append(tree.last, leaves + 1)
    last[0] = leaves + 1
    children = (np.append(tree.children[0], node), *tree.children[1:], np.zeros(0, np.int64))
    return ItemTree(np.append(tree.category, -1), np.append(tree.first, leaves), last, children, tree.leaf)


def _removed(log: QueryLog, topics: Classified) -> dict[str, int]:
    known = np.append(np.diff(topics.levels[0].indptr) > 0, True)
    removed = {"without a topic": int((~known[log.query]).sum()), "without a query": int((log.query < 0).sum())}
    return {reason: lines for reason, lines in removed.items() if lines}


def _loss(tree: ItemTree, parts: list[ToldAlike], start: IntArray, leaf: IntArray) -> float:
    """Return the mean loss of the items, each as it is told (NCP)."""
    lost: list[IntArray] = []
    for part in parts:
        nodes = part.nodes[np.argsort(tree.first[part.nodes])]
        own = np.concatenate([leaf[start[member] : start[member + 1]] for member in part.members])
        lost.append(tree.loss[nodes[np.searchsorted(tree.first[nodes], own, side="right") - 1]])
    return float(np.concatenate(lost).mean() / tree.leaves)
