"""The public side of data: a schema and a table that know nothing but what the records that leave still have.

A mask that suppresses or recodes a rare category takes it out of the records. The category still stands in the schema's
list of categories, among the value labels, in the hierarchy and in the dictionary of an Arrow or pandas column; a bound
may be the largest value of the data. Whoever reads the release would learn from them that such a person is in the file.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tacita.data.formats.narrow import is_shortened
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, MissingCode, Schema

__all__ = ["as_public", "public_column"]


def as_public(data: Microdata) -> Microdata:
    """Return the data without direct identifiers and without descriptions of what no record has.

    Parameters
    ----------
    data
        What is to leave.

    Returns
    -------
    Microdata
        The same records. Each column keeps of its categories, value labels, missing codes and hierarchy what its records
        use, and no bounds; a column that is declared ``public`` keeps them all. Dictionaries of Arrow columns have only
        values that occur, and the table has no metadata.

    Notes
    -----
    A range of missing codes stays where a record has one of its codes. The words that describe a column (``label``) stay:
    they are the user's own and not taken from records.

    Examples
    --------
    >>> levels = ("low", "middle", "high")
    >>> schema = Schema((Column(name="level", scale="ordinal", categories=levels, bounds=(0, 2)),))
    >>> left = as_public(Microdata(pa.table({"level": ["low", "high"]}), schema))
    >>> left.schema["level"].categories, left.schema["level"].bounds
    (('low', 'high'), None)
    """
    kept = data.drop(data.schema.identifiers)
    schema = Schema(tuple(public_column(column, kept) for column in kept.schema))
    return kept._derived(_without_unused(kept._table), schema)


def public_column(column: Column, data: Microdata) -> Column:
    """Return a column's description with only what its records use; unchanged where it is declared ``public``."""
    if column.public:
        return column
    codes = data.user_missing.get(column.name)
    in_use = () if codes is None else tuple(pc.unique(codes).drop_null().to_pylist())
    is_listed = column.categories is not None or bool(column.labels) or column.hierarchy is not None
    values = set(_distinct(data, column.name)) if is_listed else set()
    return replace(
        column,
        bounds=None,
        categories=_used(column.categories, values),
        labels=tuple(pair for pair in column.labels if _occurs(pair[0], values) or _occurs(pair[0], in_use)),
        missing=tuple(code for code in column.missing if _is_used(code, in_use)),
        hierarchy=_pruned(column.hierarchy, values),
    )


def _distinct(data: Microdata, name: str) -> list[Any]:
    values = pc.unique(data.column(name))
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    return [value for value in values.to_pylist() if value is not None]


def _occurs(value: Any, found: Collection[Any]) -> bool:
    """Whether a labelled value is in use; files of other programs keep numbers as text and text as numbers."""
    return value in found or _text(value) in {_text(entry) for entry in found}


def _text(value: Any) -> str:
    """Return a value as it stands in a hierarchy or a label: whole numbers without a point."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _used(categories: tuple[Any, ...] | None, values: Collection[Any]) -> tuple[Any, ...] | None:
    return None if categories is None else tuple(category for category in categories if category in values)


def _is_used(code: MissingCode, in_use: Collection[Any]) -> bool:
    if not isinstance(code, tuple):
        return code in in_use
    return any(not isinstance(used, str) and code[0] <= used <= code[1] for used in in_use)


def _pruned(hierarchy: Hierarchy | None, values: Collection[Any]) -> Hierarchy | None:
    """Return the rows of a hierarchy whose value occurs; a value may stand on any of its levels after recoding."""
    if hierarchy is None:
        return None
    texts = {_text(value) for value in values}
    rows: list[tuple[str, ...]] = []
    for row in hierarchy.rows:
        level = next((place for place, label in enumerate(row) if label in texts), None)
        if level is not None:
            # What lies below a group that the records were recoded to is not shown: it names the finer categories.
            rows.append((row[level],) * (level + 1) + row[level + 1 :])
    return Hierarchy(tuple(dict.fromkeys(rows))) if rows else None


def _without_unused(table: pa.Table) -> pa.Table:
    """Return the table without metadata and with dictionaries that hold only values that occur, in their order."""
    columns = []
    for column in table.columns:
        if pa.types.is_dictionary(column.type):
            columns.append(_plain_dictionary(column))
        else:
            columns.append(column)
    fields = [
        field if is_shortened(field) else pa.field(field.name, column.type)
        for field, column in zip(table.schema, columns, strict=True)
    ]
    return pa.Table.from_arrays(columns, schema=pa.schema(fields))


def _plain_dictionary(column: pa.ChunkedArray) -> pa.Array:
    whole = column.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.chunk(0)
    kind, indices = whole.type, whole.indices.cast(pa.int64())
    used = pc.unique(indices).drop_null()
    order = used.take(pc.sort_indices(used))
    values = whole.dictionary.take(order)
    fresh = pc.index_in(indices, value_set=order).cast(kind.index_type)
    # A null in the dictionary itself is a missing value; index_in leaves missing indices missing.
    return pa.DictionaryArray.from_arrays(fresh, values, ordered=kind.ordered)
