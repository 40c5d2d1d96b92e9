"""An Arrow stream from arrays: columns of classes as dictionaries, columns of numbers with gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray

__all__ = ["arrow_stream"]


def arrow_stream(
    classes: Mapping[str, tuple[IntArray, Sequence[str]]],
    numbers: Mapping[str, FloatArray],
    *,
    whole: Sequence[str] = (),
    metadata: Mapping[str, str] | None = None,
) -> bytes:
    """Return columns as the bytes of an Arrow IPC stream.

    Parameters
    ----------
    classes
        Each column of classes: the number of the class of every row, and the names of all classes, used or not.
    numbers
        Each column of numbers; NaN is written as null.
    whole
        Columns of numbers that are written as whole ones.
    metadata
        Words that stand in the schema.

    Returns
    -------
    bytes
        A stream of one batch; classes come first.

    Complexity
    ----------
    O(n d) for n rows and d columns.

    Examples
    --------
    >>> made = arrow_stream({"sex": (np.array([1, 0]), ["f", "m"])}, {"count": np.array([3.0, np.nan])}, whole=["count"])
    >>> pa.ipc.open_stream(made).read_all().to_pydict()
    {'sex': ['m', 'f'], 'count': [3, None]}
    """
    made: dict[str, pa.Array] = {
        name: pa.DictionaryArray.from_arrays(pa.array(codes, pa.int32()), pa.array(list(words), pa.string()))
        for name, (codes, words) in classes.items()
    }
    for name, values in numbers.items():
        gaps = np.isnan(values)
        made[name] = (
            pa.array(np.where(gaps, 0, values).astype(np.int64), mask=gaps)
            if name in whole
            else pa.array(values, pa.float64(), mask=gaps)
        )
    table = pa.table(made).replace_schema_metadata(dict(metadata or {}) or None)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())
