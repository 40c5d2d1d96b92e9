"""Packed sets, against sets of Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.audit.bitsets import PackedSets, packed
from tests.effort import examples


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(1, 200), st.integers(0, 2**32), st.integers(0, 30))
def test_common_records(n: int, seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    masks = rng.random((count, n)) < 0.4
    asked = rng.random(n) < 0.5
    sets = PackedSets(n)
    for mask in masks:
        sets.append(mask)
    assert len(sets) == count
    assert sets.sizes.tolist() == masks.sum(axis=1).tolist()
    assert sets.common(asked).tolist() == (masks & asked).sum(axis=1).tolist()
    some = np.arange(0, count, 3)
    assert sets.common(asked, some).tolist() == (masks & asked).sum(axis=1)[some].tolist()


@pytest.mark.parametrize("n", [1, 7, 8, 63, 64, 65, 128])
def test_bits_behind_the_last_record_are_zero(n: int) -> None:
    words = packed(np.ones(n, dtype=bool))
    assert sum(int(word) << (64 * place) for place, word in enumerate(words)) == 2**n - 1


def test_more_words_than_one_block() -> None:
    n = 64 * 2**16 + 5
    sets = PackedSets(n)
    for size in (3, n, n - 1):
        sets.append(np.arange(n) < size)
    assert sets.common(np.ones(n, dtype=bool)).tolist() == [3, n, n - 1]
