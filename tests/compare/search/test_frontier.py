"""The frontier and the axes of the map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.compare.score import Score
from tacita.compare.search.frontier import Axis, choose_axes, non_dominated
from tacita.core.errors import MeasureError, ParameterError, UnknownMethodError
from tests.oracles.compare.frontier import beaten_by_none

small = st.integers(0, 6).map(float)


@given(st.lists(st.tuples(small, small), max_size=25))
def test_frontier_is_that_of_the_definition(points: list[tuple[float, float]]) -> None:
    x, y = ([p[i] for p in points] for i in (0, 1))
    assert non_dominated(np.array(x), np.array(y)).tolist() == beaten_by_none(x, y)


def test_frontier_by_hand() -> None:
    """(1, 9) and (4, 4) stay, twice; (5, 4) is beaten by (4, 4), (9, 9) by all; (8, 1) stays."""
    x, y = np.array([1.0, 4, 4, 5, 9, 8]), np.array([9.0, 4, 4, 4, 9, 1])
    assert non_dominated(x, y).tolist() == [True, True, True, False, False, True]


def test_axes_come_from_the_score() -> None:
    loss, risk = choose_axes(Score({"il": 0.5, "dld": 0.1, "rid": 0.3}), None, None, ["il", "dld", "rid"])
    assert loss.weights == (("il", 1.0),)
    assert dict(risk.weights) == pytest.approx({"dld": 0.25, "rid": 0.75})
    assert risk.of({"dld": 4.0, "rid": 8.0}) == pytest.approx(7.0)
    assert risk.of({"dld": 4.0}) is None
    assert (risk.unit, risk.upper, risk.words) == ("%", 100.0, "0.25 dld + 0.75 rid")


def test_axes_that_are_asked_for() -> None:
    loss, risk = choose_axes(Score.named("default"), "il1s", ["dld", "sdid"], [])
    assert (loss.words, loss.unit, loss.upper) == ("il1s", "√2 SD", None)
    assert risk == Axis("risk", (("dld", 0.5), ("sdid", 0.5)))
    assert risk.words == "mean of dld and sdid"


def test_axes_without_the_score_are_the_first_measures() -> None:
    loss, risk = choose_axes(Score.named("default"), None, None, ["pil", "il1s", "sdid"])
    assert (loss.measures, risk.measures) == (("pil",), ("sdid",))


def test_bad_axes() -> None:
    score = Score.named("default")
    with pytest.raises(ParameterError, match="'loss' must name measures of that kind"):
        choose_axes(score, "dld", None, ["dld"])
    with pytest.raises(ParameterError, match="'risk' names no measure"):
        choose_axes(score, "il", [], ["dld"])
    with pytest.raises(UnknownMethodError, match="no measure named 'dldd'"):
        choose_axes(score, None, "dldd", ["il"])
    with pytest.raises(MeasureError, match="no risk is among the measures"):
        choose_axes(score, None, None, ["il"])
