"""Sufficient perturbation, and ``tacita.mask.synthetic.regression_draw``: exact coefficients at every similarity."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.mask import SufficientPerturbation
from tests.conformance.property_checks import PROPERTY_CHECKS
from tests.mask.synthetic.test_ipso import NAMES, file, fits


@pytest.mark.parametrize("by", [(), ("g",)])
@pytest.mark.parametrize("similarity", [0.0, 0.5, 0.99])
def test_everything_linear_is_exact(similarity: float, by: tuple[str, ...]) -> None:
    data = file()
    mask = SufficientPerturbation(columns=NAMES, given=["x0", "x1"], similarity=similarity, by=by, decimals="any")
    made = mask.apply(data, seed=7)
    (b, e), (new_b, new_e) = fits(data), fits(made)
    assert np.abs(new_b - b).max() <= 1e-9 * np.abs(b).max()
    assert np.abs(new_e - e).max() <= 1e-9 * np.abs(e).max()
    assert (made.floats(NAMES) != data.floats(NAMES)).all()


def test_the_similarity_is_the_correlation_of_residuals() -> None:
    data = file()
    made = SufficientPerturbation(columns=NAMES, similarity=0.7, decimals="any").apply(data, seed=7)
    for name in NAMES:
        assert abs(np.corrcoef(data.numbers(name), made.numbers(name))[0, 1] - 0.7) < 1e-9


@pytest.mark.parametrize("claim", ["coefficients", "covariances"])
def test_claims_are_checked(claim: str) -> None:
    mask = SufficientPerturbation(columns=NAMES, given=["x0", "x1"], decimals="any")
    PROPERTY_CHECKS[claim](mask, file(), mask.apply(file(), seed=3), NAMES)
    rough = SufficientPerturbation(columns=NAMES, given=["x0", "x1"], decimals=0)
    assert rough.traits.preserves == ()
    with pytest.raises(AssertionError):
        PROPERTY_CHECKS[claim](mask, file(), rough.apply(file(), seed=3), NAMES)


def test_few_records_borrow_and_keep_their_similarity() -> None:
    data = file(400)
    y = data.floats(NAMES).copy()
    y[:3, 0] = np.nan
    data = data.with_numbers({"y0": y[:, 0]})
    near, far = (
        SufficientPerturbation(columns=NAMES, similarity=s, decimals="any").apply(data, seed=7).floats(NAMES)[:3, 1:]
        for s in (0.9999, 0.0)
    )
    assert np.isnan(data.numbers("y0")[:3]).all()
    sd = y[:, 1:].std(axis=0)
    assert np.abs((near - y[:3, 1:]) / sd).max() < 0.1
    assert np.abs((far - y[:3, 1:]) / sd).max() > 0.3


def test_risk_rises_with_similarity() -> None:
    data = tc.samples.business_survey(400, seed=1)
    money = ["turnover", "wages", "energy"]
    risks = [
        tc.risk.DistanceLinkage(columns=money)(
            data, SufficientPerturbation(columns=money, similarity=s).apply(data, seed=7)
        ).value
        for s in (0.1, 0.999)
    ]
    assert risks[0] < 5
    assert risks[1] > 15


def test_limits() -> None:
    with pytest.raises(ParameterError, match="'similarity' must be in"):
        SufficientPerturbation(similarity=1)
    with pytest.raises(DataError, match="9 records are too few for 3 columns given 2 others"):
        SufficientPerturbation(columns=NAMES, given=["x0", "x1"]).apply(file(9), seed=1)
