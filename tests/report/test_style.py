"""One visual language: colours that differ in lightness, numbers on axes as in the tables, no data in labels for readers."""

from __future__ import annotations

import altair as alt
import pytest

from tacita.report.style import INK, ORIGINAL, RELEASE, RELEASE_FILL, axis_labels, styled


def lightness(colour: str) -> float:
    """Relative luminance as in the guidelines for accessible pages."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(
    ("one", "other", "least"), [(ORIGINAL, RELEASE, 4.5), (RELEASE_FILL, RELEASE, 3.0), (INK, "#ffffff", 7)]
)
def test_colours_can_be_told_apart_without_colour(one: str, other: str, least: float) -> None:
    low, high = sorted((lightness(one), lightness(other)))
    assert (high + 0.05) / (low + 0.05) >= least


def test_a_chart_gets_our_fonts_and_no_hidden_numbers() -> None:
    chart = styled(alt.Chart(alt.Data(values=[{"x": 1}])).mark_point().encode(x="x:Q"))
    config = chart.to_dict()["config"]
    assert config["aria"] is False
    assert config["font"].startswith("Liberation Sans")
    assert config["title"]["color"] == INK


def test_axis_labels_have_their_unit() -> None:
    assert axis_labels("%")["labelExpr"].endswith("+ '\u00a0%'")
    assert "\u00a0%" not in axis_labels()["labelExpr"]
