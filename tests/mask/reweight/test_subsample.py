"""Subsample: the paper's nine records, any risk rule, households, and totals of the original."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import DataError, ParameterError, UnknownMethodError
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.mask.reweight.subsample import Subsample
from tacita.risk.file_risk import FileRisk

NINE = pa.table(
    {
        "gender": list("fffffmmmm"),
        "age": ["-24", "-24", "25-49", "+50", "+50", "-24", "25-49", "25-49", "+50"],
        "meal": ["raclette", "fish", "kraut", "calf", "calf", "fish", "raclette", "stew", "kraut"],
        "w": [1000, 1500, 2000, 1100, 1400, 800, 1100, 1900, 1200],
    }
)


def nine() -> tc.Microdata:
    return tc.Microdata.from_frame(NINE, keys=["gender", "age"], weight="w")


def test_nine_records_of_the_paper() -> None:
    """Bergeat (2015), the example: 2-anonymous by leaving out three records; linear with q = 1/d gives his weights."""
    mask = Subsample(k=2, margins=[["gender"], ["age"]], distance="linear", q="inverse")
    made = mask.apply(nine())
    assert made.origin_rows().tolist() == [0, 1, 3, 4, 6, 7]
    assert made.weights() == pytest.approx([1400, 1900, 1700, 2000, 2100, 2900], rel=1e-12)


def test_nine_records_by_raking() -> None:
    for distance in ("raking", "linear"):
        made = Subsample(k=2, margins=[["gender"], ["age"]], distance=distance).apply(nine())
        assert made.weights() == pytest.approx([1320, 1980, 1628, 2072, 5500 / 3, 9500 / 3], rel=1e-11)


def test_without_margins_the_sum_of_weights_is_kept() -> None:
    made = Subsample(k=2).apply(nine())
    assert made.weights().sum() == pytest.approx(12000, rel=1e-12)
    assert made.weights() / nine().weights()[made.origin_rows()] == pytest.approx(np.full(6, 1.5))
    equal = Subsample(k=2, initial="equal").apply(nine())
    assert equal.weights() == pytest.approx(np.full(6, 2000.0))


@given(st.integers(0, 10**6), st.integers(1, 40), st.integers(2, 4), st.sampled_from(["wildcard", "own category"]))
def test_nothing_above_the_limit_is_left(seed: int, n: int, k: int, missing: str) -> None:
    """With missing keys as wildcards one round is not always enough."""
    rng = np.random.default_rng(seed)
    values = [[None if rng.random() < 0.2 else str(rng.integers(0, 3)) for _ in range(n)] for _ in range(3)]
    table = pa.table({name: pa.array(column, pa.string()) for name, column in zip("abc", values, strict=True)})
    data = tc.Microdata.from_frame(table, keys=["a", "b", "c"])
    mask = Subsample(k=k, missing=missing)
    if not len(mask.safe_rows(data)):
        with pytest.raises(DataError, match="every record is risky"):
            mask.apply(data)
        return
    made = mask.apply(data)
    assert float(tc.risk.KAnonymity(k=k, missing=missing).assess(made)) == 0
    rows = [tuple(column[i] for column in values) for i in made.origin_rows()]
    if missing == "own category":
        counts = Counter(tuple(column[i] for column in values) for i in range(n))
        assert len(rows) == sum(count for count in counts.values() if count >= k)


def test_risky_member_takes_the_household_out() -> None:
    table = pa.table({"h": [1, 1, 2, 2, 3, 3], "a": ["x", "rare", "x", "y", "x", "y"], "w": [1.0] * 6})
    data = tc.Microdata.from_frame(table, keys=["a"], weight="w", household="h")
    made = Subsample(k=2, unit="h").apply(data)
    assert made.origin_rows().tolist() == [2, 3, 4, 5]
    assert made.weights() == pytest.approx(np.full(4, 1.5))


def test_any_registered_rule(clean_registry: None) -> None:
    @dataclass(frozen=True, kw_only=True)
    class ByWeight(FileRisk):
        """Risk that grows with the weight, for this test only."""

        name = "by_weight_for_test"
        traits = MeasureTraits(scales={"nominal"}, per_record=True, of_file=True)
        step: float = 0.1

        def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
            risk = data.float("w") / 1000 * self.step
            return Measured(float(risk.max()), per_record=risk, note=f"{len(names)} keys")

    made = Subsample(rule="by_weight_for_test", threshold=0.35, settings=[("step", 0.2)]).apply(nine())
    assert made.origin_rows().tolist() == [0, 1, 3, 4, 5, 6, 8]
    with pytest.raises(
        ParameterError, match="'by_weight_for_test' was not understood: ByWeight: there is no parameter 'stp'"
    ):
        Subsample(rule="by_weight_for_test", threshold=0.5, settings=[("stp", 0.2)])


def test_individual_risk_with_a_threshold() -> None:
    data = tc.samples.household_survey(1500, seed=1)
    keys = ["sex", "education", "region", "marital"]
    made = Subsample(rule="individual_risk", threshold=0.002, keys=keys, margins=[["sex"]]).apply(data)
    assert 0 < len(made) < len(data)
    before = data.take(made.origin_rows())  # with their old weights
    assert tc.risk.IndividualRisk(columns=keys).assess(before).per_record.max() <= 0.002


def test_rules_that_cannot_be_used() -> None:
    with pytest.raises(UnknownMethodError, match="Did you mean 'k_anonymity'"):
        Subsample(rule="k_anonymty", threshold=0)
    with pytest.raises(ParameterError, match=r"'rule' must be a risk of one file .* There are: .*k_anonymity"):
        Subsample(rule="dld", threshold=0)
    with pytest.raises(ParameterError, match="'rule' needs 'threshold'"):
        Subsample(rule="individual_risk")
    with pytest.raises(ParameterError, match="'threshold' needs 'rule'"):
        Subsample(threshold=0.1)
    with pytest.raises(ParameterError, match="'settings' needs 'rule'"):
        Subsample(settings=[("l", 2)])
    with pytest.raises(ParameterError, match="'k' must be a whole number, at least 1"):
        Subsample(k=0)


def test_what_cannot_be_met() -> None:
    with pytest.raises(DataError, match="every record is risky"):
        Subsample(k=4).apply(nine())
    with pytest.raises(DataError, match=r"'gender x age' \(3 cells\) has a total but no record") as caught:
        Subsample(k=2, margins=[["gender", "age"]]).apply(nine())
    assert ("m", "-24") in caught.value.details["cells"]
    bad = nine().with_column("w", pa.array([-1.0] + [1.0] * 8))
    with pytest.raises(DataError, match="'w' is negative or missing in 1 records"):
        Subsample(k=2).apply(bad)
    with pytest.raises(DataError, match="must have a weight column"):
        Subsample(k=2, margins=[["age"]]).apply(nine().drop(["w"]))
    with pytest.raises(DataError, match=r"these clash: .*What to do: bounds of \["):
        Subsample(k=2, margins=[["age"]], distance="logit", bounds=(0.5, 1.1)).apply(nine())


def test_recipe_file() -> None:
    mask = Subsample(
        k=2,
        margins=[["gender"], ["age"]],
        distance="truncated",
        bounds=(0.5, 3),
        rule="l_diversity",
        threshold=0,
        settings=[("l", 2)],
    )
    recipe = tc.Recipe([mask])
    assert tc.Recipe.from_toml(recipe.to_toml()) == recipe
    assert 'margins = [["gender"], ["age"]]' in recipe.to_toml()
