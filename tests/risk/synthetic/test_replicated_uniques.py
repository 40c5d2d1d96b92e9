"""Replicated uniques: by hand, and copies among drawn records."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.data.microdata import Microdata
from tacita.risk.synthetic.replicated_uniques import ReplicatedUniques


def file(keys: list, values: list) -> Microdata:
    return Microdata.from_frame(
        pa.table({"k": pa.array(keys, pa.string()), "v": pa.array(values, pa.float64())}), keys=["k"]
    )


def test_by_hand() -> None:
    """Alone with their key are 2 and 3; 2 comes out twice, 3 once, and 1 is of two people."""
    data, masked = file(["1", "1", "2", "3"], [5, 6, 7, 8]), file(["2", "2", "3", "1"], [7, 0, 8, 5])
    found = ReplicatedUniques()(data, masked, pairing="order")
    assert found.value == 75
    assert found.per_record is not None
    assert found.per_record.tolist() == [1, 1, 1, 0]
    assert (found.parts["unique in original"], found.parts["unique in both"]) == (50, 25)
    assert found.parts["all columns"] == 75, "2 with 7, 3 with 8 and 1 with 5 are copies"


def test_copies_are_found_among_drawn_records() -> None:
    data, fresh = (tc.samples.household_survey(400, seed=seed) for seed in (1, 2))
    rows = np.flatnonzero(data.float("income") > 0)[:40]
    table = pa.concat_tables([fresh.to_arrow(codes=False), data.take(rows).to_arrow(codes=False)])
    mixed = Microdata.from_frame(table).with_schema(data.schema)
    plain = ReplicatedUniques()(data, fresh).parts["all columns"]
    found = ReplicatedUniques()(data, mixed).parts["all columns"]
    assert found * 440 / 100 >= 40
    assert found > plain + 5
