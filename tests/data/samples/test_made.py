"""A file of columns that a program made."""

from __future__ import annotations

import numpy as np

from tacita.data.samples.made import file_of_columns


def test_columns_and_roles() -> None:
    data = file_of_columns({"place": ["a", None], "x": np.array([1.0, 2.0])}, keys=["place"], confidential=["x"])
    assert data.schema["place"].has_role("key")
    assert data.schema["x"].has_role("confidential")
    assert data.is_missing("place").tolist() == [False, True]
    assert data.float("x").tolist() == [1.0, 2.0]
