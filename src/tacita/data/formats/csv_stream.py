"""Reading a large CSV file block by block: a block's text is typed and let go before the next one comes.

The rules are those of :mod:`tacita.data.formats.values`, which decide for a column as a whole. Most columns are plain: whole
numbers, numbers with a decimal point, dates, or text that is known by its first records. For these the blocks agree, and the
outcome is the same. Any other column is read once more, alone, and typed as a whole. Whole numbers lie in as few bytes as they
need (:mod:`tacita.data.formats.narrow`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from tacita.data.formats.base import Facts
from tacita.data.formats.csv_form import CsvForm
from tacita.data.formats.narrow import join_short, short_field, short_whole
from tacita.data.formats.values import (
    EXACT_WHOLE,
    HEAD,
    finish_text,
    has_decimal_commas,
    is_declared_text,
    starts_as_text,
    type_table,
)
from tacita.data.memory import trim

__all__ = ["Streamed", "stream_csv"]

_BLOCK = 1 << 21
_TOGETHER = 16
_PROBE = 100
_NOT_ZERO = r"^[+-]?[0.]*[1-9]"

Kind = Literal["whole", "float", "date", "text", "odd"]


@dataclass(frozen=True)
class Streamed:
    """What came of a file.

    Parameters
    ----------
    table
        The typed columns; whole numbers are kept short.
    codes
        Missing codes that the types cannot hold.
    last
        The last field of the file as text, in a table of one row.
    """

    table: pa.Table
    codes: Mapping[str, pa.Array]
    last: pa.Table


def stream_csv(
    path: Path, form: CsvForm, declared: Facts, decimal: str | None, *, block: int = _BLOCK
) -> Streamed | None:
    """Read a CSV file block by block; None says: read it as a whole, which also finds what is wrong with it.

    Parameters
    ----------
    path, form
        The file, and how it is written.
    declared
        What the schema declares of its columns.
    decimal
        The decimal sign; None where it has to be found. A decimal comma is left to the whole.
    block
        Bytes of a block.
    """
    if decimal == "," or len(form.names) == 1:
        return None
    columns = [_Growing(name, declared.get(name, {}), may_be_comma=decimal is None) for name in form.names]
    try:
        last = _fill(path, form, columns, block)
        if last is None:
            return None
        odd = [column.name for column in columns if column.kind == "odd"]
        rest = _read_columns(path, form, odd, block) if odd else None
    except (pa.ArrowInvalid, UnicodeError, OSError):
        return None
    if rest is not None and decimal is None and has_decimal_commas(rest, declared):
        return None
    typed, codes = (pa.table({}), {}) if rest is None else type_table(rest, declared, ".")
    made = {column.name: column.finished(codes) for column in columns if column.kind != "odd"}
    arrays = [made[name] if name in made else typed.column(name) for name in form.names]
    fields = [
        short_field(name, array.type) if name in made else pa.field(name, array.type)
        for name, array in zip(form.names, arrays, strict=True)
    ]
    return Streamed(pa.Table.from_arrays(arrays, schema=pa.schema(fields)), codes, last)


def _fill(path: Path, form: CsvForm, columns: Sequence[_Growing], block: int) -> pa.Table | None:
    """Type the file's blocks into its columns; return its last field, or None where there is no first record."""
    last, under_way = None, list[Future[None]]()
    with pa.OSFile(os.fsencode(path), "rb") as file, ThreadPoolExecutor(max_workers=2) as pool:
        for number, batch in enumerate(_batches(file, form, block)):
            text = batch.slice(1) if number == 0 else batch  # the header
            if number == 0 and not text.num_rows:
                return None
            if text.num_rows:
                last = pa.table({"last": text.column(text.num_columns - 1).slice(text.num_rows - 1)})
            # A block is typed while the next one is cut into fields, and before that one is typed.
            for done in under_way:
                done.result()
            under_way = [pool.submit(column.add, text.column(i)) for i, column in enumerate(columns)]
        for done in under_way:
            done.result()
    trim()  # what the text took
    return last


def _batches(file: Any, form: CsvForm, block: int, only: Sequence[str] | None = None) -> Any:
    """Return the blocks of a file, every field as text; the header is the first record."""
    places = [str(place) for place in range(len(form.names))]
    parse = arrow_csv.ParseOptions(
        delimiter=form.separator,
        quote_char='"' if form.has_quotes else False,
        newlines_in_values=form.has_quotes,
    )
    convert = arrow_csv.ConvertOptions(
        column_types=dict.fromkeys(places, pa.string()),
        include_columns=None if only is None else [str(form.names.index(name)) for name in only],
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    read = arrow_csv.ReadOptions(column_names=places, block_size=block, encoding=form.encoding)
    return arrow_csv.open_csv(
        file, read_options=read, parse_options=parse, convert_options=convert, memory_pool=_pool()
    )


def _pool() -> pa.MemoryPool:
    """Return the memory of the system: Arrow's own holds what every thread of a reader had, to the end of the process."""
    return pa.system_memory_pool()


def _read_columns(path: Path, form: CsvForm, names: Sequence[str], block: int) -> pa.Table:
    """Read some columns of the file as text."""
    with pa.OSFile(os.fsencode(path), "rb") as file:
        table = pa.Table.from_batches(list(_batches(file, form, block, names)))
    return table.slice(1).rename_columns(list(names))


# --- one column -------------------------------------------------------------------------------------------------------------


@dataclass
class _Growing:
    """A column that grows block by block; ``odd`` once its blocks are not plain, or do not agree."""

    name: str
    facts: Mapping[str, Any]
    may_be_comma: bool
    kind: Kind | None = None
    rows: int = 0
    chunks: list[pa.Array] = field(default_factory=list)
    largest: float = 0.0
    joined: int = 0

    def __post_init__(self) -> None:
        if is_declared_text(self.facts):
            self.kind = "text"
        elif any(isinstance(code, str) for code in self.facts.get("missing", ())):
            self.kind = "odd"  # words among the values are taken out first

    def add(self, text: pa.Array) -> None:
        """Type the next block."""
        self.rows += len(text)
        if self.kind == "odd":
            return
        if self.kind != "text" and text.null_count == len(text):
            self.chunks.append(text)
            return
        kind: Kind
        kind, values = ("text", text) if self.kind == "text" else self._typed(text)
        self.kind = self._agreed(kind)
        if self.kind == "odd":
            self.chunks.clear()
        else:
            self.chunks.append(values)
            self._join()

    def _join(self) -> None:
        """Put the last blocks together: a few large arrays leave no gaps in the memory, as many small ones do."""
        tail = self.chunks[self.joined :]
        if len(tail) < _TOGETHER:
            return
        if all(pa.types.is_integer(chunk.type) for chunk in tail):
            tail = join_short(tail)
        if len({chunk.type for chunk in tail}) == 1:
            self.chunks[self.joined :] = [pa.concat_arrays(tail, memory_pool=_pool())]
        self.joined = len(self.chunks)

    def _typed(self, text: pa.Array) -> tuple[Kind, pa.Array]:
        scale = self.facts.get("scale")
        if scale != "date":
            numbers = _plain_numbers(text, is_float=self.kind == "float")
            if numbers is not None:
                kind, values, largest = numbers
                self.largest = max(self.largest, largest)
                return kind, values
        if scale != "numeric":
            try:
                return "date", text.cast(pa.date32())
            except pa.ArrowInvalid:
                pass
        is_first = self.kind is None and self.rows == len(text) and len(text) >= min(HEAD, self.rows)
        return (
            ("text", text) if is_first and scale not in ("numeric", "date") and self._is_text(text) else ("odd", text)
        )

    def _is_text(self, text: pa.Array) -> bool:
        head = pa.chunked_array([text.slice(0, HEAD)])
        signs = (".", ",") if self.may_be_comma else (".",)
        return all(starts_as_text(head, sign) for sign in signs)

    def _agreed(self, kind: Kind) -> Kind:
        """Return the kind of all blocks so far; whole numbers are numbers too, where a float keeps them."""
        if self.kind in (None, kind):
            return kind
        if {self.kind, kind} == {"whole", "float"} and self.largest < EXACT_WHOLE:
            return "float"
        return "odd"

    def finished(self, codes: dict[str, pa.Array]) -> pa.ChunkedArray:
        """Return the whole column; missing codes of text columns go beside it."""
        goal = {"float": pa.float64(), "date": pa.date32()}.get(self.kind or "", pa.string())
        if self.kind == "whole":
            goal = join_short([chunk for chunk in self.chunks if pa.types.is_integer(chunk.type)])[0].type
        chunks = [chunk if chunk.type == goal else _as_type(chunk, goal) for chunk in self.chunks]
        self.chunks.clear()
        column = pa.chunked_array(chunks, goal)
        if goal != pa.string():
            return column
        text, beside = finish_text(column, self.facts)
        if beside is not None:
            codes[self.name] = beside
        return text


def _as_type(chunk: pa.Array, goal: pa.DataType) -> pa.Array:
    return pa.nulls(len(chunk), goal) if chunk.null_count == len(chunk) else chunk.cast(goal)


def _plain_numbers(text: pa.Array, *, is_float: bool) -> tuple[Kind, pa.Array, float] | None:
    """Return a block as numbers and the largest of them, where nothing about it asks for a closer look."""
    values = None if is_float else _cast_block(text, pa.int64())
    is_whole = values is not None
    if values is None:
        values = _cast_block(text, pa.float64())
    if values is None:
        return None
    ends = pc.min_max(values).as_py()
    largest = float(max(abs(ends["min"]), abs(ends["max"])))
    if _has_zeros_ahead(text, ends["min"] <= 0):
        return None
    if is_whole:
        return "whole", short_whole(values, (ends["min"], ends["max"])), largest
    # Words for what is no number, numbers that a float does not keep, plus signs: the rules for the whole column decide.
    if not (np.isfinite(largest) and largest < EXACT_WHOLE) or pc.any(pc.is_nan(values)).as_py():
        return None
    zeros = text.filter(pc.equal(values, 0.0))
    if pc.any(pc.match_substring_regex(zeros, _NOT_ZERO)).as_py():
        return None
    return None if pc.any(pc.starts_with(text, "+")).as_py() else ("float", values, largest)


def _cast_block(text: pa.Array, kind: pa.DataType) -> pa.Array | None:
    try:
        text.slice(0, _PROBE).cast(kind)  # a refusal takes Arrow far longer than a success
        return text.cast(kind, memory_pool=_pool())
    except pa.ArrowInvalid:
        return None


def _has_zeros_ahead(text: pa.Array, may_be_negative: bool) -> bool:
    """Whether a number has a leading zero, as codes have, or is hexadecimal."""
    signs = ("0", "-0") if may_be_negative else ("0",)
    return any(
        pc.any(pc.match_substring_regex(text.filter(pc.starts_with(text, sign)), f"^{sign}[0-9xX]")).as_py()
        for sign in signs
    )
