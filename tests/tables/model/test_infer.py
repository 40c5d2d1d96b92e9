"""Dimensions found in columns and in codes."""

from __future__ import annotations

import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, ParameterError
from tacita.data.microdata import Microdata
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.infer import infer_dimension, infer_from_codes
from tacita.tables.model.tabulate import tabulate

PLACES = {
    "district": ["a", "b", "c", "d", "a"],
    "region": ["N", "N", "S", "S", "N"],
    "part": ["W", "W", "W", "W", "W"],
    "urban": ["yes", "no", "yes", "no", "yes"],
}


def data(**changes: list[str | None]) -> Microdata:
    return Microdata.from_frame(pa.table({**PLACES, **changes}))


def test_a_tree_and_what_cuts_across_it() -> None:
    found = infer_dimension(data(), ["district", "region", "part", "urban"])
    assert found.members["N"] == {"a", "b"}
    assert found.members["W"] == {"a", "b", "c", "d"}
    assert found.members["yes"] == {"a", "c"}
    assert dict(found.sums)["W"] == ("N", "S")
    assert ("Total", ("W",)) in found.sums
    assert ("Total", ("no", "yes")) in found.sums
    assert found.leaves == ("a", "b", "c", "d")
    tabulate(data(), [found]).check_additive()


def test_order_of_the_columns_does_not_matter_after_the_first() -> None:
    one = infer_dimension(data(), ["district", "urban", "region"])
    other = infer_dimension(data(), ["district", "region", "urban"])
    assert one.members == other.members


def test_a_name_in_two_columns() -> None:
    found = infer_dimension(data(region=["a", "a", "c", "c", "a"]), ["district", "region"])
    assert found.members["region: a"] == {"a", "b"}
    same = infer_dimension(data(region=["a", "b", "S", "S", "a"]), ["district", "region"])
    assert same.codes == ("Total", "a", "b", "c", "d", "S")
    assert same.sums == (("Total", ("S", "a", "b")), ("S", ("c", "d")))


def test_what_no_record_says() -> None:
    found = infer_dimension(data(urban=["yes", None, None, "no", None]), ["district", "urban"])
    assert found.members["yes"] == {"a"}
    assert found.sums[0] == ("Total", ("a", "b", "c", "d"))
    assert len([total for total, _ in found.sums if total == "Total"]) == 1


def test_the_sample_has_its_own_hierarchy() -> None:
    firms = tc.samples.business_survey(400, seed=1)
    tree = firms.schema["activity"].hierarchy
    assert tree is not None
    rows = {code: tree.labels(level) for level, code in enumerate(("class", "group", "division", "section"))}
    codes = [str(c) for c in firms.to_arrow().column("activity").to_pylist()]
    table = pa.table({name: [labels[c] for c in codes] for name, labels in rows.items()})
    found = infer_dimension(Microdata.from_frame(table), list(rows))
    known = Dimension.from_hierarchy("activity", tree)
    used = set(codes)
    assert all(found.members[code] == known.members[code] & used for code in found.codes if code in known.members)


def test_codes() -> None:
    found = infer_from_codes("a", ["01", "01.1", "01.11", "01.12", "01.2", "1", "é", "Total"])
    assert found.members["01"] == {"01.11", "01.12", "01.2"}
    assert found.sums[0] == ("Total", ("01", "1", "é"))
    cut = infer_from_codes("a", ["1011", "1012", "1111", "99"], lengths=(2, 3))
    assert cut.members["10"] == {"1011", "1012"}
    assert dict(cut.sums)["11"] == ("111",)
    assert "99" in cut.leaves


def test_bad_input() -> None:
    with pytest.raises(ColumnError, match=r"'urban' must be a function of 'region', but 2 value\(s\)"):
        infer_dimension(data(), ["region", "urban"])
    with pytest.raises(ParameterError, match="at least one column"):
        infer_dimension(data(), [])
    with pytest.raises(ColumnError, match="'town' is not in the data"):
        infer_dimension(data(), ["town"])
    with pytest.raises(ParameterError, match="'lengths' must be"):
        infer_from_codes("a", ["1"], lengths=[0])
