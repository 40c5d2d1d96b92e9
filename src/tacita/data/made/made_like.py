"""Files with the columns of another and other records: from plain arrays, in the types that the other file has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.data.columns import from_floats, from_positions
from tacita.data.microdata import Microdata

__all__ = ["made_like", "with_new_ids"]


def made_like(
    source: Microdata,
    n: int,
    *,
    numbers: Mapping[str, FloatArray],
    classes: Mapping[str, tuple[IntArray, tuple[Any, ...]]],
    labels: Mapping[str, IntArray],
) -> Microdata:
    """Make n records with the schema and the column types of a file, none of them taken from it.

    Parameters
    ----------
    source
        The file whose columns are wanted; its values are not looked at.
    n
        Number of records.
    numbers
        Values of numeric columns; NaN where missing.
    classes
        For columns with classes the position of each value in a list of classes, -1 where missing; and that list.
    labels
        Numbers from 0 on for identifiers and the like; they are written from 1 on, as texts such as S000001 where
        the column has texts.

    Returns
    -------
    Microdata
        With columns that are not named empty. It knows nothing of where the source came from.

    Raises
    ------
    DataError
        When a column has not n values.

    Examples
    --------
    >>> data = Microdata.from_frame(pa.table({"id": ["a", "b"], "age": [31, 47]}), identifiers=["id"])
    >>> made = made_like(data, 3, numbers={"age": np.array([5.0, np.nan, 7.0])}, classes={}, labels={"id": np.arange(3)})
    >>> made.to_arrow().column("id").to_pylist(), made.to_arrow().column("age").to_pylist()
    (['S000001', 'S000002', 'S000003'], [5, None, 7])
    """
    types = {name: source.type_of(name) for name in source.names}
    columns = {}
    for name, kind in types.items():
        if name in numbers:
            made = from_floats(numbers[name], kind)
        elif name in classes:
            positions, categories = classes[name]
            places = np.where(positions < 0, np.nan, positions.astype(np.float64))
            made = from_positions(places, categories, kind)
        elif name in labels:
            made = _labelled(labels[name], kind)
        else:
            made = pa.nulls(n, kind)
        if len(made) != n:
            raise DataError(f"Column '{name}' must have {n} values, one for each record, got {len(made)}.")
        columns[name] = made
    return Microdata(pa.table(columns), source.schema)


def with_new_ids(data: Microdata, labels: Mapping[str, IntArray]) -> Microdata:
    """Return the data with other identifiers in some columns, as :func:`made_like` writes them.

    The result knows nothing of where the data came from.
    """
    table = data.to_arrow()
    for name, numbers in labels.items():
        place = table.column_names.index(name)
        table = table.set_column(place, name, _labelled(numbers, table.column(place).type))
    return Microdata(table, data.schema)


def _labelled(numbers: IntArray, kind: pa.DataType) -> pa.Array:
    """Numbers from 1 on, or texts made of them, in the type of the column."""
    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    counted = np.asarray(numbers, dtype=np.int64) + 1
    if pa.types.is_integer(value) or pa.types.is_floating(value):
        made = pa.array(counted)
    else:
        made = pa.array([f"S{number:06d}" for number in counted.tolist()], pa.string())
    made = made.cast(value, safe=False)
    return made.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else made
