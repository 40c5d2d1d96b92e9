"""Networks from files of edges, as they come."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacita.core.errors import ColumnError, DataError, FileError, SchemaError
from tacita.games.social.network_file import read_network


def write(place: Path, text: str, name: str = "edges.csv") -> Path:
    (place / name).write_text(text)
    return place / name


def test_texts_and_numbers_and_both(tmp_path: Path) -> None:
    assert read_network(write(tmp_path, "a,b\nx,y\ny,z\n")).names == ("x", "y", "z")
    numbers = read_network(write(tmp_path, "a\tb\n1\t2\n2\t3\n", "edges.tsv"))
    assert numbers.neighbours_of(2) == (1, 3)
    mixed = read_network(write(tmp_path, "a,b\n1,x\n2,1\n"))
    assert mixed.neighbours_of("1") == ("2", "x") or mixed.neighbours_of("1") == ("x", "2")


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = write(tmp_path, "when,from,to\n1,x,y\n2,y,z\n")
    assert read_network(path, columns=("from", "to")).users == 3
    with pytest.raises((ColumnError, SchemaError)):
        read_network(path, columns=("fromm", "to"))


def test_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"a": [1, 2], "b": [2, 3]}), tmp_path / "edges.parquet")
    assert read_network(tmp_path / "edges.parquet").users == 3


def test_what_is_no_list_of_edges_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Column 'b' has no user in 1 rows"):
        read_network(write(tmp_path, "a,b\nx,\ny,z\n"))
    with pytest.raises(DataError, match="two columns"):
        read_network(write(tmp_path, "a\nx\n"))
    with pytest.raises(DataError, match="no edges"):
        read_network(write(tmp_path, "a,b\n"))
    with pytest.raises(DataError, match="1 edge leads from a user to himself"):
        read_network(write(tmp_path, "a,b\nx,x\ny,z\n"))
    with pytest.raises(FileError):
        read_network(tmp_path / "none.csv")
