"""Files like another: its schema and types, other records."""

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import DataError
from tacita.data.made.made_like import made_like, with_new_ids
from tacita.data.microdata import Microdata

TABLE = pa.table(
    {
        "id": pa.array(["x", "y"], pa.large_string()),
        "house": pa.array([70, 70], pa.int16()),
        "part": pa.array(["p", "q"]).dictionary_encode(),
        "age": pa.array([31, 47], pa.int8()),
        "pay": pa.array([1.5, 2.5], pa.float32()),
        "level": pa.array(["low", "high"]).dictionary_encode(),
        "note": pa.array(["a", "b"]),
    }
)
DATA = Microdata.from_frame(TABLE, identifiers=["id"], household="house")


def made(n: int = 3) -> Microdata:
    return made_like(
        DATA,
        n,
        numbers={"age": np.array([1.0, np.nan, 3.0]), "pay": np.array([0.5, 0.25, np.nan])},
        classes={"level": (np.array([1, -1, 0]), ("high", "low"))},
        labels={"id": np.arange(3), "house": np.array([0, 0, 1]), "part": np.array([4, 4, 0])},
    )


def test_values_stand_there_in_the_types_of_the_file() -> None:
    table = made().to_arrow(codes=False)
    assert {f.name: f.type for f in table.schema} == {f.name: f.type for f in DATA.to_arrow(codes=False).schema}
    assert table.to_pydict() == {
        "id": ["S000001", "S000002", "S000003"],
        "house": [1, 1, 2],
        "part": ["S000005", "S000005", "S000001"],
        "age": [1, None, 3],
        "pay": [0.5, 0.25, None],
        "level": ["low", None, "high"],
        "note": [None, None, None],
    }
    assert made().schema == DATA.schema


def test_nothing_leads_back_to_the_source() -> None:
    assert made().files == ()
    assert made().history == ()
    assert made().origin_rows().tolist() == [0, 1, 2]


def test_labels_take_the_place_of_identifiers() -> None:
    new = with_new_ids(DATA.take(np.array([1, 0])), {"id": np.array([7, 8]), "house": np.array([0, 0])})
    assert new.to_arrow().column("id").to_pylist() == ["S000008", "S000009"]
    assert new.to_arrow().column("house").to_pylist() == [1, 1]
    assert new.to_arrow().column("age").to_pylist() == [47, 31]
    assert new.origin_rows().tolist() == [0, 1]


def test_a_column_of_another_length_is_refused() -> None:
    with pytest.raises(DataError, match="Column 'id' must have 4 values, one for each record, got 3"):
        made(4)
