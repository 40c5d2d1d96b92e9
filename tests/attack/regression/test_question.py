"""Questions to a remote access: columns of the user's making."""

from __future__ import annotations

import pytest

from tacita.attack.regression.question import (
    ModelQuestion,
    all_of,
    any_class,
    beyond,
    either_of,
    equal_to,
    far_out,
    variable,
    within_amount,
    within_ratio,
)
from tacita.core.errors import AttackError


def test_which_columns_are_dummies() -> None:
    dummies = [
        equal_to("x", 1.0),
        within_amount("x", 1.0, 2.0),
        within_ratio("x", 1.0, 0.1),
        beyond("x", 1.0, is_above=True),
    ]
    assert all(column.is_dummy for column in [*dummies, all_of(*dummies), either_of(*dummies)])
    assert not any(column.is_dummy for column in (variable("x"), far_out("x", 1.0, 1e-4), any_class("x", "y")))


def test_one_dummy_needs_no_product() -> None:
    assert all_of(equal_to("x", 1.0)) == equal_to("x", 1.0)


def test_both_sides_of_a_value() -> None:
    assert [beyond("x", 3.0, is_above=side).kind for side in (True, False)] == ["above", "below"]


def test_bad_questions() -> None:
    with pytest.raises(AttackError, match="one regressor"):
        ModelQuestion("y", ())
    with pytest.raises(AttackError, match="'at'"):
        ModelQuestion("y", (variable("x"),), (1.0, 2.0))
