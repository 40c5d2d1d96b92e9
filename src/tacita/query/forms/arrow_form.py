"""A table as an Arrow stream: what data frames read without parsing."""

from __future__ import annotations

import numpy as np

from tacita.data.formats.arrow_stream import arrow_stream
from tacita.query.tables.cell_table import FLAGS, CellTable

__all__ = ["table_arrow"]


def table_arrow(table: CellTable) -> bytes:
    """Return a table as an Arrow IPC stream, one row for each cell.

    Variables are dictionary columns with all their classes, in the order of the catalogue; counts are whole numbers, other values
    floats; a cell without a value is null. Columns are called as in :meth:`CellTable.to_rows`.

    Parameters
    ----------
    table
        The table.

    Returns
    -------
    bytes
        The stream; the metadata of its schema has the statistic.

    Examples
    --------
    >>> import pyarrow as pa
    >>> made = table_arrow(CellTable(("sex",), {"sex": ("f", "m")}, "count", np.array([7.0, np.nan])))
    >>> pa.ipc.open_stream(made).read_all().to_pydict()
    {'sex': ['f', 'm'], 'count': [7, None]}
    """
    places = np.indices(table.shape).reshape(len(table.by), -1)
    classes = {name: (places[axis], table.classes[name]) for axis, name in enumerate(table.by)}
    names = table.value_columns
    numbers = {names[0]: table.values.ravel()}
    if table.errors is not None:
        numbers[names[1]] = table.errors.ravel()
        marks = [mark for _, mark in FLAGS]
        classes[names[2]] = (np.array([marks.index(flag) for flag in table.flags or ()], dtype=np.int64), tuple(marks))
    whole = names[:1] if table.statistic == "count" else ()
    return arrow_stream(classes, numbers, whole=whole, metadata={"statistic": table.statistic})
