"""Lines as a file has them, made those of a log: texts, times and ranks, and what is broken is counted and left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import ColumnError
from tacita.data.query_log.files.growing_texts import GrowingTexts
from tacita.data.query_log.files.log_bytes import LONGEST
from tacita.data.query_log.files.log_times import read_times
from tacita.data.query_log.files.utf8 import not_utf8
from tacita.data.query_log.log_reading import BrokenBy, LogReading, ReadingTally
from tacita.data.query_log.query_log import Codes, QueryLog, Times

__all__ = ["NO_TEXT", "GrowingLog", "RawLines"]

NO_TEXT = "\0\ufffd"
"""What a reader may put where bytes are no text; a line with a zero byte is broken in any case."""

_RANK = r"^([0-9]{1,9})(\.0+)?$"
_TEXTS = ("user", "query", "url")
_OF_BYTES = (
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_string_view,
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_binary_view,
)


@dataclass(frozen=True)
class RawLines:
    """Lines of one file, as they stand in it.

    Parameters
    ----------
    number
        The number of each line.
    columns
        The parts of a log that the file has: bytes, texts, numbers or times.
    is_text
        Whether bytes are known to be UTF-8 without a zero byte.
    time_format
        How times are written, as in :class:`LogColumns`.
    """

    number: IntArray
    columns: Mapping[str, pa.Array]
    is_text: bool = False
    time_format: str | None = None


@dataclass
class GrowingLog:
    """A log that grows block by block."""

    tally: ReadingTally
    texts: dict[str, GrowingTexts] = field(default_factory=dict)
    times: list[Times] = field(default_factory=list)
    ranks: list[Codes] = field(default_factory=list)
    have: set[str] = field(default_factory=set)

    def add(self, raw: RawLines, none: tuple[str, ...] = ()) -> None:
        """Take in lines; ``none`` has texts that stand for no query."""
        wrong: dict[BrokenBy, BoolArray] = {}
        count = len(raw.number)
        made = {part: _as_text(part, raw, wrong) for part in _TEXTS if part in raw.columns}
        times: Times = np.full(count, np.datetime64("NaT", "us"))
        ranks: Codes = np.full(count, -1, np.int32)
        if "time" in raw.columns:
            times, wrong["time"] = read_times(_plain_text("time", raw, wrong), raw.time_format)
        if "rank" in raw.columns:
            ranks, wrong["rank"] = _read_ranks(_plain_text("rank", raw, wrong))
        wrong["no user"] = _is_blank(made["user"])
        wrong["too long"] = np.logical_or.reduce([_is_long(texts) for texts in made.values()])
        whole = self.tally.sort_out(raw.number, wrong)
        self.tally.lines += count
        self.tally.read += int(whole.sum())
        self.have |= set(raw.columns)
        kept = None if whole.all() else pa.array(whole)
        for part in _TEXTS:
            texts = made[part] if part in made else pa.nulls(count, pa.string())
            growing = self.texts.setdefault(part, GrowingTexts(none if part == "query" else ()))
            growing.add(texts if kept is None else texts.filter(kept))
        self.times.append(times if kept is None else times[whole])
        self.ranks.append(ranks if kept is None else ranks[whole])

    def finish(self, drop_empty: bool, reading: LogReading) -> QueryLog:
        """Return the log; nothing is kept here.

        Parameters
        ----------
        drop_empty
            Whether times, ranks and addresses that no line has are left out, as where the form always has their columns.
        reading
            How it went.
        """
        user, users = self.texts.get("user", GrowingTexts()).finish()
        query, texts = self.texts.get("query", GrowingTexts()).finish()
        url, urls = self.texts.get("url", GrowingTexts()).finish()
        time, rank = _joined(self.times, "datetime64[us]"), _joined(self.ranks, "int32")
        if drop_empty or not len(user):
            self.have -= {"time"} if np.isnat(time).all() else set()
            self.have -= {"rank"} if (rank < 0).all() else set()
            self.have -= set() if len(urls) else {"url"}
        return QueryLog(
            user=user,
            query=query,
            users=users,
            texts=texts,
            time=time if "time" in self.have else None,
            rank=rank if "rank" in self.have else None,
            url=url if "url" in self.have else None,
            urls=urls if "url" in self.have else None,
            reading=reading,
        )


def _joined(parts: list[Any], kind: str) -> Any:
    whole = np.concatenate(parts) if parts else np.zeros(0, kind)
    parts.clear()
    return whole


# --- one column -----------------------------------------------------------------------------------------------------------------


def _as_text(part: str, raw: RawLines, wrong: dict[BrokenBy, BoolArray]) -> pa.StringArray:
    """Return a column as text, null for what is none."""
    text = _plain_text(part, raw, wrong)
    if pa.types.is_string(text.type):
        return text
    try:
        return text.cast(pa.string())
    except pa.ArrowException:
        raise ColumnError(
            f"The column of '{part}' holds {text.type}, which is no text; name another one in LogColumns."
        ) from None


def _plain_text(part: str, raw: RawLines, wrong: dict[BrokenBy, BoolArray]) -> pa.Array:
    """Return a column with bytes as text, and note the lines whose bytes are none; other types stay."""
    values = raw.columns[part]
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    kind = values.type
    if not any(is_kind(kind) for is_kind in _OF_BYTES):
        return values
    values = values.cast(pa.binary())
    if not raw.is_text:
        zero = _have(values, b"\0")
        bad = not_utf8(values) | (_have(values, NO_TEXT.encode()) if zero.any() else zero)
        wrong["encoding"] = wrong.get("encoding", np.zeros(len(values), bool)) | bad
        wrong["zero byte"] = wrong.get("zero byte", np.zeros(len(values), bool)) | zero
        if bad.any():
            values = pc.if_else(pa.array(bad), pa.scalar(None, pa.binary()), values)
    return values.view(pa.string())


def _have(values: pa.Array, piece: bytes) -> BoolArray:
    flags: BoolArray = pc.fill_null(pc.match_substring(values, piece), False).to_numpy(zero_copy_only=False)
    return flags


def _is_long(texts: pa.StringArray) -> BoolArray:
    flags: BoolArray = pc.fill_null(pc.greater(pc.binary_length(texts), LONGEST), False).to_numpy(zero_copy_only=False)
    return flags


def _is_blank(texts: pa.StringArray) -> BoolArray:
    blank = pc.match_substring_regex(texts, r"^\s*$") if _may_be_blank(texts) else pc.equal(texts, "")
    flags: BoolArray = pc.fill_null(blank, True).to_numpy(zero_copy_only=False)
    return flags


def _may_be_blank(texts: pa.StringArray) -> bool:
    return bool(pc.any(pc.starts_with(texts, " ")).as_py())


def _read_ranks(values: pa.Array) -> tuple[Codes, BoolArray]:
    """Return ranks, -1 for none, and which are there but no whole numbers from 0."""
    kind = values.type
    if pa.types.is_null(kind):
        return np.full(len(values), -1, np.int32), np.zeros(len(values), bool)
    if pa.types.is_string(kind):
        return _ranks_of_texts(values)
    if pa.types.is_boolean(kind) or not (
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    ):
        raise ColumnError(f"The column of 'rank' holds {kind}, which is no number; name another one in LogColumns.")
    numbers = values.cast(pa.float64(), safe=False).fill_null(-1.0).to_numpy(zero_copy_only=False)
    numbers = np.where(np.isnan(numbers), -1.0, numbers)  # what pandas writes for none
    fits = (numbers >= -1) & (numbers < 1e9) & (numbers == np.floor(numbers))
    return np.where(fits, numbers, -1).astype(np.int32), ~fits


def _ranks_of_texts(values: pa.StringArray) -> tuple[Codes, BoolArray]:
    none = pc.fill_null(pc.is_in(values, pa.array(["", "-1"])), True)
    values = pc.if_else(none, pa.scalar(None, pa.string()), values)
    wrong = np.zeros(len(values), bool)
    try:
        numbers = values.cast(pa.int32())
        if (pc.min(numbers).as_py() or 0) < 0 or (pc.max(numbers).as_py() or 0) >= 10**9:
            raise pa.ArrowInvalid("")
        if pc.any(pc.starts_with(values, "-")).as_py() or pc.any(pc.match_substring(values, "x")).as_py():
            raise pa.ArrowInvalid("")
    except pa.ArrowInvalid:
        whole = pc.match_substring_regex(values, _RANK)
        wrong = pc.fill_null(pc.invert(whole), False).to_numpy(zero_copy_only=False)
        values = pc.if_else(whole, pc.replace_substring_regex(values, _RANK, r"\1"), pa.scalar(None, pa.string()))
        numbers = values.cast(pa.int32())
    return numbers.fill_null(-1).to_numpy(zero_copy_only=False), wrong
