"""Subdomains: every record of both files stands in exactly one."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.loss.subdomains import subdomains

rows = st.lists(st.tuples(st.sampled_from(["p", "q", None]), st.sampled_from("xy")), min_size=1, max_size=8)


@given(rows, rows)
def test_they_part_both_files(x: list, y: list) -> None:
    n = min(len(x), len(y))
    made = [
        Microdata.from_frame(
            pa.table({"a": pa.array([r[0] for r in side[:n]], pa.string()), "b": [r[1] for r in side[:n]]})
        )
        for side in (x, y)
    ]
    found = list(subdomains(pair_records(*made, "order"), ["a", "b"]))
    assert sorted(np.concatenate([rows for _, rows, _ in found])) == list(range(n))
    assert sorted(np.concatenate([rows for _, _, rows in found])) == list(range(n))
    for _, here, there in found:
        assert len({*(x[i] for i in here), *(y[i] for i in there)}) == 1
