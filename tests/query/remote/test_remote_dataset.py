"""What a server says about a data set."""

from __future__ import annotations

from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.query.remote.remote_dataset import RemoteDataset, is_dataset_name


def test_what_is_said_and_what_is_passed_over() -> None:
    plain = {"name": "a b", "title": "T", "version": "2", "requests": ["tabulate"], "records": 7, "later": {}}
    assert RemoteDataset.from_plain(plain) == RemoteDataset("a b", "T", "2", ("tabulate",), 7)
    assert RemoteDataset.from_plain({"name": "a", "title": None, "records": None}) == RemoteDataset("a")


@pytest.mark.parametrize("plain", [None, [], {}, {"name": ""}, {"name": 7}, {"name": "a", "title": 7}])
def test_what_is_no_data_set(plain: Any) -> None:
    with pytest.raises(ParameterError):
        RemoteDataset.from_plain(plain)


def test_names() -> None:
    assert is_dataset_name("años 2020")
    assert not any(map(is_dataset_name, ["", ".", "..", "a\n", "x" * 201, None, b"a", "\u202e"]))
