"""Pictures of the study of query logs are valid and have a mark for every number."""

from __future__ import annotations

import numpy as np

from tacita.report.logs.log_figures import classified_chart, grouped_bars, remain_lines


def test_every_number_has_its_mark() -> None:
    values = np.arange(12.0).reshape(2, 2, 3)
    bars = grouped_bars(values, ["one", "five"], [2, 3], title="seconds", bounds=[50.0, 33.0]).to_dict()
    shown = [row["value"] for row in bars["data"]["values"]]
    assert sorted(shown) == list(range(12))
    assert {row["bound"] for row in bars["data"]["values"]} == {50.0, 33.0}
    assert "bound" not in grouped_bars(values, ["one", "five"], [2, 3], title="s").to_dict()["data"]["values"][0]
    lines = remain_lines(values, ["a", "b"], [2, 3]).to_dict()
    assert {row["bound"] for row in lines["data"]["values"]} == {50.0, 100 / 3}
    assert [row["share"] for row in classified_chart(np.array([90.0, 40.0])).to_dict()["data"]["values"]] == [
        90.0,
        40.0,
    ]
