"""Figures 1a and 1b: their lines are those of the counts."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from tacita.study.census_counts import CountPairs
from tacita.study.census_pages import census_figures


def test_lines_are_the_deviations() -> None:
    counts = np.repeat(np.arange(9, 17), 4)
    controlled = CountPairs(counts, counts + np.tile([0, 0, 1, -2], 8))
    free = CountPairs(np.array([30, 40, 6000]), np.array([31, 39, 6015]))
    one, two = census_figures(SimpleNamespace(controlled=controlled, free=free))  # type: ignore[arg-type]
    assert (one.name, two.name) == ("figure-1a", "figure-1b")
    at_nine = {p["deviation"]: p["share"] for p in _values(one) if p["line"] == "SAFE, count 9"}
    assert (at_nine[0], at_nine[1], at_nine[-2], at_nine[7]) == (50, 25, 25, 0)
    assert "50 % of these counts" in one.describe
    names = {p["line"] for p in _values(two)}
    assert names == {"20-49: 2 cells", "5000 and more: 1 cell"}, "a class without cells has no line"
    assert "5000 and more 15.0 and 15" in two.describe


def _values(figure: object) -> list[dict[str, float]]:
    found = figure.chart.to_dict()  # type: ignore[attr-defined]
    return found["data"]["values"] if "data" in found else found["layer"][0]["data"]["values"]
