"""Profiles of groups, whatever put users together: each user gives some of his lines, and what leaves is recounted."""

from __future__ import annotations

import time
from abc import abstractmethod
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
from tacita.logs.microaggregation.profiles import LeavingLines, classify_items, make_profiles, name_items
from tacita.logs.microaggregation.traces import Clicks, clicked, dealt_times
from tacita.logs.safety.certify import certify

__all__ = ["GroupedProfiles"]

_TOO_FEW, _IDENTIFYING = "asked by too few, and about nothing that enough share", "identifying somebody"
_NO_QUERY, _BEYOND = "without a query", "beyond the share of the user"


@dataclass(frozen=True, kw_only=True)
class GroupedProfiles(Anonymiser):
    """Base of anonymisers that put users into groups and make a profile of each; a subclass says who is with whom.

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
    identifying
        What becomes of texts in which names, numbers or addresses of persons stand, even when several users asked them: a
        category in their place, nothing, or themselves; for ``safe``.
    time
        How exact the times are that leave. They are dealt out anew among the lines of a profile.
    clicks
        Whether addresses that were clicked leave, or their hosts, or none.

    Returns
    -------
    AnonymisedLog
        A profile for each group, with a certificate of what was recounted.

    Raises
    ------
    DataError
        When the log is empty, topics are lacking or another log's, or fewer than k users asked something.
    ReleaseError
        When the recount finds something in the mode ``safe`` that was not to leave.

    Complexity
    ----------
    O(n log n) time and O(n) memory for n lines, beside the search for groups.
    """

    traits = AnonymiserTraits(needs_topics=True, groups_users=True)
    k: Annotated[int, Interval(2)] = 5
    mode: Literal["safe", "paper"] = "safe"
    askers: Annotated[int, Interval(2)] = 2
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

    @abstractmethod
    def groups(self, plain: PlainLog, interests: Interests, streams: Streams) -> IntArray:
        """Return the group of each user who asked something, numbered from 0; at least k users in each."""

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
        left = LeavingLines(
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
