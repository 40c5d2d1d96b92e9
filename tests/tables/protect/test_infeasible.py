"""The error for cells that no pattern protects: numbers in its details, no value in its words."""

from __future__ import annotations

import numpy as np

from tacita.core.errors import DataError
from tacita.tables.protect.infeasible import InfeasibleError


def test_numbers_are_plain() -> None:
    error = InfeasibleError("No pattern protects 2 cells.", cells=np.array([3, 5]), relations=[np.int64(1)])
    assert isinstance(error, DataError)
    assert (error.cells, error.relations) == ((3, 5), (1,))
    assert error.details == {"cells": [3, 5], "relations": [1]}
    assert str(error) == "No pattern protects 2 cells."
