from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import DataError
from tacita.mask.safe.safe import Safe
from tacita.mask.safe.safe_certificate import certify_safe
from tests.mask.safe.test_safe import NAMES, people, records
from tests.oracles.mask.safe import deviations_oracle, small_groups

MASK = Safe(columns=NAMES, crossings=2, sweeps=50)
TABLES = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]


@given(seed=st.integers(0, 10**6), gaps=st.sampled_from([0.0, 0.2]))
def test_it_counts_what_the_oracle_counts(seed: int, gaps: float) -> None:
    data = people(150, seed, gaps)
    masked = MASK.apply(data, seed=seed)
    found = certify_safe(data, masked, MASK, others=(tuple(NAMES),))
    off = [abs(d) for d in deviations_oracle(records(data), records(masked), TABLES).values()]
    assert found.frequencies == tuple(np.bincount(off).tolist())
    assert (found.largest, found.mean) == (max(off), pytest.approx(np.mean(off)))
    assert found.is_safe
    assert found.is_real
    assert found.is_total_kept
    others = deviations_oracle(records(data), records(masked), [(0, 1, 2)])
    last = found.tables[-1]
    assert (last.table, last.is_controlled, last.cells) == (tuple(NAMES), False, len(others))
    assert last.largest == max(map(abs, others.values()))


def test_a_planted_small_group_is_seen() -> None:
    data = people()
    found = certify_safe(data, data, MASK)
    assert small_groups(records(data), 3)
    assert not found.is_safe
    assert "there are small combinations" in str(found)
    assert found.largest == 0


def test_an_invented_combination_is_seen() -> None:
    """Records of one file against those of another: some combinations are new, and the total differs."""
    found = certify_safe(people(60, 1), people(90, 2), MASK)
    assert not found.is_real
    assert not found.is_total_kept


def test_it_says_what_was_found() -> None:
    data = people()
    text = str(certify_safe(data, MASK.apply(data, seed=7), MASK))
    assert text.startswith("no combination has 1 to 2 records; 6 tables, largest deviation")
    assert text.endswith("total kept")


def test_a_file_without_records_is_safe() -> None:
    data = people(5).take(np.arange(0))
    found = certify_safe(data, data, MASK)
    assert found.is_safe
    assert (found.smallest, found.largest, found.mean) == (0, 0, 0.0)


def test_a_lacking_variable_is_named() -> None:
    data = people(60)
    with pytest.raises(DataError, match="lacks sex"):
        certify_safe(data, data.drop(["sex"]), MASK)
