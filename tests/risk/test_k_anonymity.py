"""k-anonymity of a file: by hand, and by every reading of missing keys."""

from __future__ import annotations

from typing import cast

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import MeasureError, ParameterError
from tacita.core.vocabulary import MissingKeys
from tacita.data.microdata import Microdata
from tacita.risk.k_anonymity import KAnonymity
from tests.oracles.numeric.frequencies import frequencies_oracle


def make(*third: int | None) -> Microdata:
    table = pa.table({"a": [2, 3, 2, 2, 3, 3, 1, 2], "b": [3, 3, 3, 3, 3, 3, 4, 3], "c": list(third)})
    return Microdata.from_frame(table, keys=["a", "b", "c"], scales=dict.fromkeys("abc", "nominal"))


def test_by_hand() -> None:
    """Frequencies 3 1 3 1 2 2 1 3: five of eight records are below 3, three below 2."""
    found = KAnonymity(k=3).assess(make(1, 3, 1, 2, 1, 1, 1, 1))
    assert found.value == 100 * 5 / 8
    assert found.per_record is not None
    assert found.per_record.tolist() == [0, 1, 0, 1, 1, 1, 1, 0]
    assert found.parts == {"below 2": 3, "below 3": 5, "below 5": 8, "patterns": 5}


@pytest.mark.parametrize("missing", ["wildcard", "own category", "conservative"])
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_missing_keys(missing: str, k: int) -> None:
    third = np.array([1, 3, -1, 2, 1, 1, -1, 1])
    found = KAnonymity(k=k, missing=cast(MissingKeys, missing)).assess(
        make(*(None if c < 0 else int(c) for c in third))
    )
    codes = np.array([[2, 3, 2, 2, 3, 3, 1, 2], [3, 3, 3, 3, 3, 3, 4, 3], third]).T
    assert found.per_record is not None
    assert found.per_record.tolist() == (frequencies_oracle(codes, np.ones(8), missing) < k).astype(float).tolist()


def test_the_masked_file_is_looked_at_and_some_of_its_records() -> None:
    original, masked = make(1, 3, 1, 2, 1, 1, 1, 1), make(*[1] * 8)
    whole = KAnonymity(k=3)(original, masked, pairing="order")
    assert whole.value == 100 / 8


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="'k' must be"):
        KAnonymity(k=0)
    with pytest.raises(ParameterError, match="'data' must be Microdata, got int"):
        KAnonymity().assess(3)  # type: ignore[arg-type]
    with pytest.raises(MeasureError, match="no records"):
        KAnonymity().assess(make(1, 3, 1, 2, 1, 1, 1, 1).take(np.arange(0)))
