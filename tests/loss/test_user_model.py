"""A user's model: some records of both files, and intervals that reach as far as their quantile."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.data.pairing import pair_records
from tacita.loss.user_model import UserModel, column_terms, quantile_of


def test_quantiles_are_those_of_the_tables() -> None:
    assert quantile_of(0.95, None) == pytest.approx(1.959964)
    assert quantile_of(0.95, 4) == pytest.approx(2.776445)


def test_some_records_are_fitted_as_a_file_of_their_own() -> None:
    data = tc.samples.household_survey(300, seed=1)
    masked = tc.mask.AdditiveNoise(columns=["earnings"], sd_ratio=0.5).apply(data, seed=7)

    def compared(pair: object, *rows: np.ndarray) -> dict:
        model = UserModel.of(pair, "tax", column_terms(pair, ("age", "earnings")), "linear", owner="test")
        return dict(model.compare(0.95, *rows).overlaps)

    chosen = np.arange(0, 300, 2)
    alone = pair_records(data.take(chosen), masked.take(chosen), "order")
    assert compared(pair_records(data, masked), chosen, chosen) == pytest.approx(compared(alone))
