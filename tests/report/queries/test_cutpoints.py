"""The chart for choosing cutpoints: one panel a method, bins and counts only."""

import json

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.query.cutpoints import FixedWidth, Given, IncreasingWidth, MinimumWidth, Partitioned
from tacita.report.queries.cutpoints import cutpoints_chart
from tacita.report.render import svg_bytes

VALUES = np.random.default_rng(1).standard_normal(1000)
METHODS = [FixedWidth(minimum=20), MinimumWidth(minimum=20), IncreasingWidth(minimum=20), Partitioned(minimum=20)]


def panels(chart: object) -> list[dict[str, object]]:
    return chart.to_dict()["vconcat"]  # type: ignore[attr-defined, no-any-return]


def bars(panel: dict[str, object]) -> list[dict[str, float]]:
    return panel["layer"][0]["data"]["values"]  # type: ignore[index, no-any-return]


def test_every_method_has_a_panel_with_the_counts_of_its_bins() -> None:
    found = panels(cutpoints_chart(VALUES, METHODS))
    assert [panel["title"]["text"] for panel in found] == ["fixed", "minimum", "increasing", "partitioned"]  # type: ignore[index]
    for panel, method in zip(found, METHODS, strict=True):
        bins = method.cut(VALUES)
        wanted = np.bincount(bins.codes(VALUES), minlength=bins.n_bins).tolist()
        assert [bar["records"] for bar in bars(panel)] == wanted
        assert [bar["to"] for bar in bars(panel)][:-1] == list(bins.cuts)
        assert [bar["kind"] for bar in bars(panel)] == ["open", *["closed"] * (bins.n_bins - 2), "open"]
        assert f"{bins.n_bins} bins" in panel["title"]["subtitle"]  # type: ignore[index]


def test_panels_share_one_axis() -> None:
    domains = {
        tuple(panel["layer"][0]["encoding"]["x"]["scale"]["domain"])  # type: ignore[index]
        for panel in panels(cutpoints_chart(VALUES, METHODS))
    }
    assert len(domains) == 1


def test_no_value_is_in_the_picture() -> None:
    values = np.append(VALUES + 0.123456789, [987.654321, -456.789123])
    text = json.dumps(cutpoints_chart(values, METHODS, title="x").to_dict())
    assert "987.6" not in text
    assert "456.7" not in text
    numbers = {
        number for panel in panels(cutpoints_chart(values, METHODS)) for bar in bars(panel) for number in bar.values()
    }
    assert not numbers & set(values.tolist())


def test_many_bins_share_bars() -> None:
    values = np.random.default_rng(2).random(7000)
    (panel,) = panels(cutpoints_chart(values, {"narrow": MinimumWidth(minimum=10)}))
    found = bars(panel)
    assert len(found) <= 300
    assert {bar["records"] for bar in found} == {10.0}
    assert "3 bins to a bar" in panel["title"]["subtitle"]  # type: ignore[index]


@pytest.mark.parametrize(
    "methods", [[Given(edges=[0])], [FixedWidth(minimum=900)], [FixedWidth(minimum=900), Given(edges=[0, 1])]]
)
def test_few_bins_are_drawn_too(methods: list[FixedWidth | Given]) -> None:
    for panel in panels(cutpoints_chart(VALUES, methods)):
        assert all(bar["from"] < bar["to"] for bar in bars(panel))


def test_it_is_drawn_and_says_what_is_too_fine() -> None:
    ages = np.random.default_rng(0).integers(18, 90, 3000).astype(float)
    chart = cutpoints_chart(ages, [MinimumWidth(minimum=20)], title="age")
    text = svg_bytes(chart).decode()
    assert ">age</text>" in text
    assert "too fine" in text
    assert svg_bytes(cutpoints_chart(ages, [MinimumWidth(minimum=20)], title="age")).decode() == text


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="at least one method"):
        cutpoints_chart(VALUES, [])
    with pytest.raises(DataError, match="not missing"):
        cutpoints_chart(np.full(4, np.nan), METHODS)
