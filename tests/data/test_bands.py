"""What the categories hold that numbers were recoded into."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.data.bands import bands_of, with_middles
from tacita.data.pairing import pair_records


@pytest.fixture(scope="module")
def data() -> tc.Microdata:
    return tc.samples.household_survey(400, seed=2)


def test_ends_are_the_least_and_the_largest_original(data: tc.Microdata) -> None:
    masked = tc.mask.GlobalRecode(breaks={"age": [30, 60]}).apply(data)
    pair = pair_records(data, masked)
    bands, values, names = bands_of(pair, "age"), data.float("age"), masked.to_arrow()["age"].to_pylist()
    for name in set(names):
        here = np.array([one == name for one in names])
        assert set(bands.low[here]) == {values[here].min()}
        assert set(bands.high[here]) == {values[here].max()}
    middles = with_middles(pair, ("age",))
    assert middles.schema["age"].scale == "numeric"
    assert middles.float("age").tolist() == ((bands.low + bands.high) / 2).tolist()


def test_suppressed_values_can_be_anything_and_have_no_middle(data: tc.Microdata) -> None:
    recipe = tc.Recipe(
        [
            tc.mask.GlobalRecode(breaks={"age": [30, 60]}),
            tc.mask.LocalSuppression(columns=["age", "sex", "region"], k=8),
        ]
    )
    masked = recipe.apply(data, seed=1).data
    gone = masked.is_missing("age")
    assert gone.any()
    pair = pair_records(data, masked)
    bands = bands_of(pair, "age")
    assert set(bands.high[gone] - bands.low[gone]) == {data.float("age").max() - data.float("age").min()}
    assert np.isnan(with_middles(pair, ("age",)).float("age")[gone]).all()


def test_numbers_written_as_texts_are_no_bands() -> None:
    numbers = tc.Microdata.from_frame(pa.table({"a": [1.5, 2.5, 3.5, 4.5]}))
    texts = tc.Microdata.from_frame(pa.table({"a": ["1.4", "2.6", "3.5", "4.4"]}))
    assert pair_records(numbers, texts, "order").banded == ()
    coarse = tc.Microdata.from_frame(pa.table({"a": ["low", "low", "high", "high"]}))
    assert pair_records(numbers, coarse, "order").banded == ("a",)


def test_losses_of_numbers_see_the_middles(data: tc.Microdata) -> None:
    fine = tc.mask.GlobalRecode(breaks={"age": list(range(10, 90, 10))}).apply(data)
    coarse = tc.mask.GlobalRecode(breaks={"age": [50]}).apply(data)
    cards = [tc.evaluate(data, masked, columns=["age"], measures=["il1s", "open_range"]) for masked in (fine, coarse)]
    assert 0 < cards[0]["il1s"] < cards[1]["il1s"]
    assert "age recoded, taken at the middle of each category" in cards[0].measured("il1s").note
    assert "recoded into categories: 'age'" in cards[0].notes[0]
