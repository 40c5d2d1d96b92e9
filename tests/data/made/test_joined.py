"""Records put below each other."""

from __future__ import annotations

import numpy as np

import tacita as tc
from tacita.data.made.joined import joined_records


def test_missing_codes_and_links_stay() -> None:
    data = tc.samples.household_survey(200, seed=1)
    parts = [data.take(np.arange(120)), data.take(np.arange(100, 200))]
    made = joined_records(parts, data.schema)
    assert made.to_arrow().equals(data.take(np.r_[0:120, 100:200]).to_arrow())
    assert made.origin_rows().tolist() == [*range(120), *range(100, 200)]
    assert made.source == data.source


def test_files_of_different_data_are_linked_to_none() -> None:
    one, other = (tc.samples.household_survey(50, seed=seed) for seed in (1, 2))
    made = joined_records([one, other], one.schema)
    assert len(made) == 100
    assert made.source not in (one.source, other.source)
