"""Texts that are found again, and rows of the profiles that stand for users."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from scipy import sparse

from tacita.logs.measures.matched import mean_of_known, profile_rows, text_places, user_blocks


def test_texts_are_found_letter_by_letter() -> None:
    assert text_places(pa.array(["tea", "Tea", "jam"]), pa.array(["jam", "tea"])).tolist() == [1, -1, 0]


def test_who_has_no_profile_has_an_empty_row() -> None:
    rows = profile_rows(sparse.csr_array(np.array([[1.0, 2.0], [3.0, 4.0]])), np.array([1, -1, 0, 1], np.int32))
    assert rows.toarray().tolist() == [[3.0, 4.0], [0.0, 0.0], [1.0, 2.0], [3.0, 4.0]]


def test_means_pass_over_what_is_missing() -> None:
    found = mean_of_known(np.array([[1.0, np.nan, np.nan], [2.0, 5.0, np.nan]]))
    assert found[:2].tolist() == [1.5, 5.0]
    assert np.isnan(found[2])


def test_blocks_cover_all_users() -> None:
    assert [(b.start, b.stop) for b in user_blocks(45_000)] == [(0, 20_000), (20_000, 40_000), (40_000, 45_000)]
