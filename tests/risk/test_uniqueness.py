"""The measure of population uniqueness: by hand, every model, and where the fraction comes from."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.risk.uniqueness import PopulationUniqueness, UniquenessModel

MODELS = get_args(UniquenessModel)


def make(weight: float | None = None) -> Microdata:
    table = pa.table({"a": ["x", "y", "z", "v", "v"], "b": ["1", "1", "2", "2", "2"], "w": [weight or 1.0] * 5})
    return Microdata.from_frame(table, keys=["a", "b"], weight="w" if weight else None)


def test_by_hand() -> None:
    """Sizes 1 1 1 2 of N = 10: the chance of each unique is 27/37 under Zayatz' model."""
    found = PopulationUniqueness(model="zayatz", fraction=0.5).assess(make())
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx([27 / 37] * 3 + [0, 0])
    assert found.value == pytest.approx(100 * 3 * 27 / 37 / 5)
    assert found.parts == pytest.approx(
        {"sample uniques": 3, "unique in both": 81 / 37, "fraction": 0.5, "population uniques": 162 / 37}
    )


@pytest.mark.parametrize("model", MODELS)
def test_the_fraction_comes_from_the_weights(model: UniquenessModel) -> None:
    weighted = PopulationUniqueness(model=model).assess(make(2.0))
    assert weighted.parts == PopulationUniqueness(model=model, fraction=0.5).assess(make()).parts
    assert weighted.value < 60
    assert PopulationUniqueness(model=model).assess(make()).value == 60, "the file is the population"


def test_a_model_is_chosen() -> None:
    data = tc.samples.household_survey(2000, seed=2)
    names = ["region", "sex", "marital", "education", "employment"]
    chosen = PopulationUniqueness(columns=names, model="log-linear", fraction=0.1).assess(data)
    each = {
        m: PopulationUniqueness(columns=names, model=m, fraction=0.1).assess(data) for m in ("independence", "two-way")
    }
    tests = {m: abs(found.parts[f"test of {m}"]) for m, found in each.items()}
    assert chosen.value == each[min(tests, key=tests.__getitem__)].value  # type: ignore[index]
    assert {f"test of {m}" for m in tests} <= set(chosen.parts)
    assert chosen.parts["unique in both"] < chosen.parts["right matches"] < chosen.parts["sample uniques"]


@pytest.mark.parametrize(("fraction", "chosen"), [(0.1, ("pitman",)), (0.3, ("zayatz", "negative binomial"))])
def test_the_rule_between_models_says_what_it_took(fraction: float, chosen: tuple[UniquenessModel, ...]) -> None:
    data, names = tc.samples.household_survey(500, seed=2), ["region", "sex", "age", "marital"]
    found = PopulationUniqueness(columns=names, model="dankar", fraction=fraction).assess(data)
    each = {m: PopulationUniqueness(columns=names, model=m, fraction=fraction).assess(data) for m in chosen}
    least = min(each, key=lambda m: each[m].parts["population uniques"])
    assert found.value == each[least].value
    assert found.note.endswith(f"model: {least}")


@pytest.mark.parametrize("model", MODELS)
def test_arithmetic_is_clean(model: UniquenessModel) -> None:
    data = tc.samples.household_survey(300, seed=2)
    with np.errstate(divide="raise", invalid="raise", over="raise"):
        found = PopulationUniqueness(columns=["region", "sex", "age"], model=model).assess(data)
    assert 0 <= found.value <= 100
    assert np.isfinite(list(found.parts.values())).all()


@pytest.mark.parametrize("model", MODELS)
def test_nobody_is_unique(model: UniquenessModel) -> None:
    found = PopulationUniqueness(model=model, fraction=0.1).assess(make().take(np.array([3, 4])))
    assert found.value == 0


def test_a_sample_of_a_known_population() -> None:
    """A survey of 20 000 is the population, a fifth of it the sample; the best models are within 25 % of the truth."""
    whole = tc.samples.household_survey(20_000, seed=4)
    names = ["region", "age", "sex", "marital", "education"]
    rows = np.flatnonzero(np.random.default_rng(1).random(len(whole)) < 0.2)
    sample = whole.take(rows)
    everybody = PopulationUniqueness(columns=names, fraction=1).assess(whole).per_record
    alone = PopulationUniqueness(columns=names, fraction=1).assess(sample).per_record
    assert everybody is not None
    assert alone is not None
    truth = float((everybody[rows] * alone).sum())
    found = {
        m: PopulationUniqueness(columns=names, model=m, fraction=0.2).assess(sample).parts["unique in both"]
        for m in ("pitman", "negative binomial", "log-linear")
    }
    assert min(abs(value / truth - 1) for value in found.values()) < 0.25
    assert all(0.3 < value / truth < 3 for value in found.values())


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="'model' must be"):
        PopulationUniqueness(model="poisson")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'fraction' must be"):
        PopulationUniqueness(fraction=0)
    rng = np.random.default_rng(1)
    wide = pa.table({f"x{j}": rng.integers(0, 1000, 400) for j in range(4)})
    data = Microdata.from_frame(wide, keys=wide.column_names)
    with pytest.raises(MeasureError, match="at most 16,777,216 combinations"):
        PopulationUniqueness(model="log-linear", fraction=0.1).assess(data)
