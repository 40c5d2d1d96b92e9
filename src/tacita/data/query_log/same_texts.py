"""Texts of two logs side by side, and the lines of some users: what joins logs that share people or words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, IntArray
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.query_log.query_log import Codes, QueryLog

__all__ = ["are_categories", "lines_of_users", "numbered_users", "places_of_texts", "texts_in_use"]


def places_of_texts(texts: pa.StringArray, among: pa.StringArray) -> Codes:
    """Return the first place of each text among others, -1 where it is not there; case and further blanks do not count.

    Examples
    --------
    >>> places_of_texts(pa.array(["Green  tea ", "milk"]), pa.array(["green tea", "GREEN TEA"])).tolist()
    [0, -1]
    """
    found = pc.index_in(_folded(texts), value_set=_folded(among))
    return np.asarray(pc.fill_null(found, -1).to_numpy(zero_copy_only=False), np.int32)


def are_categories(texts: pa.StringArray, tree: CategoryTree) -> BoolArray:
    """Return which texts are the path of a category, as it stands in a log in the place of queries.

    Examples
    --------
    >>> from tacita.data.directory.category_tree import CategoryTree
    >>> tree = CategoryTree.from_paths([("Sports", "Soccer")])
    >>> are_categories(pa.array(["soccer", "Sports: Soccer", "sports"]), tree).tolist()
    [False, True, True]
    """
    return places_of_texts(texts, pa.array([": ".join(path) for path in tree.paths], pa.string())) >= 0


def lines_of_users(log: QueryLog, chosen: IntArray) -> QueryLog:
    """Return the lines of some users, who are numbered in the order given; users without lines stay.

    Examples
    --------
    >>> log = QueryLog.from_columns(["ann", "bob", "ann"], ["tea", "tea", "milk"])
    >>> lines_of_users(log, np.array([1]))
    QueryLog of 1 lines, 1 users, 2 different queries
    """
    number = np.full(len(log.users), -1, np.int32)
    number[chosen] = np.arange(len(chosen), dtype=np.int32)
    lines = np.flatnonzero(number[log.user] >= 0)
    taken = log.take(lines)
    return replace(taken, user=number[taken.user], users=log.users.take(pa.array(chosen, pa.int64())))


def numbered_users(log: QueryLog) -> QueryLog:
    """Return the log with numbers in the place of the names of its users."""
    return replace(log, users=pa.array(np.arange(len(log.users)).astype(str), pa.string()))


def texts_in_use(log: QueryLog) -> QueryLog:
    """Return the log without texts that none of its lines has; users without lines stay, which :meth:`QueryLog.compact` drops."""
    used, query = np.unique(log.query, return_inverse=True)
    none = int(len(used) > 0 and used[0] < 0)
    return replace(log, query=(query - none).astype(np.int32), texts=log.texts.take(pa.array(used[none:], pa.int64())))


def _folded(texts: pa.StringArray) -> pa.StringArray:
    return pc.utf8_lower(pc.utf8_trim_whitespace(pc.replace_substring_regex(texts, r"\s+", " ")))
