"""A model on every file."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.formula.api as smf

import tacita as tc
from tacita.compare.synthesis.analyse import analyse
from tacita.core.errors import ParameterError


def files() -> list[tc.Microdata]:
    data = tc.samples.household_survey(300, seed=1)
    return [tc.mask.Ipso(columns=["earnings"], given=["age"], kind_of="A").apply(data, seed=seed) for seed in range(4)]


def test_fitted_models_of_statsmodels_are_understood() -> None:
    def model(file: tc.Microdata):  # type: ignore[no-untyped-def]
        return smf.ols("earnings ~ age", file.to_arrow(codes=False).to_pandas()).fit()

    found = analyse(files(), model)
    by_hand = [model(file) for file in files()]
    assert found.names == ("Intercept", "age")
    assert found["age"]["estimate"] == pytest.approx(np.mean([fit.params["age"] for fit in by_hand]))
    within, between = (
        np.mean([fit.bse["age"] ** 2 for fit in by_hand]),
        np.var([f.params["age"] for f in by_hand], ddof=1),
    )
    assert found["age"]["error"] == pytest.approx(np.sqrt(within + between / 4))


def test_arrays_and_pairs() -> None:
    class Fitted:
        params, bse = np.array([1.0, 2.0]), np.array([0.1, 0.2])

    assert analyse(files(), lambda _: Fitted()).estimates.tolist() == [1.0, 2.0]
    assert analyse(files(), lambda file: (float(len(file)), 1.0)).estimates.tolist() == [300.0]
    with pytest.raises(ParameterError, match="'model' must return"):
        analyse(files(), lambda _: None)
