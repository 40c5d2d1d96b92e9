"""Whole numbers kept short: to everybody else they are what they were."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.data.formats.narrow import (
    as_long,
    is_shortened,
    join_short,
    long_table,
    long_type,
    short_field,
    short_whole,
)
from tacita.data.microdata import Microdata

WHOLE = st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1), st.integers(-200, 200), st.integers(-40_000, 40_000))


@given(st.lists(WHOLE))
def test_any_whole_numbers_come_back(values: list[int | None]) -> None:
    given_ = pa.array(values, pa.int64())
    kept = short_whole(given_)
    assert kept.cast(pa.int64()).equals(given_)
    there = [value for value in values if value is not None]
    narrower = {16: pa.int8(), 32: pa.int16(), 64: pa.int32()}.get(kept.type.bit_width)
    if narrower is not None and there:
        with pytest.raises(pa.ArrowInvalid):
            given_.cast(narrower)


def test_the_ends_of_each_type_are_kept() -> None:
    for bits in (8, 16, 32):
        reach = 2 ** (bits - 1)
        assert short_whole(pa.array([-reach, reach - 1])).type.bit_width == bits
        assert short_whole(pa.array([reach])).type.bit_width == 2 * bits
        assert short_whole(pa.array([-reach - 1])).type.bit_width == 2 * bits


def test_several_widths_become_the_widest() -> None:
    joined = join_short([pa.array([1], pa.int8()), pa.array([2**20], pa.int32()), pa.array([None], pa.int16())])
    assert {chunk.type for chunk in joined} == {pa.int32()}


def test_only_a_field_that_says_so_is_kept_short() -> None:
    plain, short = pa.field("a", pa.int8()), short_field("a", pa.int8())
    assert (is_shortened(plain), is_shortened(short)) == (False, True)
    assert (long_type(plain), long_type(short)) == (pa.int8(), pa.int64())
    assert not is_shortened(short_field("a", pa.int64()))
    table = pa.table({"a": pa.array([1], pa.int8())})
    assert long_table(table) is table
    marked = pa.Table.from_arrays([pa.array([1], pa.int8())], schema=pa.schema([short]))
    assert as_long(marked, "a").type == pa.int64()
    assert long_table(marked).schema.field("a").metadata is None


# --- data ---------------------------------------------------------------------------------------------------------------------

TABLE = pa.table(
    {
        "hid": [1, 1, 2, 2, 300, 300],
        "age": [31, 47, None, -9, 80, 12],
        "level": [1, 2, 3, 3, 2, 1],
        "income": [1.5, 2.5, None, 4.0, 5.0, 6.0],
        "savings": [0, 70_000, 5, 5, 0, -1],
    }
)


def both() -> tuple[Microdata, Microdata]:
    """Return data, and the same data with their whole numbers kept short."""
    given_ = Microdata.from_frame(
        TABLE, keys=["age", "level"], household="hid", scales={"level": "ordinal"}, missing={"age": [-9]}
    )
    columns = [short_whole(c.combine_chunks()) if pa.types.is_integer(c.type) else c for c in TABLE.columns]
    fields = [short_field(name, column.type) for name, column in zip(TABLE.column_names, columns, strict=True)]
    return given_, Microdata(pa.Table.from_arrays(columns, schema=pa.schema(fields)), given_.schema)


ROWS = np.array([5, 0, 2])
CHANGES: dict[str, Callable[[Microdata], Microdata]] = {
    "nothing": lambda data: data,
    "numbers": lambda data: data.with_numbers({"savings": np.array([1.0, 2.0, np.nan, 4.0, 2.0**40, 6.0])}),
    "fractions": lambda data: data.with_numbers({"savings": np.arange(6) / 4, "age": np.full(6, 200.0)}),
    "positions": lambda data: data.with_numbers({"level": np.array([0.0, 1, 2, 0, 1, np.nan])}),
    "a column": lambda data: data.with_column("hid", pa.array(range(0, 6000, 1000))),
    "another type": lambda data: data.with_column("hid", pa.array(list("abcdef"))),
    "a narrow type": lambda data: data.with_column("hid", pa.array(range(6), pa.int8())),
    "values of others": lambda data: data.with_values_of(["age", "hid"], np.array([3, 3, 1, 0, 5, 4])),
    "some": lambda data: data.take(ROWS),
    "columns": lambda data: data.select(["savings", "age"]),
    "a schema": lambda data: data.with_schema(data.schema.change("savings", missing=(5, 70_000))),
    "missing alike": lambda data: data.with_missing_alike(["age"]),
    "public": lambda data: tc.Recipe([tc.mask.RankSwap(columns=["savings"], p=50)]).apply(data, seed=1).public,
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_change_has_the_same_outcome(change: str) -> None:
    one, other = (CHANGES[change](data) for data in both())
    assert other.to_arrow().schema == one.to_arrow().schema
    assert other.to_arrow().equals(one.to_arrow())
    assert other.to_arrow(codes=False).equals(one.to_arrow(codes=False))
    assert other.fingerprint() == one.fingerprint()
    assert other.fingerprint(np.arange(len(one))[::-1]) == one.fingerprint(np.arange(len(one))[::-1])
    assert other.same_content(one)
    assert {name: codes.to_pylist() for name, codes in other.user_missing.items()} == {
        name: codes.to_pylist() for name, codes in one.user_missing.items()
    }
    for name in one.names:
        assert other.type_of(name) == one.type_of(name)
        assert other.column(name).equals(one.column(name))
        assert other.codes(name).categories == one.codes(name).categories
        np.testing.assert_array_equal(other.codes(name).values, one.codes(name).values)
        if one.schema[name].scale == "numeric" and one.type_of(name) != pa.string():
            np.testing.assert_array_equal(other.float(name), one.float(name))


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow", "duckdb"])
def test_written_files_are_the_same(tmp_path: Path, ending: str) -> None:
    found = []
    for number, data in enumerate(both()):
        path = tmp_path / f"file{number}.{ending}"
        tc.write(data, path)
        found.append(path.read_bytes() if ending != "duckdb" else tc.read(path).fingerprint())
    assert found[0] == found[1]


def test_a_description_does_not_tell_how_they_are_kept() -> None:
    one, other = (tc.describe(data).as_plain() for data in both())
    assert other == one


def test_wide_ranges_of_short_numbers_are_counted() -> None:
    values = np.tile(np.array([-128, 127, 0]), 100)
    field = short_field("a", pa.int8())
    data = Microdata.from_frame(pa.table({"a": values}))
    short = Microdata(pa.Table.from_arrays([pa.array(values.astype(np.int8))], schema=pa.schema([field])), data.schema)
    assert tc.describe(short).as_plain() == tc.describe(data).as_plain()


def test_a_file_that_claims_to_be_kept_short_gives_long_integers(tmp_path: Path) -> None:
    path = tmp_path / "file.parquet"
    fields: list[Any] = [short_field("a", pa.int8()), pa.field("b", pa.string(), metadata={b"tacita": b"kept short"})]
    pq.write_table(pa.Table.from_arrays([pa.array([1], pa.int8()), pa.array(["x"])], schema=pa.schema(fields)), path)
    data = tc.read(path)
    assert data.type_of("a") in (pa.int8(), pa.int64())
    assert data.to_arrow().to_pylist() == [{"a": 1, "b": "x"}]


def test_masks_and_measures_see_no_difference() -> None:
    cards = []
    for data in both():
        masked = tc.mask.RankSwap(columns=["savings", "income"], p=50).apply(data, seed=3)
        card = tc.evaluate(data, masked)
        cards.append(({name: card[name] for name in card}, masked.fingerprint(), repr(tc.assess(data))))
    assert cards[0] == cards[1]
