"""Local recoding: quality on reference data, recount of the result, and what cannot be reached."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.mask import Generalise, LocalRecode
from tacita.risk import LDiversity
from tests.mask.recode.test_generalise import adult, smallest, survey  # noqa: F401 - a fixture

PAIRS = Hierarchy((("1", "1-2", "*"), ("2", "1-2", "*"), ("3", "3-4", "*"), ("4", "3-4", "*")))


def test_better_than_the_known_tool_on_adult(adult: Microdata) -> None:  # noqa: F811 - the fixture
    mask = LocalRecode(k=5)
    found = mask.find(adult)
    assert found.granularity > 0.941
    assert found.smallest >= 5
    masked = mask.apply(adult)
    assert smallest(masked) >= 5
    assert not masked.is_missing("age").any()
    above = LocalRecode(k=5, direction="top down")
    assert above.find(adult).granularity > 0.92
    assert smallest(above.apply(adult)) >= 5


@given(
    seed=st.integers(0, 999),
    k=st.integers(1, 8),
    direction=st.sampled_from(["bottom up", "top down"]),
    has_gaps=st.booleans(),
)
def test_the_result_is_recounted(seed: int, k: int, direction: Any, has_gaps: bool) -> None:
    data = survey(seed, 80, has_gaps)
    masked = LocalRecode(k=k, direction=direction).apply(data)
    assert smallest(masked) >= k
    original, labels = (d.to_arrow(codes=False).column("age").to_pylist() for d in (data, masked))
    known = {value: {str(value), *row[1:]} for row in data.schema["age"].hierarchy.rows for value in [int(row[0])]}
    for value, label in zip(original, labels, strict=True):
        assert label in (None, "*") if value is None else str(label) in known[value]


def test_each_cell_has_its_own_level() -> None:
    data = Microdata.from_frame(pa.table({"x": [1, 2, 3, 3, 4, 4]}), keys=["x"], hierarchies={"x": PAIRS})
    masked = LocalRecode(k=2).apply(data)
    assert masked.to_arrow().column("x").to_pylist() == ["1-2", "1-2", "3", "3", "4", "4"]
    assert masked.schema["x"].scale == "nominal"
    # (1/3 for two cells of six, over one column)
    assert LocalRecode(k=2).find(data).granularity == pytest.approx(1 - 2 * (1 / 3) / 6)


def test_a_rest_joins_the_group_that_loses_least() -> None:
    data = Microdata.from_frame(pa.table({"x": [1, 1, 3, 3, 3, 4]}), keys=["x"], hierarchies={"x": PAIRS})
    assert LocalRecode(k=2).apply(data).to_arrow().column("x").to_pylist() == ["1", "1", *["3-4"] * 4]


def test_nothing_to_do_changes_nothing() -> None:
    data = survey()
    assert LocalRecode(k=1).apply(data).same_content(data)


def test_it_loses_less_than_one_level_for_all() -> None:
    data = survey(n=400)
    assert LocalRecode(k=5).find(data).granularity > Generalise(k=5).find(data).granularity


@pytest.mark.parametrize("direction", ["bottom up", "top down"])
def test_diversity(direction: Any) -> None:
    masked = LocalRecode(k=3, l=3, direction=direction).apply(survey())
    assert LDiversity(l=3).assess(masked).value == 0


def test_what_cannot_be_reached_is_explained() -> None:
    for direction in ("bottom up", "top down"):
        with pytest.raises(DataError, match=r"no levels give every group 200 records"):
            LocalRecode(k=200, direction=direction).apply(survey())
    with pytest.raises(ParameterError, match="'direction' must be 'bottom up'"):
        LocalRecode(t=0.2, direction="top down")
