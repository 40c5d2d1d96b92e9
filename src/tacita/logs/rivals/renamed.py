"""A log without some of its lines, its users under numbers: what every rival that removes queries publishes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from tacita.core.arrays import IntArray
from tacita.core.streams import Streams
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import Codes, QueryLog
from tacita.data.query_log.times import Coarseness, coarse_times
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.logs.microaggregation.profiles import LeavingLines, make_profiles
from tacita.logs.microaggregation.traces import Clicks, hosts_of

__all__ = ["Removal", "most_of", "without_gaps"]


def without_gaps(who: IntArray) -> tuple[IntArray, int]:
    """Return the numbers 0, 1, ... in the place of any others, in their order, and how many there are."""
    used, number = np.unique(who, return_inverse=True)
    return number.astype(np.int64), len(used)


def most_of(user: IntArray, pseudonym: IntArray, users: int) -> Codes:
    """Return for each user the pseudonym that most of his lines have, the lowest of several; -1 without a line."""
    found = np.full(users, -1, np.int32)
    if not len(user):
        return found
    width = int(pseudonym.max()) + 1
    pairs, lines = np.unique(user * width + pseudonym, return_counts=True)
    order = np.lexsort((-pairs, lines, pairs // width))  # the last of a user is the one that stays
    found[pairs[order] // width] = pairs[order] % width
    return found


@dataclass(frozen=True, kw_only=True)
class Removal(Anonymiser):
    """Base of anonymisers that leave queries out and give users numbers.

    Parameters
    ----------
    time
        How exact the times are that leave with the lines.
    clicks
        Whether addresses that were clicked leave, or their hosts, or none.

    Returns
    -------
    AnonymisedLog
        The lines that are left, under numbers drawn at random, and the number of each user.

    Raises
    ------
    DataError
        When the log is empty.
    """

    time: Coarseness = "none"
    clicks: Clicks = "none"

    def shown_clicks(self, log: QueryLog, streams: Streams) -> tuple[Codes | None, pa.StringArray | None]:
        """Return what every line shows of its click, and the addresses."""
        del streams
        if self.clicks == "none" or log.url is None or log.urls is None:
            return None, None
        return (log.url, log.urls) if self.clicks == "urls" else hosts_of(log.url, log.urls)

    def renamed(
        self,
        log: QueryLog,
        topics: Classified | None,
        lines: IntArray,
        streams: Streams,
        *,
        who: IntArray | None = None,
        removed: Mapping[str, int],
        notes: tuple[str, ...] = (),
    ) -> AnonymisedLog:
        """Return the chosen lines under numbers; ``who`` says who stands behind each line where it is not its user."""
        pseudonym, count = without_gaps(log.user[lines].astype(np.int64) if who is None else who)
        item = log.query[lines].astype(np.int64)
        named = np.unique(item)
        when = None if log.time is None else coarse_times(log.time[lines], self.time)
        url, urls = self.shown_clicks(log, streams)
        left = LeavingLines(group=pseudonym, item=item, time=when, url=None if url is None else url[lines], urls=urls)
        texts = log.texts.take(pa.array(named))
        made = make_profiles(left, texts, named, count, log.users, streams.stream("order"))
        first = most_of(log.user[lines].astype(np.int64), pseudonym, len(log.users))
        profile = np.where(first >= 0, np.append(made.number, -1)[first], -1).astype(np.int32)
        without = int((log.query < 0).sum())
        return AnonymisedLog(
            log=made.log,
            profile=profile,
            method=self.words(),
            topics=None if topics is None else topics.at(made.items),
            removed={**({"without a query": without} if without else {}), **removed},
            notes=notes,
        )
