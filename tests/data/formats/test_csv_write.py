"""CSV out: what is written is what the csv module of Python reads, and floats stay floats."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.data.formats.base import WriteRequest
from tacita.data.formats.csv_write import check_csv_options, write_csv
from tacita.data.microdata import Microdata
from tacita.data.write import write
from tests.effort import examples

texts = st.text(st.sampled_from("ab ,;|\t\"'\n\r=é"), max_size=6)


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(st.one_of(st.none(), texts), st.one_of(st.none(), st.floats(allow_nan=False))), max_size=8),
       st.sampled_from([",", ";", "|", "\t"]))  # fmt: skip
def test_python_reads_what_is_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, float]], separator: str
) -> None:
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    table = pa.table(
        {'t, "1"': pa.array([r[0] for r in rows], pa.string()), "x": pa.array([r[1] for r in rows], pa.float64())}
    )
    write_csv(Microdata.from_frame(table), path, WriteRequest(separator=separator, formulas="keep"))
    with path.open(encoding="utf-8", newline="") as file:
        names, *read = csv.reader(file, delimiter=separator)
    assert names == ['t, "1"', "x"]
    assert [row[0] for row in read] == [text or "" for text, _ in rows]
    for (_, number), (_, field) in zip(rows, read, strict=True):
        assert (field == "") == (number is None)
        if number is not None:
            assert float(field) == number
            assert set(field) & set(".en"), "a float without a point would be read as a whole number"


def test_empty_is_not_missing(tmp_path: Path) -> None:
    data = Microdata.from_frame(pa.table({"a": ["", None, "x"], "b": [1, 2, 3]}))
    write_csv(data, tmp_path / "a.csv", WriteRequest())
    assert (tmp_path / "a.csv").read_text() == 'a,b\n"",1\n,2\nx,3\n'


def test_a_decimal_comma(tmp_path: Path) -> None:
    data = Microdata.from_frame(pa.table({"x": [1.5, 2.0], "n": [1, 2]}))
    write_csv(data, tmp_path / "a.csv", WriteRequest(separator=";", decimal=","))
    assert (tmp_path / "a.csv").read_text() == "x;n\n1,5;1\n2,0;2\n"


def test_a_number_as_a_name_is_quoted(tmp_path: Path) -> None:
    write_csv(Microdata.from_frame(pa.table({"2024": [1]})), tmp_path / "a.csv", WriteRequest())
    assert (tmp_path / "a.csv").read_text() == '"2024"\n1\n'


@pytest.mark.parametrize(
    "wrong", [{"separator": "ab"}, {"separator": "."}, {"separator": "x"}, {"decimal": "·"}, {"decimal": ","}]
)
def test_options_that_do_not_fit(wrong: dict[str, str]) -> None:
    with pytest.raises(ParameterError, match=r"separator|decimal"):
        check_csv_options(WriteRequest(**wrong))  # type: ignore[arg-type]


def test_rows_in_another_order_are_written_without_a_copy_of_the_file(tmp_path: Path) -> None:
    n = 600_000
    order = np.random.default_rng(1).permutation(n)
    table = pa.table({name: np.arange(n) + j for j, name in enumerate("abcdefghijklmnop")})
    data, usual = Microdata.from_frame(table), pa.default_memory_pool()
    counting = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(counting)
    try:
        write(data, tmp_path / "shuffled.csv", rows=order)
    finally:
        pa.set_memory_pool(usual)
    assert counting.max_memory() < 0.5 * table.nbytes  # a copy of the file would be 1, and its text comes on top
    read = arrow_csv.read_csv(tmp_path / "shuffled.csv")
    assert read.column("c").to_numpy().tolist() == (order + 2).tolist()
