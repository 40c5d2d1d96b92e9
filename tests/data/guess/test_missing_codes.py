"""Suspected missing codes: far numbers, words, labels, words among numbers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.data.guess.facts import ValueFacts
from tacita.data.guess.missing_codes import suspected_missing
from tacita.data.schema import Column


def suspects(values: object, **facts: object) -> dict[object, str]:
    scale = "nominal" if isinstance(values[0], str) else "numeric"  # type: ignore[index]
    column = Column(name="x", scale=scale, **facts)  # type: ignore[arg-type]
    return dict(suspected_missing(ValueFacts.of(column, pa.array(values))))


def test_codes_behind_a_scale_are_seen_together() -> None:
    found = suspects([*range(11), *range(11), 77, 88, 99])
    assert found == dict.fromkeys((77, 88, 99), "far from the rest")


@pytest.mark.parametrize("values", [range(60, 110), [1, 2, 7, 8, 9], [66, 77, 80, 90]])
def test_ordinary_numbers_are_not_suspected(values: object) -> None:
    assert suspects([*values, *values]) == {}  # type: ignore[misc]


@pytest.mark.parametrize("word", ["don't know", "Refused", "?", "keine Angabe", "not stated", "N/A"])
def test_words_for_no_answer(word: str) -> None:
    assert suspects(["yes", "no", word]) == {word: "a word for no answer"}


def test_ordinary_words_are_not_suspected() -> None:
    assert suspects(["nowhere", "unknown soldier", "refuse collector", "na na"]) == {}


def test_labels_say_what_a_code_is() -> None:
    labels = ((1, "yes"), (2, "no"), (3, "Don't know"))
    assert suspects([1, 2, 3, 1], labels=labels) == {3: "labelled 'Don't know'"}


def test_words_among_numbers() -> None:
    numbers = [str(x) for x in np.arange(1, 60) * 17]
    assert suspects([*numbers, "refused"]) == {"refused": "among numbers; declare it and scale = numeric"}
    assert suspects([*numbers, "01", "02"]) == {}  # codes with leading zeros
    assert suspects([*numbers, *(f"street {i}" for i in range(20))]) == {}
