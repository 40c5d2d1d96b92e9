"""The two sides of a result: the public one in JSON, the internal one without a value in its repr."""

from __future__ import annotations

import json

import numpy as np

from tacita.query.models.linear import fit_linear
from tacita.query.models.model_result import Coefficient, InternalFit, ModelTable, TableLine
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
