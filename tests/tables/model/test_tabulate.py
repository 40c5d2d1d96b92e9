"""Tables from microdata against loops over records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError, SchemaError, TacitaError, TacitaWarning
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tabulate, tabulate_means
from tacita.tables.rules.p_percent import PPercent
from tests.effort import examples
from tests.oracles.tables.tables import cells_of, largest, records_in
from tests.tables.examples import REGION, SIZE, microdata, surveys

ROWS: dict[str, list[Any]] = {
    "region": ["n1", "n1", "n2", "s1"],
    "size": ["small", "small", "large", "small"],
    "x": [5.0, 3.0, 4.0, 10.0],
    "w": [2.0, 1.0, 1.0, 1.0],
    "h": ["A", "B", "A", "C"],
}
FIRMS = Microdata.from_frame(pa.table(ROWS), weight="w", household="h")


def test_by_hand() -> None:
    table = tabulate(FIRMS, [REGION, SIZE], "x")
    assert table.units is not None
    assert table.holdings is not None
    assert len(table) == 18
    everything, north = (
        table.find({"region": "Total", "size": "Total"})[0],
        table.find({"region": "N", "size": "Total"})[0],
    )
    assert table.values[[everything, north]].tolist() == [27.0, 17.0]
    assert table.counts is not None
    assert table.counts[[everything, north]].tolist() == [4, 3]
    assert table.units.amounts[everything].tolist() == [10, 5, 4, 3, 0]
    assert table.units.owners[everything].tolist() == [3, 0, 2, 1, -1]
    assert table.units.weights[everything].tolist() == [1, 2, 1, 1, 0]
    # the holding A has 5 and 4 in the north, of which the 5 counts twice
    assert table.holdings.counts[north] == 2
    assert table.holdings.amounts[north].tolist() == [9, 3, 0, 0, 0]
    assert table.holdings.weights[north, 0] == pytest.approx(14 / 9)
    table.check_additive()
    assert tabulate(FIRMS, ["size"]).values.tolist() == [5.0, 1.0, 4.0]
    assert tabulate(FIRMS, ["size"], weight=False, holding=False).holdings is None


def check(table: Table, dims: list[Dimension], records: list[dict[str, Any]], depth: int) -> None:
    """Compare every cell with the records that belong to it."""
    levels = {"units": "u", "holdings": "h"}
    for place, cell in enumerate(cells_of(dims)):
        found = records_in(records, dims, cell)
        assert table.labels(place) == cell
        assert table.values[place] == pytest.approx(sum(r["w"] * r["x"] for r in found))
        assert table.counts is not None
        assert table.counts[place] == len(found)
        for level, column in levels.items():
            known = getattr(table, level)
            count, rows = largest(found, column, depth)
            assert known.counts[place] == count
            assert known.amounts[place, : len(rows)].tolist() == [row[1] for row in rows]
            assert known.weights[place, : len(rows)] == pytest.approx([row[2] for row in rows])
            assert (known.owners[place, len(rows) :] == -1).all()
            assert (known.amounts[place, len(rows) :] == 0).all()


@settings(max_examples=examples(30))
@given(surveys())
def test_equals_the_loops(survey: tuple[list[Dimension], list[dict[str, Any]]]) -> None:
    dims, records = survey
    data = microdata(dims, records)
    table = tabulate(data, dims, "x", weight="w", contributor="u", holding="h", depth=2)
    check(table, dims, records, 2)
    table.check_additive()
    single = tabulate(data, dims, "x", weight="w", holding="h", depth=3)
    check(single, dims, [{**r, "u": r["rec"]} for r in records], 3)
    if records:
        few = tabulate(data, dims, "x", weight="w", contributor="u", depth=2, empties=False)
        assert few.units is not None
        assert table.units is not None
        assert table.counts is not None
        rows = np.flatnonzero(table.counts)
        assert few.values == pytest.approx(table.values[rows])
        assert np.array_equal(few.codes, table.codes[rows])
        assert np.array_equal(few.units.owners, table.units.owners[rows])
        few.check_additive()


@settings(max_examples=examples(10))
@given(survey=surveys())
def test_files_equal_memory(survey: tuple[list[Dimension], list[dict[str, Any]]], tmp_path: Path) -> None:
    dims, records = survey
    data = microdata(dims, records)
    if not records:
        return
    names = {"weight": "w", "contributor": "u", "holding": "h"}
    wanted = tabulate(data, dims, "x", **names, depth=2)  # type: ignore[arg-type]
    for ending in ("csv", "parquet"):
        path = tc.write(data, tmp_path / f"a.{ending}", overwrite=True)
        found = tabulate(path, dims, "x", **names, depth=2)  # type: ignore[arg-type]
        same_table(found, wanted)
        alone = tabulate(path, dims, "x", weight="w", depth=2)
        same_table(alone, tabulate(data, dims, "x", weight="w", depth=2))


def same_table(found: Table, wanted: Table) -> None:
    assert found.values == pytest.approx(wanted.values)
    assert np.array_equal(found.counts, wanted.counts)  # type: ignore[arg-type]
    for level in ("units", "holdings"):
        one, other = getattr(found, level), getattr(wanted, level)
        if other is not None:
            assert np.array_equal(one.counts, other.counts)
            assert one.amounts == pytest.approx(other.amounts)
            assert one.weights == pytest.approx(other.weights)
            assert np.array_equal(one.owners, other.owners)


def test_business_sample() -> None:
    data = tc.samples.business_survey(seed=3)
    table = tabulate(data, ["region", "activity"], "turnover")
    table.check_additive()
    assert table.holdings is not None
    assert table.holdings.counts[0] < table.units.counts[0] == 2000  # type: ignore[union-attr]
    assert table.values[0] == pytest.approx(data.weights() @ data.float("turnover"))
    assert len(tabulate(data, ["region", "activity"], "turnover", empties=False)) < len(table)


# --- states and variants -------------------------------------------------------------------------------------------------


def test_missing_codes() -> None:
    rows = {"a": ["x", None, "y", None], "b": ["1", "2", None, "1"]}
    data = Microdata.from_frame(pa.table(rows), hierarchies={"a": Hierarchy((("x", "g"), ("y", "g")))})
    table = tabulate(data, ["a", "b"])
    assert table.dimensions[0].codes == ("g", "x", "y", "missing")
    assert table.dimensions[1].codes == ("Total", "1", "2", "missing")
    assert table.values[table.find({"a": "missing", "b": "Total"})].tolist() == [2.0]
    assert table.values[0] == 4
    table.check_additive()
    whole = tabulate(data.take(np.array([0])), ["a", "b"])
    assert "missing" not in whole.dimensions[0].codes


def test_missing_codes_under_two_ways_to_the_total() -> None:
    two = Dimension(
        "a", ("T", "x", "y", "up", "down"), (("T", ("x", "y")), ("up", ("x",)), ("down", ("y",)), ("T", ("up", "down")))
    )
    table = tabulate(Microdata.from_frame(pa.table({"a": ["x", None]})), [two])
    table.check_additive()
    assert table.values[0] == 2


def test_missing_and_negative_amounts() -> None:
    data = Microdata.from_frame(pa.table({"a": ["p", "p", "q"], "x": [1.0, None, -4.0]}))
    with pytest.warns(TacitaWarning, match=r"1 record\(s\) without a value of 'x'"):
        table = tabulate(data, ["a"], "x")
    assert table.counts is not None
    assert table.counts.tolist() == [2, 1, 1]
    assert table.values.tolist() == [-3.0, 1.0, -4.0]
    assert table.units is not None
    assert table.units.amounts[0, :2].tolist() == [-4.0, 1.0]
    assert np.isneginf(table.bounds[0]).all()


def test_a_small_negative_amount_is_not_overlooked() -> None:
    data = Microdata.from_frame(pa.table({"a": ["p"] * 4, "x": [9.0, 8.0, 7.0, -1.0]}))
    assert np.isneginf(tabulate(data, ["a"], "x", depth=2).bounds[0]).all()


def test_shadow_and_cost() -> None:
    table = tabulate(FIRMS, [SIZE], "x", shadow="w", cost="w", weight=False)
    assert table.shadow is not None
    assert table.cost is not None
    assert table.shadow.tolist() == table.cost.tolist() == [5.0, 4.0, 1.0]
    assert table.units is not None
    assert table.units.amounts[0, :2].tolist() == [2.0, 1.0]


def test_several_responses() -> None:
    both = tabulate(FIRMS, [SIZE], ["", "x"])
    assert both.responses == ("", "x")
    assert both.parts is not None
    assert both.parts.tolist() == [0, 0, 0, 1, 1, 1]
    assert both.values.tolist() == [5.0, 4.0, 1.0, 27.0, 23.0, 4.0]
    assert both.title(3) == "size=Total, x"
    assert both.units is not None
    assert both.units.owners[2, 0] == both.units.owners[5, 0] == 2
    both.check_additive()


def test_means_count_only_records_with_a_value() -> None:
    data = Microdata.from_frame(pa.table({"a": ["p", "p", "q"], "x": [1.0, None, 4.0]}))
    with pytest.warns(TacitaWarning):
        table = tabulate_means(data, ["a"], "x")
    assert table.values.tolist() == [2.0, 1.0, 1.0, 5.0, 1.0, 4.0]


def test_no_records() -> None:
    table = tabulate(FIRMS.take(np.empty(0, np.int64)), [REGION, SIZE], "x")
    assert not table.values.any()
    assert table.units is not None
    assert (table.units.owners == -1).all()


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="'by' must be a list"):
        tabulate(FIRMS, "size")
    with pytest.raises(ColumnError, match="at least one classifying column"):
        tabulate(FIRMS, [])
    with pytest.raises(ColumnError, match="names a column twice"):
        tabulate(FIRMS, ["size", SIZE])
    with pytest.raises(ColumnError, match="Did you mean 'size'"):
        tabulate(FIRMS, ["sizes"])
    with pytest.raises(ColumnError, match="must be numeric"):
        tabulate(FIRMS, ["size"], "h")
    with pytest.raises(ColumnError, match="'nobody' is not in the data"):
        tabulate(FIRMS, ["size"], contributor="nobody")
    with pytest.raises(ParameterError, match="'depth' must be from 1 to 100"):
        tabulate(FIRMS, ["size"], depth=0)
    with pytest.raises(ParameterError, match="'separator' is for files"):
        tabulate(FIRMS, ["size"], separator=";")
    with pytest.raises(DataError, match="negative or missing in 1 records"):
        tabulate(FIRMS.with_numbers({"w": np.array([1.0, -1.0, 1.0, 1.0])}), ["size"])


def test_no_value_in_a_message() -> None:
    odd = Microdata.from_frame(
        pa.table({"region": ["CANARY-7351", "n1", "N"], "size": ["CANARY-7351", "small", "small"]})
    )
    with pytest.raises(SchemaError) as caught:
        tabulate(odd, [REGION, SIZE])
    assert len(caught.value.problems) == 3  # both columns, and the group N as a code of records
    assert "CANARY" not in str(caught.value)
    assert "'N', which is a sum" in str(caught.value)
    assert isinstance(caught.value, TacitaError)
    assert caught.value.details["values"] == {"region": ["CANARY-7351"], "size": ["CANARY-7351"]}


def test_a_holding_waives_when_all_its_members_do() -> None:
    rows = {"a": ["p"] * 3 + ["q"] * 2, "x": [100.0, 90, 1, 5, 6], "h": [1, 1, 2, 3, 4], "wv": [1, 0, 0, 1, 0]}
    data = Microdata.from_frame(pa.table(rows))
    table = tabulate(data, ["a"], "x", holding="h", waiver="wv", request="wv")
    assert table.holdings is not None
    assert table.units is not None
    assert table.holdings.waives is not None
    assert table.holdings.waives.tolist() == [False, False, True, False]
    assert table.holdings.asks is not None
    assert table.holdings.asks.tolist() == [True, False, True, False]
    assert table.units.waives is not None
    assert table.units.waives.tolist() == [True, False, False, True, False]
    assert PPercent(p=15, level="holding").judge(table).cells[table.find({"a": "p"})[0]]


def test_what_everybody_knows_about_the_cells(tmp_path: Path) -> None:
    rows = pa.table({"a": list("ppqqss"), "x": [100.0, 1.0, 50.0, 60.0, -1.0, 30.0]})
    data, file = Microdata.from_frame(rows), tmp_path / "x.parquet"
    pq.write_table(rows, file)
    for source in (data, file):
        assert (tabulate(source, ["a"], "x").bounds[0] == -np.inf).all(), "nobody knows where negative amounts are"
        low, high = tabulate(source, ["a"], "x", lower=0, upper=500).bounds
        assert (low == 0).all()
        assert (high == 500).all()
        assert (tabulate(source, ["a"], "x", lower=-5000).bounds[0] == -5000).all()
    both = tabulate(data, ["a"], ["x", ""], lower=-7, upper=1000)
    assert both.parts is not None
    assert (both.bounds[0] == np.where(both.parts == 0, -7, 0)).all()
    assert (both.bounds[1] == np.where(both.parts == 0, 1000, np.inf)).all()
    pair = tabulate_means(data, ["a"], "x", lower=0)
    assert (pair.bounds[0] == 0).all()
    with pytest.raises(
        DataError, match="'upper' must hold for every cell, but 2 of 4 cells lie beyond it, such as a=Total"
    ):
        tabulate(data, ["a"], "x", upper=105)
    with pytest.raises(ParameterError, match="'lower' must be a number"):
        tabulate(data, ["a"], "x", lower=float("nan"))


def test_nothing_to_make_cells_of() -> None:
    nobody = Microdata.from_frame(pa.table({"a": pa.array([], pa.string()), "x": pa.array([], pa.float64())}))
    with pytest.raises(DataError, match="no records, so nothing says which codes 'a' has"):
        tabulate(nobody, ["a"], "x")
    silent = Microdata.from_frame(pa.table({"a": ["p", "q"], "x": pa.array([None, None], pa.float64())}))
    with pytest.warns(TacitaWarning), pytest.raises(DataError, match="no record has a value of 'x'"):
        tabulate(silent, ["a"], "x", empties=False)
