"""The fingerprint of a log depends on its lines and on nothing else."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tacita.data.query_log.fingerprint import log_fingerprint
from tacita.data.query_log.query_log import QueryLog

USERS, TEXTS = ["ann", "bob", "ann"], ["tea", "", "milk"]
TIME = np.array(["2006-03-01T07:00:00", "NaT", "2006-03-02T07:00:00"], "datetime64[us]")


def test_numbers_of_texts_do_not_matter() -> None:
    log = QueryLog.from_columns(USERS, TEXTS, time=TIME)
    turned = QueryLog(
        user=np.array([1, 0, 1], np.int32),
        query=np.array([2, -1, 0], np.int32),
        users=pa.array(["bob", "ann"]),
        texts=pa.array(["milk", "unused", "tea"]),
        time=TIME,
    )
    assert log_fingerprint(log) == log_fingerprint(turned)


def test_every_column_matters() -> None:
    logs = [
        QueryLog.from_columns(USERS, TEXTS),
        QueryLog.from_columns(["ann", "bo", "bann"], TEXTS),
        QueryLog.from_columns(USERS, ["te", "a", "milk"]),
        QueryLog.from_columns(USERS, TEXTS, time=TIME),
        QueryLog.from_columns(USERS, TEXTS, rank=[1, -1, -1]),
        QueryLog.from_columns(USERS, TEXTS, rank=[2, -1, -1]),
        QueryLog.from_columns(USERS, TEXTS, url=["a.org", "", ""]),
        QueryLog.from_columns([], []),
    ]
    assert len({log_fingerprint(log) for log in logs}) == len(logs)
