"""Key counts of files that are not read into memory: the same as of data in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tacita as tc
from tacita.compare.assess import assess_counts
from tacita.core.errors import ColumnError, DataError, FileError, ParameterError
from tacita.data.keys.key_counts import KeyCounts, count_keys, count_keys_of_file
from tacita.data.microdata import Microdata

KEYS = ["region", "sex", "education", "employment", "household_size", "age"]
SCHEMA = """
[columns.a]
role = "key"
missing = [-9]
[columns.b]
role = "key"
scale = "nominal"
[columns.w]
role = "weight"
"""


def table_of(counts: KeyCounts) -> dict[tuple[object, ...], tuple[int, float]]:
    each = zip(counts.counts.tolist(), counts.totals.round(6).tolist(), strict=True)
    return {counts.values(i): found for i, found in enumerate(each)}


def test_by_hand(tmp_path: Path) -> None:
    """An empty field and the missing code -9 are the same: nothing known."""
    (tmp_path / "a.csv").write_text('a,b,w\n1,x,2\n1,x,3.5\n-9,"x, y",1\n,"x, y",1\n2,"",4\n')
    (tmp_path / "a.toml").write_text(SCHEMA)
    found = count_keys_of_file(tmp_path / "a.csv", schema=tmp_path / "a.toml")
    assert table_of(found) == {(1, "x"): (2, 5.5), (None, "x, y"): (2, 2), (2, ""): (1, 4)}
    assert found.is_weighted
    assert found.records == 5


@pytest.mark.parametrize("ending", ["parquet", "csv", "tsv"])
@pytest.mark.parametrize("weight", ["weight", None])
def test_equals_the_counts_in_memory(ending: str, weight: str | None, tmp_path: Path) -> None:
    path = tc.write(tc.samples.household_survey(2000, seed=3), tmp_path / f"survey.{ending}")
    read = tc.read(path)
    data = Microdata.from_frame(read.to_arrow(), weight=weight)
    found, wanted = count_keys_of_file(path, KEYS, weight=weight), count_keys(data, KEYS)
    assert table_of(found) == table_of(wanted)
    assert found.is_weighted == wanted.is_weighted
    for missing in ("wildcard", "own category", "conservative"):
        one, other = assess_counts(found, missing=missing), tc.assess(data, KEYS, missing=missing)  # type: ignore[arg-type]
        assert one.below == other.below
        assert one.expected == pytest.approx(other.expected)
        assert one.contributions == pytest.approx(other.contributions)


def test_separator_and_decimal_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("\ufeffx;w\n1,5;2,5\n1,5;1\n2;1\n", encoding="utf-8")
    assert table_of(count_keys_of_file(tmp_path / "a.csv", ["x"], weight="w")) == {(1.5,): (2, 3.5), (2.0,): (1, 1.0)}


def test_missing_numbers_in_parquet(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1.0, np.nan, None, 1.0], "it's": ["a"] * 4}), tmp_path / "a.parquet")
    found = count_keys_of_file(tmp_path / "a.parquet", ["x", "it's"])
    assert table_of(found) == {(1.0, "a"): (2, 2.0), (None, "a"): (2, 2.0)}


def test_more_combinations_than_memory_holds(tmp_path: Path) -> None:
    """Many combinations of long texts are grouped within 100 MB."""
    n = 400_000
    table = pa.table({"x": [f"a rather long text to fill memory with, number {i // 2}" for i in range(n)]})
    pq.write_table(table, tmp_path / "a.parquet")
    found = count_keys_of_file(tmp_path / "a.parquet", ["x"], memory="100MB")
    assert len(found.counts) == n // 2
    assert (found.counts == 2).all()


def test_bad_input(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("a,w\nCANARY,1\ny,-2\nz,\n")
    with pytest.raises(ColumnError, match="No column has the role 'key'"):
        count_keys_of_file(path)
    with pytest.raises(ColumnError, match="'b' is not in the data"):
        count_keys_of_file(path, ["b"])
    with pytest.raises(ColumnError, match="name a column twice"):
        count_keys_of_file(path, ["a", "a"])
    with pytest.raises(DataError, match="negative or missing in 2 records"):
        count_keys_of_file(path, ["a"], weight="w")
    with pytest.raises(ParameterError, match="'memory' must be"):
        count_keys_of_file(path, ["a"], memory="much")
    with pytest.raises(FileError, match="not there"):
        count_keys_of_file(tmp_path / "none.csv", ["a"])
    with pytest.raises(FileError, match=r"Only \.parquet"):
        count_keys_of_file(path.rename(tmp_path / "a.sav"), ["a"])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.parquet", b"PAR1 nothing", "a.parquet"),
        ("a.csv", b"a,b\n1,2\nCANARY,2,3\n", "cannot be cut into records"),
        ("a.csv", "a,b\n1,2\nCANARY\u00e9,2\n".encode("latin-1"), "must be UTF-8"),
        ("a.csv", b"a,A\n1,2\n", "upper and lower case only"),
    ],
)
def test_unusable_files(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=message) as caught:
        count_keys_of_file(tmp_path / name, ["a"])
    assert "CANARY" not in str(caught.value)
