"""The obvious store: everything from microdata in memory, sorted by Python. Every source must give the same."""

from __future__ import annotations

import hashlib

import numpy as np

from tacita.data.microdata import Microdata
from tacita.data.store import RecordStore

__all__ = ["assert_golden"]


def assert_golden(store: RecordStore, data: Microdata, identifier: str) -> None:
    """Compare a store with microdata, column by column."""
    ids = data.to_arrow().column(identifier).to_pylist()
    data = data.take(np.array(sorted(range(len(ids)), key=lambda row: ids[row].encode("utf-8"))))
    assert store.schema == data.schema
    assert store.n_records == len(store) == len(data)
    for column in data.schema:
        wanted, found = data.codes(column.name), store.codes(column.name)
        np.testing.assert_array_equal(found.values, wanted.values)
        assert found.categories == wanted.categories, column.name
        assert list(map(type, found.categories)) == list(map(type, wanted.categories)), column.name
        assert found.values.dtype == _narrowest(len(wanted.categories)), column.name
        if column.scale == "numeric":
            np.testing.assert_array_equal(store.floats(column.name), data.float(column.name))
    np.testing.assert_array_equal(store.weights(), data.weights())
    households = store.households()
    assert households is not None
    np.testing.assert_array_equal(households, data.codes(data.schema.household or "").values)
    np.testing.assert_array_equal(store.record_ids(), [_hash(text) for text in sorted(ids, key=str.encode)])


def _narrowest(categories: int) -> np.dtype[np.signedinteger]:  # type: ignore[type-arg]
    return np.dtype(np.int8 if categories < 128 else np.int16 if categories < 32768 else np.int32)


def _hash(text: str) -> tuple[int, int]:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:16], "little")
