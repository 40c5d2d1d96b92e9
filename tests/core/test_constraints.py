"""Constraints: what they let through, how they speak, and their JSON schema."""

from __future__ import annotations

import pytest

from tacita.core.constraints import Interval, Length


@pytest.mark.parametrize(
    ("interval", "inside", "outside", "words", "schema"),
    [
        (Interval(0, 100), (0, 50, 100), (-1, 101), "in [0, 100]", {"minimum": 0, "maximum": 100}),
        (Interval(0, 1, "left"), (0, 0.5), (1, -1), "in [0, 1)", {"minimum": 0, "exclusiveMaximum": 1}),
        (Interval(0, 1, "right"), (0.5, 1), (0, 2), "in (0, 1]", {"exclusiveMinimum": 0, "maximum": 1}),
        (Interval(0, 1, "neither"), (0.5,), (0, 1), "in (0, 1)", {"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
        (Interval(2), (2, 9), (1,), "at least 2", {"minimum": 2}),
        (Interval(0, closed="neither"), (1e-9,), (0, -1), "above 0", {"exclusiveMinimum": 0}),
        (Interval(high=5), (5, -9), (6,), "at most 5", {"maximum": 5}),
        (Interval(high=5, closed="neither"), (4,), (5,), "below 5", {"exclusiveMaximum": 5}),
    ],
)
def test_interval(
    interval: Interval, inside: tuple[float, ...], outside: tuple[float, ...], words: str, schema: dict[str, float]
) -> None:
    assert all(interval.holds(value) for value in inside)
    assert not any(interval.holds(value) for value in outside)
    assert interval.words() == words
    assert interval.schema() == schema


def test_length_words() -> None:
    assert Length(1).words() == "with at least 1 entry"
    assert Length(3).words() == "with at least 3 entries"
    assert Length(2).schema() == {"minItems": 2}
