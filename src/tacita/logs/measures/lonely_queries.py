"""Released queries that only one person ever asked: each points to one user of the original."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.traits import LogMeasureTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.log_measure import LogFigure, LogMeasure
from tacita.logs.measures.matched import text_places

__all__ = ["LonelyQueries"]


@dataclass(frozen=True, kw_only=True)
class LonelyQueries(LogMeasure):
    """Share of the released lines whose query only one user of the original ever asked.

    A line is lonely where its text was asked by exactly one user of the whole original, and lonely in its group where it was
    asked by exactly one of the users that its profile stands for. Whoever knows that somebody searched for it has found the
    profile that stands for him, whatever k is; and a search for one's own name names him.

    Protects against nothing itself; a release in which nothing is lonely does not tell anybody's own words.

    Returns
    -------
    LogFigure
        Percent of the released lines with a query. Part ``in group``: the same within the users of the profile. One value for
        each user: the percentage of his lines whose text is his alone and was released; missing where none of his
        lines has a text.

    Complexity
    ----------
    O(n log n) for n lines of both logs.

    Notes
    -----
    Texts are compared letter by letter. A released text that nobody asked, such as a category, is not lonely. Every text that is
    lonely in the whole log is lonely in its group; the reverse does not hold.

    References
    ----------
    Adar, E. (2007), User 4XXXXX9: anonymizing query logs, Query Log Analysis workshop at WWW 2007.

    Examples
    --------
    >>> log = QueryLog.from_columns(["ann", "ann", "bob", "bob", "eve"], ["tea", "ann lee", "tea", "jam", "jam"])
    >>> left = QueryLog.from_columns(["one", "one", "one", "one"], ["tea", "tea", "ann lee", "jam"])
    >>> made = AnonymisedLog(log=left, profile=np.array([0, 0, -1], np.int32), method="by hand")
    >>> found = LonelyQueries().of(log, None, made)
    >>> found.value, found.parts["in group"], found.per_user.tolist()
    (25.0, 50.0, [50.0, 0.0, 0.0])
    """

    name = "lonely_queries"
    title = "Queries of one person"
    traits = LogMeasureTraits(better="lower", is_risk=True)

    def measure(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> LogFigure:
        """Count who asked what was released."""
        del topics
        left = anonymised.log
        lines = left.query >= 0
        text = text_places(left.texts, log.texts)[left.query[lines]].astype(np.int64)
        asked = log.asked
        askers = np.bincount(asked.indices, minlength=len(log.texts))
        lonely = (text >= 0) & (_at(askers, text) == 1)
        in_group = _asked_by_one(log, anonymised, left.user[lines].astype(np.int64), text)
        released = np.zeros(len(log.texts), bool)
        released[text[text >= 0]] = True
        own = asked @ (released & (askers == 1)).astype(np.int64)
        total = asked.sum(axis=1)
        per_user = np.divide(100.0 * own, total, out=np.full(len(log.users), np.nan), where=total > 0)
        return LogFigure(value=_percent(lonely), per_user=per_user, parts={"in group": _percent(in_group)})


def _asked_by_one(log: QueryLog, anonymised: AnonymisedLog, profile: IntArray, text: IntArray) -> BoolArray:
    """Return for each released line whether exactly one user of its profile asked its text."""
    asked = log.asked
    user = np.repeat(np.arange(len(log.users)), np.diff(asked.indptr))
    group = anonymised.profile[user].astype(np.int64)
    has = group >= 0
    width = len(log.texts) + 1
    pairs, times = np.unique(group[has] * width + asked.indices[has], return_counts=True)
    wanted = profile * width + text
    place = np.searchsorted(pairs, wanted)
    known = (text >= 0) & (place < len(pairs))
    known[known] = pairs[place[known]] == wanted[known]
    alone = np.zeros(len(text), bool)
    alone[known] = times[place[known]] == 1
    return alone


def _at(values: IntArray, places: IntArray) -> IntArray:
    """Return the value at each place; that of no place is 0."""
    return np.append(values, 0)[places]


def _percent(lines: BoolArray) -> float:
    return 100.0 * float(lines.mean()) if len(lines) else 0.0
