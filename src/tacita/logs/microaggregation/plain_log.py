"""The lines of a log that say something, with what is needed to compare their texts and to group their users."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from tacita.core.arrays import IntArray
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.microaggregation.plain_texts import plain_texts, same_texts

__all__ = ["PlainLog"]


@dataclass(frozen=True, eq=False)
class PlainLog:
    """A log without the lines that have no query; users who asked nothing hide nobody and have no part in it.

    Parameters
    ----------
    log
        The log.
    """

    log: QueryLog

    @cached_property
    def plain(self) -> pa.StringArray:
        """The texts in small letters, with single blanks."""
        return plain_texts(self.log.texts)

    @cached_property
    def same(self) -> IntArray:
        """For each text the first one that says the same; -1 for one without a letter or sign."""
        return same_texts(self.plain)

    @cached_property
    def lines(self) -> IntArray:
        """The lines with a query."""
        asked = np.flatnonzero(self.log.query >= 0)
        return asked[self.same[self.log.query[asked]] >= 0]

    @cached_property
    def text(self) -> IntArray:
        """The text of each of these lines."""
        return self.log.query[self.lines].astype(np.int64)

    @cached_property
    def asking(self) -> IntArray:
        """The users who asked something, as places among the users of the log."""
        return np.flatnonzero(np.bincount(self.log.user[self.lines], minlength=len(self.log.users)))

    @cached_property
    def user(self) -> IntArray:
        """The user of each of these lines, as a place in ``asking``."""
        place = np.full(len(self.log.users), -1)
        place[self.asking] = np.arange(len(self.asking))
        return place[self.log.user[self.lines]]
