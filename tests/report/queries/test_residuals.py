"""The picture of residual plots: a panel for every plot, drawn without a network."""

import json

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.residuals.shapes import AveragePlot, Box, BoxPlot, Mean, ResidualPlots, ScatterPlot
from tacita.report.queries.residuals import residuals_chart
from tacita.report.render import svg_bytes

RNG = np.random.default_rng(1)
CURVE = (np.linspace(0, 10, 5), np.zeros(5))
SCATTER = ScatterPlot("fitted", np.sort(RNG.uniform(0, 10, 50)), RNG.normal(size=50), 0.01, CURVE)
BOXES = BoxPlot("sex", (Box("f", -2, -0.7, 0, 0.7, 2, 50), Box("m", -2, -0.5, 0.1, 0.9, 4, 60)), ("other",))
MEANS = AveragePlot("age", (Mean("up to 30", 25.0, 0.01, 0.05, 40), Mean("above 30", 45.0, -0.1, 0.06, 50)))
LEVELS = AveragePlot("region", (Mean("north", None, 0.01, 0.05, 40),), ("south",))


def panels(*plots: ScatterPlot | BoxPlot | AveragePlot) -> list[dict[str, object]]:
    return residuals_chart(ResidualPlots("income", "linear", plots, 4.0)).to_dict()["concat"]  # type: ignore[no-any-return]


def test_every_plot_has_a_panel() -> None:
    found = panels(SCATTER, BOXES, MEANS, LEVELS)
    assert [panel["title"]["text"] for panel in found] == ["fitted values", "sex", "age", "region"]  # type: ignore[index]
    assert "other" in str(found[1]["title"])
    assert len(found[0]["layer"]) == 3  # type: ignore[arg-type]
    assert len(found[0]["layer"][0]["data"]["values"]) == 50  # type: ignore[index]


def test_standardised_residuals_share_one_scale() -> None:
    found = panels(SCATTER, BOXES)
    assert found[0]["layer"][0]["encoding"]["y"]["scale"]["domain"] == [-4, 4]  # type: ignore[index]
    assert found[1]["layer"][0]["encoding"]["x"]["scale"]["domain"] == [-4, 4]  # type: ignore[index]


def test_bins_with_a_place_lie_along_an_axis_and_levels_below_each_other() -> None:
    along, below = panels(MEANS, LEVELS)
    assert along["layer"][0]["encoding"]["x"]["field"] == "x"  # type: ignore[index]
    assert below["layer"][0]["encoding"]["y"]["field"] == "label"  # type: ignore[index]


def test_it_is_drawn_the_same_from_json_and_without_a_network() -> None:
    plots = ResidualPlots("income", "linear", (SCATTER, BOXES, MEANS, LEVELS), 4.0)
    drawn = svg_bytes(residuals_chart(plots))
    assert svg_bytes(residuals_chart(json.loads(json.dumps(plots.to_plain())))) == drawn
    assert b"Residuals of income" in drawn
    assert b"fitted values" in drawn


def test_empty_plots() -> None:
    chart = residuals_chart(ResidualPlots("y", "linear", (BoxPlot("g", (), ("a",)), AveragePlot("h", ()))))
    assert b"No level has enough records." in svg_bytes(chart)
    with pytest.raises(ParameterError, match="at least one plot"):
        residuals_chart(ResidualPlots("y", "linear", ()))
