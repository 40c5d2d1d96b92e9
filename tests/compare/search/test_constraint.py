"""Constraints: what the grammar takes, and what it refuses."""

from __future__ import annotations

import pytest

from tacita.compare.search.constraint import Condition, SearchConstraint, parse_constraint
from tacita.core.errors import ParameterError, UnknownMethodError


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("dld <= 5", "lowest loss subject to dld <= 5"),
        ("dld<=5,rid<40", "lowest loss subject to dld <= 5 and rid < 40"),
        ("il1s lowest subject to dld <= 5 and rid <= 40", "lowest il1s subject to dld <= 5 and rid <= 40"),
        ("lowest loss with DLD <= 5 % and RID <= 40 %", "lowest loss subject to dld <= 5 and rid <= 40"),
        ("lowest score", "lowest score"),
        ("highest il where risk >= 1e1", "highest il subject to risk >= 10"),
        ("dld =< .5 AND score => -2.5", "lowest loss subject to dld <= 0.5 and score >= -2.5"),
    ],
)
def test_what_is_read(text: str, shown: str) -> None:
    found = parse_constraint(text)
    assert str(found) == shown
    assert parse_constraint(str(found)) == found


def test_other_forms() -> None:
    assert parse_constraint(None) == SearchConstraint()
    assert parse_constraint({"dld": 5, "RID": 40.0}) == SearchConstraint(
        (Condition("dld", "<=", 5.0), Condition("rid", "<=", 40.0))
    )
    assert parse_constraint(["dld <= 5", "il1s lowest"], goal="score").goal == "il1s"
    assert parse_constraint(["dld <= 5"], goal="score").goal == "score"
    assert parse_constraint("il lowest with dld < 3 and score < 9").measures == ("il", "dld")


def test_limits_hold() -> None:
    limit = Condition("dld", "<=", 5.0)
    assert limit.holds(5.0)
    assert not Condition("dld", "<", 5.0).holds(5.0)
    assert Condition("dld", ">=", 5.0).holds(6.0)
    assert (limit.excess(4.0), limit.excess(7.0)) == (0.0, 2.0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dld",
        "dld <= five",
        "dld <= 5 rid <= 4",
        "dld <= 5 and",
        "dld <= 5 or rid <= 4",
        "5 >= dld",
        "dld == 5",
        "__import__('os')",
        "dld <= 5; rid <= 4",
    ],
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="constraint"):
        parse_constraint(text)


def test_bad_names_and_numbers() -> None:
    with pytest.raises(UnknownMethodError, match=r"There is no measure named 'dldd'\. Did you mean 'dld'"):
        parse_constraint("dldd <= 5")
    with pytest.raises(ParameterError, match="The limit of 'dld' must be a finite number"):
        parse_constraint({"dld": float("nan")})
    with pytest.raises(ParameterError, match="one goal"):
        parse_constraint("lowest il and lowest pil")
    with pytest.raises(ParameterError, match="must be a text or limits by name, got int"):
        parse_constraint([5])  # type: ignore[list-item]
