"""One BLAS thread within the block, as many as before after it."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_info

from tacita.numeric.compiled.blas import one_blas_thread


def _threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


def test_one_thread_within_and_the_old_number_after() -> None:
    with one_blas_thread():  # loads what it limits
        pass
    before = _threads()
    with one_blas_thread():
        assert len(_threads()) == len(before) > 0
        assert set(_threads()) == {1}
        product = np.ones((3, 2000)) @ np.ones((2000, 3))
    assert _threads() == before
    assert (product == 2000).all()
