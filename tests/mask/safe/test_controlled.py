from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.mask.safe.controlled import ControlledTables, find_elementary
from tests.mask.safe.test_safe import NAMES, people, records


@given(seed=st.integers(0, 10**6), gaps=st.sampled_from([0.0, 0.3]))
def test_elementary_cells_are_the_combinations_of_the_records(seed: int, gaps: float) -> None:
    data = people(60, seed, gaps)
    cells = find_elementary(data, NAMES)
    counted = Counter(records(data))
    assert sorted(cells.counts.tolist()) == sorted(counted.values())
    for row, label in zip(records(data), cells.labels.tolist(), strict=True):
        assert cells.counts[label] == counted[row]
        shown = [
            None if code == len(values) else values[code]
            for code, values in zip(cells.codes[label].tolist(), cells.values, strict=True)
        ]
        assert shown == [None if value is None else str(value) for value in row]
    block = cells.codes[:, cells.block]
    assert (np.diff(block) >= 0).all()


def test_the_block_is_the_variable_with_most_categories() -> None:
    assert NAMES[find_elementary(people(), NAMES).block] == "age"


def test_crossings_are_all_tables_of_few_variables() -> None:
    data = people(60)
    tables = ControlledTables(data, find_elementary(data, NAMES), "Safe")
    assert tables.crossings(2) == (
        ("region",),
        ("age",),
        ("sex",),
        ("region", "age"),
        ("region", "sex"),
        ("age", "sex"),
    )
    assert len(tables.crossings(9)) == 7


def test_a_level_groups_codes_and_keeps_missing_apart() -> None:
    data = people(200, gaps=0.1)
    cells = find_elementary(data, NAMES)
    tables = ControlledTables(data, cells, "Safe")
    codes, many = tables.codes_at("region:1")
    assert many == 4
    labels = tables.labels_at("region:1")
    assert set(labels) == {"part0", "part1", "part2"}
    for (region, _, _), label in zip(records(data), cells.labels.tolist(), strict=True):
        wanted = 3 if region is None else labels[f"part{int(region[1:]) // 3}"]
        assert codes[label] == wanted


def test_a_column_may_have_a_colon_in_its_name() -> None:
    data = people(60)
    table = data.to_arrow().select(NAMES).rename_columns(["region", "region:1", "sex"])
    told = type(data).from_frame(table, keys=["region", "region:1", "sex"], scales={"region:1": "ordinal"})
    tables = ControlledTables(told, find_elementary(told, told.names), "Safe")
    assert tables.codes_at("region:1")[1] == 13


def test_more_than_memory_holds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacita.mask.safe.controlled._MOST_ENTRIES", 100)
    data = people(60)
    tables = ControlledTables(data, find_elementary(data, NAMES), "Safe")
    with pytest.raises(DataError, match="control fewer tables"):
        tables.layout(tables.crossings(3), ())
