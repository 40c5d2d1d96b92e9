"""Linking categories by known rates: the bits by hand, and the chance against looking at every pair."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.linkage import known_rates
from tacita.numeric.linkage.known_rates import agreement_bits, own_agrees_most
from tests.effort import examples


def test_bits_by_hand() -> None:
    """Kept with 1/2 and otherwise drawn: 3/4 against 1/4 for a category of half of the records, 5/8 against 1/8 for a quarter."""
    assert agreement_bits(0.5, np.array([0.5, 0.25])) == pytest.approx([math.log2(3), math.log2(5)])


def test_a_column_that_says_nothing_and_one_that_says_all() -> None:
    assert agreement_bits(0.0, np.array([0.5, 0.5])).tolist() == [0.0, 0.0]
    assert agreement_bits(1.0, np.array([0.5, 0.5])).tolist() == [60.0, 60.0]


def test_rare_categories_say_more() -> None:
    bits = agreement_bits(0.8, np.array([0.5, 0.3, 0.15, 0.05]))
    assert (np.diff(bits) > 0).all()


@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 3), st.integers(1, 40), st.integers(0, 2**32 - 1))
@settings(max_examples=examples(80), deadline=None)
def test_equal_to_looking_at_every_pair(p: int, q: int, d: int, cells: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    originals, masked = rng.integers(0, 3, (p, d)), rng.integers(0, 3, (q, d))
    own, bits = rng.integers(0, p, q), rng.integers(0, 3, (q, d)).astype(float)
    expected = []
    for i in range(q):
        totals = [sum(bits[i, j] for j in range(d) if masked[i, j] == row[j]) for row in originals]
        best = [t == max(totals) for t in totals]
        expected.append(best[own[i]] / sum(best))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(known_rates, "_CELLS", cells)  # blocks of any size give the same
        assert own_agrees_most(originals, masked, own, bits) == pytest.approx(expected)
