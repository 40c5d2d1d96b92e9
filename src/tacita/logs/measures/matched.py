"""A log beside what was made of it: the same texts found again, and the topics of users next to those of their profiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import MeasureError
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import Codes, QueryLog
from tacita.logs.anonymiser import AnonymisedLog

if TYPE_CHECKING:
    from scipy import sparse

__all__ = [
    "asked_times",
    "deepest",
    "each_level",
    "mean_of_known",
    "profile_rows",
    "row_sums",
    "same_tree",
    "text_places",
    "topics_of_users",
    "user_blocks",
]

_BLOCK = 20_000
"""Users that are compared with their profiles at a time."""


def text_places(texts: pa.StringArray, known: pa.StringArray) -> Codes:
    """Return the place of each text among known ones; -1 for a text that is none of them. O(n)."""
    found = pc.index_in(texts, value_set=known)
    return np.asarray(pc.fill_null(found, -1).to_numpy(zero_copy_only=False), np.int32)


def each_level(
    log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog, owner: str
) -> Iterator[tuple[sparse.csr_array, sparse.csr_array]]:
    """Return for each level how often each user, and each profile, has each category.

    Raises
    ------
    MeasureError
        When the two logs were not classified, or not by the same tree.
    """
    before, after = same_tree(topics, anonymised.topics, owner)
    for own, left in zip(before.levels, after.levels, strict=False):
        yield topics_of_users(log, own), topics_of_users(anonymised.log, left)


def same_tree(topics: Classified | None, released: Classified | None, owner: str) -> tuple[Classified, Classified]:
    """Return what is known of the texts of both logs, when it goes by one tree."""
    if topics is None or released is None:
        raise MeasureError(f"{owner}: both logs must be classified by a topic index.")
    is_same = released.tree is topics.tree or (
        released.tree.names == topics.tree.names and np.array_equal(released.tree.parents, topics.tree.parents)
    )
    if not is_same:
        raise MeasureError(f"{owner}: both logs must be classified by the same tree of categories.")
    return topics, released


def topics_of_users(log: QueryLog, level: sparse.csr_array) -> sparse.csr_array:
    """Return how often each user has each category (the classification matrix of Algorithm 1)."""
    from scipy import sparse  # loads when used

    return sparse.csr_array(log.asked.astype(np.float64) @ level.astype(np.float64))


def profile_rows(matrix: sparse.csr_array, profile: Codes) -> sparse.csr_array:
    """Return the row of the profile that stands for each user; an empty one where none does."""
    from scipy import sparse  # loads when used

    has = np.flatnonzero(profile >= 0)
    shape = (len(profile), matrix.shape[0])
    chosen = sparse.coo_array((np.ones(len(has)), (has, profile[has])), shape=shape)
    return sparse.csr_array(sparse.csr_array(chosen) @ matrix)


def user_blocks(users: int) -> Iterator[slice]:
    """Cut the users into runs that are compared at a time."""
    for first in range(0, users, _BLOCK):
        yield slice(first, min(first + _BLOCK, users))


def row_sums(matrix: sparse.csr_array) -> FloatArray:
    """Return the sum of each row."""
    return np.asarray(matrix.sum(axis=1), np.float64).ravel()


def asked_times(log: QueryLog) -> IntArray:
    """Return how often each text was asked."""
    return np.bincount(log.query[log.query >= 0], minlength=len(log.texts)).astype(np.int64)


def mean_of_known(values: FloatArray) -> FloatArray:
    """Return the mean of each column over the values that are there."""
    known = ~np.isnan(values)
    count = known.sum(axis=0)
    total = np.where(known, values, 0.0).sum(axis=0)
    return np.asarray(np.divide(total, count, out=np.full(values.shape[1], np.nan), where=count > 0))


def deepest(topics: Classified) -> sparse.csr_array:
    """Return how often each text has each category that none of its categories lies below."""
    from scipy import sparse  # loads when used

    found = topics.levels[-1].astype(np.float64)
    for level in range(len(topics.levels) - 1):
        here, deeper = topics.levels[level].astype(np.float64), topics.levels[level + 1]
        above = topics.tree.parents[deeper.indices]
        covered = sparse.csr_array((np.ones(len(above)), above, deeper.indptr.copy()), shape=deeper.shape)
        covered.sum_duplicates()
        covered.data[:] = 1.0
        found = found + here - here.multiply(covered)
    return sparse.csr_array(found)
