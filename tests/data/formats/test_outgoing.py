"""Tables as they are written: nothing under a missing value, no category that no record has, codes put back."""

from __future__ import annotations

import datetime as dt
import warnings

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tacita.core.errors import FileError, TacitaWarning
from tacita.data.formats.outgoing import cleaned_table, is_number, is_text, outgoing, text_codes
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema


def raw(array: pa.Array) -> bytes:
    return b"".join(bytes(buffer) for buffer in array.buffers() if buffer is not None)


def test_what_lay_under_a_missing_value_is_gone() -> None:
    secret = pa.array(np.array([73517351, 5, 6]))
    hidden = pa.Array.from_buffers(pa.int64(), 3, [pa.py_buffer(bytes([0b110])), secret.buffers()[1]])
    assert hidden.to_pylist() == [None, 5, 6]
    needle = np.int64(73517351).tobytes()
    assert needle in raw(hidden), "the remains are there before"
    made = cleaned_table(pa.table({"x": hidden}))
    assert needle not in raw(made.column("x").chunk(0))
    assert made.column("x").to_pylist() == [None, 5, 6]


def test_slices_and_unused_categories_leave_nothing() -> None:
    table = pa.table(
        {"x": pa.array(["secret", "a", "b"]).slice(1), "c": pa.array(["secret", "b", "c"]).dictionary_encode().slice(1)}
    )
    made = cleaned_table(table.replace_schema_metadata({"note": "secret"}))
    assert made.to_pydict() == {"x": ["a", "b"], "c": ["b", "c"]}
    assert made.schema.metadata is None
    assert not any(b"secret" in raw(column.chunk(0)) for column in made.columns)


@pytest.mark.parametrize(
    "values",
    [
        [1, None],
        [1.5, None],
        ["a", None],
        [True, None],
        [b"a", None],
        [dt.date(2020, 1, 1), None],
        [None, None],
    ],
)
def test_values_stay_as_they_are(values: list[object]) -> None:
    table = pa.table({"x": pa.array(values)})
    assert cleaned_table(table).to_pydict() == table.to_pydict()


def test_what_cannot_be_written_is_named() -> None:
    with pytest.raises(FileError, match="Column 'x' holds list"):
        cleaned_table(pa.table({"x": [[1], None]}))


def test_codes_come_back_where_the_column_holds_them() -> None:
    schema = Schema((Column(name="x", scale="numeric", missing=("refused", "-9")),))
    data = Microdata(pa.table({"x": [1, None, None]}), schema, user_missing={"x": pa.array([None, "refused", "-9"])})
    assert text_codes(data, data.to_arrow(codes=True))["x"].to_pylist() == [None, "refused", "-9"]
    with pytest.warns(TacitaWarning, match=r"Column 'x': Parquet cannot hold codes of text .* so 1 of them"):
        made = outgoing(data, "Parquet")
    assert made.column("x").to_pylist() == [1, None, -9]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kept = outgoing(data, "SPSS", keeps=lambda codes: pc.equal(codes, "refused"))
    assert kept.column("x").to_pylist() == [1, None, -9]


def test_kinds_of_types() -> None:
    assert is_text(pa.large_string())
    assert not is_text(pa.binary())
    assert is_number(pa.decimal128(5, 2))
    assert not is_number(pa.bool_())
