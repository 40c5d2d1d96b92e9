"""The one order of the records: by record id, whatever order an engine or a file has them in."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.data.columns import infer_scale
from tacita.data.schema import Schema
from tacita.data.store.normal_form import normal_form

__all__ = ["choose_record_id", "order_of", "row_numbers", "to_ids"]


def choose_record_id(schema: Schema, wanted: str | None, *, shown: str, has_order: bool) -> str | None:
    """Return the column that identifies each record: the one named, or the only identifier; None where rows have an order.

    Raises
    ------
    ColumnError
        When the column named is not there.
    ParameterError
        When there is none and the records have no order of their own.
    """
    if wanted is not None:
        return schema[wanted].name
    if len(schema.identifiers) == 1:
        return schema.identifiers[0]
    if not has_order:
        raise ParameterError(
            f"'record_id' must name a column with a different value for each record of {shown}, got none: a table there has no "
            "order, and without one the same question would not get the same answer tomorrow."
        )
    return None


def order_of(ids: pa.ChunkedArray, name: str) -> IntArray | None:
    """Return the positions that put the records in the order of their ids; None when they stand so already.

    Whole numbers are ordered by size, text by its bytes (UTF-8), which no language setting of a server changes.

    Raises
    ------
    DataError
        When an id is missing or occurs twice, or ids are neither whole numbers nor text; how many, never which.

    Notes
    -----
    O(n) where the ids stand in order, O(n log n) otherwise.

    Examples
    --------
    >>> order_of(pa.chunked_array([["b", "c", "a"]]), "person").tolist()
    [2, 0, 1]
    """
    values = _checked(ids, name)
    if _rises(values):
        return None
    order = pc.sort_indices(values)
    if not _rises(values.take(order)):
        distinct = pc.count_distinct(values).as_py()
        raise DataError(
            f"The record id '{name}' must be different for each record, but {len(values) - distinct} of its {len(values)} values "
            "repeat another one; name another column as record_id, or remove the records that occur twice."
        )
    return np.asarray(order.to_numpy().astype(np.int64))


def to_ids(ids: pa.ChunkedArray, name: str) -> npt.NDArray[np.uint64]:
    """Return what identifies each record as numbers of 64 bits: (n,) for whole numbers, (n, 2) for text.

    Whole numbers are taken as they are (negative ones as their two's complement). Text becomes the first 128 bits of its
    SHA-256, little-endian, so that two of 10**9 different texts are the same with a probability below 2**-68.
    """
    values = _checked(ids, name)
    if pa.types.is_integer(values.type):
        return (
            np.asarray(values.to_numpy()).astype(np.int64 if values.type == pa.int64() else np.uint64).view(np.uint64)
        )
    return _hashed(values)


def row_numbers(n_records: int) -> npt.NDArray[np.uint64]:
    """Return 0, 1, 2, ... as ids of records that have none."""
    return np.arange(n_records, dtype=np.uint64)


def _hashed(values: pa.Array) -> npt.NDArray[np.uint64]:
    import duckdb

    from tacita.data.formats.duck import NO_EXTENSIONS, quiet

    with quiet(duckdb.connect(config={**NO_EXTENSIONS, "enable_external_access": "false"})) as connection:
        connection.register("texts", pa.table({"id": values}))
        found = connection.sql("select unhex(left(sha256(id), 32)) as hash from texts").to_arrow_table()
    bits = found.column(0).cast(pa.binary(16)).combine_chunks()
    start = bits.offset * 16
    return (
        np.frombuffer(bits.buffers()[1], dtype="<u8", count=2 * len(bits), offset=start)
        .reshape(-1, 2)
        .astype(np.uint64)
    )


def _checked(ids: pa.ChunkedArray, name: str) -> pa.Array:
    if ids.null_count:
        raise DataError(f"The record id '{name}' must be there for each record, but {ids.null_count} have none.")
    column = normal_form(ids)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not (pa.types.is_integer(column.type) or pa.types.is_large_string(column.type)):
        raise DataError(
            f"The record id '{name}' must hold whole numbers or text, but it holds {infer_scale(column.type)} values of another "
            "kind; name another column as record_id."
        )
    return column.combine_chunks()


def _rises(values: pa.Array) -> bool:
    return len(values) < 2 or bool(pc.all(pc.less(values[:-1], values[1:])).as_py())
