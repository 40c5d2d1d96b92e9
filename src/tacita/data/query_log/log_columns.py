"""Which column of a file is the user, which the query: given by the caller, or known by their names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tacita.core.errors import ColumnError, ParameterError, did_you_mean

__all__ = ["AOL_HEADER", "LogColumns", "chosen_columns"]

AOL_HEADER = ("AnonID", "Query", "QueryTime", "ItemRank", "ClickURL")
"""The first line of a file of AOL, and the order of its fields."""

_PARTS = ("user", "query", "time", "rank", "url")
NUMBERS = {"seconds": 1_000_000, "milliseconds": 1_000, "microseconds": 1}
"""Times as numbers since 1970: how many microseconds one stands for."""


@dataclass(frozen=True, kw_only=True)
class LogColumns:
    """The names of the columns of a log.

    Parameters
    ----------
    user, query
        Who searched, and what.
    time, rank, url
        When, which place among the results was clicked, and what stood there; None for a log that does not say.
    time_format
        How times are written where they are not in the form of ISO 8601 (``2006-03-01 07:17:12``, with a fraction or a time
        zone where needed): a pattern such as ``%d/%b/%Y:%H:%M:%S %z``, or ``seconds``, ``milliseconds`` or ``microseconds``
        for numbers since 1970. Times with a zone become those of UTC.

    Examples
    --------
    >>> LogColumns(user="session", query="q", time="ts", time_format="seconds").named()
    {'user': 'session', 'query': 'q', 'time': 'ts'}
    """

    user: str
    query: str
    time: str | None = None
    rank: str | None = None
    url: str | None = None
    time_format: str | None = None

    def __post_init__(self) -> None:
        for part in _PARTS:
            name = getattr(self, part)
            if name is None and part not in ("user", "query"):
                continue
            if not isinstance(name, str) or not name:
                raise ParameterError(f"LogColumns: '{part}' must be the name of a column.")
        names = list(self.named().values())
        if len(set(names)) < len(names):
            raise ParameterError("LogColumns: every part of a log must have a column of its own.")
        if self.time_format is not None and self.time is None:
            raise ParameterError("LogColumns: 'time_format' has no meaning without 'time'.")
        if self.time_format is not None and self.time_format not in NUMBERS and "%" not in self.time_format:
            raise ParameterError(
                f"LogColumns: 'time_format' must be {', '.join(NUMBERS)}, or a pattern such as %Y-%m-%d %H:%M:%S."
                f"{did_you_mean(self.time_format, NUMBERS)}"
            )

    def named(self) -> dict[str, str]:
        """Return the column of each part that has one."""
        given = {part: getattr(self, part) for part in _PARTS}
        return {part: name for part, name in given.items() if name is not None}


def chosen_columns(file: str, names: Sequence[str], columns: LogColumns | None) -> LogColumns:
    """Return the columns of a file; all that lack are named at once.

    Parameters
    ----------
    file
        Name of the file, for messages.
    names
        The columns that it has.
    columns
        What the caller said; None for the names that Tacita writes, or those of AOL.
    """
    if columns is None:
        columns = _known_columns(names)
    if columns is None:
        raise ColumnError(
            f"'{file}' must have columns of a log, but neither 'user' and 'query' nor 'AnonID' and 'Query' are among its "
            f"{len(names)}; say which is which with columns=LogColumns(user=..., query=...)."
        )
    lacking = [name for name in columns.named().values() if name not in names]
    if lacking:
        said = [f"'{name}' is not a column of '{file}'.{did_you_mean(name, names)}" for name in lacking]
        raise ColumnError(" ".join(said))
    twice = [name for name in columns.named().values() if list(names).count(name) > 1]
    if twice:
        raise ColumnError(f"'{file}' has several columns of the name '{twice[0]}'; every column needs its own.")
    return columns


def _known_columns(names: Sequence[str]) -> LogColumns | None:
    for words in (_PARTS, AOL_HEADER):
        if words[0] in names and words[1] in names:
            given = {part: word for part, word in zip(_PARTS, words, strict=True) if word in names}
            return LogColumns(**given)
    return None
