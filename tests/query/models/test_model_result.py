"""The two sides of a result: the public one in JSON, the internal one without a value in its repr."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.models.linear import fit_linear
from tacita.query.models.model_result import Coefficient, FittedModel, InternalFit, ModelTable, TableLine
from tacita.query.models.publish import published
from tests.query.models.builders import built, full_spec, sample


def test_the_internal_side_shows_nothing() -> None:
    fit = fit_linear(built(full_spec(), sample(200)))
    assert isinstance(fit, InternalFit)
    assert repr(fit) == "InternalFit(family='linear', kind='anova')"
    np.testing.assert_allclose(fit.errors, np.sqrt(np.diag(fit.covariance)))


def test_the_public_side_is_json_of_labels_and_numbers() -> None:
    fit = fit_linear(built(full_spec(), sample(200)))
    assert isinstance(fit, InternalFit)
    plain = json.loads(json.dumps(published(full_spec(), fit, count=lambda n: n).to_plain(), allow_nan=False))
    assert plain["n"] == 200
    by_label = {c["label"]: c for c in plain["coefficients"]}
    crossed = next(c for label, c in by_label.items() if label.startswith("x:g["))
    assert crossed["effects"][0] == {"variable": "x", "transform": None, "class": None}
    assert crossed["effects"][1]["variable"] == "g"
    assert by_label["log(z)"]["effects"] == [{"variable": "z", "transform": "log", "class": None}]
    assert set(plain["references"]) == {"g", "h"}
    longest = max(len(v) for v in plain.values() if isinstance(v, list | dict))
    assert longest < 20  # no array of records


def test_numbers_that_are_none() -> None:
    line = TableLine("(residual)", None, 3.0, np.nan, np.nan)
    assert ModelTable("anova", (line,)).to_plain()["lines"][0] == {
        "label": "(residual)",
        "df": None,
        "amount": 3.0,
        "statistic": None,
        "p_value": None,
    }
    assert Coefficient("x", (), 1.0, 0.0, np.nan, np.nan).to_plain()["statistic"] is None


# --- read back --------------------------------------------------------------------------------------------------------------


def fitted_plain(*, count: bool = True) -> dict[str, Any]:
    fit = fit_linear(built(full_spec(), sample(200)))
    assert isinstance(fit, InternalFit)
    plain = published(full_spec(), fit, count=(lambda n: n) if count else None).to_plain()
    return dict(json.loads(json.dumps(plain, sort_keys=True, allow_nan=False)))


@pytest.mark.parametrize("count", [True, False])
def test_the_public_side_is_read_back(count: bool) -> None:
    plain = fitted_plain(count=count)
    back = FittedModel.from_plain(plain)
    assert back.to_plain() == plain
    assert back.coefficients[0].label == "(intercept)"
    assert ("z", "log", None) in back.coefficients[[c.label for c in back.coefficients].index("log(z)")].effects
    assert np.isnan(back.table.lines[-1].statistic)
    assert (back.n == 200) == count


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("response",), 7), (("n",), 1.5), (("n",), "200"), (("coefficients",), {}), (("coefficients", 0), None),
        (("coefficients", 0, "estimate"), "1"), (("coefficients", 0, "effects"), [{"variable": "x"}]),
        (("coefficients", 1, "effects"), [{"variable": "x", "transform": 1, "class": None}]), (("distribution",), "f"),
        (("table",), []), (("table", "kind"), "other"), (("table", "lines", 0, "df"), True), (("references",), ["g"]),
        (("references",), {"g": 1}), (("absorbed",), {"g": "a"}), (("r_squared",), "0"), (("more",), 1),
        (("table", "more"), 1), (("coefficients", 0, "more"), 1), (("table", "lines", 0, "more"), 1),
    ],
)  # fmt: skip
def test_what_is_no_model_is_an_error(path: tuple[Any, ...], value: Any) -> None:
    plain = fitted_plain()
    place: Any = plain
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(ParameterError):
        FittedModel.from_plain(plain)


def test_no_part_of_a_model_may_be_lacking() -> None:
    for name in fitted_plain():
        with pytest.raises(ParameterError, match=name):
            FittedModel.from_plain({k: v for k, v in fitted_plain().items() if k != name})
