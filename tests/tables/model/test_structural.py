"""Cells that cannot be."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.tables.model.structural import Structural, structural_cells
from tacita.tables.model.tabulate import tabulate
from tests.tables.examples import REGION, SIZE

FIRMS = Microdata.from_frame(
    pa.table(
        {"region": ["n1", "n1", "n2", "s1"], "size": ["small", "small", "large", "small"], "x": [5.0, 3.0, 4.0, 10.0]}
    )
)


def test_everything_impossible() -> None:
    assert structural_cells([REGION, SIZE], [{"region": "Total"}]).all()


def test_structural_cells() -> None:
    impossible: Structural = [{"region": "S", "size": "large"}, {"region": ["n1"], "size": "large"}]
    table = tabulate(FIRMS, [REGION, SIZE], "x", structural=impossible)
    marked = {table.labels(cell) for cell in np.flatnonzero(table.is_structural).tolist()}
    assert marked == {("S", "large"), ("s1", "large"), ("n1", "large")}
    assert table.is_empty.sum() == 1  # only n2 x small
    with pytest.raises(DataError, match="impossible have records: region=N, size=small"):
        tabulate(FIRMS, [REGION, SIZE], "x", structural=[{"region": "N", "size": "small"}])
    with pytest.raises(ParameterError, match="no code 'huge'"):
        tabulate(FIRMS, [REGION, SIZE], structural=[{"size": "huge"}])
    with pytest.raises(ParameterError, match="'sex', which is no dimension"):
        tabulate(FIRMS, [REGION, SIZE], structural=[{"sex": "f"}])
    with pytest.raises(ParameterError, match="at least one dimension"):
        tabulate(FIRMS, [REGION, SIZE], structural=[{}])
