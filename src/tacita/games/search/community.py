"""A community of peers and the queries that arise among them, in the order of time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import IntArray, PlaceArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.streams import Seed, Streams
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.same_texts import places_of_texts

if TYPE_CHECKING:
    from scipy import sparse

    from tacita.data.samples.query_logs.log_sample import LogSample

__all__ = ["Community", "community_of_log", "community_of_sample", "pair_counts"]

_FEWEST = 2
_SEARCHES_OF_LINES = 1.9
"""Lines of the made log for each query that is wanted: clicks on one search are one query, and numbers of lines vary."""


@dataclass(frozen=True, eq=False)
class Community:
    """Who has which query, one entry a query, in the order of time.

    Parameters
    ----------
    owner
        (M,) the peer who has the query, from 0 to ``peers`` - 1.
    query
        (M,) which query it is, from 0 to ``queries`` - 1.
    peers, queries
        N, and how many different queries there are.
    topic
        (queries,) the topic of each query, -1 for none; None where topics are not known.
    notes
        What was left out, and why, a sentence each.

    Examples
    --------
    >>> Community(np.array([0, 1, 0]), np.array([0, 0, 1]), peers=2, queries=2)
    Community of 2 peers with 3 queries, 2 of them different
    """

    owner: PlaceArray
    query: PlaceArray
    peers: int
    queries: int
    topic: PlaceArray | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if isinstance(self.peers, bool) or self.peers < _FEWEST:
            raise DataError(f"A community must have at least {_FEWEST} peers, got {self.peers}.")
        if len(self.owner) != len(self.query):
            raise DataError("Community: 'owner' and 'query' must have one entry a query.")
        for name, most in (("owner", self.peers), ("query", self.queries)):
            column = np.ascontiguousarray(getattr(self, name), np.int32)
            if len(column) and (column.min() < 0 or column.max() >= most):
                raise DataError(f"Community: '{name}' must hold places from 0 to {most - 1}.")
            object.__setattr__(self, name, column)
        if self.topic is not None and len(self.topic) != self.queries:
            raise DataError("Community: 'topic' must have one entry for each different query.")

    def __len__(self) -> int:
        return len(self.owner)

    def __repr__(self) -> str:
        return f"Community of {self.peers} peers with {len(self)} queries, {self.queries} of them different"

    @cached_property
    def pair(self) -> tuple[PlaceArray, int]:
        """The number of the pair of owner and query of each line, and how many there are."""
        found, number = np.unique(self.owner.astype(np.int64) * self.queries + self.query, return_inverse=True)
        return number.astype(np.int32), len(found)

    @cached_property
    def asked(self) -> sparse.csr_array:
        """X: how often each peer (row) had each query (column)."""
        return pair_counts(self.owner, self.query, (self.peers, self.queries))

    def of_peers(self, places: IntArray) -> Community:
        """Return the community of some of its peers, with their queries alone."""
        number = np.full(self.peers, -1, np.int32)
        number[places] = np.arange(len(places), dtype=np.int32)
        keep = number[self.owner] >= 0
        return replace(self, owner=number[self.owner[keep]], query=self.query[keep], peers=len(places))

    def by_topic(self) -> Community:
        """Return the community in which the topic is the keyword that is searched for; queries without a topic are left out."""
        if self.topic is None:
            raise DataError("Topics of these queries are not known; give a topic directory.")
        topic = self.topic[self.query]
        keep = topic >= 0
        left = f"{int((~keep).sum()):,} queries without a topic are left out."
        return replace(
            self,
            owner=self.owner[keep],
            query=topic[keep].astype(np.int32),
            queries=int(self.topic.max(initial=-1)) + 1,
            topic=np.arange(int(self.topic.max(initial=-1)) + 1, dtype=np.int32),
            notes=(*self.notes, *([] if keep.all() else [left])),
        )


def pair_counts(row: PlaceArray, column: PlaceArray, shape: tuple[int, int]) -> sparse.csr_array:
    """Return how often each pair of row and column occurs, as a sparse matrix."""
    from scipy import sparse  # loads when used

    found = sparse.csr_array(sparse.coo_array((np.ones(len(row), np.int64), (row, column)), shape=shape))
    found.sum_duplicates()
    return found


def community_of_log(
    log: QueryLog,
    *,
    peers: int | None = None,
    queries: int | None = None,
    topic_of_text: PlaceArray | None = None,
    seed: Seed = 1,
) -> Community:
    """Make a community of the users of a log.

    Parameters
    ----------
    log
        Who searched what, when.
    peers
        N: so many users are drawn; None for all.
    queries
        M: the first so many queries of these users; None for all.
    topic_of_text
        For each text of the log its topic, -1 for none.
    seed
        Draws the users, and the order where the log has no times.

    Notes
    -----
    Two texts are one query when they differ in upper and lower case or in blanks only. Several clicks after one
    search are one query. Without times the queries of each user stay in their order, and users are interleaved at random.
    Complexity: O(M log M).

    Examples
    --------
    >>> log = QueryLog.from_columns(["ann", "bob", "ann"], ["tea", "Tea ", "milk"])
    >>> community_of_log(log)
    Community of 2 peers with 3 queries, 2 of them different
    """
    for name, value, least in (("peers", peers, _FEWEST), ("queries", queries, 1)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise ParameterError(f"'{name}' must be a whole number, at least {least}.")
    notes: list[str] = []
    dated = log.time is not None
    found = log.searches() if dated else log
    usable = found.query >= 0
    if found.time is not None:
        usable &= ~np.isnat(found.time)
    if not usable.all():
        notes.append(f"{int((~usable).sum()):,} lines without a query or a time are left out.")
        found = found.take(usable)
    streams = Streams(seed).within("peer_search", "community")
    users = _drawn_users(found, peers, streams.stream("users"), notes)
    number = np.full(len(found.users), -1, np.int32)
    number[users] = np.arange(len(users), dtype=np.int32)
    found = found.take(number[found.user] >= 0)
    order = _order(found, streams.stream("order"))
    if not dated:
        notes.append("The log has no times: users are interleaved at random.")
    if queries is not None and queries > len(order):
        notes.append(f"The log has {len(order):,} queries of these users, not {queries:,}.")
    order = order[:queries]
    query, topic, different = _queries(found, order, topic_of_text)
    return Community(number[found.user[order]], query, len(users), different, topic, tuple(notes))


def _drawn_users(log: QueryLog, peers: int | None, rng: np.random.Generator, notes: list[str]) -> IntArray:
    active = np.flatnonzero(log.lines_of_users)
    if len(active) < _FEWEST:
        raise DataError(f"A community must have at least {_FEWEST} users with a query, got {len(active)}.")
    if peers is None or peers == len(active):
        return active
    if peers > len(active):
        notes.append(f"The log has {len(active):,} users with a query, not {peers:,}.")
        return active
    return np.sort(rng.choice(active, peers, replace=False))


def _order(log: QueryLog, rng: np.random.Generator) -> IntArray:
    """Return the lines in the order of time; without times each user's at random moments, in their own order."""
    if log.time is not None:
        return np.argsort(log.time, kind="stable")
    moment = rng.random(len(log))
    by_user = np.argsort(log.user, kind="stable")
    sorted_moment = moment[np.lexsort((moment, log.user))]
    return by_user[np.argsort(sorted_moment, kind="stable")]


def _queries(
    log: QueryLog, order: IntArray, topic_of_text: PlaceArray | None
) -> tuple[PlaceArray, PlaceArray | None, int]:
    """Number the queries of some lines: texts that differ in case or blanks are one."""
    used = np.unique(log.query[order])
    texts = log.texts.take(used)
    first, alike = np.unique(places_of_texts(texts, texts), return_inverse=True)
    number = np.zeros(len(log.texts), np.int32)
    number[used] = alike
    query = number[log.query[order]]
    topic = None
    if topic_of_text is not None:
        topic = np.full(len(first), -1, np.int32)
        topic[query] = topic_of_text[log.query[order]]
    return query, topic, len(first)


def community_of_sample(peers: int, queries: int, *, seed: Seed = 1, level: int = 2) -> Community:
    """Make a community of the package's own log, with the true topic of each query at a level of the directory.

    Parameters
    ----------
    peers, queries
        N and M.
    seed
        Draws the log.
    level
        Of the topics, 1 for the broadest.

    Examples
    --------
    >>> community_of_sample(50, 1000, seed=1).peers
    50
    """
    from tacita.data.samples.query_logs.query_log import query_log

    for name, value, least in (("peers", peers, _FEWEST), ("queries", queries, 1), ("level", level, 1)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ParameterError(f"'{name}' must be a whole number, at least {least}.")
    sample = query_log(peers, seed=seed, lines_per_user=max(1.0, _SEARCHES_OF_LINES * queries / peers))
    return community_of_log(sample.log, queries=queries, topic_of_text=_true_topics(sample, level), seed=seed)


def _true_topics(sample: LogSample, level: int) -> PlaceArray:
    """Return for each text the topic that most of its lines are about, numbered anew; -1 for none."""
    truth = sample.truth_at(level)
    has = (truth >= 0) & (sample.log.query >= 0)
    votes = pair_counts(sample.log.query[has], truth[has], (len(sample.log.texts), len(sample.directory.tree)))
    some = np.diff(votes.indptr) > 0
    best = np.where(some, np.asarray(votes.argmax(axis=1)).ravel(), -1)
    used, number = np.unique(best[some], return_inverse=True)
    del used
    topic = np.full(len(best), -1, np.int32)
    topic[some] = number
    return topic
