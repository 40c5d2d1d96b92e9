"""Charts of social networks: what is drawn is what was given."""

from __future__ import annotations

import math

from tacita.report.games.social_charts import gains_by_setting, rounds_chart, troubles_chart
from tacita.report.render import svg_bytes


def test_lines_leave_out_what_is_no_number_and_keep_their_order() -> None:
    chart = rounds_chart({"b": [math.nan, 1.0], "a": [2.0, 0.5]}, title="users", rule=3.0)
    plain = chart.to_dict()
    drawn = plain["layer"][0]
    assert [row["value"] for row in drawn["data"]["values"]] == [1.0, 2.0, 0.5]
    assert drawn["encoding"]["color"]["scale"]["domain"] == ["b", "a"]
    assert drawn["encoding"]["y"]["scale"]["domain"][1] > 3.0
    assert len(plain["layer"]) == 2
    assert b"<svg" in svg_bytes(chart)


def test_the_setting_that_was_played_is_marked() -> None:
    plain = gains_by_setting([(1.0, 0.5), (2.0, 0.0)], title="penance", chosen=2.0).to_dict()
    rows = plain["layer"][0]["data"]["values"] if "data" in plain["layer"][0] else plain["data"]["values"]
    assert [(row["setting"], row["gain"], row["played"]) for row in rows] == [
        ("1", 50.0, "others"),
        ("2", 0.0, "played"),
    ]


def test_bars_go_to_the_whole_or_beyond() -> None:
    for share, top in ((0.5, 100), (1.2, 120)):
        plain = troubles_chart({"none": 1.0, "slips": share}).to_dict()
        assert plain["layer"][0]["encoding"]["x"]["scale"]["domain"] == [0, top]
