from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.numeric.synthesis.private.shares import drawn_codes, whole_shares


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=12), st.integers(0, 500), st.integers(0, 99))
def test_whole_numbers_add_up_and_are_next_to_their_share(shares: list[float], n: int, seed: int) -> None:
    given_shares = np.array(shares)
    counts = whole_shares(given_shares, n, np.random.default_rng(seed))
    exact = given_shares / given_shares.sum() * n if given_shares.sum() > 0 else np.full(len(shares), n / len(shares))
    assert counts.sum() == n
    assert (np.abs(counts - exact) < 1 + 1e-6).all()


def test_what_is_cut_off_decides_who_is_rounded_up() -> None:
    rng = np.random.default_rng(1)
    counts = sum(whole_shares(np.array([0.1, 0.9]), 1, rng) for _ in range(4000))
    assert counts[1] / 4000 == pytest.approx(0.9, abs=0.03)  # 6 standard deviations


def test_codes_are_in_random_order() -> None:
    codes = drawn_codes(np.array([1.0, 1.0]), 100, np.random.default_rng(1))
    assert np.bincount(codes).tolist() == [50, 50]
    assert 10 < codes[:50].sum() < 40  # 6 standard deviations
    assert drawn_codes(np.array([1.0]), 0, np.random.default_rng(1)).tolist() == []
