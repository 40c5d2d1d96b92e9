"""Figures of many methods: every label is there, black and grey differ, scales are honest."""

from __future__ import annotations

import re

import pytest

from tacita.report.families import FamilySection, family_chart
from tacita.report.render import png_bytes, svg_bytes
from tacita.report.study_page import PageFigure, PageTable, study_page

SECTIONS = [
    FamilySection("JPEG", ("J10", "J15", "J20"), (5.0, 20.0, 100.0), (4.0, 40.0, 90.0)),
    FamilySection("Resampling", ("RS1", "RS2"), (0.5, 0.7), (0.6, 0.9)),
]


@pytest.mark.parametrize("log", [False, True])
def test_every_method_and_family_is_labelled(log: bool) -> None:
    text = svg_bytes(family_chart(SECTIONS, title="DLD, census", axis="linked, %", log=log)).decode()
    for label in ("J10", "J15", "J20", "RS1", "RS2", "JPEG", "Resampling", "DLD, census", "linked, %"):
        assert f">{label}</text>" in text
    assert ">whole file</text>" in text
    assert ">outliers</text>" in text


def test_lines_break_between_families() -> None:
    """Two lines for each family, and none from the last method of one to the first of the next."""
    text = svg_bytes(family_chart(SECTIONS, title="t", axis="a")).decode()
    strokes = re.findall(
        r'<path aria-label[^>]*d="M[^"]*L[^"]*"[^>]*fill="none"|<path d="M[^"]*L[^"]*" stroke="#', text
    )
    black = text.count('stroke="#16191c" stroke-width="1.6"')
    grey = text.count('stroke="#8d959c" stroke-width="2"')
    assert (black, grey) == (2, 2), strokes


def test_ordinate_from_zero_to_the_largest_possible_value() -> None:
    specification = family_chart(SECTIONS, title="t", axis="a", upper=100.0).to_dict()
    scales = [
        layer["encoding"]["y"]["scale"] for layer in specification["layer"] if "scale" in layer["encoding"].get("y", {})
    ]
    assert {tuple(scale["domain"]) for scale in scales} == {(0, 100.0)}


def test_powers_of_ten_span_the_values() -> None:
    specification = family_chart(SECTIONS, title="t", axis="a", log=True).to_dict()
    scale = specification["layer"][1]["encoding"]["y"]["scale"]
    assert (scale["type"], scale["domain"]) == ("log", [0.5, 100.0])


def test_pictures_repeat() -> None:
    first, second = (png_bytes(family_chart(SECTIONS, title="t", axis="a")) for _ in range(2))
    assert first == second
    assert first.startswith(b"\x89PNG")


def test_page_shows_texts_in_full_and_escaped() -> None:
    words = "a < b " + "long " * 40
    figure = PageFigure("one", "caption & more", "described", family_chart(SECTIONS, title="t", axis="a"))
    found = study_page("Title", notes=[words], figures=[figure], tables=[PageTable("Facts", ("x",), [(words,)])])
    assert found.count("a &lt; b " + "long " * 39) == 2
    assert "caption &amp; more" in found
    assert 'aria-label="described"' in found
