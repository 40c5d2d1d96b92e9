"""How much of a number's range is left open: by a slow version, and at the ends."""

from __future__ import annotations

import math
from collections import Counter

import pytest

import tacita as tc
from tacita.core.errors import ColumnError, MeasureError
from tacita.loss.open_range import OpenRange


@pytest.fixture(scope="module")
def data() -> tc.Microdata:
    return tc.samples.household_survey(300, seed=4)


def test_by_a_slow_version(data: tc.Microdata) -> None:
    masked = tc.mask.GlobalRecode(breaks={"age": [20, 40, 70]}).apply(data)
    found = OpenRange(columns=["age"])(data, masked)
    ages, bands = data.float("age").tolist(), masked.to_arrow()["age"].to_pylist()
    holds = {band: [a for a, b in zip(ages, bands, strict=True) if b == band] for band in set(bands)}
    spread = max(ages) - min(ages)
    shares = [(max(holds[b]) - min(holds[b])) / spread for b in bands]
    assert found.value == pytest.approx(100 * sum(shares) / len(shares))
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx(shares)

    def entropy(values: list[object]) -> float:
        return -sum(c / len(values) * math.log(c / len(values)) for c in Counter(values).values())

    left = (entropy(list(zip(ages, bands, strict=True))) - entropy(list(bands))) / entropy(list(ages))
    assert found.parts["age: entropy left"] == pytest.approx(100 * left)
    off = sum(abs((max(holds[b]) + min(holds[b])) / 2 - a) for a, b in zip(ages, bands, strict=True)) / len(ages)
    deviation = (sum(a * a for a in ages) / len(ages) - (sum(ages) / len(ages)) ** 2) ** 0.5
    assert found.parts["age: distance from the middle"] == pytest.approx(off / deviation)


def test_noise_leaves_nothing_open_and_suppression_everything(data: tc.Microdata) -> None:
    noisy = tc.mask.AdditiveNoise(columns=["income"], sd_ratio=0.5).apply(data, seed=1)
    assert OpenRange()(data, noisy).value == 0
    keys = ["age", "sex", "region", "occupation"]
    gone = tc.mask.LocalSuppression(columns=keys, k=5).apply(data, seed=1)
    found = OpenRange(columns=["age"])(data, gone)
    assert found.value == pytest.approx(100 * gone.is_missing("age").mean())
    assert found.value > 0


def test_needs_true_pairs_and_numbers(data: tc.Microdata) -> None:
    masked = tc.mask.GlobalRecode(breaks={"age": [20, 40]}).apply(data)
    with pytest.raises(MeasureError, match="paired with those they came from"):
        OpenRange()(data, masked, pairing="nearest")
    with pytest.raises(ColumnError, match="'sex' is nominal"):
        OpenRange(columns=["sex"])(data, masked)
