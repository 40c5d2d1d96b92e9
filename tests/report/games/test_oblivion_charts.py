from __future__ import annotations

import numpy as np

from tacita.games.oblivion.forwarding_game import Forwarding
from tacita.games.oblivion.multicast import MulticastRound
from tacita.games.oblivion.oblivion_study import honest_map
from tacita.games.oblivion.tracing_rates import TracingRate
from tacita.report.games.oblivion_charts import boundary_chart, rounds_chart, tracing_chart
from tacita.report.render import svg_bytes


def test_the_line_lies_between_the_cells() -> None:
    found = honest_map(Forwarding(), points=6)
    drawn = boundary_chart(found, here=(0.9, 5.0)).to_dict()
    cells, line, cross = (layer["data"]["values"] for layer in drawn["layer"])
    assert len(cells) == 36
    for row in line:
        assert row["t"] * row["f"] == line[0]["t"] * line[0]["f"] or np.isclose(
            row["t"] * row["f"], line[0]["t"] * line[0]["f"]
        )
        assert 0 < row["t"] <= 1 + 1e-9
    assert cross == [{"t": 0.9, "f": 5.0}]
    assert svg_bytes(boundary_chart(found, here=(0.9, 5.0))) == svg_bytes(boundary_chart(found, here=(0.9, 5.0)))


def test_a_map_without_a_boundary_has_no_line() -> None:
    drawn = boundary_chart(honest_map(Forwarding(reward=0), points=3), here=(0.5, 1e9)).to_dict()
    assert len(drawn["layer"]) == 1


def test_rates_stand_with_their_intervals_and_rounds_leave_out_what_is_no_number() -> None:
    rates = {1: TracingRate(1.0, 0.9, 1.0, 0.0, 30), 3: TracingRate(0.5, 0.3, 0.7, 0.0, 30)}
    rows = tracing_chart(rates, 2).to_dict()["layer"][1]["data"]["values"]
    assert rows[1] == {"size": 3, "rate": 50.0, "low": 30.0, "high": 70.0}
    one = MulticastRound(0.1, 1.0, 0.5, 0.5, 0.0, 0, 0, float("nan"), float("nan"), (0.5,))
    panel = rounds_chart([one], [one], ("long", "short")).to_dict()["hconcat"][0]
    assert {row["figure"] for row in panel["data"]["values"]} == {"forward with marks", "expect to be traced"}
