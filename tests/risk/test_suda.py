"""SUDA: minimal sample uniques against the search of all sets, scores by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.microdata import Microdata
from tacita.numeric.keys.frequencies import find_patterns
from tacita.numeric.keys.suda import msu_score, special_uniques
from tacita.risk.suda import Suda
from tests.oracles.risk.suda import minimal_uniques_oracle


@st.composite
def key_codes(draw: st.DrawFn) -> np.ndarray:
    n, d = draw(st.integers(1, 15)), draw(st.integers(1, 5))
    return np.array(draw(st.lists(st.integers(-1, 2), min_size=n * d, max_size=n * d)), dtype=np.int64).reshape(n, d)


@given(key_codes(), st.integers(1, 5))
def test_equals_the_search_of_all_sets(codes: np.ndarray, largest: int) -> None:
    d = codes.shape[1]
    patterns = find_patterns([(column.copy(), 3) for column in codes.T])
    found = special_uniques(patterns, largest)
    for row, msus in enumerate(minimal_uniques_oracle(codes, largest)):
        pattern = patterns.labels[row]
        scores = [msu_score(len(msu), d, min(largest, d)) for msu in msus]
        assert found.scores[pattern] == sum(scores)
        assert found.counts[pattern].tolist() == [sum(len(m) == k + 1 for m in msus) for k in range(min(largest, d))]
        per_column = [sum(s for m, s in zip(msus, scores, strict=True) if j in m) for j in range(d)]
        assert found.contributions[pattern].tolist() == per_column


def make() -> Microdata:
    """The third record is unique by region alone; the others share everything in pairs."""
    table = pa.table(
        {"region": ["n", "n", "s", "w", "w"], "sex": ["f", "f", "m", "m", "m"], "age": ["1", "1", "1", "2", "2"]}
    )
    return Microdata.from_frame(table, keys=["region", "sex", "age"])


def test_by_hand() -> None:
    """MSUs of the third record: {region} scores 2, {sex, age} scores 1. U = 1, P = 2, f = 0.5: DIS = 0.5 / 2.5."""
    found = Suda(largest=3, fraction=0.5).assess(make())
    assert found.per_record is not None
    assert found.per_record.tolist() == pytest.approx([0, 0, 0.2, 0, 0])
    assert found.parts["dis"] == pytest.approx(20)
    assert found.parts["msu of size 1"] == found.parts["msu of size 2"] == 1
    assert found.parts["from region"] == pytest.approx(100 * 2 / 3)
    assert found.parts["from sex"] == found.parts["from age"] == pytest.approx(100 / 3)


def test_nobody_is_unique() -> None:
    data = make().take(np.array([0, 1, 3, 4]))
    found = Suda().assess(data)
    assert found.value == 0
    assert found.parts["uniques"] == 0


def test_sampling_fraction_comes_from_the_weights() -> None:
    weighted = Microdata.from_frame(
        make().to_arrow().append_column("w", pa.array([2.0] * 5)), keys=["region", "sex", "age"], weight="w"
    )
    assert Suda().assess(weighted).parts["dis"] == pytest.approx(20)
