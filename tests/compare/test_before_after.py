"""The risk of the original beside the release's."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
import pytest

import tacita as tc
from tacita.compare.before_after import risk_beside


@pytest.fixture(scope="module")
def data() -> tc.Microdata:
    return tc.samples.household_survey(400, seed=3)


def test_counts_are_those_of_a_slow_count(data: tc.Microdata) -> None:
    keys = ("region", "sex", "urban")
    masked = tc.mask.GlobalRecode(levels={"region": 1}).apply(data)
    rows = {row.what: row for row in risk_beside(data, masked, tc.Scenario(keys=keys))}
    for file, side in ((data, "before"), (masked, "after")):
        table = file.to_arrow()
        records = list(zip(*(table[name].to_pylist() for name in keys), strict=True))
        counts = Counter(records)
        assert getattr(rows["combinations of key values"], side) == len(counts)
        for k in (2, 3, 5):
            assert getattr(rows[f"records below k = {k}"], side) == sum(1 for r in records if counts[r] < k)
    assert rows["expected re-identifications"].after < rows["expected re-identifications"].before  # type: ignore[operator]
    assert {row.unit for row in rows.values()} == {"records", "combinations", "%", "households"}


def test_suppressions_are_counted_for_each_key(data: tc.Microdata) -> None:
    keys = ("region", "sex", "education", "occupation")
    masked = tc.mask.LocalSuppression(columns=keys, k=3).apply(data, seed=1)
    card = tc.evaluate(data, masked, measures=["k_anonymity"], scenario=tc.Scenario(keys=keys))
    rows = {row.what: row for row in card.beside}
    assert rows["records below k = 3"].after == 0
    gone = {name: int(masked.is_missing(name).sum() - data.is_missing(name).sum()) for name in keys}
    for name, count in gone.items():
        if count:
            row = rows[f"missing in {name}"]
            assert row.after - row.before == count  # type: ignore[operator]
    assert sum(gone.values()) > 0
    assert card.as_plain()["risk_before_and_after"][0] == {
        "what": "records",
        "unit": "records",
        "before": 400.0,
        "after": 400.0,
    }


def test_without_keys_there_is_nothing_to_show() -> None:
    data = tc.Microdata.from_frame(pa.table({"a": [1.0, 2.0]}))
    assert risk_beside(data, data, tc.Scenario()) == ()
