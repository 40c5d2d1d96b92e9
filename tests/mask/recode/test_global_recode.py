"""Global recoding by levels, intervals, maps and rules, and what becomes of the schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.mask import GlobalRecode
from tacita.release.recipe import Recipe

AGES = Hierarchy(
    tuple((str(a), f"{a // 10 * 10}-{a // 10 * 10 + 9}", "young" if a < 40 else "old", "*") for a in range(100))
)
TOWNS = Hierarchy((("Graz", "AT", "*"), ("Wien", "AT", "*"), ("Bonn", "DE", "*")))


def survey() -> Microdata:
    table = pa.table(
        {
            "age": [17, 38, 42, None, -1],
            "town": ["Wien", "Bonn", "Graz", "Wien", None],
            "size": ["S", "M", "L", "XL", "M"],
            "income": [10.5, 20.0, 30.25, None, 50.0],
        }
    )
    schema = Schema(
        (
            Column(name="age", scale="numeric", roles=("key",), hierarchy=AGES, missing=(-1,), bounds=(0, 120)),
            Column(name="town", scale="nominal", roles=("key",), hierarchy=TOWNS),
            Column(name="size", scale="ordinal", roles=("key",), categories=("S", "M", "L", "XL")),
            Column(name="income", scale="numeric", roles=("confidential",)),
        )
    )
    return Microdata(table, schema)


def values(mask: GlobalRecode, name: str) -> list[Any]:
    return mask.apply(survey()).to_arrow(codes=False).column(name).to_pylist()


def test_levels() -> None:
    mask = GlobalRecode(levels={"age": 1, "town": 1})
    assert values(mask, "age") == ["10-19", "30-39", "40-49", None, None]
    assert values(mask, "town") == ["AT", "DE", "AT", "AT", None]
    schema = mask.apply(survey()).schema
    assert schema["age"].scale == "ordinal"
    assert schema["age"].categories == tuple(f"{a}-{a + 9}" for a in range(0, 100, 10))
    assert schema["age"].bounds is None
    assert schema["age"].hierarchy is not None
    assert schema["age"].hierarchy.rows[4] == ("40-49", "old", "*")
    assert schema["town"].scale == "nominal"
    assert schema["age"].roles == ("key",)


def test_levels_go_on_from_where_they_were() -> None:
    once = GlobalRecode(levels={"age": 1}).apply(survey())
    twice = GlobalRecode(levels={"age": 1}).apply(once)
    assert twice.to_arrow(codes=False).column("age").to_pylist() == values(GlobalRecode(levels={"age": 2}), "age")


def test_level_zero_changes_nothing() -> None:
    assert GlobalRecode(levels={"age": 0}).apply(survey()).same_content(survey())


def test_intervals_contain_their_lower_end() -> None:
    mask = GlobalRecode(breaks={"age": [17, 18, 42], "income": [10.5, 30.25]})
    assert values(mask, "age") == ["17", "18-41", "42 or more", None, None]
    assert values(mask, "income") == ["[10.5, 30.25)", "[10.5, 30.25)", "30.25 or more", None, "30.25 or more"]
    assert mask.apply(survey()).schema["age"].categories == ("below 17", "17", "18-41", "42 or more")


def test_labels_of_intervals() -> None:
    mask = GlobalRecode(breaks={"age": [40]}, labels={"age": ["young", "old"]})
    assert values(mask, "age") == ["young", "young", "old", None, None]


@given(st.lists(st.integers(-50, 150), min_size=1, unique=True), st.lists(st.integers(-60, 160), min_size=1))
def test_intervals_agree_with_their_definition(cuts: list[int], ages: list[int]) -> None:
    cuts = sorted(cuts)
    data = Microdata.from_frame(pa.table({"a": pa.array(ages, pa.int64())}), keys=["a"])
    names = [str(i) for i in range(len(cuts) + 1)]
    masked = GlobalRecode(breaks={"a": cuts}, labels={"a": names}).apply(data)
    assert masked.to_arrow().column("a").to_pylist() == [str(sum(cut <= age for cut in cuts)) for age in ages]
    assert (np.diff(masked.numbers("a")[np.argsort(ages, kind="stable")]) >= 0).all()


def test_maps() -> None:
    mask = GlobalRecode(map={"town": {"Wien": "Austria", "Graz": "Austria"}, "size": {"S": "small", "M": "small"}})
    assert values(mask, "town") == ["Austria", "Bonn", "Austria", "Austria", None]
    assert mask.apply(survey()).schema["size"].categories == ("small", "L", "XL")
    torn = GlobalRecode(map={"size": {"S": "extreme", "XL": "extreme"}}).apply(survey()).schema["size"]
    assert torn.scale == "nominal", "S and XL do not stand together in the order"
    assert values(GlobalRecode(map={"age": {"17": "(missing)"}}), "age") == [None, "38", "42", None, None]


def test_rules_of_a_grc_file(tmp_path: Path) -> None:
    (tmp_path / "age.grc").write_text("1: -39\n2: 40-\n", encoding="utf-8")
    mask = GlobalRecode.from_grc({"age": tmp_path / "age.grc"})
    assert values(mask, "age") == ["1", "1", "2", None, None]
    assert Recipe.from_toml(Recipe([mask]).to_toml()) == Recipe([mask])
    assert values(GlobalRecode(grc={"age": "9: 40-\n<MISSING> 9"}), "age") == ["17", "38", None, None, None]


def test_a_value_that_the_hierarchy_lacks() -> None:
    short = Microdata.from_frame(
        pa.table({"town": ["Wien", "Rom", "Rom", "Oslo"]}), keys=["town"], hierarchies={"town": TOWNS}
    )
    with pytest.raises(DataError, match=r"hierarchy of column 'town' .* 2 value\(s\) in 3 record\(s\)") as caught:
        GlobalRecode(levels={"town": 1}).apply(short)
    assert "Rom" not in str(caught.value)
    assert caught.value.details["values"] == ["Oslo", "Rom"]


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({}, "one of 'levels', 'breaks', 'map' and 'grc'"),
        ({"levels": {"age": 1}, "breaks": {"age": [3]}}, "column 'age' must be recoded in one way"),
        ({"levels": {"age": -1}}, "'levels' must have a whole number"),
        ({"levels": {"age": True}}, "'levels' must have a whole number"),
        ({"breaks": {"age": [3, 3]}}, "'breaks' must have rising numbers"),
        ({"breaks": {"age": []}}, "'breaks' must have rising numbers"),
        ({"breaks": {"age": "3"}}, "'breaks' must have rising numbers"),
        ({"breaks": {"age": [3]}, "labels": {"age": ["a"]}}, "'labels' must have 2 different texts"),
        ({"breaks": {"age": [3]}, "labels": {"town": ["a", "b"]}}, "has no 'breaks'"),
        ({"map": {"town": {}}}, "'map' must have a table of new labels"),
        ({"map": {"town": {"Wien": 3}}}, "'map' must have a table of new labels"),
        ({"grc": {"age": 5}}, "'grc' must have the text"),
        ({"grc": {"age": "1"}}, "'grc' of 'age': Line 1"),
    ],
)
def test_bad_parameters(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        GlobalRecode(**parameters)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"levels": {"income": 1}}, "column 'income', which has no hierarchy"),
        ({"levels": {"town": 3}}, "column 'town', which has levels 0 to 2"),
        ({"levels": {"twn": 1}}, "Did you mean 'town'"),
        ({"breaks": {"town": [3]}}, "but 'town' is nominal"),
        ({"map": {"town": {"Rome": "x"}}}, "names no value that column 'town' has"),
    ],
)
def test_columns_that_do_not_fit(parameters: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ColumnError, match=sentence):
        GlobalRecode(**parameters).apply(survey())
