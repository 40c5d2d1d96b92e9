"""What became of the lines of a log while it was read: how many are broken, why, and where the first ones stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import numpy as np

from tacita.core.arrays import BoolArray, IntArray

__all__ = ["BROKEN", "BrokenBy", "LogForm", "LogReading", "Place", "ReadingTally"]

LogForm: TypeAlias = Literal["aol", "csv", "parquet", "arrow", "jsonl"]
"""The forms in which logs are read; ``csv`` has a separator of any kind."""

BrokenBy: TypeAlias = Literal["too long", "encoding", "zero byte", "fields", "json", "no user", "time", "rank"]
"""Why a line is left out: the first of these that holds.

too long   it has more bytes than any search
encoding   some of its bytes are no text in the encoding
zero byte  it has a byte that no text has
fields     it has too few or too many fields
json       it is not one object of JSON
no user    nobody stands in it
time       its time is there but cannot be read
rank       its rank is there but is no whole number from 0
"""

BROKEN: tuple[BrokenBy, ...] = get_args(BrokenBy)

Place: TypeAlias = tuple[str, int]
"""A file and a line of it, from 1; a record where a file has no lines."""

_FIRST = 5
_WORDS: dict[BrokenBy, str] = {
    "too long": "longer than a megabyte",
    "encoding": "not in the encoding of the file",
    "zero byte": "with a zero byte",
    "fields": "with too few or too many fields",
    "json": "not an object of JSON",
    "no user": "without a user",
    "time": "with a time that cannot be read",
    "rank": "with a rank that is no whole number",
}


@dataclass(frozen=True, kw_only=True)
class LogReading:
    """How the reading of a log went; it has places and numbers, never what stands in a line.

    Parameters
    ----------
    form
        The forms of its files, each once.
    files
        The names of the files that were read, in their order.
    lines
        How many lines were looked at: headers and empty lines do not count.
    read
        How many of them are in the log.
    broken
        How many are left out, by the reason.
    first
        For each reason the places of the first few.
    without_query, without_time
        How many lines of the log have no query, or no time although others have one.
    passed_over
        The names of files of a folder that are no logs.
    """

    form: tuple[LogForm, ...]
    files: tuple[str, ...]
    lines: int
    read: int
    broken: Mapping[BrokenBy, int] = field(default_factory=dict)
    first: Mapping[BrokenBy, tuple[Place, ...]] = field(default_factory=dict)
    without_query: int = 0
    without_time: int = 0
    passed_over: tuple[str, ...] = ()

    def words(self) -> str:
        """Return what happened in a few sentences for a screen.

        Examples
        --------
        >>> places = {"time": (("a.txt", 4),)}
        >>> LogReading(form=("aol",), files=("a.txt",), lines=9, read=8, broken={"time": 1}, first=places).words()
        '8 of 9 lines read. Left out: 1 with a time that cannot be read (line 4).'
        """
        said = [f"{self.read:,} of {self.lines:,} lines read."]
        if len(self.files) > 1:
            said[0] = f"{self.read:,} of {self.lines:,} lines of {len(self.files)} files read."
        if self.broken:
            parts = [f"{count:,} {_WORDS[why]} ({self._where(why)})" for why, count in self.broken.items()]
            said.append(f"Left out: {', '.join(parts)}.")
        if self.without_query:
            said.append(f"{_lines(self.without_query)} no query.")
        if self.without_time:
            said.append(f"{_lines(self.without_time)} no time.")
        if self.passed_over:
            said.append(f"No log, passed over: {', '.join(self.passed_over)}.")
        return " ".join(said)

    def _where(self, why: BrokenBy) -> str:
        places = self.first.get(why, ())
        several = len(self.files) > 1
        shown = [f"{name} {line}" if several else str(line) for name, line in places]
        more = ", ..." if self.broken[why] > len(places) else ""
        return f"{'line' if self.broken[why] == 1 else 'lines'} {', '.join(shown)}{more}"


def _lines(count: int) -> str:
    return "1 line has" if count == 1 else f"{count:,} lines have"


@dataclass
class ReadingTally:
    """Counts of one reading while it goes on."""

    file: str = ""
    lines: int = 0
    read: int = 0
    broken: dict[BrokenBy, int] = field(default_factory=dict)
    first: dict[BrokenBy, list[Place]] = field(default_factory=dict)

    def leave_out(self, why: BrokenBy, lines: IntArray) -> None:
        """Count lines that are left out, by their numbers."""
        if not len(lines):
            return
        self.broken[why] = self.broken.get(why, 0) + len(lines)
        places = self.first.setdefault(why, [])
        places += [(self.file, int(line)) for line in np.sort(lines[: 1 << 16])[: _FIRST - len(places)]]

    def sort_out(self, lines: IntArray, wrong: Mapping[BrokenBy, BoolArray]) -> BoolArray:
        """Count the lines with something wrong, each under the first reason, and return which ones are whole."""
        whole = np.ones(len(lines), bool)
        for why in BROKEN:
            if why in wrong:
                self.leave_out(why, lines[whole & wrong[why]])
                whole &= ~wrong[why]
        return whole

    def most_broken(self) -> BrokenBy | None:
        """Return the most frequent reason."""
        return max(self.broken, key=lambda why: self.broken[why], default=None)

    def reading(self, **more: object) -> LogReading:
        """Return the outcome."""
        order = [why for why in BROKEN if why in self.broken]
        counts = {why: self.broken[why] for why in order}
        first = {why: tuple(self.first[why]) for why in order}
        return LogReading(lines=self.lines, read=self.read, broken=counts, first=first, **more)  # type: ignore[arg-type]
