"""Families as words: the same counts as a dictionary of sets, and few bytes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.noise import family_words as module
from tacita.query.noise.family_words import FamilyWords
from tests.effort import examples

WORDS = st.integers(0, 2**64 - 1) | st.integers(0, 5)


def words(numbers: list[int]) -> np.ndarray:
    return np.array(numbers, dtype=np.uint64)


@settings(max_examples=examples(50), deadline=None)
@given(st.lists(st.lists(st.tuples(WORDS, WORDS), max_size=6), max_size=8), st.integers(1, 8))
def test_counts_are_those_of_a_dictionary_of_sets(batches: list[list[tuple[int, int]]], least: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_LEAST", least)
        known, plain = FamilyWords(), dict[int, set[int]]()
        for batch in batches:
            sets, families = words([one for one, _ in batch]), words([other for _, other in batch])
            assert known.has(sets, families).tolist() == [b in plain.get(a, ()) for a, b in batch]
            known.add(sets, families)
            for one, other in batch:
                plain.setdefault(one, set()).add(other)
            asked = words([*plain, 17])
            assert known.counts(asked).tolist() == [len(plain.get(one, ())) for one in asked.tolist()]
            assert len(known) == sum(map(len, plain.values()))


def test_sixteen_bytes_each() -> None:
    rng, known = np.random.default_rng(1), FamilyWords()
    for _ in range(100):
        known.add(rng.integers(0, 2**40, 1000, dtype=np.uint64), rng.integers(0, 2**63, 1000, dtype=np.uint64))
    assert len(known) == 100_000
    assert 0.8 * 16 * len(known) < known.nbytes <= 16 * len(known)
