"""Dimensions of a table from what its records have: names of totals, missing codes."""

from __future__ import annotations

import pyarrow as pa
import pytest

from tacita.core.errors import SchemaError
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.data.tabulate import TallyRequest, tally
from tacita.tables.model.placing import MISSING, placed
from tacita.tables.model.tabulate import tabulate


def test_by_hand() -> None:
    data = Microdata.from_frame(pa.table({"a": ["p", None, "q", "p"]}))
    (dimension,), codes = placed(tally(data, TallyRequest(by=("a",))), ["a"])
    assert dimension.codes == ("Total", "p", "q", MISSING)
    assert dimension.sums == (("Total", ("p", "q", MISSING)),)
    assert sorted(codes[:, 0].tolist()) == [1, 2, 3]


def test_a_code_that_is_called_as_the_total() -> None:
    data = Microdata.from_frame(pa.table({"a": ["Total", "b", "b"], "x": [1.0, 2.0, 3.0]}))
    with pytest.raises(SchemaError, match=r"Column 'a' has a code 'Total'.*total=\.\.\."):
        tabulate(data, ["a"], "x")
    table = tabulate(data, ["a"], "x", total="all")
    assert table.column("a") == ["all", "Total", "b"]
    assert table.values.tolist() == [6.0, 1.0, 5.0]


def test_a_hierarchy_with_and_without_a_top() -> None:
    rows = pa.table({"a": ["x", "y"], "x": [1.0, 2.0]})
    open_ = Microdata.from_frame(rows, hierarchies={"a": Hierarchy((("x", "Total"), ("y", "other")))})
    with pytest.raises(SchemaError, match="name of the total"):
        tabulate(open_, ["a"], "x")
    assert tabulate(open_, ["a"], "x", total="all").column("a")[0] == "all"
    topped = Microdata.from_frame(rows, hierarchies={"a": Hierarchy((("x", "Total"), ("y", "Total")))})
    assert tabulate(topped, ["a"], "x").values.tolist() == [3.0, 1.0, 2.0]


def test_all_codes_are_missing() -> None:
    data = Microdata.from_frame(pa.table({"a": pa.array([None, None], pa.string()), "x": [1.0, 2.0]}))
    table = tabulate(data, ["a"], "x")
    assert table.column("a") == ["Total", MISSING]
    assert table.values.tolist() == [3.0, 3.0]
