"""Key sums of all cells: against one record after the other, on hierarchies that are not nested too."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.core.keyed import Key
from tacita.tables.model.dimension import Dimension
from tacita.tables.perturbation.key_cells import spread_everywhere, spread_whole
from tacita.tables.perturbation.keyed_table import keyed_table
from tests.oracles.tables.cell_key_oracle import sums_record_by_record

KEY = Key(bytes(range(3, 67, 2)))


def test_sums_are_those_of_one_record_after_the_other() -> None:
    rng = np.random.default_rng(3)
    a, b = [f"a{k}" for k in rng.integers(0, 4, 60)], [f"b{k}" for k in rng.integers(0, 3, 60)]
    ids = rng.permutation(1000)[:60].tolist()
    data = tc.Microdata.from_frame(pa.table({"id": ids, "a": a, "b": b}))
    slow = sums_record_by_record(ids, list(zip(a, b, strict=True)), KEY, "person")
    for empties in (True, False):
        made = keyed_table(data, ["a", "b"], key=KEY, identity="id", empties=empties)
        assert made.counts is not None
        for cell in range(len(made)):
            found = (int(made.counts[cell]), *made.sums[cell].tolist())
            assert found == slow.get(made.labels(cell), (0, 0, 0))


def test_overlapping_sums_and_both_ways_agree() -> None:
    age = Dimension(
        "age",
        ("all", "0-1", "1-2", "0", "1", "2"),
        (("all", ("0", "1", "2")), ("0-1", ("0", "1")), ("1-2", ("1", "2"))),
    )
    sex = Dimension.flat("sex", ["f", "m"])
    codes = np.array([[3, 1], [4, 1], [4, 2], [5, 2], [4, 1]])
    columns = np.array([[2**40, 1], [5, 2], [7, 3], [11, 4], [13, 5]])
    keys, some = spread_whole([age, sex], codes, columns)
    whole = spread_everywhere([age, sex], codes, columns)
    assert np.array_equal(whole[keys], some)
    rest = np.ones(len(whole), bool)
    rest[keys] = False
    assert not whole[rest].any()
    assert whole.reshape(6, 3, 2)[0, 0].tolist() == [2**40 + 36, 15]
    assert whole.reshape(6, 3, 2)[2, 0].tolist() == [36, 14]
