"""The scene of remote access: the attacker gets a callable and what he knows, the judge keeps the truth."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.judge.stage_regression import stage_regression
from tacita.core.errors import AttackError
from tests.attack.regression.builders import firms


def test_the_target_has_what_is_known_and_not_what_is_wanted() -> None:
    columns = firms(50)
    rows = np.array([4, 9, 30])
    target, answers = stage_regression(
        columns, wanted="turnover", known=["state"], further=["size"], victims=rows, near=0.01
    )
    assert set(target.known) == {"state", "size"}
    assert (target.victims, target.further, answers.near) == (3, ("size",), 0.01)
    np.testing.assert_array_equal(answers.of("turnover"), columns["turnover"][rows])


def test_everybody_is_a_victim_unless_told() -> None:
    assert stage_regression(firms(50), wanted="turnover", known=["state"])[0].victims == 50


def test_unknown_variables() -> None:
    with pytest.raises(AttackError, match="no variable 'age'"):
        stage_regression(firms(50), wanted="turnover", known=["age"])
