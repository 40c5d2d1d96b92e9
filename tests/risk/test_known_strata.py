"""Strata that an intruder can tell: each part has the rows that a loop finds, and changed strata are refused."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import MeasureError
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.risk.known_strata import attacked_parts

REGIONS = ["n", "s", "n", "w", "s", "n", "w", "s"]


def file(regions: list[str] = REGIONS) -> Microdata:
    return Microdata.from_frame(pa.table({"region": regions, "x": np.arange(8.0)}), keys=["region", "x"])


def test_each_part_is_one_stratum_of_both_files() -> None:
    original, order = file(), np.array([3, 0, 6, 2, 7, 5, 1, 4])
    pair = pair_records(original, original.take(order))
    rows = np.array([1, 2, 4, 5, 7])
    seen: list[int] = []
    for there, here, mine in attacked_parts(pair, ("region",), rows, "Dld"):
        regions = {REGIONS[i] for i in there.tolist()}
        assert len(regions) == 1
        assert there.tolist() == [i for i, r in enumerate(REGIONS) if r in regions]
        assert sorted(order[here].tolist()) == there.tolist()
        assert {REGIONS[i] for i in pair.rows[rows[mine]].tolist()} == regions
        seen += mine.tolist()
    assert sorted(seen) == list(range(len(rows))), "each attacked record is in one part"


def test_without_strata_there_is_one_part() -> None:
    original = file()
    pair = pair_records(original, original.take(np.arange(8)))
    ((there, here, mine),) = attacked_parts(pair, (), np.array([2, 5]), "Dld")
    assert (len(there), len(here), mine.tolist()) == (8, 8, [0, 1])


def test_strata_that_were_masked_cannot_be_told() -> None:
    original = file()
    changed = original.with_column("region", pa.array(REGIONS[::-1]))
    with pytest.raises(MeasureError, match="'region' was changed as well"):
        list(attacked_parts(pair_records(original, changed), ("region",), np.arange(8), "Dld"))
    with pytest.raises(MeasureError, match="'region' is not in the masked file"):
        list(attacked_parts(pair_records(original, original.drop(["region"])), ("region",), np.arange(8), "Dld"))
