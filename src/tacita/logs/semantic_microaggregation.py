"""Semantic microaggregation: users with common interests are grouped, and a group's users become one profile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError, ReleaseError
from tacita.core.parameters import Interval
from tacita.core.streams import Streams
from tacita.core.traits import AnonymiserTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.identifying import identifying
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.times import Coarseness, coarse_times
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.logs.microaggregation.aggregation import asked_by_repetitions, copies, lines_of_copies
from tacita.logs.microaggregation.interests import Interests, interests_of
from tacita.logs.microaggregation.leaving import Treatment, what_leaves
from tacita.logs.microaggregation.plain_log import PlainLog
from tacita.logs.microaggregation.profiles import Line, classify_items, make_profiles, name_items
from tacita.logs.microaggregation.traces import Clicks, clicked, dealt_times
from tacita.logs.safety.certify import certify
from tacita.numeric.user_groups.improve import improved_groups, interested
from tacita.numeric.user_groups.near_users import near_users
from tacita.numeric.user_groups.partition import LIST, WIDE, similar_groups

__all__ = ["SemanticMicroaggregation"]

_TOO_FEW, _IDENTIFYING = "asked by too few, and about nothing that enough share", "identifying somebody"
_NO_QUERY, _BEYOND = "without a query", "beyond the share of the user"


_MOVES, _FEW_MOVES, _MANY_MOVES = 2_000_000, 100, 500
"""Exchanges that are tried for better groups: so many, within these limits for each user."""


@dataclass(frozen=True, kw_only=True)
class SemanticMicroaggregation(Anonymiser):
    """Replace groups of at least k users with common interests by one profile each.

    Every user is described by how often his queries fall into each category of a topic directory, at every level. Two users are
    as similar as these counts have in common: ``sum over levels and categories of min(a, b)``. The most similar users form
    groups, and each gives some of his lines to the profile of his group, in proportion to how many he has.

    Protects against whoever looks for the history of one user, and, in the mode ``safe``, for a query that only one user of the
    group asked, for the days on which one user was there, and for what one user clicked. Does not protect against whoever knows
    all other users of a group that asked a text; nor the numbers: a text that one user asked a hundred times and another one
    once stands in the profile about as often as the one alone would have brought it there. In the mode ``paper`` it protects
    nobody who asked for his own name: texts leave as they were written.

    Parameters
    ----------
    k
        Fewest users that a profile stands for.
    mode
        With ``safe``, what fewer than ``askers`` users of a group asked is replaced by a category or removed. ``paper`` is the
        published method, which releases queries of single users.
    askers
        Fewest users of a group who must have asked a text, asked about a category, clicked an address after it, or been active
        at a time, so that it may leave; for ``safe``.
    partition
        How users are grouped. ``paper`` takes the most similar pair and adds whoever is most similar to the group. ``improved``
        begins there, and lets users change groups as long as more of their interests are expected to remain.
    identifying
        What becomes of texts in which names, numbers or addresses of persons stand, even when several users asked them: a
        category in their place, nothing, or themselves; for ``safe``.
    time
        How exact the times are that leave. They are dealt out anew among the lines of a profile.
    clicks
        Whether addresses that were clicked leave, or their hosts, or none.

    Notes
    -----
    Misprints of the paper are corrected: groups are formed as long as k users are left, the others (fewer than k) join the group
    that they are most similar to, and a user stops when he has no further query. Equal similarities go by the lowest number of a
    user, equal repetitions by the order of the texts. Up to 3000 users all pairs are compared; beyond, lists of near users take
    the place of the matrix.

    A quota is |Q_i| divided by the size of the group. In the mode ``paper`` a user stops with the query that reaches the quota,
    as printed, and the copies of that query may lead beyond it. In the mode ``safe`` he stops at the quota, rounded up. A
    user with fewer lines than others in his group contributes less than his quota, so profiles are somewhat shorter than the
    average of their users in both modes.

    Texts are compared, and in the mode ``safe`` released, in small letters with single blanks. Users who asked nothing hide
    nobody: no profile stands for them. What leaves is recounted from the two logs before it is returned.

    References
    ----------
    Erola, A., Castella-Roca, J., Navarro-Arribas, G., Torra, V. (2011). Semantic microaggregation for the anonymization of query
    logs using the Open Directory Project. SORT special issue, 41-58: Algorithms 1 to 5.

    Examples
    --------
    >>> from tacita.data.directory.category_tree import CategoryTree
    >>> users, asked = ["ann"] * 6 + ["bob"] * 6, ["tea"] * 4 + ["my name", "ajax"] + ["Tea"] * 4 + ["my house", "milan"]
    >>> log = QueryLog.from_columns(users, asked)
    >>> tree = CategoryTree.from_paths([("Home", "Drinks"), ("Sports", "Soccer")])
    >>> about = {"tea": 1, "Tea": 1, "ajax": 3, "milan": 3}
    >>> known = np.flatnonzero([text in about for text in log.texts.to_pylist()])
    >>> of_text = np.array([about[log.texts[int(place)].as_py()] for place in known])
    >>> topics = Classified.from_categories(tree, len(log.texts), known, known, of_text, depth=2)
    >>> made = SemanticMicroaggregation(k=2).apply(log, topics, seed=1)
    >>> made.log.texts.to_pylist(), made.certificate.holds
    (['Sports: Soccer', 'tea'], True)
    """

    name = "semantic_microaggregation"
    traits = AnonymiserTraits(needs_topics=True, groups_users=True)
    k: Annotated[int, Interval(2)] = 5
    mode: Literal["safe", "paper"] = "safe"
    askers: Annotated[int, Interval(2)] = 2
    partition: Literal["improved", "paper"] = "improved"
    identifying: Treatment = "generalise"
    time: Coarseness = "day"
    clicks: Clicks = "none"

    def check(self) -> None:
        """See to it that a group can have enough askers."""
        if self.askers > self.k:
            raise ParameterError(
                f"{self.speaker()}: 'askers' must be at most k = {self.k}, the users of a group, got {self.askers}."
            )

    def make(self, log: QueryLog, topics: Classified | None, streams: Streams) -> AnonymisedLog:
        """Group the users, make a profile of each group, and recount what leaves."""
        if topics is None:
            raise DataError(f"{self.speaker()}: 'topics' must be given.")
        stages: dict[str, float] = {}
        with _timed(stages, "interests"):
            plain, interests = PlainLog(log), interests_of(log, topics)
            if len(plain.asking) < self.k:
                raise DataError(
                    f"{self.speaker()}: at least k = {self.k} users must have a query, got {len(plain.asking)}; "
                    "the others hide nobody."
                )
        with _timed(stages, "groups"):
            labels = self.groups(plain, interests, streams)
        with _timed(stages, "profiles"):
            made = self._released(plain, topics, interests, labels, streams)
        with _timed(stages, "certificate"):
            certificate = certify(log, topics, made, self.k, self.askers, time=self.time)
        if self.mode == "safe" and not certificate.holds:
            raise ReleaseError(f"{self.speaker()}: nothing is released. {certificate.words()}")
        return replace(made, certificate=certificate, stages=stages, notes=self._notes(made, len(log.users)))

    def groups(self, plain: PlainLog, interests: Interests, streams: Streams) -> IntArray:
        """Return the group of each user who asked something; rivals that differ in nothing else put another partition here."""
        users, n = interests.counts[plain.asking], len(plain.asking)
        if self.partition == "paper":
            return similar_groups(users, self.k)
        lists = near_users(users, most=LIST, wide=WIDE)
        labels = similar_groups(users, self.k, lists=lists)
        lines = np.bincount(plain.user, minlength=n)
        known = interested(users, interests.level, lines, self.askers if self.mode == "safe" else 1)
        moves = n * max(_FEW_MOVES, min(_MANY_MOVES, _MOVES // n))
        state = streams.stream("groups").integers(2**64, size=1, dtype=np.uint64)
        return improved_groups(known, lists, labels, self.k, moves=moves, state=state)

    def _released(
        self, plain: PlainLog, topics: Classified, interests: Interests, labels: IntArray, streams: Streams
    ) -> AnonymisedLog:
        log, is_safe = plain.log, self.mode == "safe"
        item, removed = self._items(plain, topics, interests, labels)
        stays = np.flatnonzero(item >= 0)
        asked = asked_by_repetitions(plain.user[stays], item[stays])
        wanted = copies(asked, labels, streams.stream("copies"), cut_at_quota=is_safe)
        chosen = stays[lines_of_copies(asked, wanted, streams.stream("lines"))]
        group, askers = labels[plain.user], self.askers if is_safe else 1
        when = None if log.time is None else coarse_times(log.time[plain.lines], self.time)
        if when is not None:
            when = dealt_times(when, group, plain.user, chosen, askers, streams.stream("times"))
        url, urls = clicked(log, self.clicks, plain.lines[stays], group[stays], item[stays], askers)
        left = Line(
            group[chosen], item[chosen], when, None if url is None else url[np.searchsorted(stays, chosen)], urls
        )
        named = np.unique(left.item)
        names = name_items(named, plain.plain if is_safe else log.texts, topics)
        profiles = make_profiles(left, names, named, int(labels.max()) + 1, log.users, streams.stream("order"))
        profile = np.full(len(log.users), -1, np.int32)
        profile[plain.asking] = profiles.number[labels]
        return AnonymisedLog(
            log=profiles.log,
            profile=profile,
            method=self.words(),
            topics=classify_items(profiles.items, topics),
            removed=removed | {_BEYOND: len(stays) - len(chosen)},
        )

    def _items(
        self, plain: PlainLog, topics: Classified, interests: Interests, labels: IntArray
    ) -> tuple[IntArray, dict[str, int]]:
        """Return what stands for each line, and how many lines nothing stands for, by the reason."""
        removed = {_NO_QUERY: len(plain.log) - len(plain.lines)}
        if self.mode == "paper":
            return plain.text, removed
        flags = np.zeros(len(plain.log.texts), bool)
        if self.identifying != "keep":
            flags = identifying(plain.log.texts).of()
        item, flagged = what_leaves(
            plain,
            topics,
            interests,
            labels,
            identifies=flags,
            treatment=self.identifying,
            askers=self.askers,
        )
        removed |= {_IDENTIFYING: int((flagged & (item < 0)).sum()), _TOO_FEW: int((~flagged & (item < 0)).sum())}
        return item, removed

    def _notes(self, made: AnonymisedLog, users: int) -> tuple[str, ...]:
        notes = []
        if self.mode == "paper":
            notes.append(
                "Texts leave as they were written, those of single users too: the published method is not safe."
            )
        idle = users - int((made.profile >= 0).sum())
        if idle:
            notes.append(f"{idle} users asked nothing; no profile stands for them.")
        empty = len(made.log.users) - len(np.unique(made.log.user))
        if empty:
            notes.append(f"{empty} profiles have no line: their users share nothing that may leave.")
        return tuple(notes)


@contextmanager
def _timed(stages: dict[str, float], name: str) -> Iterator[None]:
    """Note how long a stage took."""
    begin = time.perf_counter()
    yield
    stages[name] = time.perf_counter() - begin
