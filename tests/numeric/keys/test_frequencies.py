"""Key patterns: numbered, counted, matched with missing values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.keys import frequencies
from tacita.numeric.keys.frequencies import (
    count_single,
    find_patterns,
    fold_codes,
    is_single_word,
    label_patterns,
    number_words,
)
from tacita.numeric.keys.missing_keys import pattern_frequencies
from tests.oracles.numeric.frequencies import frequencies_oracle

A, B, C = (2, 3, 2, 2, 3, 3, 1, 2), (3, 3, 3, 3, 3, 3, 4, 3), (1, 3, 1, 2, 1, 1, 1, 1)
WEIGHTS = np.array([18, 45.5, 39, 17, 92, 8, 123.5, 51])
READINGS = ("wildcard", "own category", "conservative")


def columns(codes: np.ndarray) -> list[tuple[np.ndarray, int]]:
    return [(column.copy(), int(column.max(initial=-1)) + 1) for column in codes.T]


@st.composite
def key_codes(draw: st.DrawFn) -> np.ndarray:
    n, d = draw(st.integers(1, 25)), draw(st.integers(1, 4))
    values = draw(st.lists(st.integers(-1, 2), min_size=n * d, max_size=n * d))
    return np.array(values, dtype=np.int64).reshape(n, d)


@pytest.mark.parametrize(
    ("third", "fk", "big_fk"),
    [
        (C, (3, 1, 3, 1, 2, 2, 1, 3), (108, 45.5, 108, 17, 100, 100, 123.5, 108)),
        (
            (1, 3, -1, 2, 1, 1, -1, 1),
            (3, 1, 4, 2, 2, 2, 1, 3),
            (108, 45.5, 125, 56, 100, 100, 123.5, 108),
        ),
    ],
    ids=["complete", "two missing as wildcards"],
)
def test_worked_example_of_the_field(third: tuple[int, ...], fk: tuple[int, ...], big_fk: tuple[float, ...]) -> None:
    found = find_patterns([(np.array(key), 5) for key in (A, B, third)])
    assert pattern_frequencies(found, found.counts, "wildcard")[found.labels].tolist() == list(fk)
    assert pattern_frequencies(found, found.total(WEIGHTS), "wildcard")[found.labels].tolist() == list(big_fk)


@given(key_codes(), st.sampled_from(READINGS), st.integers(0, 2**32))
def test_equals_the_oracle(codes: np.ndarray, missing: str, seed: int) -> None:
    weights = np.random.default_rng(seed).integers(1, 100, len(codes)).astype(float)
    found = find_patterns(columns(codes))
    assert np.array_equal(found.codes[found.labels], codes)
    for amounts, whole in ((np.ones(len(codes)), found.counts), (weights, found.total(weights))):
        ours = pattern_frequencies(found, whole, missing)[found.labels]
        assert ours.tolist() == frequencies_oracle(codes, amounts, missing).tolist()


@given(key_codes())
def test_readings_are_ordered(codes: np.ndarray) -> None:
    found = find_patterns(columns(codes))
    wildcard, own, conservative = (pattern_frequencies(found, found.counts, reading) for reading in READINGS)
    assert (own <= conservative).all()
    assert (conservative <= wildcard).all()


@given(key_codes(), st.booleans())
def test_hash_and_folding_give_the_same_patterns(codes: np.ndarray, tight: bool) -> None:
    plain = find_patterns(columns(codes))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frequencies, "_DENSE", 0)
        patch.setattr(frequencies, "_LARGEST_WORD", 10 if tight else 2**62)
        wide = [(column, 10**9) if not tight else (column, size) for column, size in columns(codes)]
        other = find_patterns(wide)
    assert np.array_equal(plain.codes, other.codes)
    assert np.array_equal(plain.labels, other.labels)
    assert np.array_equal(plain.counts, other.counts)


@given(key_codes())
def test_equal_rows_and_only_those_fold_to_equal_words(codes: np.ndarray) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frequencies, "_LARGEST_WORD", 8)
        words = fold_codes(codes, codes.max(axis=0) + 1)
    same = (codes[:, None, :] == codes[None, :, :]).all(axis=2)
    assert np.array_equal(words[:, None] == words[None, :], same)


def test_hash_table_grows() -> None:
    words = np.random.default_rng(1).permutation(200_000) * 2**40
    labels, known, counts = number_words(np.concatenate((words, words)), 2**62)
    assert np.array_equal(known, np.sort(words))
    assert (counts == 2).all()
    assert np.array_equal(known[labels], np.concatenate((words, words)))


def test_no_columns_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one column"):
        find_patterns([])


def test_no_records() -> None:
    found = find_patterns([(np.empty(0, np.int64), 3)])
    assert len(found.labels) == len(found.counts) == 0
    assert pattern_frequencies(found, found.counts, "wildcard").size == 0


@pytest.mark.parametrize("different", [2**40, 50])
def test_numbers_are_those_of_sorting_whether_words_repeat_or_not(different: int) -> None:
    words = np.random.default_rng(1).integers(0, different, 3000) * (2**61 // different)
    known, labels, counts = np.unique(words, return_inverse=True, return_counts=True)
    found = number_words(words.copy(), 2**62)
    assert [part.tolist() for part in found] == [labels.ravel().tolist(), known.tolist(), counts.tolist()]
    assert is_single_word(words, 2**62).tolist() == (counts[labels.ravel()] == 1).tolist()


def test_a_small_space_is_counted() -> None:
    assert is_single_word(np.array([3, 0, 3, 1]), 4).tolist() == [False, True, False, True]
    assert is_single_word(np.zeros(0, dtype=np.int64), 4).tolist() == []


@given(key_codes())
def test_labels_and_narrow_codes_are_the_same(codes: np.ndarray) -> None:
    whole, narrow = find_patterns(columns(codes)), find_patterns(columns(codes), is_narrow=True)
    assert label_patterns(columns(codes)).tolist() == whole.labels.tolist() == narrow.labels.tolist()
    assert narrow.codes.dtype == np.int8
    assert narrow.codes.tolist() == whole.codes.tolist()


def test_single_records_are_counted() -> None:
    codes = np.array([[0, 2], [1, 0], [0, 2], [-1, 0], [1, 1]])
    assert count_single((codes[:, j], 3) for j in range(2)) == 3
    assert count_single([(codes[:0, 0], 3)]) == 0


@pytest.mark.parametrize("different", [7, 200_000])
def test_numbers_may_stand_where_the_words_were(different: int) -> None:
    words = np.random.default_rng(3).integers(0, different, 200_000) * 2**40
    wanted = number_words(words.copy(), 2**60)
    for one, other in zip(wanted, number_words(words, 2**60, overwrite=True), strict=True):
        np.testing.assert_array_equal(one, other)
