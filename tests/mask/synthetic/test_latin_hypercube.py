"""Latin hypercube: distributions of every column come out evenly, more so than a sample of them would."""

from __future__ import annotations

import numpy as np
from scipy.stats import ks_2samp, spearmanr

import tacita as tc
from tacita.mask import GaussianCopula, LatinHypercube

MONEY = ["employees", "turnover", "wages", "energy"]


def test_distributions_come_out_evenly() -> None:
    data = tc.samples.business_survey(800, seed=1).select(["activity", *MONEY])
    even, drawn = (mask.apply(data, seed=7) for mask in (LatinHypercube(), GaussianCopula()))

    def off(made: tc.Microdata) -> float:
        """The largest difference of distribution functions, over all columns."""
        there = [(d.float(n)[~np.isnan(d.float(n))] for d in (data, made)) for n in MONEY]
        return max(float(ks_2samp(*pair).statistic) for pair in there)

    assert off(even) < 0.02
    assert off(drawn) > 1.5 * off(even)


def test_rank_correlations_are_those_of_the_original() -> None:
    data = tc.samples.business_survey(800, seed=1).select(MONEY)
    made = LatinHypercube().apply(data, seed=7)
    old, new = (np.asarray(spearmanr(d.floats(MONEY), nan_policy="omit").statistic) for d in (data, made))
    assert np.abs(old - new).max() < 0.03
