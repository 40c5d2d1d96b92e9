"""The digest of the records: the same wherever they come from, another one when a single value differs."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.data.columns import fingerprint
from tacita.data.store.compact import BLOCK, Coded, Compact, Numbers, code_dtype

__all__ = ["column_digest", "content_digest"]

_FORM = "tacita records 1"
"""Changes when the bytes that are hashed do: then every data version has another name."""


def content_digest(n_records: int, columns: Iterable[tuple[str, bytes]]) -> bytes:
    """Return SHA-256 over the digests of the columns, with their names.

    Parameters
    ----------
    n_records
        Number of records.
    columns
        Name and digest of each column, in the order of the names.

    Examples
    --------
    >>> content_digest(0, []).hex()[:8]
    '06c57b82'
    """
    digest = hashlib.sha256(f"{_FORM};{n_records};".encode())
    for name, part in columns:
        written = name.encode("utf-8")
        digest.update(f"{len(written)}:".encode() + written + part)
    return digest.digest()


def column_digest(column: Compact) -> bytes:
    """Return SHA-256 of a column's values in their order; how they are stored, and the order of categories, do not matter.

    Numbers are hashed as doubles (whole numbers beyond 2**53 as integers), categories as the sorted values that occur and the
    positions in them, identifiers as they are. O(n) time, and the memory of one block.
    """
    digest = hashlib.sha256()
    if isinstance(column, Numbers):
        digest.update(b"numbers;")
        for block in column.blocks():
            digest.update(block)
    elif isinstance(column, Coded):
        used, place = _sorted_categories(column)
        digest.update(b"categories;" + _fingerprint(used))
        for start in range(0, len(column.values), BLOCK):
            digest.update(place[column.values[start : start + BLOCK]].tobytes())
    else:
        digest.update(b"identifiers;")
        for start in range(0, len(column.values), BLOCK):
            digest.update(_fingerprint(column.values.slice(start, BLOCK)))
    return digest.digest()


def _sorted_categories(column: Coded) -> tuple[pa.Array, npt.NDArray[np.signedinteger[Any]]]:
    """Return the categories that occur, sorted, and for each position in the column's own list the one in these."""
    occurs = np.zeros(len(column.categories) + 1, dtype=bool)
    occurs[column.values] = True  # position -1 is the last one, for missing
    kept = np.flatnonzero(occurs[:-1])
    values = column.categories.take(pa.array(kept))
    order = pc.sort_indices(values).to_numpy()
    place = np.full(len(occurs), -1, dtype=np.dtype(code_dtype(len(kept))).newbyteorder("<"))
    place[kept[order]] = np.arange(len(kept))
    return values.take(pa.array(order)), place


def _fingerprint(values: pa.Array) -> bytes:
    return bytes.fromhex(fingerprint(pa.table({"values": values})))
