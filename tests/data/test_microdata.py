"""Microdata: immutable, linked to where records came from, honest about what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, DataError, SchemaError
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema

N = 6


@pytest.fixture
def data() -> Microdata:
    table = pa.table(
        {
            "id": [f"P{i}" for i in range(N)],
            "house": [1, 1, 2, 2, 3, 3],
            "region": ["n", "s", "n", None, "s", "n"],
            "age": [30, 41, 52, None, 74, 85],
            "income": [1.5, -9.0, 3.5, 4.5, -9.0, None],
            "weight": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        }
    )
    return Microdata.from_frame(
        table,
        identifiers=["id"],
        household="house",
        keys=["region", "age"],
        strata=["region"],
        confidential=["income"],
        weight="weight",
        scales={"house": "nominal"},
        missing={"income": [-9]},
    )


# --- coming in -------------------------------------------------------------------------------------------------------


def test_roles_scales_and_codes(data: Microdata) -> None:
    schema = data.schema
    assert (schema.identifiers, schema.keys, schema.confidential) == (("id",), ("region", "age"), ("income",))
    assert (schema.strata, schema.weight, schema.household) == (("region",), "weight", "house")
    assert schema["region"].roles == ("key", "stratum")
    assert [c.scale for c in schema] == ["nominal", "nominal", "nominal", "numeric", "numeric", "numeric"]
    assert schema["income"].missing == (-9,)


def test_linked_columns_and_hierarchies() -> None:
    tree = Hierarchy((("n", "*"), ("s", "*")))
    data = Microdata.from_frame(
        pa.table({"age": [1], "birth": [2], "region": ["n"]}),
        keys=["age"],
        linked={"birth": "age"},
        hierarchies={"region": tree},
    )
    assert data.schema["birth"].roles == ("linked",)
    assert data.schema["birth"].linked_to == "age"
    assert data.schema["region"].hierarchy == tree


def test_a_single_name_may_stand_for_a_list() -> None:
    assert Microdata.from_frame(pa.table({"age": [1]}), keys="age").schema.keys == ("age",)


def test_all_problems_of_the_roles_at_once() -> None:
    with pytest.raises(SchemaError) as caught:
        Microdata.from_frame(pa.table({"age": [1]}), keys=["agee"], confidential=["incom"], weight="w")
    assert len(caught.value.problems) == 3
    assert "Did you mean 'age'?" in str(caught.value)


def test_schema_or_roles_but_not_both(data: Microdata) -> None:
    with pytest.raises(SchemaError, match="either a whole schema or single roles"):
        Microdata.from_frame(data.to_arrow(), schema=data.schema, keys=["age"])
    assert Microdata.from_frame(data.to_arrow(), schema=data.schema).same_content(data)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("a", "c"), "not in the data: c; not in the schema: b"),
        (("a",), "not in the schema: b"),
        (("a", "b", "c"), "not in the data: c"),
        (("b", "a"), "another order"),
    ],
)
def test_schema_must_fit_the_table(names: tuple[str, ...], words: str) -> None:
    schema = Schema(tuple(Column(name=name, scale="numeric") for name in names))
    with pytest.raises(SchemaError, match=words):
        Microdata(pa.table({"a": [1], "b": [2]}), schema)
    with pytest.raises(SchemaError, match=words):
        Microdata.from_frame(pa.table({"a": [1], "b": [2]})).with_schema(schema)


# --- facts -----------------------------------------------------------------------------------------------------------


def test_repr_shows_shape_and_roles_only(data: Microdata) -> None:
    assert repr(data) == (
        "Microdata: 6 records, 6 columns (identifiers: id; keys: region, age; confidential: income; weight: weight; "
        "household: house; strata: region)"
    )
    many = Microdata.from_frame(pa.table({f"c{i}": [1] for i in range(9)}))
    assert repr(many) == "Microdata: 1 records, 9 columns (other: c0, c1, c2, c3, c4, c5 and 3 more)"


def test_size(data: Microdata) -> None:
    assert len(data) == data.n_rows == N
    assert data.names == ("id", "house", "region", "age", "income", "weight")


# --- arrays ----------------------------------------------------------------------------------------------------------


def test_floats_have_nan_for_missing_and_for_codes(data: Microdata) -> None:
    nan = np.nan
    assert np.array_equal(data.float("income"), [1.5, nan, 3.5, 4.5, nan, nan], equal_nan=True)
    both = data.floats(["age", "income"])
    assert both.shape == (N, 2)
    assert np.array_equal(both[:, 0], [30, 41, 52, nan, 74, 85], equal_nan=True)


def test_arrays_cannot_change_the_data(data: Microdata) -> None:
    before = data.fingerprint()
    for array in (data.float("age"), data.float("weight"), data.floats(["age"]), data.codes("region").values):
        if array.flags.writeable:
            array[0] = 99
    assert data.fingerprint() == before


def test_only_numbers_are_floats(data: Microdata) -> None:
    with pytest.raises(ColumnError, match="Column 'region' must be numeric here, but its scale is nominal"):
        data.float("region")
    with pytest.raises(ColumnError, match="Did you mean 'income'"):
        data.float("incom")


@pytest.mark.parametrize(("count", "words"), [(1, "1 infinite value\\."), (2, "2 infinite values\\.")])
def test_infinities_are_counted(count: int, words: str) -> None:
    data = Microdata.from_frame(pa.table({"a": [*[np.inf, -np.inf][:count], 1.0]}))
    with pytest.raises(DataError, match=words):
        data.float("a")


@pytest.mark.parametrize("other", [None, 1.0])
def test_numbers_that_cannot_be_squared_are_counted(other: float | None) -> None:
    """Their variance would be infinite, and every standardised value 0, without a word."""
    data = Microdata.from_frame(pa.table({"a": [1e200, -1e200, other, np.inf]}))
    with pytest.raises(DataError, match="Column 'a' has 3 infinite or far too large values"):
        data.float("a")
    assert Microdata.from_frame(pa.table({"a": [1e139, -1e139]})).float("a").tolist() == [1e139, -1e139]


def test_infinity_can_be_declared_missing() -> None:
    data = Microdata.from_frame(pa.table({"a": [np.inf, 1.0]}), missing={"a": [float("inf")]})
    assert np.array_equal(data.float("a"), [np.nan, 1.0], equal_nan=True)


def test_numbers_of_ordinal_columns_are_positions() -> None:
    schema = Schema((Column(name="a", scale="ordinal", categories=("low", "middle", "high")),))
    data = Microdata(pa.table({"a": ["high", None, "low"]}), schema)
    assert np.array_equal(data.numbers("a"), [2, np.nan, 0], equal_nan=True)
    moved = data.with_numbers({"a": np.array([1.0, np.nan, 2.0])})
    assert moved.to_arrow().column("a").to_pylist() == ["middle", None, "high"]


def test_groups_number_the_combinations(data: Microdata) -> None:
    groups = data.groups(["region", "house"])
    combinations = list(
        zip(data.to_arrow().column("region").to_pylist(), data.to_arrow().column("house").to_pylist(), strict=True)
    )
    for i in range(N):
        for j in range(N):
            assert (groups[i] == groups[j]) == (combinations[i] == combinations[j])
    assert sorted(set(groups.tolist())) == list(range(len(set(combinations))))


def test_no_columns_make_one_group(data: Microdata) -> None:
    assert data.groups([]).tolist() == [0] * N


@given(st.lists(st.tuples(*[st.integers(0, 3) | st.none()] * 4), min_size=1, max_size=12))
def test_groups_of_many_columns(rows: list[tuple[int | None, ...]]) -> None:
    table = pa.table({f"c{j}": pa.array([row[j] for row in rows], pa.int64()) for j in range(4)})
    groups = Microdata.from_frame(table).groups(["c0", "c1", "c2", "c3"])
    assert len(set(groups.tolist())) == len(set(rows))
    assert len(set(zip(groups.tolist(), rows, strict=True))) == len(set(rows))


def test_weights(data: Microdata) -> None:
    assert data.weights().tolist() == [1, 2, 3, 4, 5, 6]
    assert data.drop(["weight"]).weights().tolist() == [1.0] * N
    bad = data.with_numbers({"weight": np.array([1.0, -1.0, np.nan, 0.0, 1.0, 1.0])})
    with pytest.raises(DataError, match="'weight' is negative or missing in 2 records"):
        bad.weights()


# --- new data from old -----------------------------------------------------------------------------------------------


def test_new_numbers_keep_type_codes_and_the_rest(data: Microdata) -> None:
    income = data.float("income") * 2
    changed = data.with_numbers({"age": np.array([1.0, 2.0, np.nan, np.nan, 5.0, 6.0]), "income": income})
    table = changed.to_arrow()
    assert table.column("age").to_pylist() == [1, 2, None, None, 5, 6]
    assert table.schema.field("age").type == pa.int64()
    assert table.column("income").to_pylist() == [3.0, -9.0, 7.0, 9.0, -9.0, None]
    assert changed.to_arrow(codes=False).column("income").to_pylist() == [3.0, None, 7.0, 9.0, None, None]
    assert data.to_arrow().column("age").to_pylist() == [30, 41, 52, None, 74, 85]
    assert changed.schema == data.schema


def test_a_code_goes_when_its_value_is_there_again(data: Microdata) -> None:
    filled = data.with_numbers({"income": np.arange(6.0)})
    assert filled.to_arrow().column("income").to_pylist() == [0, 1, 2, 3, 4, 5]
    emptied = filled.with_numbers({"income": np.full(6, np.nan)})
    assert emptied.to_arrow().column("income").to_pylist() == [None] * 6, "a suppressed value must not become a refusal"


def test_wrong_lengths_and_names_are_refused(data: Microdata) -> None:
    with pytest.raises(DataError, match="Column 'age' must have 6 values, one for each record, got 2"):
        data.with_numbers({"age": np.zeros(2)})
    with pytest.raises(DataError, match="must have 6 values"):
        data.with_column("age", pa.array([1]))
    for act in (
        lambda: data.with_numbers({"agee": np.zeros(6)}),
        lambda: data.with_column("agee", pa.array(range(6))),
        lambda: data.select(["age", "agee"]),
        lambda: data.drop(["agee"]),
        lambda: data.codes("agee"),
        lambda: data.is_missing("agee"),
        lambda: data.groups(["agee"]),
    ):
        with pytest.raises(ColumnError, match="'agee' is not in the data\\. Did you mean 'age'"):
            act()


def test_with_column_and_description(data: Microdata) -> None:
    bands = Column(name="age", scale="ordinal", roles=("key",), categories=("young", "old"))
    changed = data.with_column("age", pa.array(["young"] * 3 + ["old"] * 3), column=bands)
    assert changed.schema["age"] == bands
    assert changed.numbers("age").tolist() == [0, 0, 0, 1, 1, 1]
    assert data.schema["age"].scale == "numeric"


def test_with_schema_takes_out_new_codes(data: Microdata) -> None:
    changed = data.with_schema(data.schema.change("age", missing=(85,)))
    assert changed.is_missing("age").tolist() == [False, False, False, True, False, True]
    assert changed.to_arrow().column("age").to_pylist()[-1] == 85
    assert changed.to_arrow().column("income").to_pylist()[1] == -9.0


def test_take_keeps_codes_and_origin(data: Microdata) -> None:
    part = data.take(np.array([4, 1, 1]))
    assert part.to_arrow().column("income").to_pylist() == [-9.0, -9.0, -9.0]
    assert part.origin_rows().tolist() == [4, 1, 1]
    assert part.take(np.array([2, 0])).origin_rows().tolist() == [1, 4]
    assert part.source == data.source


@pytest.mark.parametrize("rows", [[6], [-1], [0, 99]])
def test_rows_that_are_not_there(data: Microdata, rows: list[int]) -> None:
    with pytest.raises(DataError, match="Row numbers must be 0 to 5"):
        data.take(np.array(rows))


def test_select_and_drop(data: Microdata) -> None:
    assert data.select(["income", "id"]).names == ("income", "id")
    assert data.drop(["id", "house"]).names == ("region", "age", "income", "weight")
    assert data.select(["income"]).to_arrow().column("income").to_pylist()[1] == -9.0


def test_selecting_a_linked_column_without_its_key() -> None:
    data = Microdata.from_frame(pa.table({"age": [1], "birth": [2]}), keys=["age"], linked={"birth": "age"})
    alone = data.select(["birth"])
    assert alone.schema["birth"].roles == ("other",)
    assert alone.schema["birth"].linked_to is None


def test_no_rows_with_codes(data: Microdata) -> None:
    empty = data.take(np.array([], dtype=np.int64))
    assert len(empty) == 0
    assert empty.to_arrow().schema == data.to_arrow().schema
    assert empty.with_numbers({"income": np.array([])}).select(["income"]).to_arrow().num_rows == 0
    assert empty.groups(["region"]).tolist() == []


def test_same_content(data: Microdata) -> None:
    again = Microdata(data.to_arrow(), data.schema)
    assert data.same_content(again)
    assert data.fingerprint() == again.fingerprint()
    assert data.source != again.source
    assert not data.same_content(data.with_numbers({"weight": np.ones(N)}))
    assert not data.same_content(data.with_schema(data.schema.change("age", label="Age")))


# --- where records came from -----------------------------------------------------------------------------------------


def test_origin_is_the_row_number(data: Microdata) -> None:
    assert data.origin_rows().tolist() == list(range(N))
    assert data.with_numbers({"age": np.zeros(N)}).origin_rows().tolist() == list(range(N))


def test_link_to_rows_of_a_part(data: Microdata) -> None:
    """A link speaks of rows of the object that it is given, also where that is itself a part of a file."""
    part = data.take(np.array([5, 3, 1]))
    made = Microdata(data.take(np.array([0, 0, 0])).to_arrow(), data.schema).with_origin(part, np.array([2, -1, 0]))
    assert made.source == data.source
    assert made.origin_rows().tolist() == [1, -1, 5]


@pytest.mark.parametrize("rows", [[0], [0, 1, 2, 3, 4, 6]])
def test_links_that_cannot_be(data: Microdata, rows: list[int]) -> None:
    with pytest.raises(DataError, match="The link must name for each record a row of the original"):
        data.with_origin(data, np.array(rows))


def test_attributes_cannot_be_added(data: Microdata) -> None:
    with pytest.raises(AttributeError):
        data.extra = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [pa.int8(), pa.uint8(), pa.int64(), pa.float32(), pa.float64(), pa.string()])
def test_types_of_files_survive_a_round(kind: Any) -> None:
    values = ["1", "2"] if kind == pa.string() else [1, 2]
    data = Microdata.from_frame(pa.table({"a": pa.array(values, kind)}))
    assert data.to_arrow().schema.field("a").type == kind


def test_what_is_small_is_not_forgotten() -> None:
    data = Microdata.from_frame(pa.table({"a": [3, 3, None, 7]}))
    made: list[str] = []

    def asked(key: str, *, is_small: bool) -> None:
        data.remembered(key, lambda: made.append(key), of=["a"], is_small=is_small)

    for _ in range(2):
        asked("long", is_small=False)
        asked("short", is_small=True)
    data.forget()
    asked("long", is_small=False)
    asked("short", is_small=True)
    assert made == ["long", "short", "long"]


def test_one_column_is_numbered_as_several_are() -> None:
    data = Microdata.from_frame(pa.table({"a": [3, 3, None, 7], "b": ["x", "x", "x", "x"]}))
    assert data.groups(["a"]).tolist() == data.groups(["a", "b"]).tolist() == [1, 1, 0, 2]
    assert data.groups(["b"]).tolist() == [0] * 4
    assert data.count_single(["a"]) == data.count_single(["a", "b"]) == 2
