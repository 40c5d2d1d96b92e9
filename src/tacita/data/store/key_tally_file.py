"""Key tallies of files that are never read into memory: DuckDB delivers records in chunks, and their keys are added up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, FileError, did_you_mean
from tacita.core.keyed import Key
from tacita.data.file_query import SOURCE, asking, check_memory, form_of, quoted, typed
from tacita.data.formats.base import plain_types
from tacita.data.formats.csv_form import CsvForm
from tacita.data.schema import Column, Schema
from tacita.data.schema_file import read_declarations
from tacita.data.store.key_tally import KeyTally
from tacita.data.store.key_tally_sums import KeyedCells, LargestKept, ValueCodes, numbered_cells
from tacita.data.store.normal_form import normal_form
from tacita.data.store.record_order import to_ids
from tacita.data.tabulate import TINY, Chosen, Shares, Sums, Tally, TallyRequest, coded
from tacita.data.tabulate_file import FileColumns
from tacita.numeric.perturbation.set_keys import check_members

__all__ = ["key_tally_of_file"]

CHUNK = 1 << 16
_WHOLE = "-?(0|[1-9][0-9]{0,17})"


def key_tally_of_file(
    path: str | Path,
    by: Sequence[str],
    *,
    identity: str,
    key: Key,
    response: str | None = None,
    weight: Chosen = False,
    depth: int = 5,
    schema: Schema | str | Path | None = None,
    memory: str = "4GB",
    chunk: int | None = None,
) -> KeyTally:
    """Tally a Parquet or CSV file that DuckDB reads in chunks; it is never in memory as a whole.

    Parameters
    ----------
    path
        The file: .parquet, .csv, .tsv or .txt.
    by
        The classifying columns.
    identity
        The column that says who a record is.
    key
        The key of the record keys.
    response
        The column to sum; None counts records.
    weight
        The column of weights: its name, None for that of the schema, False for none.
    depth
        How many of the largest contributors of a cell are kept where there is a response.
    schema
        A schema file or a schema, for hierarchies and missing codes.
    memory
        How much memory DuckDB may use.
    chunk
        Records at a time, 65 536 by default; the result does not depend on it.

    Notes
    -----
    A CSV file whose identities are all whole numbers gives the keys that the same file in memory gives. Memory is for the
    cells, with ``depth`` contributors each, and for a chunk; and to see that identities are different, a byte for each number
    between the smallest and the largest identity, or 8 bytes a record where these are text or far apart. O(n log n) time.
    """
    path = Path(path)
    check_memory(memory)
    known, form = form_of(path, None, None)
    declared = _declared(schema)
    request = TallyRequest(by=tuple(by), responses=(response or "",), weight=weight, holding=False, depth=depth)
    columns = FileColumns(request, declared, form, None)
    columns.check_names(known)
    if identity not in known:
        raise ColumnError(f"Column '{identity}' is not in the data.{did_you_mean(identity, known)}")
    with asking(path, form, memory, "cells") as connection:
        _check_sign(connection, columns)
        who, seen = _identity(connection, identity, form)
        chosen = [f"{who} as who", *(f"{quoted(name)} as d{i}" for i, name in enumerate(by))]
        chosen += [f"{columns.number(name)} as {short}" for short, name in columns.numbers.items()]
        found = connection.sql(f"select {', '.join(chosen)} from {SOURCE}")
        chunks = _Chunks(columns, identity, key)
        for batch in _batches(found, chunk or CHUNK):
            seen.add(chunks.add(batch))
        if not chunks.records:
            raise DataError(f"'{path.name}' has no records.")
        chunks.check()
        seen.check(connection)
    return chunks.tally(declared, form)


def _declared(schema: Schema | str | Path | None) -> Mapping[str, Mapping[str, Any]]:
    if schema is None:
        return {}
    if isinstance(schema, Schema):
        words = [part.name for part in fields(Column) if part.name != "name"]
        return {column.name: {word: getattr(column, word) for word in words} for column in schema}
    return read_declarations(Path(schema))


def _check_sign(connection: Any, columns: FileColumns) -> None:
    """Refuse numbers of which some have decimal commas and some points, where nobody said which is right."""
    if columns.sign is not None or not columns.numbers:
        return
    both = " || ".join(f"coalesce({quoted(name)}, '')" for name in columns.numbers.values())
    has = [f"bool_or(contains({both}, '{sign}'))" for sign in ",."]
    if connection.sql(f"select coalesce({' and '.join(has)}, false) from {SOURCE}").fetchall()[0][0]:
        raise FileError("Some numbers have decimal commas and some have decimal points; read the file with decimal=...")


def _batches(found: Any, chunk: int) -> Iterator[pa.Table]:
    """Yield records in chunks."""
    for batch in found.to_arrow_reader(chunk):
        if batch.num_rows:
            yield plain_types(pa.Table.from_batches([batch]))


# --- chunks ---------------------------------------------------------------------------------------------------------------


@dataclass
class _Chunks:
    """What is kept of the chunks that were read."""

    columns: FileColumns
    identity: str
    key: Key
    records: int = 0
    _left_out: int = 0
    _has_negative: bool = False
    _bad: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        request = self.columns.request
        self._values = [ValueCodes() for _ in request.by]
        self._amounts = 2 if request.responses[0] and "w" in self.columns.numbers else len(self.columns.numbers)
        self._cells = KeyedCells(len(request.by), self._amounts)
        self._largest = LargestKept(request.depth)

    def add(self, batch: pa.Table) -> npt.NDArray[np.uint64]:
        """Add the records of a chunk, and return the first 64 bits of what identifies each."""
        ids = to_ids(batch.column("who"), self.identity)
        keys = self.key.record_keys(ids)
        codes = np.stack([known.codes(batch.column(f"d{i}")) for i, known in enumerate(self._values)], axis=1)
        w = self._number(batch, "w")
        x = self._number(batch, "x0")
        there = np.ones(len(ids), bool) if x is None else ~np.isnan(x)
        whole = np.column_stack([np.ones(len(ids), np.int64), keys])
        whole[~there] = 0
        self.records += len(ids)
        self._cells.add(codes, whole, self._added(x, w, there))
        if x is not None:
            self._keep(batch, codes, keys, (x, w), there)
        return ids if ids.ndim == 1 else np.ascontiguousarray(ids[:, 0])

    def _number(self, batch: pa.Table, short: str) -> FloatArray | None:
        """Return a column of numbers, missing ones as nan; count those that cannot be."""
        if short not in self.columns.numbers:
            return None
        found = np.asarray(batch.column(short).to_numpy(), np.float64)
        bad = np.isinf(found) if short != "w" else ~(found >= 0) | np.isinf(found)
        self._bad[short] = self._bad.get(short, 0) + int(bad.sum())
        return np.where(bad, 0.0, found) if bad.any() else found

    def _added(self, x: FloatArray | None, w: FloatArray | None, there: BoolArray) -> list[FloatArray]:
        if x is None:
            return [] if w is None else [w]
        weighted = x if w is None else x * w
        made = [np.where(there, weighted, 0.0)]
        return made if w is None else [*made, np.where(there, w, 0.0)]

    def _keep(
        self,
        batch: pa.Table,
        codes: npt.NDArray[np.int32],
        keys: IntArray,
        numbers: tuple[FloatArray, FloatArray | None],
        there: BoolArray,
    ) -> None:
        """Keep the largest contributors of the cells."""
        rows = np.flatnonzero(there)
        x, w = numbers[0][rows], None if numbers[1] is None else numbers[1][rows]
        self._left_out += len(there) - len(rows)
        self._has_negative |= bool((x < 0).any())
        size = np.maximum(np.abs(x), TINY)
        shares = x[None] if w is None else np.stack([x, size, w * size])
        who = normal_form(batch.column("who")).combine_chunks().take(pa.array(rows))
        words = (keys[rows, 0].astype(np.uint64) << np.uint64(31)) | keys[rows, 1].astype(np.uint64)
        self._largest.add(codes[rows], who, words, shares)

    def check(self) -> None:
        """Refuse numbers that cannot be added up."""
        name = self.columns.weight
        if self._bad.get("w"):
            raise DataError(
                f"The weight '{name}' is negative or missing in {self._bad['w']} records; weights must be 0 or more."
            )
        if self._bad.get("x0"):
            raise DataError(
                f"Column '{self.columns.request.responses[0]}' must hold finite numbers, but {self._bad['x0']} of its values are "
                "none."
            )

    def tally(self, declared: Mapping[str, Mapping[str, Any]], form: CsvForm | None) -> KeyTally:
        """Return what was added up."""
        by, response = self.columns.request.by, self.columns.request.responses[0]
        codes, whole, amounts = self._cells.result()
        cells = pa.table(
            {name: known.values(codes[:, i]) for i, (name, known) in enumerate(zip(by, self._values, strict=True))}
        )
        small = typed(cells, {name: declared[name] for name in by if name in declared}, form, None)
        places, categories = coded(small, by)
        responses: tuple[Sums, ...] = ()
        words = None
        if response:
            units, words = self._shares(codes, whole[:, 0])
            total = amounts[0].rounded()
            weights = amounts[1].rounded() if len(amounts) > 1 else whole[:, 0].astype(np.float64)
            found = Sums(whole[:, 0], weights, total, None, None, units, None, self._left_out, self._has_negative)
            responses = (found,)
        tally = Tally(tuple(small.schema), places, categories, responses)
        return KeyTally(tally, whole[:, 0], whole[:, 1:], amounts[0] if amounts else None, words)

    def _shares(self, codes: npt.NDArray[np.int32], records: IntArray) -> tuple[Shares, npt.NDArray[np.uint64]]:
        """Return the largest contributors, numbered in the order of who they are, and the keyed word of each number."""
        where, rank, words, shares = self._largest.result()
        cell, _ = numbered_cells(np.concatenate([codes, where]))
        place = np.zeros(int(cell.max(initial=-1)) + 1, np.int64)
        place[cell[: len(codes)]] = np.arange(len(codes))
        at = place[cell[len(codes) :]]
        named = np.zeros(len(rank), np.uint64)
        named[rank] = words
        others = records - np.bincount(at, minlength=len(codes))
        return Shares(cell=at, owner=rank, sums=shares, others=others, are_alone=True), named


# --- identities -----------------------------------------------------------------------------------------------------------


def _identity(connection: Any, name: str, form: CsvForm | None) -> tuple[str, _SeenIdentities]:
    """Return how the identity is read, and where it is kept; refuse missing ones, and more than can be added up."""
    column = quoted(name)
    records, missing = connection.sql(f"select count(*), count(*) - count({column}) from {SOURCE}").fetchall()[0]
    check_members(int(records))
    if missing:
        raise DataError(f"The identity '{name}' must be there for each record, but {missing} have none.")
    read = column
    if form is not None:
        other = connection.sql(
            f"select count(*) from {SOURCE} where not regexp_full_match({column}, '{_WHOLE}')"
        ).fetchall()[0][0]
        read = column if other else f"{column}::bigint"
    low, high = connection.sql(f"select min({read}), max({read}) from {SOURCE}").fetchall()[0]
    is_near = isinstance(low, int) and not isinstance(low, bool) and high - low < 8 * records
    return read, _SeenIdentities(name, int(records), (int(low), int(high)) if is_near else None)


class _SeenIdentities:
    """Which identities there were: a byte for each that could be where they are near each other, else 8 bytes for each."""

    def __init__(self, name: str, records: int, span: tuple[int, int] | None) -> None:
        self._name, self._records, self._span, self._at = name, records, span, 0
        self._there = np.zeros(0 if span is None else span[1] - span[0] + 1, bool)
        self._words = np.empty(records if span is None else 0, np.uint64)

    def add(self, ids: npt.NDArray[np.uint64]) -> None:
        """Note some identities."""
        if self._span is not None:
            self._there[ids - np.uint64(self._span[0] % 2**64)] = True  # in two's complement, as the identities are
            return
        self._words[self._at : self._at + len(ids)] = ids
        self._at += len(ids)

    def check(self, connection: Any) -> None:
        """Refuse identities that stand twice."""
        if self._span is not None:
            twice = self._records - int(np.count_nonzero(self._there))
        else:
            self._words.sort()
            twice = int((self._words[1:] == self._words[:-1]).any())
            if twice:
                # Two texts may share their first 64 bits by chance: DuckDB, which may use the disk, looks at them themselves.
                query = f"select count(*) - count(distinct {quoted(self._name)}) from {SOURCE}"
                twice = connection.sql(query).fetchall()[0][0]
        if twice:
            raise DataError(
                f"The identity '{self._name}' must be different for each record, but {twice} of {self._records} values repeat "
                "another one; name the column of the unit that is counted, one record for each."
            )
