"""Every kind of output: what passes, what a person must look at, what fails, and how it is given."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tacita as tc
from tacita.compare.output_check.output_limits import OutputException, OutputLimits, OutputRules
from tacita.core.errors import ParameterError

Out = tc.Output


@pytest.fixture(scope="module")
def survey() -> tc.Microdata:
    return tc.samples.household_survey(1500, seed=1)


@pytest.fixture(scope="module")
def firms() -> tc.Microdata:
    return tc.samples.business_survey(800, seed=1)


def _small() -> tc.Microdata:
    """40 records: groups of 30 and 10, a value that all of the second group share, an outlier."""
    rng = np.random.default_rng(2)
    income = np.concatenate([rng.uniform(100, 200, 29), [90000.0], np.full(10, 50.0)])
    return tc.Microdata.from_frame(
        pd.DataFrame(
            {
                "group": ["a"] * 30 + ["b"] * 10,
                "other": ["x"] * 15 + ["y"] * 15 + ["x"] * 10,
                "rare": ["p"] * 37 + ["q"] * 3,
                "income": income,
                "cost": income / 2,
                "age": np.arange(40.0),
            }
        )
    )


CASES: dict[str, tuple[dict[str, Any], set[str]]] = {
    "counts": ({"rows": ["group"]}, set()),
    "few": ({"rows": ["rare"]}, {"minimum_frequency"}),
    "full and empty": ({"rows": ["group"], "columns": ["other"]}, {"zero", "full"}),
    "dominance": ({"rows": ["group"], "values": "income", "statistic": "sum"}, {"dominance", "p_percent"}),
    "mean of one value": (
        {"rows": ["group"], "values": "income", "statistic": "mean"},
        {"dominance", "p_percent", "all_same"},
    ),
    "hhi": ({"values": "income", "statistic": "hhi"}, {"dominance", "p_percent"}),
    "ratio": (
        {"values": "income", "denominator": "cost", "statistic": "ratio"},
        {"dominance", "p_percent"},
    ),
    "median": ({"values": "age", "statistic": "median"}, set()),
    "gini of few": ({"rows": ["group"], "values": "age", "statistic": "gini"}, {"degrees_of_freedom"}),
    "extremes": ({"values": "income", "statistic": ["min", "max"]}, {"extremes"}),
    "a shared minimum": ({"values": "income", "statistic": "min"}, set()),
    "quartiles": ({"kind": "quantiles", "values": "age", "probabilities": [0.25, 0.5, 0.75]}, set()),
    "percentiles": ({"kind": "quantiles", "values": "age", "probabilities": [0.5, 0.9]}, {"steps"}),
    "a maximum as percentile": ({"kind": "quantiles", "values": "age", "probabilities": [0.5, 1]}, {"extremes"}),
    "a histogram": ({"kind": "histogram", "values": "age", "bins": [-5, 15, 45]}, set()),
    "edges of the data": ({"kind": "histogram", "values": "age", "bins": [0, 20, 39]}, {"extremes"}),
    "thin bins": ({"kind": "histogram", "values": "age", "bins": [-5, 2, 45]}, {"minimum_frequency"}),
    "a box plot": ({"kind": "boxplot", "values": "income"}, {"extremes", "single_records"}),
    "boxes of few": ({"kind": "boxplot", "rows": ["group"], "values": "age", "outliers": False}, {"extremes", "steps"}),
    "a curve": ({"kind": "survival", "time": "age", "event": "income", "times": [14, 28]}, set()),
    "every step": ({"kind": "survival", "time": "age", "event": "income"}, {"minimum_frequency"}),
    "points": ({"kind": "points", "variables": ["age", "income"]}, {"single_records"}),
    "a regression": ({"kind": "regression", "dependent": "income", "variables": ["age"]}, set()),
    "a rare dummy": ({"kind": "regression", "dependent": "income", "variables": ["age", "rare"]}, {"small_category"}),
    "a model of few": (
        {"kind": "regression", "dependent": "income", "variables": ["age"], "universe": {"age": {"below": 11}}},
        {"degrees_of_freedom"},
    ),
    "as said": ({"kind": "regression", "records": 100, "parameters": 5}, {"unknown_basis"}),
    "saturated": (
        {"kind": "regression", "records": 30, "parameters": 30},
        {"unknown_basis", "degrees_of_freedom", "saturated"},
    ),
    "a fit that is too good": (
        {"kind": "regression", "dependent": "income", "variables": ["cost"], "fit": 100},
        {"saturated"},
    ),
    "a correlation": ({"kind": "correlation", "variables": ["age", "income"]}, set()),
    "a correlation of few": (
        {"kind": "correlation", "variables": ["age", "income"], "universe": {"rare": "q"}},
        {"minimum_frequency", "degrees_of_freedom"},
    ),
    "a test": ({"kind": "test", "variables": ["age", "group"], "degrees_of_freedom": 38}, set()),
    "a test without anything": ({"kind": "test"}, {"unknown_basis"}),
    "another number of records": (
        {"kind": "regression", "dependent": "income", "variables": ["age"], "records": 39},
        {"match"},
    ),
    "nobody": ({"rows": ["group"], "universe": {"age": {"above": 1000}}}, {"unknown_basis"}),
}


@pytest.mark.parametrize("name", CASES)
def test_kinds(name: str) -> None:
    described, wanted = CASES[name]
    found = tc.check_output(Out(**described), _small())
    checks = {reason.check for reason in found.verdicts[0].reasons}
    assert checks - {"differencing"} == wanted
    only_for_a_person = {"zero", "small_category", "unknown_basis", "match"}
    assert found.state == ("pass" if not wanted else "review" if wanted <= only_for_a_person else "fail")


def test_reasons_name_cells_and_no_values() -> None:
    found = tc.check_output(Out(name="t", rows=["group"], values="income", statistic="max"), _small())
    said = f"{found}{found!r}{found.to_plain()}{found._repr_html_()}"
    assert "group=a" in said
    assert "90000" not in said
    assert found["t"].reasons[0].cells


def test_holdings_count(firms: tc.Microdata) -> None:
    limits = {"at_least": 1, "zeros": "pass", "full": "pass"}
    alone = tc.check_output(
        Out(rows=["size_class"], columns=["region"]), firms, limits={**limits, "holdings_at_least": 1}
    )
    grouped = tc.check_output(Out(rows=["size_class"], columns=["region"]), firms, limits=limits)
    assert alone.state == "pass"
    assert "holdings" in {reason.check for reason in grouped.verdicts[0].reasons}


def test_weights_change_figures_and_no_verdict(survey: tc.Microdata) -> None:
    plain = tc.check_output(Out(rows=["education"]), survey)
    weighted = tc.check_output(Out(rows=["education"], weight="weight"), survey)
    assert [reason.cells for reason in plain.verdicts[0].reasons] == [r.cells for r in weighted.verdicts[0].reasons]


# --- how outputs are given ---------------------------------------------------------------------------------------------------


def test_a_crosstab_of_pandas_describes_itself(survey: tc.Microdata) -> None:
    frame = survey.to_arrow(codes=False).to_pandas()
    table = pd.crosstab(frame["sex"], frame["urban"], margins=True)
    found = tc.check_output(table, survey)
    assert found.state == "pass", str(found)
    assert found.verdicts[0].figures == table.size
    pivot = frame.pivot_table(index="sex", columns=["urban", "marital"], values="age", aggfunc="mean")
    made = tc.check_output(
        pivot, survey, values="age", statistic="mean", limits={"at_least": 1, "holdings_at_least": 1}
    )
    assert "match" not in {reason.check for reason in made.verdicts[0].reasons}


def test_a_frame_of_polars_and_a_wrong_figure(survey: tc.Microdata) -> None:
    frame = pl.from_arrow(survey.to_arrow(codes=False))
    assert isinstance(frame, pl.DataFrame)
    table = frame.group_by("sex").agg(pl.col("income").mean().alias("mean"))
    good = tc.check_output(table, survey, rows=["sex"], values="income", statistic="mean")
    assert good.state == "pass", str(good)
    wrong = table.with_columns(pl.col("mean") + 1)
    found = tc.check_output(wrong, survey, rows=["sex"], values="income", statistic="mean")
    assert found.state == "review"
    assert "2 of 2 shown figures" in found.verdicts[0].reasons[0].words


def test_a_fitted_model_brings_its_records(survey: tc.Microdata) -> None:
    formula = pytest.importorskip("statsmodels.formula.api", reason="statsmodels is not installed")
    frame = survey.to_arrow(codes=False).to_pandas()
    whole = formula.ols("income ~ age", frame).fit()
    found = tc.check_output(whole, survey)
    assert found.state == "pass", str(found)
    less = formula.ols("income ~ age", frame.drop(index=[5])).fit()
    both = tc.check_output([whole, less], survey)
    assert [one.state for one in both.verdicts] == ["fail", "fail"]
    few = formula.ols("income ~ age", frame.head(9)).fit()
    assert tc.check_output(few, survey).state == "fail"
    with pytest.raises(ParameterError, match="comes from the model"):
        tc.check_output(whole, survey, records=10)


def test_a_frame_is_data_too() -> None:
    frame = pd.DataFrame({"sex": ["f"] * 20 + ["m"] * 20})
    found = tc.check_output(Out(rows=["sex"]), frame)
    assert found.has_passed
    assert isinstance(found.to_frame(), pd.DataFrame)
    assert found.to_frame()["verdict"].tolist() == ["pass"]


# --- limits and exceptions ---------------------------------------------------------------------------------------------------


def test_limits_decide() -> None:
    output = Out(rows=["rare"])
    assert tc.check_output(output, _small(), limits={"at_least": 3}).state == "pass"
    assert tc.check_output(output, _small(), limits=OutputLimits(at_least=4)).state == "fail"


def test_an_exception_is_recorded_and_lets_pass() -> None:
    one = OutputException(output="t", check="minimum_frequency", because="public bodies", by="A. Steward")
    rules = OutputRules(exceptions=(one,))
    found = tc.check_output(Out(name="t", rows=["rare"]), _small(), limits=rules)
    assert found.state == "pass"
    assert found["t"].exceptions == (one,)
    assert "public bodies" in json.dumps(found.to_plain())
    other = tc.check_output(Out(name="u", rows=["rare"]), _small(), limits=rules)
    assert other.state == "fail"
    assert "was not needed" in other.notes[0]


def test_a_researchers_note_decides_nothing() -> None:
    found = tc.check_output(Out(rows=["rare"], note="these are harmless"), _small())
    assert found.state == "fail"
    assert "these are harmless" in str(found)


# --- safe versions -----------------------------------------------------------------------------------------------------------


def test_a_safe_version_passes(survey: tc.Microdata) -> None:
    """What the protector leaves is checked again, as a researcher would send it."""
    output = Out(name="t", rows=["marital"], columns=["education"])
    limits = {"zeros": "pass", "full": "pass", "holdings_at_least": 1}
    found = tc.check_output(output, survey, limits=limits)
    assert found.state == "fail"
    made = found.protect("t")
    assert made.is_safe
    table = made.table
    shown = pd.DataFrame(
        {
            "marital": table.column("marital"),
            "education": table.column("education"),
            "count": np.where(made.hidden, np.nan, made.values),
        }
    )
    again = tc.check_output(shown, survey, rows=["marital"], columns=["education"], limits=limits)
    checks = {reason.check for reason in again.verdicts[0].reasons}
    assert "minimum_frequency" not in checks
    assert "match" not in checks


def test_a_curve_has_no_safe_version_here() -> None:
    found = tc.check_output(Out(name="c", kind="points"), _small())
    with pytest.raises(ParameterError, match="cannot be protected"):
        found.protect("c")
    with pytest.raises(ParameterError, match="Did you mean 'c'"):
        found.protect("cc")


@pytest.mark.parametrize(
    ("given", "settings", "message"),
    [
        ([], {}, "no output to check"),
        ([Out(name="a"), Out(name="a")], {}, "two outputs are called 'a'"),
        ([Out(), Out()], {"rows": ["group"]}, "settings describe one output"),
        (7, {}, "an output, a frame or a fitted model is needed"),
        (pd.DataFrame({"n": [1]}), {}, "say how the table was made"),
        (Out(), {"limits": 7}, "'limits' must be limits"),
    ],
)
def test_bad_input(given: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        tc.check_output(given, _small(), **settings)
