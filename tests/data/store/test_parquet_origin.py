"""Parquet files: literal paths, nothing but the columns asked for, and damaged or hostile files."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacita.core.errors import FileError, SchemaError
from tacita.data.store import open_store
from tacita.data.store.parquet_origin import ParquetOrigin

TABLE = pa.table({"x": [1, 2, 3], "s": ["a", None, "a"]})


@pytest.mark.parametrize(
    "place", ["*.parquet", "?.parquet", "[x].parquet", "region=north/part.parquet", "a b;'\".parquet", "{a,b}.parquet"]
)
def test_paths_are_taken_as_they_are(tmp_path: Path, place: str) -> None:
    path = tmp_path / place
    path.parent.mkdir(exist_ok=True)
    pq.write_table(TABLE, path)
    pq.write_table(pa.table({"x": [9]}), tmp_path / "x.parquet")
    store = open_store(path)
    assert store.names == ("x", "s")
    assert store.floats("x").tolist() == [1.0, 2.0, 3.0]


def test_text_comes_as_a_dictionary_where_that_is_allowed(tmp_path: Path) -> None:
    pq.write_table(TABLE, tmp_path / "t.parquet", row_group_size=2)
    origin = ParquetOrigin(tmp_path / "t.parquet")
    assert origin.types == TABLE.schema
    encoded, plain = origin.columns(["s"]), origin.columns(["s"], encoded=False)
    assert pa.types.is_dictionary(encoded.schema.types[0])
    assert plain.schema.types == [pa.string()]
    assert encoded.column(0).to_pylist() == plain.column(0).to_pylist() == ["a", None, "a"]
    origin.close()
    with pytest.raises(FileError, match="closed"):
        origin.columns(["s"])


def test_a_name_with_a_dot_is_one_name(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1], "a.b": [2]}), tmp_path / "dots.parquet")
    store = open_store(tmp_path / "dots.parquet")
    assert store.floats("a").tolist() == [1.0]
    assert store.floats("a.b").tolist() == [2.0]


def test_the_index_of_a_frame_is_no_column(tmp_path: Path) -> None:
    pd.DataFrame({"x": [1, 2]}, index=[5, 6]).to_parquet(tmp_path / "frame.parquet")
    assert ParquetOrigin(tmp_path / "frame.parquet").types.names == ["x"]


def test_nested_and_twofold_columns_are_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [[1]], "y": [1]}), tmp_path / "nested.parquet")
    with pytest.raises(SchemaError, match="'x' holds nested values"):
        open_store(tmp_path / "nested.parquet")
    pq.write_table(pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["x", "x"]), tmp_path / "two.parquet")
    with pytest.raises(SchemaError, match="same name"):
        ParquetOrigin(tmp_path / "two.parquet")


def test_damaged_files_are_told_without_their_content(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"canary" * 100)
    with pytest.raises(FileError, match="must be a whole Parquet file") as caught:
        open_store(path)
    assert "canary" not in str(caught.value)


def test_a_damaged_page_is_noticed_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    numbers = pa.table({"x": list(range(5000))})
    pq.write_table(numbers, path, write_page_checksum=True, use_dictionary=False, compression="none")
    content = bytearray(path.read_bytes())
    content[2000] ^= 0xFF
    path.write_bytes(content)
    store = open_store(path)
    with pytest.raises(FileError, match="must be a whole Parquet file"):
        store.floats("x")


def test_a_file_that_changes_while_it_is_open(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pq.write_table(TABLE, path)
    store = open_store(path)
    assert store.floats("x").tolist() == [1.0, 2.0, 3.0]
    pq.write_table(pa.table({"x": [7, 8, 9, 10], "s": ["q", "r", "s", "t"]}), path)
    with pytest.raises(FileError, match="changed or replaced"):
        store.codes("s")
    assert store.floats("x").tolist() == [1.0, 2.0, 3.0]
