"""Writing TOML: whatever is written, the standard library reads back."""

from __future__ import annotations

import datetime as dt
import decimal
import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.toml import toml_key, toml_value

texts = st.text(st.characters(exclude_categories=["Cs"]))
scalars = st.one_of(
    texts, st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.dates(), st.times(),
    st.datetimes(),
)  # fmt: skip
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=8)


@given(values)
def test_values_come_back(value: object) -> None:
    assert tomllib.loads(f"x = {toml_value(value)}")["x"] == value


@given(texts)
def test_keys_come_back(name: str) -> None:
    assert list(tomllib.loads(f"[columns.{toml_key(name)}]\na = 1")["columns"]) == [name]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ((1, "a"), '[1, "a"]'),
        ({"b c": [True]}, '{"b c" = [true]}'),
        (np.float64(1.5), "1.5"),
        (np.int64(3), "3"),
        (np.bool_(True), "true"),
        (np.str_("a"), '"a"'),
        (decimal.Decimal("1.5"), "1.5"),
        (dt.date(2024, 2, 29), "2024-02-29"),
        ('\x7f\n"\\', '"\\u007f\\n\\"\\\\"'),
        (float("inf"), "inf"),
    ],
)
def test_forms(value: object, text: str) -> None:
    assert toml_value(value) == text


@pytest.mark.parametrize(("name", "key"), [("a-b_C9", "a-b_C9"), ("a b", '"a b"'), ("", '""'), ("é", '"é"')])
def test_keys_are_quoted_where_needed(name: str, key: str) -> None:
    assert toml_key(name) == key
