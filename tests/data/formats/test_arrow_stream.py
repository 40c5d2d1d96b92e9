"""Arrow streams from arrays."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tacita.data.formats.arrow_stream import arrow_stream


def test_columns_are_found_again() -> None:
    made = arrow_stream(
        {"é": (np.array([2, 0, 2]), ("a", "b", "c"))},
        {"n": np.array([1.0, np.nan, 3.0]), "x": np.array([0.5, np.nan, -0.0])},
        whole=["n"],
        metadata={"statistic": "count"},
    )
    table = pa.ipc.open_stream(made).read_all()
    table.validate(full=True)
    assert table.to_pydict() == {"é": ["c", "a", "c"], "n": [1, None, 3], "x": [0.5, None, 0.0]}
    assert table["é"].chunk(0).dictionary.to_pylist() == ["a", "b", "c"]
    assert [field.type for field in table.schema] == [pa.dictionary(pa.int32(), pa.string()), pa.int64(), pa.float64()]
    assert table.schema.metadata == {b"statistic": b"count"}


def test_no_rows() -> None:
    table = pa.ipc.open_stream(arrow_stream({"a": (np.zeros(0, np.int64), ())}, {"x": np.zeros(0)})).read_all()
    assert (table.num_rows, table.column_names) == (0, ["a", "x"])
