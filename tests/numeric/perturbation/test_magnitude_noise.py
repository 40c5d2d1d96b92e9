"""Noise of sums: the share by size, signs of contributors, sizes of cells."""

from __future__ import annotations

import numpy as np

from tacita.core.keyed import Key
from tacita.numeric.perturbation.magnitude_noise import contributor_noise, flexible_share

KEY = Key(bytes(range(3, 67, 2)))


def test_the_share_falls_from_small_to_large() -> None:
    x = np.geomspace(1, 1e8, 200)
    m = flexible_share(x, small=0.25, large=0.05, point=100.0)
    assert (m[x <= 100] == 0.25).all()
    assert abs(m[-1] - 0.05) < 1e-3
    # noise itself, share times size, never falls as the contribution grows: larger ones are not better known
    assert (np.diff(m * x)[x[1:] > 400] > 0).all()
    assert (flexible_share(x, small=0.3, large=0.05, point=None) == 0.3).all()


def test_signs_belong_to_contributors_and_sizes_to_cells() -> None:
    words = np.arange(1, 201, dtype=np.uint64).reshape(-1, 1)
    amounts = np.ones((200, 1))
    counts = np.ones(200, np.int64)

    def noise(salt: int) -> np.ndarray:
        sums = np.stack([np.arange(200) + salt, np.arange(200)], axis=1)
        return contributor_noise(amounts, words, sums, counts, key=KEY, labels=("x",), weights=np.ones(1), spread=0.5)

    one, other = noise(0), noise(1000)
    assert (np.sign(one) == np.sign(other)).all()
    assert (one != other).all()
    assert ((np.abs(one) >= 0.5) & (np.abs(one) <= 1.5)).all()
    assert abs(np.sign(one).mean()) < 4 / np.sqrt(200)  # false alarm 1 in 15 000
