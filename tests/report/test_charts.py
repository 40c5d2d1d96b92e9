"""Charts: honest scales, marks that differ by more than colour, bytes that repeat.

It tests ``tacita.report.distributions`` through the only door that they have.
"""

import hashlib
import re
import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import DataError
from tacita.report.charts import (
    density_overlay,
    label_places,
    label_width,
    measure_chart,
    risk_utility_map,
    scorecard_chart,
)
from tacita.report.measures import MapPoint, map_axes, map_points
from tacita.report.render import png_bytes, svg_bytes, svg_inline


def domains(chart: object) -> list[list[float]]:
    """Return the domains of all horizontal scales in a chart's specification."""
    found: list[list[float]] = []

    def walk(part: object) -> None:
        if isinstance(part, dict):
            x = part.get("x")
            if isinstance(x, dict) and "domain" in x.get("scale", {}):
                found.append(x["scale"]["domain"])
            for value in part.values():
                walk(value)
        elif isinstance(part, list):
            for value in part:
                walk(value)

    walk(chart.to_dict())  # type: ignore[attr-defined]
    return found


def test_plot_gives_the_scorecard_chart_with_bars_from_zero(card: tc.Scorecard) -> None:
    chart = card.plot()
    found = domains(chart)
    assert all(low == 0 for low, _ in found)
    assert [0, 100.0] in found  # a risk in percent is seen against the whole scale
    text = svg_bytes(chart).decode()
    for measure, _ in card.results.values():
        assert f">{measure.title}</text>" in text


def test_units_are_never_mixed_on_one_axis(card: tc.Scorecard) -> None:
    units = {(m.kind, m.traits.unit, m.traits.upper) for m, _ in card.results.values()}
    panels = [p for side in scorecard_chart(card).to_dict()["hconcat"] for p in side["vconcat"]]
    assert len(panels) == len(units)


def test_map_takes_plain_points_and_shows_roles_by_shape(card: tc.Scorecard) -> None:
    axes = map_axes(card)
    assert axes is not None
    points = map_points(card, axes, {"earlier": card})
    assert [p.role for p in points] == ["original", "candidate", "release"]
    assert points[0].loss == 0
    assert points[0].risk > points[-1].risk
    text = svg_bytes(risk_utility_map([*points, ("plain", 20.0, 5.0)])).decode()
    for word in ("unmasked file", "earlier", "release", "plain"):
        assert f">{word}</text>" in text
    many = [MapPoint(f"tried {i}", i, 100 - i) for i in range(50)]
    assert "tried 7" not in svg_bytes(risk_utility_map([*many, points[-1]])).decode()


def test_map_and_card_can_be_empty() -> None:
    assert svg_bytes(risk_utility_map([])).startswith(b"<svg")
    assert b"No measure could be computed." in svg_bytes(measure_chart([]))
    assert svg_bytes(risk_utility_map([("nothing", 0.0, 0.0)])).startswith(b"<svg")


def test_overlay_shows_names_as_text(survey: tc.Microdata) -> None:
    strange = '<b>&"quoted" Größe ✓\x07'
    data = tc.Microdata.from_frame(pa.table({strange: np.arange(100.0)}))
    picture = svg_bytes(density_overlay(data, data, strange))
    root = ElementTree.fromstring(picture)  # it is well-formed
    shown = [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert any(text.startswith('<b>&"quoted" Größe ✓') for text in shown)


def test_overlay_of_nothing_says_so() -> None:
    data = tc.Microdata.from_frame(pa.table({"x": pa.array([None, None], pa.float64())}))
    with pytest.raises(DataError, match="no values to draw"):
        density_overlay(data, data, "x")


def test_pictures_are_files_of_their_kind_and_repeat(card: tc.Scorecard) -> None:
    assert svg_bytes(scorecard_chart(card)) == svg_bytes(scorecard_chart(card))
    png = png_bytes(scorecard_chart(card))
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert png == png_bytes(scorecard_chart(card))


_PROGRAM = """
import hashlib
from tacita.report.charts import risk_utility_map
from tacita.report.render import png_bytes, svg_bytes
chart = risk_utility_map([("a", 10.0, 20.0), ("b", 30.0, 5.0)])
print(hashlib.sha256(svg_bytes(chart) + png_bytes(chart)).hexdigest())
"""


def test_another_process_draws_the_same_bytes() -> None:
    chart = risk_utility_map([("a", 10.0, 20.0), ("b", 30.0, 5.0)])
    here = hashlib.sha256(svg_bytes(chart) + png_bytes(chart)).hexdigest()
    there = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, check=True, text=True).stdout.strip()
    assert here == there


def test_inline_pictures_have_ids_of_their_own_and_one_description(survey: tc.Microdata) -> None:
    chart = density_overlay(survey, survey, "age")
    text = svg_inline(chart, name="first", describe='a "description"')
    assert all(found.startswith("first-") for found in re.findall(r'\bid="([^"]+)"', text))
    assert all(found.startswith("#first-") for found in re.findall(r"url\((#[^)]+)\)", text))
    assert text.count("aria-label") == 1
    assert 'role="img" aria-label="a &quot;description&quot;"' in text


def test_names_cover_neither_points_nor_each_other() -> None:
    points = [(100.0 + 3 * i, 100.0 + 2 * (i % 5)) for i in range(30)]
    texts = [f"candidate {i}" if i % 2 else "" for i in range(30)]
    places = label_places(points, texts, (400.0, 300.0))
    assert all(place is None for place, text in zip(places, texts, strict=True) if not text)
    assert any(place is None for place, text in zip(places, texts, strict=True) if text), "there is no room for all"
    boxes = [
        (at[0], at[1] - 6, at[0] + label_width(text), at[1] + 6)
        for at, text in zip(places, texts, strict=True)
        if at is not None
    ]
    assert len(boxes) >= 3
    for i, (a, b, c, d) in enumerate(boxes):
        assert a >= 0
        assert c <= 400
        assert b >= 0
        assert d <= 300
        assert not any(a < x < c and b < y < d for x, y in points)
        assert not any(a < g and e < c and b < h and f < d for e, f, g, h in boxes[:i])
