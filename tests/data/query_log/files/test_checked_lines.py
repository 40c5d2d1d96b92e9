"""Lines as a file has them; those of text and of JSON are in ``test_read``.

``tacita.data.query_log.files.delimited``, ``tacita.data.query_log.files.json_lines``
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError
from tacita.data.query_log.files.checked_lines import GrowingLog, RawLines
from tacita.data.query_log.log_reading import ReadingTally


def ranks(values: pa.Array) -> tuple[list[int], list[int]]:
    """The ranks of the lines that are whole, and the numbers of the others."""
    tally = ReadingTally(file="a")
    growing = GrowingLog(tally)
    users = pa.array(["u"] * len(values))
    growing.add(RawLines(np.arange(len(values)), {"user": users, "query": users, "rank": values}))
    log = growing.finish(False, tally.reading(form=("csv",), files=("a",)))
    return [] if log.rank is None else log.rank.tolist(), [line for _, line in tally.first.get("rank", [])]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", "", None, "-1", "0"], ([1, -1, -1, -1, 0], [])),
        (["3.0", "2.5", "x", "-2", "+4", " 5", "1e2", "0x1", "9999999999", "007"], ([3, 7], [1, 2, 3, 4, 5])),
        (["12", "1234567890"], ([12], [1])),
        (["-0", "3"], ([3], [0])),
    ],
)
def test_ranks_as_text(values: list[str | None], expected: tuple[list[int], list[int]]) -> None:
    assert ranks(pa.array(values)) == expected


@pytest.mark.parametrize("kind", [pa.int8(), pa.int64(), pa.float32(), pa.float64(), pa.decimal128(21, 2)])
def test_ranks_as_numbers(kind: pa.DataType) -> None:
    assert ranks(pa.array([1, None, -1, -2, 0]).cast(kind)) == ([1, -1, -1, 0], [3])


def test_numbers_that_are_no_ranks() -> None:
    assert ranks(pa.array([1.0, 2.5, float("nan"), float("inf"), 1e300])) == ([1, -1], [1, 3, 4])
    assert ranks(pa.array([2**62, 2**63], pa.uint64()))[1] == [0, 1]
    assert ranks(pa.nulls(2)) == ([-1, -1], [])
    with pytest.raises(ColumnError, match="no number"):
        ranks(pa.array([True]))


@pytest.mark.parametrize("user", ["", None, " ", " \t "])
def test_nobody_stands_in_a_line(user: str | None) -> None:
    tally = ReadingTally()
    GrowingLog(tally).add(RawLines(np.arange(2), {"user": pa.array([user, " x"]), "query": pa.array(["a", "b"])}))
    assert tally.broken == {"no user": 1}
    assert (tally.lines, tally.read) == (2, 1)


def test_columns_that_only_some_blocks_have() -> None:
    tally = ReadingTally()
    growing = GrowingLog(tally)
    user, query = pa.array(["u"]), pa.array(["q"])
    growing.add(RawLines(np.arange(1), {"user": user, "query": query}))
    growing.add(RawLines(np.arange(1), {"user": user, "query": query, "url": pa.array(["x"]), "rank": pa.array(["1"])}))
    log = growing.finish(False, tally.reading(form=("csv",), files=("a",)))
    assert log.to_arrow().to_pydict() == {
        "user": ["u", "u"],
        "query": ["q", "q"],
        "rank": [None, 1],
        "url": [None, "x"],
    }
