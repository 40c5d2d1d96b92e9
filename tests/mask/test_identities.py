"""Accounting identities: reading them, ordering them, checking them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.data.schema import Column, Schema
from tacita.mask.identities import Identity, parse_identities, recompute_totals, verify_identities

SCHEMA = Schema(
    (
        *(Column(name=name, scale="numeric") for name in ("t", "a", "b", "u", "c d", "e-f")),
        Column(name="x", scale="nominal"),
    )
)


@pytest.mark.parametrize(
    ("text", "total", "parts"),
    [
        ("t = a + b", "t", ((1.0, "a"), (1.0, "b"))),
        ("t=a-b", "t", ((1.0, "a-b"),)),
        ("t = a - b", "t", ((1.0, "a"), (-1.0, "b"))),
        ("t = -a +b", "t", ((-1.0, "a"), (1.0, "b"))),
        ("`c d` = `e-f` - `a`", "c d", ((1.0, "e-f"), (-1.0, "a"))),
        ("t = a", "t", ((1.0, "a"),)),
        ("  t  =  a+b ", "t", ((1.0, "a"), (1.0, "b"))),
    ],
)
def test_reading(text: str, total: str, parts: tuple[tuple[float, str], ...]) -> None:
    assert Identity.parse(text) == Identity(total, parts)


@pytest.mark.parametrize("text", ["", "t", "t =", "= a", "t = a b", "t = a +", "t = + + a", "t = a = b", "t = a ++ b"])
def test_what_is_no_identity(text: str) -> None:
    with pytest.raises(ParameterError, match="An identity must read 'total = part \\+ part - part', got"):
        Identity.parse(text)


def test_a_total_that_is_a_part_comes_first() -> None:
    ordered = parse_identities(("u = t - b", "t = a + b"), SCHEMA, "Toy")
    assert [identity.total for identity in ordered] == ["t", "u"]


@pytest.mark.parametrize(
    ("texts", "error", "words"),
    [
        (("t = a + zz",), ColumnError, "'zz' is not in the data"),
        (("t = a + x",), ColumnError, "works on numeric columns, but 'x' is nominal"),
        (("t = a + a",), ColumnError, "twice"),
        (("t = a + b", "t = a - b"), ParameterError, "computes a total twice"),
        (("t = a + u", "u = t - b"), ParameterError, "run in a circle"),
    ],
)
def test_identities_that_make_no_sense(texts: tuple[str, ...], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        parse_identities(texts, SCHEMA, "Toy")


def test_totals_of_totals() -> None:
    identities = parse_identities(("u = t - b", "t = a + b"), SCHEMA, "Toy")
    old = {name: np.array([0.0, np.nan]) for name in ("t", "u")}
    made = recompute_totals({**old, "a": np.array([1.0, 5.0]), "b": np.array([10.0, 5.0])}, identities, "Test")
    assert made["t"][0] == 11.0
    assert made["u"][0] == 1.0
    assert np.isnan(made["t"][1])
    assert np.isnan(made["u"][1])


numbers = st.floats(-1e12, 1e12, allow_nan=False)


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=10))
def test_a_computed_total_holds(rows: list[tuple[float, float]]) -> None:
    a, b = np.array(rows).T
    identities = parse_identities(("t = a - b",), SCHEMA, "Toy")
    verify_identities({"a": a, "b": b, "t": a - b}, identities, "Toy", "original")
    wrong = a - b
    wrong[0] += 1 + 0.01 * (abs(a[0]) + abs(b[0]) + abs(wrong[0]))
    with pytest.raises(DataError, match="Toy: the identity for 't' does not hold in 1 records of the masked data"):
        verify_identities({"a": a, "b": b, "t": wrong}, identities, "Toy", "masked")


def test_records_with_a_gap_are_not_judged() -> None:
    columns = {"t": np.array([9.0, np.nan]), "a": np.array([np.nan, 1.0]), "b": np.array([1.0, 1.0])}
    assert Identity.parse("t = a + b").holds(columns).tolist() == [True, True]
