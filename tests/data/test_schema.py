"""Schemas: everything that is wrong at once, and the same schema back from its TOML file."""

from __future__ import annotations

import datetime as dt
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, FileError, SchemaError
from tacita.core.selectors import Selector
from tacita.core.vocabulary import ROLES, SCALES
from tacita.data.hierarchy import Hierarchy
from tacita.data.schema import Column, Schema
from tacita.data.schema_file import read_declarations, schema_from_toml, schema_to_toml


def column(name: str = "a", scale: Any = "numeric", **more: Any) -> Column:
    return Column(name=name, scale=scale, **more)


SCHEMA = Schema(
    (
        column("id", "nominal", roles=("identifier",)),
        column("age", roles=("key",)),
        column("sex", "nominal", roles=("key", "stratum")),
        column("income", roles=("confidential",)),
        column("w", roles=("weight",)),
        column("birth", "date", roles=("linked",), linked_to="age"),
    )
)

# --- problems --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ((column(), column()), "Column 'a' occurs 2 times; every column needs its own name."),
        ((column(scale="metric"),), "scale must be one of numeric, ordinal, nominal, date, got 'metric'."),
        ((column(scale="nominl"),), "Did you mean 'nominal'?"),
        ((column(roles=("keys",)),), "got 'keys'. Did you mean 'key'?"),
        ((column(roles=("identifier", "key")),), "an identifier is never released, so it can have no other role"),
        ((column(scale="nominal", roles=("weight",)),), "a weight must be numeric, but its scale is nominal"),
        ((column(roles=("linked",)),), "a linked column needs 'linked_to'"),
        ((column(linked_to="b"),), "Column 'a' is linked to 'b', which is not in the data"),
        ((column(bounds=(2, 1)),), "the lower bound is above the upper bound"),
        ((column(categories=("x", "x")),), "a category is listed twice"),
        ((column(roles=("weight",)), column("b", roles=("weight",))), "Only one column can be the weight, got a, b."),
        ((column(roles=("household",)), column("b", roles=("household",))), "Only one column can be the household"),
    ],
)
def test_each_problem(columns: tuple[Column, ...], words: str) -> None:
    with pytest.raises(SchemaError) as caught:
        Schema(columns)
    assert any(words in problem for problem in caught.value.problems)


def test_all_problems_at_once() -> None:
    with pytest.raises(SchemaError) as caught:
        Schema(
            (
                column("a", "metric", roles=("keys", "linked"), bounds=(2, 1)),
                column("a", categories=(1, 1)),
                column("w", "date", roles=("weight",)),
                column("v", roles=("weight",)),
            )
        )
    assert len(caught.value.problems) == 8
    assert str(caught.value).startswith("The schema has 8 problems:\n  - ")


@pytest.mark.parametrize("bounds", [(None, None), (1, None), (None, 1), (1, 1)])
def test_open_and_closed_bounds_are_fine(bounds: Any) -> None:
    assert Schema((column(bounds=bounds),))["a"].bounds == bounds


# --- looking up ------------------------------------------------------------------------------------------------------


def test_roles() -> None:
    assert SCHEMA.identifiers == ("id",)
    assert SCHEMA.keys == ("age", "sex")
    assert SCHEMA.confidential == ("income",)
    assert SCHEMA.strata == ("sex",)
    assert (SCHEMA.weight, SCHEMA.household) == ("w", None)
    assert SCHEMA.with_role("linked") == ("birth",)


def test_as_a_collection() -> None:
    assert len(SCHEMA) == 6
    assert "age" in SCHEMA
    assert "agee" not in SCHEMA
    assert [c.name for c in SCHEMA] == list(SCHEMA.names)
    assert SCHEMA["sex"].has_role("stratum")


def test_unknown_column_with_a_suggestion() -> None:
    with pytest.raises(ColumnError, match=r"Column 'incom' is not in the data\. Did you mean 'income'\?"):
        SCHEMA["incom"]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        (("agee",), "'agee' is not in the data"),
        (("sex",), "Toy: works on numeric and ordinal columns, but 'sex' is nominal."),
        (("age", "age"), "Toy: 'columns' names a column twice."),
        ((), r"Toy: 'columns' selects no column \(rule: \(\)\)"),
        (Selector("ordinal keys"), r"Toy: 'columns' selects no column \(rule: ordinal keys\)"),
    ],
)
def test_columns_that_cannot_be_resolved(columns: Any, words: str) -> None:
    with pytest.raises(ColumnError, match=words):
        SCHEMA.resolve(columns, owner="Toy", scales={"ordinal", "numeric"})


def test_resolving_names_and_rules() -> None:
    assert SCHEMA.resolve(("income", "age"), owner="Toy") == ("income", "age")
    assert SCHEMA.resolve(Selector("numeric columns"), owner="Toy") == ("age", "income")


# --- making new ones -------------------------------------------------------------------------------------------------


def test_public_schema_has_no_identifiers() -> None:
    assert SCHEMA.public().names == ("age", "sex", "income", "w", "birth")


def test_select_unlinks() -> None:
    alone = SCHEMA.select(["birth"])
    assert alone["birth"].linked_to is None
    assert alone["birth"].roles == ("other",)
    assert SCHEMA.select(["birth", "age"])["birth"].linked_to == "age"


def test_change_makes_a_new_schema() -> None:
    changed = SCHEMA.change("age", label="Age in years")
    assert changed["age"].label == "Age in years"
    assert SCHEMA["age"].label == ""
    with pytest.raises(SchemaError):
        SCHEMA.change("age", scale="metric")


# --- files -----------------------------------------------------------------------------------------------------------

FILE = """
[columns.age]
role = "key"                  # or a list
scale = "numeric"
bounds = [0, inf]
missing = [-9, [997, 999], 1.5]
label = "Age in years"

[columns."level of school"]
role = ["key", "stratum"]
scale = "ordinal"
categories = ["low", "high"]
labels = [["low", "up to 10 years"], [1, "one"]]
hierarchy = [["low", "*"], ["high", "*"]]
"""


def test_a_file() -> None:
    schema = schema_from_toml(FILE)
    age, level = schema
    assert age == Column(
        name="age",
        scale="numeric",
        roles=("key",),
        bounds=(0.0, None),
        missing=(-9, (997, 999), 1.5),
        label="Age in years",
    )
    assert level.roles == ("key", "stratum")
    assert level.categories == ("low", "high")
    assert level.labels == (("low", "up to 10 years"), (1, "one"))
    assert level.hierarchy == Hierarchy((("low", "*"), ("high", "*")))


def test_a_file_may_say_part_of_it() -> None:
    assert read_declarations("[columns.age]\nrole = 'key'\n") == {"age": {"roles": ("key",)}}
    with pytest.raises(SchemaError, match="Column 'age' has no scale"):
        schema_from_toml("[columns.age]\nrole = 'key'\n")


def test_hierarchy_files_stand_beside_the_schema(tmp_path: Path) -> None:
    (tmp_path / "tree.csv").write_text("a;*\nb;*\n")
    (tmp_path / "schema.toml").write_text('[columns.x]\nhierarchy = "tree.csv"\n')
    found = read_declarations(tmp_path / "schema.toml")["x"]["hierarchy"]
    assert found.values == ("a", "b")
    assert read_declarations('[columns.x]\nhierarchy = "tree.csv"\n', folder=tmp_path)["x"]["hierarchy"] == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[column.a]\n", "There is no section 'column'; columns stand under [columns.NAME]."),
        ("columns = 3\n", "'columns' must be tables"),
        ("[columns]\na = 'key'\n", "Column 'a': its settings must stand in a table"),
        ("[columns.a]\nroles = 'key'\n", "Column 'a': there is no setting 'roles'. Did you mean 'role'?"),
        ("[columns.a]\nmissing = 'refused'\n", "Column 'a': 'missing' has the wrong form"),
        ("[columns.a]\nmissing = [[1, 2, 3]]\n", "'missing' has the wrong form"),
        ("[columns.a]\nmissing = [['x', 'y']]\n", "'missing' has the wrong form"),
        ("[columns.a]\nmissing = [true]\n", "'missing' has the wrong form"),
        ("[columns.a]\ncategories = 'abc'\n", "'categories' has the wrong form"),
        ("[columns.a]\ncategories = [[1]]\n", "'categories' has the wrong form"),
        ("[columns.a]\nbounds = [1]\n", "'bounds' has the wrong form"),
        ("[columns.a]\nbounds = ['1', '2']\n", "'bounds' has the wrong form"),
        ("[columns.a]\nscale = 3\n", "'scale' has the wrong form"),
        ("[columns.a]\nrole = 3\n", "'role' has the wrong form"),
        ("[columns.a]\nlabel = 3\n", "'label' has the wrong form"),
        ("[columns.a]\nlinked_to = ['b']\n", "'linked_to' has the wrong form"),
        ("[columns.a]\nlabels = [['a']]\n", "'labels' has the wrong form"),
        ("[columns.a]\nhierarchy = 3\n", "'hierarchy' has the wrong form"),
        ("[columns.a]\nhierarchy = ['ab']\n", "'hierarchy' has the wrong form"),
        ("[columns.a]\nhierarchy = [[]]\n", "A row of a hierarchy is empty"),
        ("[columns.a]\nhierarchy = 'none.csv'\n", "The hierarchy file 'none.csv' cannot be read"),
        ("[columns.a\n", "It is not valid TOML"),
    ],
)
def test_problems_of_a_file(text: str, words: str) -> None:
    with pytest.raises(SchemaError) as caught:
        read_declarations(text)
    assert any(words in problem for problem in caught.value.problems), caught.value.problems


def test_all_problems_of_a_file_at_once() -> None:
    with pytest.raises(SchemaError) as caught:
        read_declarations("[x]\n[columns.a]\nroles = 1\nmissing = 1\nbounds = 2\n[columns.b]\nscales = 3\n")
    assert len(caught.value.problems) == 5


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"The schema file 'none.toml' cannot be read: No such file"):
        read_declarations(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes("[columns.é]\n".encode("latin-1"))
    with pytest.raises(FileError, match=r"'latin.toml' must be UTF-8 text"):
        read_declarations(tmp_path / "latin.toml")


def test_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xef\xbb\xbf[columns.a]\nscale = 'date'\n")
    assert read_declarations(str(tmp_path / "a.toml")) == {"a": {"scale": "date"}}


# --- round trip ------------------------------------------------------------------------------------------------------

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
numbers = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6, allow_nan=False)
values = texts | numbers | st.booleans() | st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1))


@st.composite
def columns(draw: st.DrawFn, name: str) -> Column:
    roles = draw(
        st.lists(st.sampled_from(["key", "confidential", "stratum", "other"]), unique=True, min_size=1, max_size=3)
    )
    low, high = draw(st.none() | numbers), draw(st.none() | numbers)
    if low is not None and high is not None and low > high:
        low, high = high, low
    parents = draw(st.dictionaries(texts, st.sampled_from(["x", "y"]), max_size=4))
    return Column(
        name=name,
        scale=draw(st.sampled_from(SCALES)),
        roles=tuple(roles),
        missing=tuple(draw(st.lists(numbers | texts | st.tuples(numbers, numbers), max_size=3))),
        bounds=draw(st.sampled_from([None, (low, high)])),
        categories=draw(st.none() | st.lists(values, max_size=4, unique_by=lambda v: (v, type(v))).map(_distinct)),
        hierarchy=draw(st.sampled_from([None, Hierarchy(tuple((k, v, "*") for k, v in parents.items()))])),
        labels=tuple(draw(st.lists(st.tuples(values, texts), max_size=3))),
        label=draw(texts),
    )


def _distinct(found: list[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(found))


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    names = draw(st.lists(texts | st.text(string.ascii_letters, min_size=1, max_size=3), unique=True, max_size=4))
    return Schema(tuple(draw(columns(name)) for name in names))


@given(schemas())
def test_toml_comes_back(schema: Schema) -> None:
    written = schema_to_toml(schema)
    assert schema_from_toml(written + "\n\n") == schema


def test_toml_of_special_columns_comes_back() -> None:
    for schema in (SCHEMA, schema_from_toml(FILE), Schema((column(roles=("household",)),))):
        assert schema_from_toml(schema_to_toml(schema) + "\n") == schema


def test_every_role_and_scale_can_be_written() -> None:
    for role in ROLES:
        link = {"linked_to": "b"} if role == "linked" else {}
        schema = Schema((column("a", roles=(role,), **link), column("b")))
        assert schema_from_toml(schema_to_toml(schema)) == schema


def test_values_are_shown_by_their_labels() -> None:
    column = Column(name="x", scale="nominal", labels=((1, "yes"), (2, "other"), (3, "other"), ("a", "any")))
    assert [column.shown(value) for value in (1.0, 1, 2, "a", 7.0, 0.5)] == [
        "yes",
        "yes",
        "other (2)",
        "any",
        "7",
        "0.5",
    ]


def test_repr_names_roles_and_no_category() -> None:
    column = Column(
        name="health", scale="ordinal", roles=("confidential",), categories=("bad", "good"), labels=(("bad", "ill"),)
    )
    schema = Schema((Column(name="age", scale="numeric", roles=("key",)), column))
    assert repr(schema) == "Schema: 2 columns (keys: age; confidential: health)"
    many = Schema(tuple(Column(name=f"c{i}", scale="numeric") for i in range(9)))
    assert repr(many) == "Schema: 9 columns (other: c0, c1, c2, c3, c4, c5 and 3 more)"
