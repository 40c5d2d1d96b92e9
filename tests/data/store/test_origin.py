"""Origins in memory, and files that change while they are open."""

from __future__ import annotations

import os
from pathlib import Path

import pyarrow as pa
import pytest

from tacita.core.errors import FileError
from tacita.data.store.origin import FileState, MemoryOrigin


def test_columns_in_memory_until_they_are_closed() -> None:
    origin = MemoryOrigin(pa.table({"x": [1, 2], "y": ["a", "b"]}), "a list")
    assert (origin.n_records, origin.types.names, origin.has_order) == (2, ["x", "y"], True)
    assert origin.columns(["y"]).to_pydict() == {"y": ["a", "b"]}
    origin.close()
    with pytest.raises(FileError, match="closed"):
        origin.columns(["y"])


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("one")
    state = FileState(path)
    state.check()
    path.write_text("other")
    with pytest.raises(FileError, match="changed or replaced"):
        state.check()
    path.unlink()
    with pytest.raises(FileError, match="cannot be read"):
        state.check()


def test_a_file_of_the_same_size_in_its_place_is_noticed(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    path.write_text("one")
    state, times = FileState(path), path.stat()
    other.write_text("two")
    os.utime(other, ns=(times.st_atime_ns, times.st_mtime_ns))
    other.replace(path)
    with pytest.raises(FileError, match="changed or replaced"):
        state.check()
