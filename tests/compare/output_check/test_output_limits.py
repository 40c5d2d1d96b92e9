"""Limits, exceptions, outputs and universes: their forms, ranges and files."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.compare.output_check.output import Output
from tacita.compare.output_check.output_limits import CHECKS, OutputException, OutputLimits, OutputRules
from tacita.compare.output_check.reason import named, worst
from tacita.compare.output_check.universe import universe_rows
from tacita.core.errors import ColumnError, DataError, FileError, ParameterError


def test_files_come_back(tmp_path: Path) -> None:
    one = OutputException(output="t1", check="zero", because="nobody  below 16 is married")
    rules = OutputRules(OutputLimits(at_least=5, dominance_share=75), (one,))
    place = tmp_path / "limits.toml"
    place.write_text(rules.to_toml(), encoding="utf-8")
    assert OutputRules.of(place) == rules
    assert OutputRules.of(str(place)).limits.at_least == 5
    assert one.because == "nobody below 16 is married"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[output_limits]\nat_least = 0", "'at_least' must be a whole number, at least 1"),
        ("[output_limits]\ndominance_share = 150", "'dominance_share' must be in"),
        ("[output_limits]\nzeros = 'maybe'", "'zeros' must be"),
        ("[output_limits]\nat_lest = 3", "Did you mean 'at_least'"),
        ("[limits]\nat_least = 3", r"\[output_limits\] and \[\[exception\]\]"),
        ("output_limits = 3", "one .output_limits. table"),
        ("[[exception]]\noutput = 't'", "'check' must be given"),
        ("[[exception]]\noutput = 't'\ncheck = 'zeroo'\nbecause = 'x'", "Did you mean 'zero'"),
        ("[[exception]]\noutput = 't'\ncheck = 'zero'\nbecause = ' '", "'because' must be said in words"),
        ("[[exception]]\nwho = 't'", "no setting 'who'"),
        ("not toml", "not valid TOML"),
    ],
)
def test_bad_limits(tmp_path: Path, text: str, message: str) -> None:
    place = tmp_path / "limits.toml"
    place.write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError, match=message):
        OutputRules.read(place)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"'no.toml' cannot be read"):
        OutputRules.read(tmp_path / "no.toml")
    (tmp_path / "odd.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(FileError, match="UTF-8"):
        OutputRules.read(tmp_path / "odd.toml")


def test_every_check_says_what_it_finds() -> None:
    assert all(words and not words.endswith(".") for words in CHECKS.values())
    assert worst(["review", "pass"]) == "review"
    assert named("abcdefg") == "a; b; c; d; e and 2 more"


# --- outputs -----------------------------------------------------------------------------------------------------------------


def test_an_output_comes_back() -> None:
    output = Output(
        kind="quantiles",
        name="q",
        rows="sex",
        values="income",
        probabilities=[0.25, 0.5],
        universe={"age": {"below": 65}},
    )
    again = Output.from_plain(output.to_plain())
    assert again.to_plain() == output.to_plain()
    assert again.rows == ("sex",)
    assert "universe" not in Output(universe=np.ones(3, bool)).to_plain()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "crosstabs"}, "Did you mean 'crosstab'"),
        ({"statistic": "meen", "values": "x"}, "Did you mean 'mean'"),
        ({"statistic": "mean"}, "needs 'values'"),
        ({"statistic": "ratio", "values": "x"}, "needs 'denominator'"),
        ({"rows": ["a"], "columns": ["a"]}, "classifies twice"),
        ({"rows": 3}, "'rows' must be a name or a list of names"),
        ({"kind": "quantiles", "values": "x"}, "needs 'probabilities'"),
        ({"kind": "quantiles", "values": "x", "probabilities": [25]}, "between 0 and 1"),
        ({"kind": "histogram", "values": "x", "bins": [3, 2]}, "each above the one before"),
        ({"kind": "histogram", "values": "x", "bins": ["a"]}, "list of numbers"),
        ({"kind": "survival"}, "needs 'time'"),
        ({"kind": "correlation"}, "two or more 'variables'"),
        ({"kind": "regression", "records": -1}, "at least 0"),
        ({"kind": "regression", "fit": float("nan")}, "'fit' must be a number"),
        ({"name": "a\nb"}, "without control characters"),
        ({"note": "\x1b[2Jpassed"}, "without control characters"),
        ({"values": 3}, "'values' must be text"),
        ({"universe": {"age": {"over": 3}}}, "no condition 'over'"),
    ],
)
def test_bad_outputs(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Output(**settings)


def test_unknown_settings() -> None:
    with pytest.raises(ParameterError, match="Did you mean 'rows'"):
        Output.from_plain({"row": ["a"]})


# --- universes ---------------------------------------------------------------------------------------------------------------


def _data() -> tc.Microdata:
    frame = pd.DataFrame(
        {
            "age": [10.0, 20.0, np.nan, 40.0],
            "sex": ["f", "m", "f", None],
            "level": ["low", "high", "mid", "low"],
            "day": [datetime.date(2020, 1, day) for day in (1, 2, 3, 4)],
        }
    )
    made = tc.Microdata.from_frame(frame, scales={"level": "ordinal"})
    column = tc.Column(name="level", scale="ordinal", categories=("low", "mid", "high"))
    return made.with_schema(tc.Schema(tuple(column if one.name == "level" else one for one in made.schema)))


@pytest.mark.parametrize(
    ("universe", "rows"),
    [
        (None, [0, 1, 2, 3]),
        ({"age": {"at_least": 20}}, [1, 3]),
        ({"age": {"above": 10, "below": 40}}, [1]),
        ({"age": 20}, [1]),
        ({"age": [10, 40.0]}, [0, 3]),
        ({"sex": "f"}, [0, 2]),
        ({"sex": {"not": "f"}}, [1, 3]),
        ({"sex": {"missing": True}}, [3]),
        ({"sex": {"missing": False}, "age": {"missing": False}}, [0, 1]),
        ({"level": {"at_most": "mid"}}, [0, 2, 3]),
        ({"day": {"above": datetime.date(2020, 1, 2)}}, [2, 3]),
        ({"day": "2020-01-02"}, [1]),
        ([True, False, False, True], [0, 3]),
    ],
)
def test_universes(universe: Any, rows: list[int]) -> None:
    assert np.flatnonzero(universe_rows(_data(), universe, "Output")).tolist() == rows


@pytest.mark.parametrize(
    ("universe", "error", "message"),
    [
        ({"agee": 3}, ColumnError, "Did you mean 'age'"),
        ({"sex": {"above": "f"}}, ParameterError, "is nominal"),
        ({"age": {"above": "old"}}, ParameterError, "must be a number"),
        ({"level": {"above": "top"}}, ParameterError, "must name a category"),
        ([True], DataError, "4 truth values"),
        ([1, 2, 3, 4], DataError, "4 truth values"),
        ({3: 4}, ParameterError, "must name columns"),
    ],
)
def test_bad_universes(universe: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        universe_rows(_data(), universe, "Output")
