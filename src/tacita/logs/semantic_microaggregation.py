"""Semantic microaggregation: users with common interests are grouped, and a group's users become one profile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.errors import DataError
from tacita.core.parameters import Interval
from tacita.core.streams import Streams
from tacita.core.traits import AnonymiserTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.logs.microaggregation.aggregation import asked_by_repetitions, copies, lines_of_copies
from tacita.logs.microaggregation.interests import interests_of
from tacita.logs.microaggregation.profiles import Line, classify_items, make_profiles, name_items
from tacita.numeric.user_groups.partition import exact_groups, join_leftovers

__all__ = ["SemanticMicroaggregation"]


@dataclass(frozen=True, kw_only=True)
class SemanticMicroaggregation(Anonymiser):
    """Replace groups of at least k users with common interests by one profile each.

    Every user is described by how often his queries fall into each category of a topic directory, at every level. Two users are
    as similar as these counts have in common: ``sum over levels and categories of min(a, b)``. The most similar users form
    groups, and each gives some of his queries to the profile of his group, in proportion to how many he asked.

    Protects against whoever looks for the whole history of one user. Does not protect against whoever knows a query that
    only one user asked.

    Parameters
    ----------
    k
        Fewest users that a profile stands for.

    Notes
    -----
    The directory says what a query is about; queries that it does not know count for the size of a profile and not for its group.

    References
    ----------
    Erola, A., Castella-Roca, J., Navarro-Arribas, G., Torra, V. (2011). Semantic microaggregation for the anonymization of query
    logs using the Open Directory Project. SORT special issue, 41-58: Algorithms 1 to 5.

    Examples
    --------
    >>> SemanticMicroaggregation(k=3).words()
    'semantic_microaggregation(k=3)'
    """

    name = "semantic_microaggregation"
    traits = AnonymiserTraits(needs_topics=True, groups_users=True)
    k: Annotated[int, Interval(2)] = 5

    def make(self, log: QueryLog, topics: Classified | None, streams: Streams) -> AnonymisedLog:
        """Group the users, and make a profile of each group."""
        assert topics is not None  # what `apply` has checked
        stages: dict[str, float] = {}
        asking = np.flatnonzero(np.diff(log.asked.indptr))
        if len(asking) < self.k:
            raise DataError(
                f"{self.speaker()}: at least k = {self.k} users must have a query, got {len(asking)}; the others hide nobody."
            )
        with _timed(stages, "interests"):
            interests = interests_of(log, topics)
        with _timed(stages, "groups"):
            users = interests.counts[asking]
            labels = join_leftovers(users, exact_groups(users, self.k))
        with _timed(stages, "profiles"):
            group_of_user = np.full(len(log.users), -1)
            group_of_user[asking] = labels
            lines = np.flatnonzero(log.query >= 0)
            place = np.cumsum(np.diff(log.asked.indptr) > 0) - 1
            asked = asked_by_repetitions(place[log.user[lines]], log.query[lines].astype(np.int64))
            wanted = copies(asked, labels, streams.stream("copies"), cut_at_quota=False)
            chosen = lines[lines_of_copies(asked, wanted, streams.stream("lines"))]
            left = Line(group_of_user[log.user[chosen]], log.query[chosen].astype(np.int64))
            named = np.unique(left.item)
            names = name_items(named, log.texts, topics)
            groups = int(labels.max()) + 1
            made = make_profiles(left, names, named, groups, streams.stream("order"))
        profile = np.full(len(log.users), -1, np.int32)
        profile[asking] = made.number[labels]
        return AnonymisedLog(
            log=made.log,
            profile=profile,
            method=self.words(),
            topics=classify_items(made.items, topics),
            removed={"without a query": len(log) - len(lines), "beyond the shares": len(lines) - len(chosen)},
            stages=stages,
        )


@contextmanager
def _timed(stages: dict[str, float], name: str) -> Iterator[None]:
    """Note how long a stage took."""
    begin = time.perf_counter()
    yield
    stages[name] = time.perf_counter() - begin
