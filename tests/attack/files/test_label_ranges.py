"""Labels are read as a person would read them."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.files.label_ranges import range_of_label, ranges_of


@pytest.mark.parametrize(
    ("label", "inside", "beyond"),
    [
        ("18-29", [18, 29, 29.5], [17.9, 30]),
        ("-5--1", [-5, -1], [-6, 0.5]),
        ("[0.5, 1)", [0.5, 0.99], [0.4, 1.0]),
        ("(0.5; 1]", [0.6, 1.0], [0.5, 1.1]),
        ("below 18", [17.9, -100], [18]),
        ("< 18", [0], [18]),
        ("up to 18", [18], [18.1]),
        ("65 or more", [65, 1e9], [64]),
        ("65+", [65], [64]),
        (">= 65", [65], [64]),
        ("over 65", [66], [65]),
        ("30", [30], [31]),
        ("0.5 to 0.7", [0.6], [0.8]),
        ("*", [0, -1e9, 1e9], []),
    ],
)
def test_forms(label: str, inside: list[float], beyond: list[float]) -> None:
    low, high = range_of_label(label) or (np.nan, np.nan)
    assert all(low <= x <= high for x in inside)
    assert not any(low <= x <= high for x in beyond)


@pytest.mark.parametrize("label", ["north", "", "30-18", "[3, 1)", "a-b", "1-2-3"])
def test_what_cannot_be_read(label: str) -> None:
    assert range_of_label(label) is None


def test_middles() -> None:
    ranges = ranges_of(["18-29", "65 or more", "below 18", "north", "*"])
    assert ranges.middle[:3].round(6).tolist() == [24.0, 65.0, 18.0]
    assert np.isnan(ranges.middle[3:]).all()
    assert not ranges.is_banded
    assert ranges_of(["18-29", "30"]).is_banded
    assert not ranges_of(["1", "2"]).is_banded
