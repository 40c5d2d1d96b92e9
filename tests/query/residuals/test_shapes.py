"""What leaves: rounded numbers in JSON."""

import json

import numpy as np

from tacita.query.residuals.shapes import AveragePlot, Box, BoxPlot, Mean, ResidualPlots, ScatterPlot


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
