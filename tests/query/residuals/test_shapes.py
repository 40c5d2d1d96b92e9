"""What leaves: rounded numbers in JSON."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.residuals.shapes import AveragePlot, Box, BoxPlot, Mean, ResidualPlots, ScatterPlot
from tests.effort import examples


def test_numbers_are_rounded_and_ready_for_json() -> None:
    scatter = ScatterPlot("x", np.array([1234.5678]), np.array([-0.00012345]), 10.0, (np.array([1.0]), np.array([0.5])))
    boxes = BoxPlot("g", (Box("a", -1.23456, -0.5, -0.0001, 0.5, 1.0, 12),), ("rare",))
    means = AveragePlot("p", (Mean("up to 1", 0.123456, 0.0123456, 0.5, 20), Mean("b", None, 0.1, 0.2, 10)))
    plain = ResidualPlots("y", "linear", (scatter, boxes, means), 4.0).to_plain()
    found = json.loads(json.dumps(plain, allow_nan=False))
    assert found["plots"][0] == {
        "variable": "x",
        "kind": "scatter",
        "x": [1230.0],
        "residuals": [0.0],
        "curve": {"x": [0.0], "residuals": [0.5]},
    }
    assert found["plots"][1]["boxes"][0] == {
        "label": "a",
        "low": -1.235,
        "lower": -0.5,
        "median": 0.0,
        "upper": 0.5,
        "high": 1.0,
        "n": 12,
    }
    assert found["plots"][1]["suppressed"] == ["rare"]
    assert found["plots"][2]["means"][0] == {"label": "up to 1", "x": 0.1235, "mean": 0.0123, "limit": 0.5, "n": 20}
    assert found["plots"][2]["means"][1]["x"] is None
    assert "-0.0" not in json.dumps(plain["plots"][0])


def test_a_repr_shows_no_number() -> None:
    scatter = ScatterPlot("x", np.array([1234.5678]), np.array([2.5]), 10.0)
    assert repr(scatter) == "ScatterPlot(variable='x')"
    assert "1234" not in repr(ResidualPlots("y", "linear", (scatter,), 4.0))


# --- read back --------------------------------------------------------------------------------------------------------------


def plots() -> ResidualPlots:
    scatter = ScatterPlot("x", np.array([1234.5678, 0.0]), np.array([-0.5, 1 / 3]), 0.01, (np.ones(2), np.zeros(2)))
    boxes = BoxPlot("g", (Box("a", -1.23456, -0.5, -0.0001, 0.5, 1.0, 12),), ("rare",))
    means = AveragePlot("p", (Mean("up to 1", 0.123456, 0.0123456, 0.5, 20), Mean("b", None, 0.1, 0.2, 10)))
    return ResidualPlots("y", "linear", (scatter, boxes, means), 4.0)


def test_plots_are_read_back() -> None:
    plain = json.loads(json.dumps(plots().to_plain(), sort_keys=True))
    back = ResidualPlots.from_plain(plain)
    assert back.to_plain() == plain
    assert [type(plot) for plot in back.plots] == [ScatterPlot, BoxPlot, AveragePlot]
    assert ResidualPlots.from_plain(plain | {"limit": None}).limit is None


@settings(max_examples=examples(30))
@given(
    st.lists(st.floats(-1e9, 1e9), max_size=8),
    st.integers(-6, 6),
)
def test_places_stay_as_they_are_whatever_their_step(x: list[float], power: int) -> None:
    made = ScatterPlot("x", np.array(x), np.zeros(len(x)), 10.0**power)
    assert ScatterPlot.from_plain(made.to_plain()).to_plain() == made.to_plain()


def test_places_without_a_step_are_no_crash() -> None:
    plain = ScatterPlot("x", np.array([1.0]), np.zeros(1), 1.0).to_plain()
    back = ScatterPlot.from_plain(plain | {"x": [5e-324, 1e308], "residuals": [0, 0]})
    assert np.isfinite(back.to_plain()["x"]).all()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("plots",), {}), (("plots", 0), None), (("plots", 0, "kind"), "pie"), (("plots", 0, "kind"), []),
        (("plots", 0, "x"), [1.0]), (("plots", 0, "residuals"), ["1", "2"]), (("plots", 0, "curve"), {"x": [1.0]}),
        (("plots", 0, "curve", "x"), [1.0]), (("plots", 0, "more"), 1), (("plots", 1, "boxes"), 7),
        (("plots", 1, "boxes", 0, "n"), 1.5), (("plots", 1, "boxes", 0, "low"), None), (("plots", 1, "suppressed"), "rare"),
        (("plots", 2, "means"), [7]), (("plots", 2, "means", 0, "x"), "1"), (("plots", 2, "means", 0, "limit"), None),
        (("limit",), "4"), (("family",), 1), (("more",), 1),
    ],
)  # fmt: skip
def test_what_are_no_plots_is_an_error(path: tuple[Any, ...], value: Any) -> None:
    plain = json.loads(json.dumps(plots().to_plain()))
    place: Any = plain
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(ParameterError):
        ResidualPlots.from_plain(plain)
