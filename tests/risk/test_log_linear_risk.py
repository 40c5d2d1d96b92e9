"""Risk of sample uniques by log-linear models: by hand, against simulated populations, and bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, MeasureError, ParameterError, TacitaError
from tacita.data.microdata import Microdata
from tacita.risk.log_linear_risk import LogLinearRisk
from tacita.risk.uniqueness import PopulationUniqueness

ESTIMATORS = ("poisson", "clogg-eliason", "pseudo-likelihood", "weighted")


def make(codes: np.ndarray, weight: float | np.ndarray = 10.0) -> Microdata:
    names = [f"k{j}" for j in range(codes.shape[1])]
    table = pa.table({name: codes[:, j].astype(str) for j, name in enumerate(names)})
    weights = pa.array(np.broadcast_to(np.asarray(weight, dtype=float), len(codes)))
    return Microdata.from_frame(table.append_column("w", weights), keys=names, weight="w")


def test_by_hand() -> None:
    """Records 00, 00, 01, 10 with weight 10 under independence: mu of the cells 01 and 10 is 3/4, lambda 7.5, h 6.75."""
    data = make(np.array([[0, 0], [0, 0], [0, 1], [1, 0]]))
    found = LogLinearRisk().assess(data)
    assert found.parts["tau 1"] == pytest.approx(2 * np.exp(-6.75))
    assert found.parts["tau 2"] == pytest.approx(2 * (1 - np.exp(-6.75)) / 6.75)
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx([0, 0, *[(1 - np.exp(-6.75)) / 6.75] * 2])
    assert found.value == pytest.approx(100 * found.parts["tau 2"] / 4)


def test_two_models_of_the_other_measure() -> None:
    data = tc.samples.household_survey(400, seed=3)
    keys = ["sex", "region", "age"]
    for interactions, model in (("none", "independence"), ("pairs", "two-way")):
        mine = LogLinearRisk(columns=keys, interacting=interactions, fraction=0.05).assess(data)
        other = PopulationUniqueness(columns=keys, model=model, fraction=0.05).assess(data)  # type: ignore[arg-type]
        assert mine.parts["tau 1"] == pytest.approx(other.parts["unique in both"])
        assert mine.parts["tau 2"] == pytest.approx(other.parts["right matches"])
        assert mine.parts["test of tau 1"] == pytest.approx(other.parts[f"test of {model}"])


def test_lists_of_interactions() -> None:
    """All pairs given one by one are the model of all pairs; a term within another changes nothing."""
    data = make(np.random.default_rng(2).integers(0, 4, (60, 3)))
    pairs = LogLinearRisk(interacting="pairs").assess(data)
    listed = LogLinearRisk(interacting=[["k0", "k1"], ["k1", "k2"], ["k2", "k0"], ["k0"]]).assess(data)
    assert listed.value == pytest.approx(pairs.value)
    assert LogLinearRisk(interacting=[["k0", "k1"]]).assess(data).value != pytest.approx(pairs.value)


@pytest.mark.parametrize("estimator", ESTIMATORS[:3])
def test_near_the_truth_of_a_population(estimator: Any) -> None:
    """20 000 people with independent keys, a tenth drawn: tau_1 and tau_2 within a quarter of what is so."""
    rng = np.random.default_rng(8)
    people = np.minimum(rng.geometric(0.25, (20_000, 3)) - 1, 15)
    words = people @ np.array([256, 16, 1])
    population = np.bincount(words, minlength=4096)
    drawn = rng.choice(20_000, 2000, replace=False)
    unique = np.bincount(words[drawn], minlength=4096)[words[drawn]] == 1
    sizes = population[words[drawn][unique]]
    found = LogLinearRisk(estimator=estimator).assess(make(people[drawn]))
    assert found.parts["tau 1"] == pytest.approx((sizes == 1).sum(), rel=0.25)
    assert found.parts["tau 2"] == pytest.approx((1 / sizes).sum(), rel=0.25)


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_unequal_weights(estimator: Any) -> None:
    rng = np.random.default_rng(5)
    found = LogLinearRisk(estimator=estimator).assess(make(rng.integers(0, 5, (80, 3)), rng.uniform(1, 30, 80)))
    assert 0 < found.parts["tau 1"] < found.parts["tau 2"] < found.parts["uniques"]


def test_a_census_needs_no_model() -> None:
    found = LogLinearRisk().assess(make(np.array([[0, 0], [0, 0], [1, 1]]), 1.0))
    assert found.parts["tau 1"] == found.parts["tau 2"] == found.parts["uniques"] == 1


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"interacting": [["k0", "k9"]]}, ColumnError, "k9"),
        ({"interacting": [[]]}, ParameterError, "different keys"),
        ({"interacting": [["k0", "k0"]]}, ParameterError, "different keys"),
        ({"interacting": "triples"}, ParameterError, "interacting"),
        ({"fraction": 0}, ParameterError, "fraction"),
        ({"estimator": "guess"}, ParameterError, "estimator"),
    ],
)
def test_bad_parameters(settings: dict[str, Any], error: type[TacitaError], message: str) -> None:
    with pytest.raises(error, match=message):
        LogLinearRisk(**settings).assess(make(np.array([[0, 0], [1, 1]])))


def test_what_cannot_be_fitted() -> None:
    bare = Microdata.from_frame(pa.table({"a": ["1", "2"]}), keys=["a"])
    with pytest.raises(MeasureError, match="weight"):
        LogLinearRisk(estimator="clogg-eliason").assess(bare)
    wide = make(np.arange(600)[:, None] * np.ones(3, dtype=int))
    with pytest.raises(MeasureError, match="combinations"):
        LogLinearRisk(interacting="pairs").assess(wide)
    with pytest.raises(MeasureError, match="combinations"):
        LogLinearRisk(estimator="weighted").assess(wide)


@pytest.mark.parametrize("estimator", ["poisson", "pseudo-likelihood"])
def test_independence_needs_no_table(estimator: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    data = make(rng.integers(0, 6, (90, 3)), rng.uniform(1, 30, 90))
    with_table = LogLinearRisk(estimator=estimator).assess(data)
    monkeypatch.setattr("tacita.risk.log_linear_risk._CELLS", 10)
    without = LogLinearRisk(estimator=estimator).assess(data)
    assert without.value == pytest.approx(with_table.value)
    assert "test of tau 1" not in without.parts
