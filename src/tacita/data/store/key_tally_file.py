"""Key tallies of files that are never read into memory: DuckDB delivers records in chunks, and their keys are added up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import IntArray
from tacita.core.errors import ColumnError, DataError, did_you_mean
from tacita.core.keyed import Key
from tacita.data.file_query import SOURCE, asking, check_memory, form_of, quoted, typed
from tacita.data.formats.base import plain_types
from tacita.data.formats.csv_form import CsvForm
from tacita.data.schema import Column, Schema
from tacita.data.schema_file import read_declarations
from tacita.data.store.key_tally import KeyTally
from tacita.data.store.record_order import to_ids
from tacita.data.tabulate import Tally, coded
from tacita.numeric.perturbation.set_keys import check_members

__all__ = ["key_tally_of_file"]

CHUNK = 1 << 18
_WHOLE = "-?(0|[1-9][0-9]{0,17})"


def key_tally_of_file(
    path: str | Path,
    by: Sequence[str],
    *,
    identity: str,
    key: Key,
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
    schema
        A schema file or a schema, for hierarchies and missing codes.
    memory
        How much memory DuckDB may use.
    chunk
        Records at a time, 262 144 by default; the result does not depend on it.

    Notes
    -----
    A CSV file whose identities are all whole numbers gives the keys that the same file in memory gives. O(n log n) time;
    8 bytes a record, to see that identities are different, and what a chunk and the cells take.
    """
    path = Path(path)
    check_memory(memory)
    known, form = form_of(path, None, None)
    for name in [identity, *by]:
        if name not in known:
            raise ColumnError(f"Column '{name}' is not in the data.{did_you_mean(name, known)}")
    declared = _declared(schema)
    with asking(path, form, memory, "cells") as connection:
        who, records = _identity(connection, identity, form)
        columns = ", ".join(f"{quoted(name)} as d{i}" for i, name in enumerate(by))
        found = connection.sql(f"select {who} as who, {columns} from {SOURCE}")
        parts: list[pa.Table] = []
        seen, at = np.empty(records, dtype=np.uint64), 0
        for batch in _batches(found, chunk or CHUNK):
            ids = to_ids(batch.column("who"), identity)
            seen[at : at + len(ids)] = ids if ids.ndim == 1 else ids[:, 0]
            at += len(ids)
            parts = _merged([*parts, _part(batch, key.record_keys(ids), len(by))], len(by))
        if not parts:
            raise DataError(f"'{path.name}' has no records.")
        _check_distinct(connection, seen, identity)
    whole = _added(pa.concat_tables(parts), len(by))
    cells = whole.select([f"d{i}" for i in range(len(by))]).rename_columns(list(by))
    small = typed(cells, {name: declared[name] for name in by if name in declared}, form, None)
    codes, categories = coded(small, by)
    tally = Tally(tuple(small.schema), codes, categories, ())
    sums = np.stack([whole.column(name).to_numpy() for name in ("k0", "k1")], axis=1).astype(np.int64)
    return KeyTally(tally, whole.column("n").to_numpy().astype(np.int64), sums)


def _declared(schema: Schema | str | Path | None) -> Mapping[str, Mapping[str, Any]]:
    if schema is None:
        return {}
    if isinstance(schema, Schema):
        words = [part.name for part in fields(Column) if part.name != "name"]
        return {column.name: {word: getattr(column, word) for word in words} for column in schema}
    return read_declarations(Path(schema))


def _identity(connection: Any, name: str, form: CsvForm | None) -> tuple[str, int]:
    """Return how the identity is read, and the number of records; refuse missing ones, and more than can be added up."""
    column = quoted(name)
    records, missing = connection.sql(f"select count(*), count(*) - count({column}) from {SOURCE}").fetchall()[0]
    check_members(int(records))
    if missing:
        raise DataError(f"The identity '{name}' must be there for each record, but {missing} have none.")
    if form is None:
        return column, int(records)
    other = connection.sql(
        f"select count(*) from {SOURCE} where not regexp_full_match({column}, '{_WHOLE}')"
    ).fetchall()[0][0]
    return (column if other else f"{column}::bigint"), int(records)


def _batches(found: Any, chunk: int) -> Iterator[pa.Table]:
    """Yield records in chunks."""
    for batch in found.to_arrow_reader(chunk):
        if batch.num_rows:
            yield plain_types(pa.Table.from_batches([batch]))


def _part(records: pa.Table, keys: IntArray, dimensions: int) -> pa.Table:
    """Return the cells of some records: codes, number, sums of keys."""
    columns = {f"d{i}": records.column(f"d{i}") for i in range(dimensions)}
    one = pa.array(np.ones(len(keys), dtype=np.int64))
    return _added(pa.table({**columns, "n": one, "k0": keys[:, 0].copy(), "k1": keys[:, 1].copy()}), dimensions)


def _merged(parts: list[pa.Table], dimensions: int) -> list[pa.Table]:
    """Add up what there is as soon as the later parts are as many rows as the first: cells are kept twice at most."""
    if len(parts) > 1 and sum(part.num_rows for part in parts[1:]) >= parts[0].num_rows:
        return [_added(pa.concat_tables(parts), dimensions)]
    return parts


def _check_distinct(connection: Any, words: npt.NDArray[np.uint64], name: str) -> None:
    """Refuse identities that stand twice, by their first 64 bits, which are sorted in place."""
    words.sort()
    if not (words[1:] == words[:-1]).any():
        return
    # Two texts may share their first 64 bits by chance: DuckDB, which may use the disk, looks at the texts themselves.
    twice = connection.sql(f"select count(*) - count(distinct {quoted(name)}) from {SOURCE}").fetchall()[0][0]
    if twice:
        raise DataError(
            f"The identity '{name}' must be different for each record, but {twice} of {len(words)} values repeat another one; "
            "name the column of the unit that is counted, one record for each."
        )


def _added(rows: pa.Table, dimensions: int) -> pa.Table:
    """Add up rows of the same codes, in whole numbers."""
    names = [f"d{i}" for i in range(dimensions)]
    found = rows.group_by(names, use_threads=False).aggregate([(name, "sum") for name in ("n", "k0", "k1")])
    return found.rename_columns([name.removesuffix("_sum") for name in found.column_names])
