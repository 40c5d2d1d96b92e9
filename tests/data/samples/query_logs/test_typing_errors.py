"""Typing errors: one a text, of three kinds, and never half a letter."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from tacita.data.samples.query_logs.typing_errors import mistyped


def is_one_error(before: str, after: str) -> bool:
    """The slow version: every text that one error can make of another."""
    possible = {before}
    for i in range(len(before)):
        possible |= {before[:i] + before[i + 1 :], before[:i] + before[i] + before[i:]}
        possible.add(before[:i] + before[i + 1 : i + 2] + before[i : i + 1] + before[i + 2 :])
    return after in possible


@given(st.lists(st.text("abc zß1ł", max_size=12), max_size=6), st.integers(0, 2**32))
def test_one_error_at_most(texts: list[str], seed: int) -> None:
    where = np.arange(len(texts)) % 2 == 0
    made = mistyped(pa.array(texts, pa.string()), where, np.random.default_rng(seed))
    made.validate(full=True)
    for before, after, marked in zip(texts, made.to_pylist(), where, strict=True):
        assert is_one_error(before, after) if marked else before == after


def test_all_three_kinds_occur() -> None:
    made = mistyped(pa.array(["abcdef"] * 500), np.ones(500, bool), np.random.default_rng(1)).to_pylist()
    assert {len(text) for text in made} == {5, 6, 7}
    assert "abcdef" not in made
    assert "bacdef" in made


def test_a_slice_of_texts() -> None:
    texts = pa.array(["first", "second", "third"])
    made = mistyped(texts.slice(1), np.zeros(2, bool), np.random.default_rng(1))
    assert made.to_pylist() == ["second", "third"]
