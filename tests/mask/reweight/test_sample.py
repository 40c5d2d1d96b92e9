"""Sample: sizes, strata, households, inclusion probabilities and weights."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.mask.reweight.sample import Sample, draw_sample, sample_sizes


@given(st.lists(st.integers(1, 60), min_size=1, max_size=12), st.data())
def test_sizes_are_shared_in_proportion(strata: list[int], data: st.DataObject) -> None:
    sizes = np.array(strata)
    wanted = data.draw(st.integers(len(sizes), int(sizes.sum())))
    drawn = sample_sizes(sizes, wanted)
    assert drawn.sum() == wanted
    assert (drawn >= 1).all()
    assert (drawn <= sizes).all()
    large = sizes * wanted / sizes.sum() >= 1
    if large.all():
        assert (np.abs(drawn - sizes * wanted / sizes.sum()) <= 1 + 1e-9).all()


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.integers(0, 10**6))
def test_draw_has_the_sizes_without_repetition(labels: list[int], seed: int) -> None:
    strata = np.unique(labels, return_inverse=True)[1]
    rng = np.random.default_rng(seed)
    sizes = rng.integers(0, np.bincount(strata) + 1)
    rows = draw_sample(strata, sizes, rng)
    assert len(set(rows.tolist())) == len(rows)
    assert np.array_equal(rows, np.sort(rows))
    assert np.array_equal(np.bincount(strata[rows], minlength=len(sizes)), sizes)


def test_every_record_has_the_same_chance() -> None:
    """4000 samples of 3 out of 10: a record's count is binomial(4000, 0.3) with sd 29; 5 sd rejects 30 % off by far."""
    rng = np.random.default_rng(1)
    counts = np.zeros(10)
    for _ in range(4000):
        counts[draw_sample(np.zeros(10, dtype=np.int64), np.array([3]), rng)] += 1
    assert np.abs(counts - 1200).max() < 5 * 29


def test_weights_by_the_inverse_inclusion_probability() -> None:
    """By hand: 2 of 4 in stratum a, 1 of 2 in b, so all weights double."""
    table = pa.table({"s": list("aaaabb"), "w": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})
    data = tc.Microdata.from_frame(table, strata=["s"], weight="w")
    drawn = Sample(records=3, by=["s"]).apply(data, seed=1)
    assert drawn.to_arrow().column("s").to_pylist() == ["a", "a", "b"]
    assert drawn.weights() == pytest.approx(2 * data.weights()[drawn.origin_rows()])


def test_households_are_drawn_whole() -> None:
    data = tc.samples.household_survey(900, seed=2)
    house = data.schema.household
    drawn = Sample(fraction=0.2, by=["region"], unit=house).apply(data, seed=3)
    groups = data.groups([house])
    chosen = np.isin(groups, groups[drawn.origin_rows()])
    assert chosen.sum() == len(drawn)
    assert len(np.unique(groups[drawn.origin_rows()])) == round(0.2 * (groups.max() + 1))
    region = data.groups(["region"])
    for stratum in range(region.max() + 1):
        whole, part = np.flatnonzero(region == stratum), drawn.origin_rows()
        part = part[region[part] == stratum]
        inverse = len(np.unique(groups[whole])) / len(np.unique(groups[part]))
        here = np.isin(drawn.origin_rows(), part)
        assert drawn.weights()[here] == pytest.approx(inverse * data.weights()[part])


def test_estimates_are_unbiased() -> None:
    """300 samples: the mean of the estimated total is the total; its standard error is taken from the samples."""
    data = tc.samples.household_survey(400, seed=5)
    x = np.nan_to_num(data.float("income"))
    estimates = []
    for seed in range(300):
        drawn = Sample(fraction=0.25, by=["region"]).apply(data, seed=seed)
        estimates.append(float(np.nan_to_num(drawn.float("income")) @ drawn.weights()))
    error = np.std(estimates) / np.sqrt(300)
    total = float(x @ data.weights())
    assert abs(np.mean(estimates) - total) < 4 * error
    assert abs(np.mean(estimates) - 1.3 * total) > 4 * error


def test_a_sample_can_keep_totals() -> None:
    data = tc.samples.household_survey(1000, seed=5)
    mask = Sample(fraction=0.3, margins=[["sex", "region"]], totals=["income"], distance="logit", bounds=(0.2, 4))
    drawn = mask.apply(data, seed=1)
    assert np.nan_to_num(drawn.float("income")) @ drawn.weights() == pytest.approx(
        np.nan_to_num(data.float("income")) @ data.weights(), rel=1e-9
    )


def test_data_without_weights() -> None:
    data = tc.Microdata.from_frame(pa.table({"a": list("xyxyxy")}), keys=["a"])
    assert len(Sample(records=2).apply(data, seed=1)) == 2
    with pytest.raises(DataError, match="must have a weight column"):
        Sample(records=2, margins=[["a"]]).apply(data, seed=1)


def test_what_cannot_be_drawn() -> None:
    data = tc.samples.household_survey(60, seed=1)
    house = data.schema.household
    for fraction in (0.0, 1.1, -0.5):
        with pytest.raises(ParameterError, match="'fraction' must be"):
            Sample(fraction=fraction)
    with pytest.raises(ParameterError, match="not both"):
        Sample(fraction=0.5, records=3)
    assert len(Sample().apply(data, seed=1)) == 6, "a tenth by default"
    with pytest.raises(DataError, match="61 records are to be drawn, but the file has 60"):
        Sample(records=61).apply(data, seed=1)
    with pytest.raises(DataError, match="2 records are to be drawn from 7 strata"):
        Sample(records=2, by=["education"]).apply(
            data.with_column("education", pa.array([str(i % 7) for i in range(60)]), column=_nominal()), seed=1
        )
    with pytest.raises(DataError, match="in different strata"):
        Sample(by=["sex"], unit=house).apply(data, seed=1)
    assert len(Sample(records=0).apply(data, seed=1)) == 0


def _nominal() -> tc.Column:
    return tc.Column(name="education", scale="nominal")
