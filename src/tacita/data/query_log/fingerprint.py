"""The fingerprint of a log: a hash that two logs share when they have the same lines in the same order."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from tacita.data.query_log.query_log import QueryLog

__all__ = ["log_fingerprint"]

_AT_ONCE = 1 << 22


def log_fingerprint(log: QueryLog) -> str:
    """Return a SHA-256 over users, queries, times, ranks and addresses of all lines. O(n) time.

    The fingerprint of a small log confirms guesses about it, so it belongs inside.

    Examples
    --------
    >>> from tacita.data.query_log.query_log import QueryLog
    >>> log = QueryLog.from_columns(["ann", "bob"], ["tea", "milk"])
    >>> log_fingerprint(log) == log_fingerprint(log.take(np.array([0, 1])).compact())
    True
    >>> log_fingerprint(log) == log_fingerprint(log.take(np.array([1, 0])))
    False
    """
    known = hashlib.sha256()
    _texts(known, "user", log.user, log.users)
    _texts(known, "query", log.query, log.texts)
    if log.url is not None and log.urls is not None:
        _texts(known, "url", log.url, log.urls)
    for name, values in (("time", log.time), ("rank", log.rank)):
        if values is not None:
            known.update(name.encode())
            known.update(np.ascontiguousarray(values).view(np.uint8).data)
    return known.hexdigest()


def _texts(known: Any, name: str, codes: np.ndarray, texts: pa.StringArray) -> None:
    """Add a column of texts: the length of each line's text, then the texts one behind the other."""
    known.update(f"{name} {len(codes)}".encode())
    for start in range(0, len(codes), _AT_ONCE):
        part = codes[start : start + _AT_ONCE]
        lines = texts.take(pa.array(part, mask=part < 0))
        lengths = pc.fill_null(pc.binary_length(lines), -1).to_numpy(zero_copy_only=False).astype(np.int64)
        known.update(lengths.data)
        known.update(_joined(pc.fill_null(lines, "")))


def _joined(lines: pa.StringArray) -> memoryview:
    """Return the bytes of texts one behind the other, as they lie in memory."""
    _, offsets, data = lines.buffers()
    at = np.frombuffer(offsets, np.int32)[lines.offset : lines.offset + len(lines) + 1]
    return memoryview(data)[int(at[0]) : int(at[-1])] if data is not None else memoryview(b"")
