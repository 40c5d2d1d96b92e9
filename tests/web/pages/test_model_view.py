"""Models as pages show them: numbers with the digits that they were rounded to."""

from __future__ import annotations

import math

from tacita.query.camouflage.model_intervals import CoefficientInterval, IntervalModel
from tacita.query.models.correlate import CorrelationOutcome
from tacita.query.models.model_result import Coefficient, FittedModel, ModelTable, TableLine
from tacita.web.pages.model_view import shown_correlations, shown_intervals, shown_model


def model(kind: str = "anova", **changes: object) -> FittedModel:
    lines = (TableLine("age", 1, 16.9, 12.5, 0.0), TableLine("residual", 90, 1200.0, math.nan, math.nan))
    made = {
        "response": "pay",
        "family": "linear",
        "method": "least squares",
        "coefficients": (
            Coefficient("(intercept)", (), -10900.0, 745.0, -14.6, 0.0),
            Coefficient("age", (), 0.242, 0.00005, 2.1, 0.0361),
        ),
        "n": 2817,
        "r_squared": 0.242,
        "table": ModelTable(kind, lines),  # type: ignore[arg-type]
        "references": (("sex", "f"),),
        "absorbed": (("region", ("x", "y")),),
        "distribution": "t",
    }
    return FittedModel(**{**made, **changes})  # type: ignore[arg-type]


def test_numbers_keep_their_digits() -> None:
    found = shown_model(model())
    assert found.coefficients[0].cells == ("−10\u00a0900", "745", "−14.6", "< 0.001")
    assert found.coefficients[1].cells == ("0.242", "0.0000500", "2.1", "0.036")
    assert found.coefficient_heads == ("Estimate", "Standard error", "t", "p")


def test_what_does_not_apply_is_left_out() -> None:
    found = shown_model(model())
    assert (found.table_title, found.table_heads) == (
        "Analysis of variance (sequential)",
        ("df", "Sum of squares", "F", "p"),
    )
    assert found.table[1].cells == ("90", "1200", "–", "–")
    wald = shown_model(model("wald"))
    assert wald.table_heads == ("df", "Wald statistic", "p")
    assert wald.table[0].cells == ("1", "16.9", "< 0.001")


def test_facts_say_what_the_model_is() -> None:
    facts = dict(shown_model(model()).facts)
    assert facts["R squared"] == "0.242"
    assert facts["Records analysed"] == "2817"
    assert facts["Reference classes"] == "sex: f"
    assert facts["Counted with the reference class"] == "region: x, y"
    other = dict(shown_model(model(n=None, family="logistic", references=(), absorbed=())).facts)
    assert set(other) == {"Method", "McFadden's R squared"}


def test_correlations_are_lines() -> None:
    found = shown_correlations(CorrelationOutcome((), "pearson", ("a", "b"), ((1.0, -0.5), (-0.5, 1.0))))
    assert [(line.head, line.cells) for line in found] == [("a", ("1.000", "−0.500")), ("b", ("−0.500", "1.000"))]


def test_a_model_of_intervals_has_two_ends_and_no_table() -> None:
    model = IntervalModel(
        "income", (CoefficientInterval("age", -1.5, 20.0),), (1.0, 2.0), (("sex", "f"),), (("urban", ("rural",)),)
    )
    shown = shown_intervals(model)
    assert shown.coefficient_heads == ("From", "To")
    assert [(line.head, line.cells) for line in shown.coefficients] == [("age", ("−1.5", "20"))]
    assert shown.table == ()
    assert ("Residual variance", "from 1 to 2") in shown.facts
    assert ("Reference classes", "sex: f") in shown.facts
    assert ("Counted with the reference class", "urban: rural") in shown.facts
