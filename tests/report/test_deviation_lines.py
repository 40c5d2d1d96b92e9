"""Figures of deviations: every line is named, shares are percentages, far deviations can be left out."""

from __future__ import annotations

from tacita.report.deviation_lines import DeviationLine, deviation_chart
from tacita.report.render import svg_bytes

LINES = [
    DeviationLine("SAFE, 9", (0.1, 0.2, 0.4, 0.2, 0.1)),
    DeviationLine("SAFE, 16", (0.2, 0.2, 0.2, 0.2, 0.2)),
    DeviationLine("noise", (0.0, 0.0, 1.0, 0.0, 0.0), against=True),
]


def test_every_line_is_named() -> None:
    text = svg_bytes(deviation_chart(LINES, title="Figure 1a")).decode()
    for label in ("SAFE, 9", "SAFE, 16", "noise", "Figure 1a", "deviation from the true count"):
        assert f">{label}</text>" in text
    assert text.count('stroke-dasharray="6,3"') >= 1, "what it is held against is dashed"


def test_points_are_deviations_and_percentages() -> None:
    found = deviation_chart(LINES, title="t", most=1).to_dict()
    values = found["layer"][0]["data"]["values"] if "data" in found["layer"][0] else found["data"]["values"]
    assert {point["deviation"] for point in values} == {-1, 0, 1}
    assert [point["share"] for point in values if point["line"] == "SAFE, 9"] == [20.0, 40.0, 20.0]


def test_lines_differ_in_colour() -> None:
    found = deviation_chart(LINES, title="t").to_dict()
    colours = found["layer"][0]["encoding"]["color"]["scale"]["range"]
    assert len(set(colours)) == 3
