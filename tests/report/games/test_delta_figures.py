"""Pictures of probabilities of coprivacy: lines, points and intervals are where their numbers are."""

from __future__ import annotations

from tacita.report.games.delta_figures import free_chart, probability_chart
from tacita.report.render import svg_bytes


def test_lines_and_points_of_each_series() -> None:
    values = [(s, x, 0.5, 0.52, 0.4, 0.6) for s in ("one", "two") for x in (2.0, 5.0, 20.0)]
    text = svg_bytes(probability_chart(values, "peers N", is_logarithmic=True)).decode("utf-8")
    for shown in (">one<", ">two<", ">20<", "peers N", "probability of coprivacy", "#0b4f8a", "#c2570c"):
        assert shown in text


def test_a_panel_for_each_number_of_peers() -> None:
    values = [(2, "pure", 0.25, 0.2, 0.3), (2, "mixed", 0.44, 0.4, 0.5), (3, "pure", 0.3, 0.2, 0.4)]
    text = svg_bytes(free_chart(values, ("pure", "mixed", "correlated"))).decode("utf-8")
    for shown in ("N = 2", "N = 3", ">pure<", ">mixed<"):
        assert shown in text
    assert ">correlated<" not in text
