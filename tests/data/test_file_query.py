"""Asking files on disk: what comes back, and errors that tell nothing of what stands in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.data.file_query import SOURCE, asking, check_memory, form_of, quoted, typed


def test_a_csv_file_is_asked_and_typed(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('code,"my ""x"""\na,1\nb,2\na,4\n', encoding="utf-8")
    names, form = form_of(path, None, None)
    assert names == ("code", 'my "x"')
    with asking(path, form, "100MB", "codes", in_order=True) as connection:
        found = connection.sql(f"select {quoted(names[0])}, {quoted(names[1])} from {SOURCE}").to_arrow_table()
    assert typed(found, {}, form, None).float('my "x"').tolist() == [1.0, 2.0, 4.0]


def test_errors_name_the_file_and_no_value(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x\nsecret\n", encoding="utf-8")
    _, form = form_of(path, None, None)
    with pytest.raises(FileError, match=r"a\.csv") as told, asking(path, form, "100MB", "codes") as connection:
        connection.sql(f"select x::double from {SOURCE}").to_arrow_table()
    assert "secret" not in str(told.value)
    with pytest.raises(FileError, match="not there"):
        form_of(tmp_path / "none.csv", None, None)
    with pytest.raises(FileError, match=r"\.parquet, \.csv"):
        form_of(Path(__file__), None, None)


@pytest.mark.parametrize("memory", ["much", "4", "GB", "-1GB", "4GB; drop"])
def test_memory_is_an_amount(memory: str) -> None:
    with pytest.raises(ParameterError, match="'memory'"):
        check_memory(memory)


@pytest.mark.parametrize("memory", ["4GB", "1.5 GiB", "200MB"])
def test_amounts_of_memory_are_taken(memory: str, tmp_path: Path) -> None:
    """A file is asked with the amount: it passes the check, and DuckDB reads it the same way."""
    check_memory(memory)
    path = tmp_path / "a.csv"
    path.write_text("x\n1\n2\n", encoding="utf-8")
    _, form = form_of(path, None, None)
    with asking(path, form, memory, "codes") as connection:
        assert connection.sql(f"select count(*) from {SOURCE}").fetchall() == [(2,)]
