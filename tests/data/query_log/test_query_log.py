from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.data.query_log.query_log import QueryLog

LINES = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob", "eve"]),
        st.sampled_from(["tea", "milk", "", None]),
        st.sampled_from(["2006-03-01T07:00", "2006-03-02T07:00", "NaT"]),
    ),
    max_size=12,
)


def made(rows: list[tuple[str, str | None, str]], *, has_times: bool = True) -> QueryLog:
    columns = list(zip(*rows, strict=True)) if rows else [[], [], []]
    time = np.array(columns[2], "datetime64[us]") if has_times else None
    return QueryLog.from_columns(columns[0], pa.array(columns[1], pa.string()), time=time)


def test_users_and_texts_are_numbered_as_they_occur() -> None:
    log = QueryLog.from_columns(["bob", "ann", "bob"], ["tea", "milk", "tea"])
    assert log.users.to_pylist() == ["bob", "ann"]
    assert log.texts.to_pylist() == ["tea", "milk"]
    assert log.user.tolist() == [0, 1, 0]
    assert log.query.tolist() == [0, 1, 0]
    assert log.reading is None


def test_empty_texts_and_gaps_are_none() -> None:
    log = QueryLog.from_columns(["a", "b", "c", "d"], ["", "tea", None, ""], url=[None, "", "x", "y"])
    assert log.query.tolist() == [-1, 0, -1, -1]
    assert log.texts.to_pylist() == ["tea"]
    assert log.url is not None
    assert log.url.tolist() == [-1, -1, 0, 1]


@pytest.mark.parametrize("user", [["ann", None], ["ann", ""]])
def test_a_line_without_a_user_is_refused(user: list[str | None]) -> None:
    with pytest.raises(DataError, match="every line must have a user"):
        QueryLog.from_columns(user, ["tea", "milk"])


def test_columns_may_be_dictionaries_chunks_and_numbers() -> None:
    users = pa.chunked_array([pa.array([7, 8]), pa.array([7])])
    queries = pa.chunked_array([pa.array(["a", "b"]).dictionary_encode(), pa.array(["b"]).dictionary_encode()])
    log = QueryLog.from_columns(users, queries)
    assert log.to_arrow().to_pydict() == {"user": ["7", "8", "7"], "query": ["a", "b", "b"]}


def test_a_log_without_lines() -> None:
    log = QueryLog.from_columns([], [], time=[], rank=[], url=[])
    assert len(log) == len(log.searches()) == len(log.compact()) == 0
    assert log.asked.shape == (0, 0)
    assert log.lines_of_users.tolist() == []
    assert log.to_arrow().num_rows == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"query": np.array([0], np.int32)},
        {"query": np.array([0, 1, 2], np.int32)},
        {"query": np.array([0, 0, -2], np.int32)},
        {"user": np.array([0, -1, 0], np.int32)},
        {"url": np.zeros(3, np.int32)},
        {"url": np.ones(3, np.int32), "urls": pa.array(["x"])},
        {"time": np.zeros(2, "datetime64[us]")},
    ],
)
def test_what_does_not_fit_is_refused(changed: dict[str, object]) -> None:
    log = QueryLog.from_columns(["ann", "bob", "ann"], ["tea", "milk", "tea"])
    with pytest.raises(DataError, match="QueryLog"):
        replace(log, **changed)


def test_the_repr_has_no_text() -> None:
    assert "canary" not in repr(QueryLog.from_columns(["canary"], ["canary"]))


@given(LINES)
def test_asked_counts_users_and_queries(rows: list[tuple[str, str | None, str]]) -> None:
    log = made(rows)
    counts = Counter((user, query) for user, query, _ in rows if query)
    asked = log.asked.tocoo()
    found = {
        (log.users[int(i)].as_py(), log.texts[int(j)].as_py()): int(n)
        for i, j, n in zip(asked.row, asked.col, asked.data, strict=True)
    }
    assert found == dict(counts)


@pytest.mark.parametrize("has_times", [True, False])
@given(rows=LINES)
def test_searches_have_each_user_query_and_time_once(has_times: bool, rows: list[tuple[str, str | None, str]]) -> None:
    seen, kept = set(), []
    for place, (user, query, time) in enumerate(rows):
        key = (user, query or None, time if has_times else None)
        if key not in seen:
            seen.add(key)
            kept.append(place)
    log = made(rows, has_times=has_times)
    assert log.searches().to_arrow().equals(log.take(np.array(kept, np.int64)).to_arrow())


@given(LINES, st.data())
def test_compact_leaves_the_lines_as_they_are(rows: list[tuple[str, str | None, str]], data: st.DataObject) -> None:
    log = made(rows)
    kept = np.array([data.draw(st.booleans()) for _ in rows], bool)
    part = log.take(kept)
    small = part.compact()
    assert small.to_arrow().equals(part.to_arrow())
    assert sorted(small.users.to_pylist()) == sorted({row[0] for row, keep in zip(rows, kept, strict=True) if keep})
    assert set(small.texts.to_pylist()) == {row[1] for row, keep in zip(rows, kept, strict=True) if keep and row[1]}


@pytest.mark.parametrize("users", [["x", 1], [1, "somebody"]])
def test_entries_of_two_kinds_are_refused_and_not_shown(users: list[object]) -> None:
    with pytest.raises(DataError, match="of one kind") as refused:
        QueryLog.from_columns(users, ["tea", "milk"])
    assert "somebody" not in str(refused.value)
    assert refused.value.__suppress_context__
