from __future__ import annotations

import errno
import gzip
import os
import tempfile
from datetime import datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, FileError, ParameterError, TacitaWarning
from tacita.data.query_log.log_columns import LogColumns
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.read import read_log
from tacita.data.query_log.write import write_log
from tests.effort import examples

ENDINGS = (".txt", ".tsv.gz", ".csv", ".csv.gz", ".parquet", ".jsonl", ".ndjson.gz")
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=6)
LINE = st.tuples(
    ANY.filter(lambda text: bool(text.strip())),
    st.none() | ANY,
    st.none() | st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)),
    st.integers(-1, 10**9 - 1),
    st.none() | ANY,
)


def log_of(lines: list[tuple[str, str | None, datetime | None, int, str | None]], parts: set[str]) -> QueryLog:
    user, query, time, rank, url = zip(*lines, strict=True) if lines else ((),) * 5
    return QueryLog.from_columns(
        user,
        pa.array(query, pa.string()),
        time=np.array(time, "datetime64[us]") if "time" in parts else None,
        rank=np.array(rank, np.int32) if "rank" in parts else None,
        url=pa.array(url, pa.string()) if "url" in parts else None,
    )


def fits_aol(lines: list[tuple[str, str | None, datetime | None, int, str | None]]) -> bool:
    """Whether the form of AOL has a way to write all texts."""
    texts = [text for line in lines for text in (line[0], line[1], line[4]) if text is not None]
    return not any(sign in text for text in texts for sign in "\t\r\n") and all(line[1] != "-" for line in lines)


@pytest.mark.parametrize("ending", ENDINGS)
@settings(max_examples=examples(20))
@given(lines=st.lists(LINE, min_size=1, max_size=5), parts=st.sets(st.sampled_from(["time", "rank", "url"])))
def test_what_is_written_is_read_back(
    ending: str, lines: list[tuple[str, str | None, datetime | None, int, str | None]], parts: set[str]
) -> None:
    is_aol = ending in (".txt", ".tsv.gz")
    if is_aol and not fits_aol(lines):
        return
    log = log_of(lines, parts)
    with tempfile.TemporaryDirectory() as folder:
        path = write_log(log, Path(folder) / f"a{ending}")
        back = read_log(path, form="aol" if is_aol else None)
    expected = log.to_arrow()
    if is_aol:  # columns that are empty throughout are not there when they are read
        empty = [name for name in expected.column_names if expected[name].null_count == len(lines) and name != "query"]
        expected = expected.drop_columns(empty)
    assert back.to_arrow().equals(expected)
    assert back.users.to_pylist() == log.users.to_pylist()
    assert back.texts.to_pylist() == log.texts.to_pylist()


LOG = QueryLog.from_columns(
    ["ann", "bob", "ann"],
    ["tea", None, "=1+1"],
    time=["2006-03-01T07:00", "NaT", "2006-03-01T07:10"],
    rank=[1, -1, 2],
    url=["http://a", None, "b"],
)


def test_the_form_of_aol_is_that_of_the_release(tmp_path: Path) -> None:
    text = write_log(LOG, tmp_path / "a.txt").read_text()
    assert text == (
        "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n"
        "ann\ttea\t2006-03-01 07:00:00\t1\thttp://a\n"
        "bob\t-\t\t\t\n"
        "ann\t=1+1\t2006-03-01 07:10:00\t2\tb\n"
    )


def test_lines_of_json_are_plain(tmp_path: Path) -> None:
    log = QueryLog.from_columns(["ann"], ['say "tea"\\\n\x07é'])
    assert write_log(log, tmp_path / "a.jsonl").read_bytes() == (
        b'{"user": "ann", "query": "say \\"tea\\"\\\\\\u000a\\u0007\xc3\xa9"}\n'
    )


def test_formulas_of_a_spreadsheet(tmp_path: Path) -> None:
    kept = write_log(LOG, tmp_path / "a.csv").read_text()
    assert '"=1+1"' in kept
    with pytest.warns(TacitaWarning, match=r"'query' \(1\)"):
        write_log(LOG, tmp_path / "b.csv", formulas="warn")
    assert '"\'=1+1"' in write_log(LOG, tmp_path / "c.csv", formulas="neutralise").read_text()
    with pytest.raises(ParameterError, match="'formulas' has no meaning"):
        write_log(LOG, tmp_path / "a.txt", formulas="neutralise")


@pytest.mark.parametrize("sign", ["\t", "\n", "\r", "\0"])
def test_the_form_of_aol_refuses_what_it_cannot_hold(tmp_path: Path, sign: str) -> None:
    log = QueryLog.from_columns(["ann"], [f"canary{sign}canary"])
    with pytest.raises(DataError, match="in a 'query'") as caught:
        write_log(log, tmp_path / "a.txt")
    assert "canary" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_what_no_line_has_is_not_written(tmp_path: Path) -> None:
    part = LOG.take(np.array([0]))
    for ending in (".txt", ".csv", ".parquet", ".jsonl"):
        content = write_log(part, tmp_path / f"a{ending}").read_bytes()
        assert b"bob" not in content
        assert b"1+1" not in content


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_log_gives_the_same_bytes(tmp_path: Path, ending: str) -> None:
    first = write_log(LOG, tmp_path / f"a{ending}").read_bytes()
    assert write_log(LOG, tmp_path / f"b{ending}").read_bytes() == first
    if ending.endswith(".gz"):
        assert first[3:10] == bytes(5) + first[8:10]  # no name, no time


def test_large_texts_are_written_in_small_blocks(tmp_path: Path) -> None:
    log = QueryLog.from_columns([str(place) for place in range(40)], ["x" * 1_000_000] * 40)
    log = read_log(write_log(log, tmp_path / "a.jsonl.gz"))
    assert len(log) == 40
    assert len(log.texts) == 1


def test_a_log_without_lines_is_written_and_read(tmp_path: Path) -> None:
    empty = QueryLog.from_columns([], [])
    for ending in (".txt", ".csv", ".parquet"):
        assert len(read_log(write_log(empty, tmp_path / f"a{ending}"))) == 0


def test_nothing_is_replaced_or_left_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_log(LOG, tmp_path / "a.txt")
    before = path.read_bytes()
    with pytest.raises(FileError, match="exists already"):
        write_log(LOG, path)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("tacita.data.query_log.write._put", full)
    with pytest.raises(FileError, match="No space left"):
        write_log(LOG, path, overwrite=True)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["a.log", "a", "a.parquet.gz", "a.xlsx"])
def test_endings_that_are_not_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match="must end in one of"):
        write_log(LOG, tmp_path / name)


def test_the_form_may_be_said(tmp_path: Path) -> None:
    path = write_log(LOG, tmp_path / "a.log.gz", form="jsonl")
    assert gzip.decompress(path.read_bytes()).startswith(b'{"user": "ann"')
    assert len(read_log(path, form="jsonl", columns=LogColumns(user="user", query="query"))) == 3
    with pytest.raises(ParameterError, match="read, not written"):
        write_log(LOG, tmp_path / "b.arrow", form="arrow")
