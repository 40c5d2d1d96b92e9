"""The last resort: whatever it starts from, nobody is below k afterwards, and what was taken stays taken."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.core.vocabulary import MISSING_KEYS, MissingKeys
from tacita.numeric.local_suppression.certain import make_certain
from tacita.numeric.local_suppression.local_suppression import SuppressionTask
from tests.oracles.mask.local_suppression import is_k_anonymous_oracle


@pytest.mark.parametrize("missing", MISSING_KEYS)
def test_everybody_hides_afterwards(missing: MissingKeys) -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        n, d, k = int(rng.integers(4, 30)), int(rng.integers(1, 5)), int(rng.integers(2, 5))
        codes = rng.integers(-1, 4, (n, d))
        gone = (rng.random((n, d)) < 0.2) & (codes >= 0)
        strata = np.repeat([0, 1], [n - n // 2, n // 2]) if n // 2 >= k else np.zeros(n, dtype=np.int64)
        if np.bincount(strata).min() < k:
            continue
        units = rng.integers(0, n, n) if rng.random() < 0.5 else None
        shared = tuple(range(int(rng.integers(0, d + 1)))) if units is not None else ()
        views = (tuple(range(d)),) if rng.random() < 0.5 else tuple((j,) for j in range(d))
        task = SuppressionTask(k=k, views=views, price=np.ones(d), missing=missing, units=units, shared=shared)
        cells = make_certain(codes, gone, task, strata)
        assert not (cells & (codes < 0)).any()
        assert (cells | ~gone).all()
        assert is_k_anonymous_oracle(np.where(cells, -1, codes), views, k, missing, strata)
        for j in shared:
            for unit in np.unique(units):
                there = (units == unit) & (codes[:, j] >= 0)
                assert len(set(cells[there, j])) <= 1


def test_what_is_safe_stays() -> None:
    codes = np.array([[0, 0], [0, 0], [1, -1], [1, 2]])
    task = SuppressionTask(k=2, views=((0, 1),), price=np.ones(2))
    assert not make_certain(codes, np.zeros((4, 2), dtype=bool), task).any()
