"""The recount of an anonymised log: from the original and the release alone, in tables, not by the arrays of a method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.times import Coarseness, coarse_times
from tacita.logs.microaggregation.plain_texts import plain_texts
from tacita.logs.microaggregation.traces import hosts_of
from tacita.logs.safety.log_certificate import LogCertificate

if TYPE_CHECKING:
    from tacita.logs.anonymiser import AnonymisedLog

__all__ = ["certify"]

Numbers: TypeAlias = npt.NDArray[np.integer[Any]]


def certify(
    log: QueryLog,
    topics: Classified | None,
    anonymised: AnonymisedLog,
    k: int,
    askers: int = 2,
    *,
    time: Coarseness = "day",
) -> LogCertificate:
    """Recount what an anonymised log promises.

    Parameters
    ----------
    log
        The original.
    topics
        What a directory says of its texts; without it no category is accepted.
    anonymised
        What was made of it.
    k
        Fewest users who must stand behind a profile. Users who asked nothing hide nobody and do not count.
    askers
        Fewest users of a group who must have asked a text that leaves, clicked an address after it, or been active at a
        time. A text that is the path of a category may leave when so many users of the group asked about it.
    time
        How times were coarsened.

    Notes
    -----
    Texts are compared without capitals and blanks. O(n log n) time for n lines.

    Raises
    ------
    DataError
        When the anonymised log is not one of this log.
    """
    if len(anonymised.profile) != len(log.users):
        raise DataError(
            f"certify: there must be a profile for each user of the log, {len(log.users)}, got {len(anonymised.profile)}."
        )
    recount = _Recount(log, topics, anonymised)
    profiles = len(anonymised.log.users)
    behind = recount.asking & (anonymised.profile >= 0)
    sizes = np.bincount(anonymised.profile[behind], minlength=profiles)
    is_enough, is_category = recount.texts(askers)
    return LogCertificate(
        k=k,
        askers=askers,
        users=int(recount.asking.sum()),
        profiles=profiles,
        smallest=int(sizes.min()) if profiles else 0,
        texts=len(is_enough),
        categories=int(is_category.sum()),
        users_without_profile=int((recount.asking & (anonymised.profile < 0)).sum()),
        small_profiles=int((sizes < k).sum()),
        names=int(pc.sum(pc.is_in(anonymised.log.users, value_set=log.users)).as_py() or 0),
        lonely_texts=int((~is_enough).sum()),
        lonely_clicks=recount.lonely_clicks(askers),
        lonely_times=recount.lonely_times(askers, time),
    )


class _Recount:
    """The two logs as tables of numbers that mean the same in both."""

    def __init__(self, log: QueryLog, topics: Classified | None, anonymised: AnonymisedLog) -> None:
        self.log, self.topics, self.left, self.profile = log, topics, anonymised.log, anonymised.profile
        both = pc.dictionary_encode(pa.concat_arrays([plain_texts(log.texts), plain_texts(self.left.texts)]))
        code = both.indices.to_numpy(zero_copy_only=False).astype(np.int64)
        blank = pc.index(both.dictionary, "").as_py()
        self.original, self.released = code[: len(log.texts)], code[len(log.texts) :]
        self.lines = np.flatnonzero(log.query >= 0)
        self.lines = self.lines[self.original[log.query[self.lines]] != blank]
        self.asking: BoolArray = np.bincount(log.user[self.lines], minlength=len(log.users)) > 0
        self.category = self._categories()

    def texts(self, askers: int) -> tuple[BoolArray, BoolArray]:
        """Return for each pair of a profile and a text whether enough users stand behind it, and whether it is a category."""
        lines = self.left.query >= 0
        pairs = _once([self.left.user[lines], self.left.query[lines]])
        text = self.original[self.log.query[self.lines]]
        users = _Users([self.profile[self.log.user[self.lines]], text], self.log.user[self.lines])
        is_asked = users([pairs[0], self.released[pairs[1]]]) >= askers
        category = np.where(is_asked, -1, self.category[pairs[1]])
        is_category = category >= 0
        is_category[is_category] = self._interested(pairs[0][is_category], category[is_category]) >= askers
        return is_asked | is_category, is_category

    def lonely_clicks(self, askers: int) -> int:
        """Count profiles with a text and an address that too few users of the group clicked after it."""
        log, left = self.log, self.left
        if left.url is None or left.urls is None:
            return 0
        released = np.flatnonzero((left.url >= 0) & (left.query >= 0))
        triples = _once([left.user[released], left.query[released], left.url[released]])
        if log.url is None or log.urls is None:
            return len(triples[0])
        found = np.zeros(len(triples[0]), np.int64)
        for code, addresses in ((log.url, log.urls), hosts_of(log.url, log.urls)):
            place = pc.index_in(left.urls, value_set=addresses)
            address = pc.fill_null(place, -2).to_numpy(zero_copy_only=False).astype(np.int64)[triples[2]]
            lines = self.lines[np.isin(code[self.lines], address)]
            user, clicked = log.user[lines], code[lines].astype(np.int64)
            text = self.original[log.query[lines]]
            users = _Users([self.profile[user], text, clicked], user)
            found = np.maximum(found, users([triples[0], self.released[triples[1]], address]))
            found = np.maximum(found, self._clicked_about(lines, clicked, [triples[0], triples[1], address]))
        return int((found < askers).sum())

    def lonely_times(self, askers: int, time: Coarseness) -> int:
        """Count profiles with a time in which too few users of the group were active."""
        if self.left.time is None:
            return 0
        has = ~np.isnat(self.left.time)
        pairs = _once([self.left.user[has], self.left.time[has].astype(np.int64)])
        if self.log.time is None:
            return len(pairs[0])
        coarse = coarse_times(self.log.time, time)
        if coarse is None:
            return len(pairs[0])
        lines = self.lines[~np.isnat(coarse[self.lines])]
        user = self.log.user[lines]
        return int((_Users([self.profile[user], coarse[lines].astype(np.int64)], user)(pairs) < askers).sum())

    def _categories(self) -> IntArray:
        """Return the category that each released text is the path of; -1 for others."""
        if self.topics is None:
            return np.full(len(self.left.texts), -1)
        paths = [": ".join(path) for path in self.topics.tree.paths]
        found = pc.index_in(self.left.texts, value_set=pa.array(paths, pa.string()))
        return np.asarray(pc.fill_null(found, -1).to_numpy(zero_copy_only=False), np.int64)

    def _interested(self, profile: Numbers, category: IntArray) -> IntArray:
        """Count the users of each profile who asked about a category."""
        from scipy import sparse  # loads when used

        if self.topics is None or not len(profile):
            return np.zeros(len(profile), np.int64)
        about = sum((level.astype(bool).astype(np.int32) for level in self.topics.levels[1:]), self.topics.levels[0])
        has = (self.log.asked @ sparse.csr_array(about)).astype(bool).astype(np.int32)
        users = np.flatnonzero(self.profile >= 0)
        member = sparse.csr_array(
            (np.ones(len(users), np.int32), (self.profile[users], users)),
            shape=(len(self.left.users), len(self.profile)),
        )
        return np.asarray((member @ has)[profile, category]).ravel().astype(np.int64)

    def _clicked_about(self, lines: IntArray, clicked: IntArray, triples: list[Numbers]) -> IntArray:
        """Count the users who clicked an address after a query about the category that stands in the place of texts."""
        category = self.category[triples[1]]
        found = np.zeros(len(category), np.int64)
        if self.topics is None or not (category >= 0).any():
            return found
        for level in self.topics.levels:
            of_line = level[self.log.query[lines]]
            times = np.diff(of_line.indptr)
            user = np.repeat(self.log.user[lines], times)
            keys = [self.profile[user], of_line.indices, np.repeat(clicked, times)]
            found = np.maximum(found, _Users(keys, user)([triples[0], category, triples[2]]))
        return np.where(category >= 0, found, 0)


def _table(keys: list[Numbers]) -> pa.Table:
    return pa.table({f"key {number}": np.asarray(key, np.int64) for number, key in enumerate(keys)})


def _once(keys: list[Numbers]) -> list[Numbers]:
    """Return every combination of keys once."""
    table = _table(keys)
    once = table.group_by(table.column_names).aggregate([])
    return [once[name].to_numpy().astype(np.int64) for name in table.column_names]


class _Users:
    """How many different users there are for each combination of keys; asked by combinations."""

    def __init__(self, keys: list[Numbers], user: Numbers) -> None:
        names = [f"key {number}" for number in range(len(keys))]
        every = _table(keys).append_column("user", pa.array(np.asarray(user, np.int64)))
        once = every.group_by([*names, "user"]).aggregate([])
        self.counts = once.group_by(names).aggregate([([], "count_all")])
        self.names = names

    def __call__(self, keys: list[Numbers]) -> IntArray:
        wanted = _table(keys).append_column("place", pa.array(np.arange(len(keys[0]))))
        joined = wanted.join(self.counts, self.names, join_type="left outer").sort_by("place")
        return np.asarray(pc.fill_null(joined["count_all"], 0).to_numpy(), np.int64)
