"""A query log in memory: one line a search or a click, each text and each user kept once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError
from tacita.data.query_log.log_reading import LogReading

if TYPE_CHECKING:
    from scipy import sparse

__all__ = ["Codes", "QueryLog", "Times"]

Codes: TypeAlias = npt.NDArray[np.int32]
"""Numbers that stand for texts; -1 stands for none."""

Times: TypeAlias = npt.NDArray[np.datetime64]
"""Times in microseconds; NaT stands for none."""


@dataclass(frozen=True, eq=False)
class QueryLog:
    """Who searched what, when, and which result was clicked; immutable.

    Parameters
    ----------
    user
        The user of each line, as a place in ``users``.
    query
        What was searched, as a place in ``texts``; -1 where a line has no query.
    users
        The names of the users, each once.
    texts
        The queries as they were written, each once.
    time
        When, in microseconds; None where the log has no times.
    rank
        Which place among the results was clicked, from 1; -1 for a search without a click; None where the log has no ranks.
    url
        What was clicked, as a place in ``urls``; -1 for nothing; None where the log has no addresses.
    urls
        The addresses that were clicked, each once.
    reading
        How it was read from files; None where it was made in memory. What is made of a log keeps it.

    Notes
    -----
    In the form of AOL somebody who clicks on three results of a search leaves three lines with one query and one time.
    :meth:`searches` makes them one; the paper counts lines.
    """

    user: Codes
    query: Codes
    users: pa.StringArray
    texts: pa.StringArray
    time: Times | None = None
    rank: Codes | None = None
    url: Codes | None = None
    urls: pa.StringArray | None = None
    reading: LogReading | None = None

    def __post_init__(self) -> None:
        for name in ("query", "time", "rank", "url"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.user):
                raise DataError(f"QueryLog: '{name}' must have one entry a line, {len(self.user)}, got {len(column)}.")
        if (self.url is None) != (self.urls is None):
            raise DataError("QueryLog: 'url' and 'urls' must be given together.")
        _check_codes("user", self.user, len(self.users), least=0)
        _check_codes("query", self.query, len(self.texts), least=-1)
        if self.url is not None and self.urls is not None:
            _check_codes("url", self.url, len(self.urls), least=-1)

    @classmethod
    def from_columns(
        cls,
        user: Sequence[Any] | pa.Array | pa.ChunkedArray,
        query: Sequence[Any] | pa.Array | pa.ChunkedArray,
        *,
        time: npt.ArrayLike | None = None,
        rank: npt.ArrayLike | None = None,
        url: Sequence[Any] | pa.Array | pa.ChunkedArray | None = None,
    ) -> QueryLog:
        """Make a log of columns of one entry a line; users and texts are numbered in the order in which they occur.

        Examples
        --------
        >>> QueryLog.from_columns(["ann", "bob", "ann"], ["tea", "tea", "milk"])
        QueryLog of 3 lines, 2 users, 2 different queries
        """
        numbers, users = _encoded(user)
        if (numbers < 0).any():
            raise DataError("QueryLog: every line must have a user; leave out the lines without one.")
        queries, texts = _encoded(query)
        urls, url_texts = (None, None) if url is None else _encoded(url)
        return cls(
            user=numbers,
            query=queries,
            users=users,
            texts=texts,
            time=None if time is None else np.asarray(time).astype("datetime64[us]"),
            rank=None if rank is None else np.asarray(rank).astype(np.int32),
            url=urls,
            urls=url_texts,
        )

    def __len__(self) -> int:
        """How many lines it has."""
        return len(self.user)

    def __repr__(self) -> str:
        return f"QueryLog of {len(self)} lines, {len(self.users)} users, {len(self.texts)} different queries"

    @cached_property
    def lines_of_users(self) -> IntArray:
        """How many lines each user has."""
        return np.bincount(self.user, minlength=len(self.users)).astype(np.int64)

    @cached_property
    def asked(self) -> sparse.csr_array:
        """How often each user (row) asked each query (column); lines without a query count nowhere."""
        from scipy import sparse  # loads when used

        has = self.query >= 0
        shape = (len(self.users), len(self.texts))
        counts = sparse.coo_array((np.ones(int(has.sum()), np.int32), (self.user[has], self.query[has])), shape=shape)
        return sparse.csr_array(counts)

    def take(self, lines: IntArray | BoolArray) -> QueryLog:
        """Return the log with some of its lines; users and texts that no line needs stay known until :meth:`compact`."""
        return replace(
            self,
            user=self.user[lines],
            query=self.query[lines],
            time=None if self.time is None else self.time[lines],
            rank=None if self.rank is None else self.rank[lines],
            url=None if self.url is None else self.url[lines],
        )

    def compact(self) -> QueryLog:
        """Return the log without users, texts and addresses that none of its lines needs."""
        user, users = _in_use(self.user, self.users)
        query, texts = _in_use(self.query, self.texts)
        url, urls = (None, None) if self.url is None or self.urls is None else _in_use(self.url, self.urls)
        return replace(self, user=user, users=users, query=query, texts=texts, url=url, urls=urls)

    def searches(self) -> QueryLog:
        """Return the log with one line a search: of several clicks after one search (user, query, time) the first one stays."""
        keys = [self.query, self.user]
        if self.time is not None:
            keys.insert(0, self.time.astype(np.int64))
        order = np.lexsort(keys)
        same = np.ones(max(len(order) - 1, 0), bool)
        for key in keys:
            same &= key[order][1:] == key[order][:-1]
        first = np.concatenate([[True], ~same]) if len(order) else np.zeros(0, bool)
        return self.take(np.sort(order[first]))

    def to_arrow(self) -> pa.Table:
        """Return the log as a table: user, query and, where it has them, time, rank and url."""
        columns: dict[str, pa.Array] = {"user": self.users.take(pa.array(self.user))}
        columns["query"] = _texts_of(self.query, self.texts)
        if self.time is not None:
            columns["time"] = pa.array(self.time)
        if self.rank is not None:
            columns["rank"] = pa.array(self.rank, mask=self.rank < 0)
        if self.url is not None and self.urls is not None:
            columns["url"] = _texts_of(self.url, self.urls)
        return pa.table(columns)


def _encoded(values: Sequence[Any] | pa.Array | pa.ChunkedArray) -> tuple[Codes, pa.StringArray]:
    """Number the texts of a column; empty ones and gaps are -1."""
    column = values if isinstance(values, (pa.Array, pa.ChunkedArray)) else _as_array(values)
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if not pa.types.is_dictionary(column.type):
        column = pc.dictionary_encode(column.cast(pa.string()))
    texts = column.dictionary.cast(pa.string())
    codes = pc.fill_null(column.indices.cast(pa.int32()), -1).to_numpy(zero_copy_only=False).astype(np.int32)
    empty = pc.fill_null(pc.equal(texts, ""), True).to_numpy(zero_copy_only=False)
    if empty.any():
        number = np.append(np.where(empty, -1, np.cumsum(~empty) - 1), -1).astype(np.int32)
        return number[codes], texts.filter(pa.array(~empty))
    return codes, texts


def _as_array(values: Sequence[Any]) -> pa.Array:
    try:
        return pa.array(list(values))
    except pa.ArrowException:  # its words show a value, which may be a name
        raise DataError(
            "QueryLog: the entries of a column must be of one kind, all texts or all numbers; make them texts."
        ) from None


def _in_use(codes: Codes, texts: pa.StringArray) -> tuple[Codes, pa.StringArray]:
    """Number the texts that are used anew, in their old order."""
    used = np.zeros(len(texts) + 1, bool)
    used[codes] = True  # -1 marks the entry behind the last text
    used[-1] = False
    number = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
    return number[codes], texts.filter(pa.array(used[:-1]))


def _texts_of(codes: Codes, texts: pa.StringArray) -> pa.Array:
    return texts.take(pa.array(codes, mask=codes < 0))


def _check_codes(name: str, codes: Codes, texts: int, *, least: int) -> None:
    if len(codes) and (codes.min() < least or codes.max() >= texts):
        raise DataError(f"QueryLog: '{name}' must hold places from {least} to {texts - 1}.")
