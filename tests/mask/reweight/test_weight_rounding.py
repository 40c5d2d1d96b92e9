"""Weight rounding: multiples of a base whose sums stay."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacita as tc
from tacita.mask.reweight.weight_rounding import round_weights
from tests.effort import examples

DATA = tc.samples.household_survey(600, seed=1)


@settings(max_examples=examples(60), deadline=None)
@given(
    weights=st.lists(st.floats(0, 1e4), min_size=1, max_size=40),
    base=st.sampled_from([0.5, 1.0, 7.0, 100.0]),
    seed=st.integers(0, 99),
)
def test_multiples_near_the_weight_with_a_kept_sum(weights: list[float], base: float, seed: int) -> None:
    w = np.array(weights)
    made = round_weights(w, np.ones(len(w), dtype=np.int64), base=base, rng=np.random.default_rng(seed))
    steps = made / base
    assert np.allclose(steps, np.rint(steps))
    assert ((made > 0) == (w > 0)).all()
    assert (np.abs(made - w) <= base * (1 + 1e-9)).all()
    raised = np.maximum(base - w[(w > 0)], 0).sum()
    if raised <= np.maximum(w - np.maximum(np.floor(w / base), 1) * base, 0).sum():
        assert abs(made.sum() - w.sum()) <= base * (1 + 1e-6)


def test_expected_weights_are_the_weights() -> None:
    w = np.array([12.0, 17.0, 25.5, 31.0, 44.0])
    ones = np.ones(5, dtype=np.int64)
    made = np.array([round_weights(w, ones, base=10, rng=np.random.default_rng(s)) for s in range(4000)])
    assert made.mean(axis=0) == pytest.approx(w, abs=0.4)  # a standard error of 0.08 at most; five of them


def test_households_keep_one_weight_and_strata_their_sums() -> None:
    base = 500.0
    masked = tc.mask.WeightRounding(base=base, by=["region"]).apply(DATA, seed=3)
    houses, regions = DATA.groups(["household"]), DATA.groups(["region"])
    weights = masked.weights()
    assert np.array_equal(weights, weights[np.unique(houses, return_index=True)[1]][houses])
    assert np.allclose(weights / base, np.rint(weights / base))
    before, after = (np.bincount(regions, weights=w) for w in (DATA.weights(), weights))
    assert np.abs(after - before).max() <= base * 10  # one base for each of the members of a household, and a little
    assert len(np.unique(weights)) < len(np.unique(DATA.weights()))


def test_whole_weights_stay_whole() -> None:
    data = tc.Microdata.from_frame(pa.table({"w": [12, 23, 37]}), weight="w", scales={"w": "numeric"})
    assert pa.types.is_integer(tc.mask.WeightRounding(base=5).apply(data, seed=1).to_arrow().schema.field("w").type)


def test_too_large_a_base_is_said() -> None:
    data = tc.Microdata.from_frame(pa.table({"w": [1.0, 2.0, 1.5]}), weight="w")
    with pytest.warns(tc.TacitaWarning, match="take a smaller one"):
        assert tc.mask.WeightRounding(base=100).apply(data, seed=1).weights().tolist() == [100.0, 100.0, 100.0]


def test_no_weight_at_all() -> None:
    data = tc.Microdata.from_frame(pa.table({"w": [0.0, 0.0]}), weight="w")
    assert tc.mask.WeightRounding().apply(data, seed=1).weights().tolist() == [0.0, 0.0]
