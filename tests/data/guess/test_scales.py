"""Scales: codes, orders, counts and amounts by labels, names and numbers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.vocabulary import Role
from tacita.data.columns import infer_scale
from tacita.data.guess.facts import ValueFacts
from tacita.data.guess.scales import guess_scale, ordered_words
from tacita.data.schema import Column

N = 400
RNG = np.random.default_rng(7)


def scale(values: object, name: str = "x", role: Role = "key", **facts: object) -> str:
    array = pa.array(values)
    column = Column(name=name, scale=infer_scale(array.type), **facts)  # type: ignore[arg-type]
    return guess_scale(ValueFacts.of(column, array), role)[0]


def codes(k: int, low: int = 1) -> np.ndarray:
    return RNG.integers(low, low + k, N)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("q17", codes(5), "nominal"),
        ("q17", codes(2, 0), "nominal"),
        ("q17", codes(60), "numeric"),
        ("q17", RNG.poisson(2.5, N), "numeric"),
        ("q17", RNG.choice(np.arange(2, 90, 5), N), "numeric"),
        ("q17", codes(11, 0), "ordinal"),
        ("q17", RNG.choice([1000, 2000, 5000, 10_000], N), "numeric"),
        ("q17", RNG.choice(np.arange(111, 990, 30), N), "nominal"),
        ("q17", RNG.integers(1930, 2010, N), "numeric"),
        ("agegroup", codes(12), "ordinal"),
        ("age", codes(12), "ordinal"),
        ("age", codes(80), "numeric"),
        ("isced11", codes(9), "ordinal"),
        ("rooms", codes(7), "numeric"),
        ("occupation", codes(90), "nominal"),
        ("income_class", codes(6), "ordinal"),
        ("income", codes(6), "numeric"),
        ("trust_police", codes(5), "ordinal"),
        ("F_AGE", codes(3, -1), "nominal"),
        ("month", codes(12), "ordinal"),
    ],
)
def test_whole_numbers(name: str, values: np.ndarray, expected: str) -> None:
    assert scale(values, name) == expected


def test_few_records_say_nothing() -> None:
    assert scale([3, 17, 5, 8]) == "numeric"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["15-19", "20-24", "25+"], "ordinal"),
        (["1-9", "10-49", "50-249"], "ordinal"),
        (["<10", "10-49", "100+"], "nominal"),  # as texts they sort another way
        (["poorest", "middle", "richest"], "ordinal"),
        (["red", "green", "blue"], "nominal"),
        (["01", "02", "11"], "nominal"),
    ],
)
def test_texts(texts: list[str], expected: str) -> None:
    assert scale(texts * 20) == expected


def test_labels_tell_codes_from_amounts() -> None:
    assert scale(codes(40), labels=tuple((i, f"place {i}") for i in range(1, 41))) == "nominal"
    assert scale(codes(3), labels=((1, "low"), (2, "medium"), (3, "high"))) == "ordinal"
    assert scale(codes(3), labels=((1, "15-19"), (2, "20-24"), (3, "25 and over"))) == "ordinal"
    assert scale(codes(90), "income", labels=((98, "98 or more"),)) == "numeric"


def test_units_are_never_amounts() -> None:
    assert scale(codes(300), role="stratum") == "nominal"
    assert scale(codes(300), role="weight") == "numeric"


def test_ladders_need_three_steps_and_no_other_word() -> None:
    assert ordered_words(["low", "high"]) is None
    assert ordered_words(["low", "high", "blue"]) is None
    assert ordered_words(["Very good", "bad", "fair"]) == ["bad", "fair", "Very good"]
