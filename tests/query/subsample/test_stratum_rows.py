"""Lists of strata: a place names a record by its stratum and its id, whatever row it stands in."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.query.subsample.stratum_rows import StratumRows

IDS = np.random.default_rng(1).permutation(50).astype(np.uint64)
STRATA = np.array([7, -2, 10**12])[np.arange(50) % 3]


@pytest.mark.parametrize("is_sorted", [True, False])
def test_records_stand_by_stratum_and_id(is_sorted: bool) -> None:
    ids = np.sort(IDS) if is_sorted else IDS
    listed = StratumRows.of(STRATA, ids)
    wanted = sorted(range(50), key=lambda row: (STRATA[row], ids[row]))
    assert listed.rows(np.arange(50)).tolist() == wanted
    assert listed.codes.tolist() == [-2, 7, 10**12]
    assert listed.sizes.tolist() == [17, 17, 16]


def test_the_order_of_rows_does_not_matter() -> None:
    places = np.random.default_rng(2).permutation(50)
    one, other = StratumRows.of(STRATA, IDS), StratumRows.of(STRATA[places], IDS[places])
    assert IDS[one.rows(np.arange(50))].tolist() == IDS[places][other.rows(np.arange(50))].tolist()


def test_one_stratum_in_order_needs_no_list() -> None:
    assert StratumRows.of(None, np.arange(5, dtype=np.uint64)).order is None
    backwards = StratumRows.of(None, np.arange(5, dtype=np.uint64)[::-1])
    assert backwards.rows(np.arange(5)).tolist() == [4, 3, 2, 1, 0]
    assert backwards.sizes.tolist() == [5]
