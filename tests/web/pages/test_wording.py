"""Questions in words."""

from __future__ import annotations

from typing import Any

import pytest

from tacita.web.pages.wording import Labels, effect_words, equation_words, question_words, shortened, universe_words

LABELS = Labels([{"name": "sex", "label": "Sex"}, {"name": "pay", "label": "Pay in euros"}, {"name": "age"}])


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"kind": "tabulate", "by": ["sex", "age"]}, "Number of records by Sex and age. Universe: everybody"),
        (
            {"kind": "tabulate", "by": ["age"], "statistic": "mean", "response": "pay", "each": "age"},
            "Mean of Pay in euros by age, each class of age asked on its own. Universe: everybody",
        ),
        ({"kind": "tabulate", "by": ["sex"], "unit": "households"}, "Number of households by Sex. Universe: everybody"),
        (
            {"kind": "regress", "response": "pay", "predictors": ["age"], "robust": True, "where": {"sex": ["f"]}},
            "Robust linear regression: pay ~ age. Universe: Sex is f",
        ),
        (
            {"kind": "residuals", "response": "sick", "predictors": ["age"], "family": "logistic"},
            "Residual plots of a logistic regression: sick ~ age. Universe: everybody",
        ),
        ({"kind": "quantiles", "response": "pay"}, "Quantiles of Pay in euros at 0.25, 0.5, 0.75. Universe: everybody"),
        (
            {"kind": "correlate", "columns": ["age", "pay"], "method": "spearman"},
            "Correlations (Spearman) of age, Pay in euros. Universe: everybody",
        ),
        (
            {"kind": "statistic", "statistic": "count_above", "response": "pay", "above": 10},
            "Number of records above 10 of Pay in euros. Universe: everybody",
        ),
        ({"kind": "unreadable"}, "A question that could not be read"),
    ],
)
def test_a_question_in_words(asked: dict[str, Any], words: str) -> None:
    assert question_words(asked, LABELS) == words


def test_a_universe_in_words() -> None:
    assert universe_words({"any": [{"sex": ["f"]}, {}]}, LABELS) == "Sex is f; or everybody"
    assert universe_words({"any": ["a", "b"]}, LABELS) == "any is a or b"
    long = universe_words({"age": [str(i) for i in range(20)]}, LABELS)
    assert long == "age is 0, 1, 2, 3, 4, 5, 6, 7 and 12 more"


def test_an_equation_in_words() -> None:
    square = {"variable": "age", "transform": "square"}
    assert effect_words(square) == "square(age)"
    asked = {"response": "pay", "predictors": ["age", square], "interactions": [["age", "sex", "b"]]}
    assert equation_words(asked) == "pay ~ age + square(age) + age × sex × b"


def test_a_name_turns_no_sentence() -> None:
    turning = Labels([{"name": "sex", "label": "Sex\u202e\u2067"}])
    asked = {"kind": "tabulate", "by": ["sex", "a\u202eb"], "where": {"sex": ["f\u202d", "m\u2069"]}}
    assert question_words(asked, turning) == "Number of records by Sex and ab. Universe: Sex is f or m"
    assert equation_words({"response": "a\u202e", "predictors": ["b"]}) == "a ~ b"


def test_a_long_label_is_cut_at_a_word() -> None:
    assert shortened("Age in years", 12) == "Age in years"
    assert shortened("Age in years and months", 14) == "Age in years…"
    assert shortened("x" * 30, 10) == "x" * 9 + "…"
