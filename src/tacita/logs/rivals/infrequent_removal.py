"""Infrequent queries leave: a query is published when enough different users asked it."""

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
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.rivals.renamed import Removal

__all__ = ["InfrequentRemoval", "askers_of", "main_topics"]


def askers_of(log: QueryLog) -> IntArray:
    """Return how many different users asked each text. O(n)."""
    return np.bincount(log.asked.indices, minlength=len(log.texts)).astype(np.int64)


def main_topics(topics: Classified) -> IntArray:
    """Return for each text the category of the first level that most of its terms have, the lowest of several; -1 for none."""
    level = topics.levels[0]
    text = np.repeat(np.arange(topics.texts), np.diff(level.indptr))
    order = np.lexsort((-level.indices, level.data, text))  # the last of a text is the one that stays
    found = np.full(topics.texts, -1, np.int64)
    found[text[order]] = level.indices[order]
    return found


@dataclass(frozen=True, kw_only=True)
class InfrequentRemoval(Removal):
    """Remove the queries that too few different users asked.

    A query is published when at least ``askers`` different users asked it; then all its lines leave, under a number for each
    user. With ``splits_users`` a user is taken apart by his interests: his queries of each category of the first level stand
    under a number of their own, and so do those without a category, so that one interest does not lead to the others.

    Protects against queries that name somebody, as long as few ask them. Does not protect against whoever knows several common
    queries of a user: together they are his alone.

    Parameters
    ----------
    askers
        Fewest different users who must have asked a query for it to be published.
    splits_users
        Whether the interests of a user stand under different numbers; it needs ``topics``.

    Raises
    ------
    DataError
        When the log is empty, or users are to be split and no topics are given.

    Complexity
    ----------
    O(n log n) time for n lines, O(n) memory.

    Notes
    -----
    The article removes a query before it was ever stored: each user gives a share of a secret that is enough to read the query
    when ``askers`` shares are together, so that the first who asked are lost until then. Here the whole log is there, and
    nobody's line is lost. Its interests are clusters of result pages; here they are what the directory says. Two spellings of a
    query are two queries. Times and addresses leave on request only, and as they are: a rare one points to somebody as a rare
    query does. Users without a line that leaves have no profile; a user in parts is stood for by the part with most of his lines.

    References
    ----------
    Adar, E. (2007), User 4XXXXX9: anonymizing query logs, Query Log Analysis workshop at WWW 2007.

    Examples
    --------
    >>> log = QueryLog.from_columns(["ann", "bob", "ann"], ["tea", "tea", "ann lee"])
    >>> made = InfrequentRemoval(askers=2).apply(log, seed=1)
    >>> made.log, made.log.texts.to_pylist()
    (QueryLog of 2 lines, 2 users, 1 different queries, ['tea'])
    """

    name = "infrequent_removal"
    title = "Removal of infrequent queries"
    traits = AnonymiserTraits()
    askers: Annotated[int, Interval(2)] = 5
    splits_users: bool = False

    def make(self, log: QueryLog, topics: Classified | None, streams: Streams) -> AnonymisedLog:
        """Keep the lines of queries that enough users asked."""
        if self.splits_users and topics is None:
            raise DataError(
                f"{self.speaker()}: to split users 'topics' must be given; classify the log with a topic index."
            )
        enough = np.append(askers_of(log) >= self.askers, False)  # the last for lines without a query
        lines = np.flatnonzero(enough[log.query])
        who = None
        if self.splits_users and topics is not None:
            interest = main_topics(topics)[log.query[lines]]
            who = log.user[lines].astype(np.int64) * (len(topics.tree) + 1) + interest + 1
        rare = int((log.query >= 0).sum()) - len(lines)
        return self.renamed(log, topics, lines, streams, who=who, removed={"asked by too few users": rare})
