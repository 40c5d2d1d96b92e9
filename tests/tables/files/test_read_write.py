"""Which form a file has, and what must not be written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.tables.files.read_write import read_table, write_table
from tacita.tables.model.from_cells import table_from_cells
from tacita.tables.rules.unsafe import Unsafe

TABLE = table_from_cells({"size": ["small", "large"], "value": [73517351, 2]}, ["size"])
NOBODY = np.zeros(3, bool)


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_hidden_values_do_not_leave(ending: str, tmp_path: Path) -> None:
    hidden = np.array([True, True, False])
    path = write_table(TABLE, tmp_path / f"a.{ending}", hidden=hidden)
    assert "7351" not in path.read_text(encoding="utf-8")
    found = read_table(path)
    assert found.hidden is not None
    assert found.hidden.tolist() == hidden.tolist()
    assert np.isnan(found.table.values).tolist() == hidden.tolist()
    inside = write_table(TABLE, tmp_path / f"b.{ending}", hidden=hidden, secret=True)
    assert "73517351" in inside.read_text(encoding="utf-8")
    assert read_table(inside).hidden is not None


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"must end in \.csv, \.json, \.jj, got 'a\.cvs'\. Did you mean '\.csv'"):
        write_table(TABLE, tmp_path / "a.cvs")
    with pytest.raises(FileError, match="not there"):
        read_table(tmp_path / "a.csv")
    with pytest.raises(ParameterError, match="use write_jj"):
        write_table(TABLE, tmp_path / "a.jj")
    with pytest.raises(ParameterError, match="one entry for each of the 3 cells"):
        write_table(TABLE, tmp_path / "a.csv", hidden=np.zeros(2, bool))
    levels = np.zeros(3)
    unsafe = Unsafe(NOBODY, levels, levels, levels, ("p",), NOBODY[:, None], NOBODY)
    with pytest.raises(ParameterError, match="is secret"):
        write_table(TABLE, tmp_path / "a.csv", unsafe=unsafe)
    path = write_table(TABLE, tmp_path / "a.json")
    with pytest.raises(FileError, match="exists already"):
        write_table(TABLE, path)
    write_table(TABLE, path, overwrite=True)
    with pytest.raises(ParameterError, match=r"'decimal' has no meaning for 'a\.json'"):
        read_table(path, decimal=",")
