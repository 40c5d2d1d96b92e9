"""What is hidden and follows from the sums is published; what is unsafe stays hidden."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.tables.suppression.what_follows import without_what_follows


def test_a_total_of_published_parts_is_published_and_what_follows_then_too() -> None:
    firms = tc.Microdata.from_frame(
        pa.table({"code": ["a", "a", "a", "b", "b", "c", "c"], "x": [5.0, 6.0, 7.0, 3.0, 4.0, 7.0, 6.0]})
    )
    table = tc.tabulate(firms, ["code"], "x")
    problem = tc.tables.make_problem(table, tc.tables.MinimumFrequency(at_least=3).judge(table))
    titles = [table.title(cell) for cell in range(len(table))]
    hidden = np.array([title.endswith(("=b", "=c")) for title in titles])
    assert np.array_equal(without_what_follows(problem, hidden), hidden), "two hidden parts of one sum are needed"
    alone = np.array([title.endswith("=a") for title in titles])
    assert not without_what_follows(problem, alone).any()
    unsafe_alone = np.array([title.endswith("=b") for title in titles])
    assert np.array_equal(without_what_follows(problem, unsafe_alone), unsafe_alone), "a leak, which the audit names"
