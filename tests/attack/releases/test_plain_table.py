"""Plain descriptions: tables, files and answers as cells of classes, and bad input."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.attack.releases.plain_table import PlainTable
from tacita.core.errors import AttackError
from tests.attack.releases.pairs import SEX


def people() -> tc.Microdata:
    return tc.Microdata.from_frame(
        pa.table(
            {"sex": ["f", "f", "m", "m", "m"], "job": ["a", "b", "a", "a", "b"], "wage": [1.0, 2.0, 3.0, 4.0, 5.0]}
        )
    )


def test_a_file_is_its_counts_and_totals() -> None:
    table = PlainTable.of_file("file", people(), ["sex", "job"])
    assert {str(table.cell(i)): table.values[i] for i in range(len(table))} == {
        "{'sex': ('f',), 'job': ('a',)}": 1.0,
        "{'sex': ('f',), 'job': ('b',)}": 1.0,
        "{'sex': ('m',), 'job': ('a',)}": 2.0,
        "{'sex': ('m',), 'job': ('b',)}": 1.0,
    }
    assert PlainTable.of_file("file", people(), ["sex"], measure="wage").values.tolist() == [3.0, 12.0]
    assert not table.victims.any()


def test_answers_are_cells_of_several_classes() -> None:
    table = PlainTable.of_answers("server", [({"sex": ["f", "m"]}, 5.0), ({"job": ["a"]}, 3.0)])
    assert table.cell(0) == {"sex": ("f", "m")}
    assert table.values.tolist() == [5.0, 3.0]


def test_bad_descriptions() -> None:
    with pytest.raises(AttackError, match="'codes' must have"):
        PlainTable(release="one", dimensions=(SEX,), codes=np.zeros((2, 2), int), values=np.zeros(2))
    with pytest.raises(AttackError, match="'reach' must have"):
        PlainTable(release="one", dimensions=(SEX,), codes=np.zeros((2, 1), int), values=np.zeros(2), reach=np.zeros(1))
    with pytest.raises(AttackError, match="more than 3 combinations"):
        PlainTable.of_file("file", people(), ["sex", "job"], most_cells=3)
    lost = tc.Microdata.from_frame(pa.table({"sex": ["f", None]}))
    with pytest.raises(AttackError, match="has no class"):
        PlainTable.of_file("file", lost, ["sex"])
