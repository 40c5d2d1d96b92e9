"""Indivisible units: whatever is made of answered sets is a union of units."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.query.audit.indivisible import bind_units, whole_units
from tacita.query.audit.sum_auditor import SumAuditor
from tests.effort import examples


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(2, 6), st.integers(0, 40), st.integers(0, 2**32))
def test_units_are_neighbours_of_k_to_2k_less_1_records(k: int, more: int, seed: int) -> None:
    order = np.random.default_rng(seed).random(k + more)
    units = bind_units(order, k=k)
    sizes = np.bincount(units)
    assert sizes.min() >= k
    assert sizes.max() <= 2 * k - 1
    assert (np.diff(units[np.argsort(order)]) >= 0).all()


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 2**32))
def test_every_difference_of_answered_sets_is_a_union_of_units(seed: int) -> None:
    rng = np.random.default_rng(seed)
    units = bind_units(rng.random(30), k=4)
    asked = [rng.random(30) < 0.9 for _ in range(4)]
    answered = [whole_units(mask, units) for mask in asked]
    for mask, cut in zip(asked, answered, strict=True):
        assert not (cut & ~mask).any()
    for first, second in itertools.permutations(answered, 2):
        for made in (first & ~second, first & second, first | second, first ^ second):
            inside = np.bincount(units[made], minlength=units.max() + 1)
            assert ((inside == 0) | (inside == np.bincount(units))).all()


def test_all_whole_units_together_keep_single_records_safe() -> None:
    """An auditor with a limit of k lets every one of them pass, also those that an unbound set would not."""
    rng = np.random.default_rng(6)
    units = bind_units(rng.random(24), k=3)
    auditor = SumAuditor(24, limit=3, key=b"key of the units")
    for _ in range(40):
        cut = whole_units(rng.random(24) < 0.9, units)
        assert auditor.judge(cut).is_allowed
        auditor.record(cut)
    auditor = SumAuditor(24, limit=3, key=b"key of the units")
    auditor.record(range(24))
    assert not auditor.judge(range(1, 24)).is_allowed
    assert auditor.judge(whole_units(range(1, 24), units)).is_allowed


def test_a_secret_order() -> None:
    ids = np.arange(50, dtype=np.uint64)
    one, other = (
        bind_units(Key(key).record_order(ids, "units"), k=5) for key in (b"0123456789abcdef", b"another key: abc")
    )
    assert (np.bincount(one) == 5).all()
    assert (one != other).any()


def test_a_set_smaller_than_a_unit_is_empty() -> None:
    units = bind_units(np.arange(10), k=5)
    assert not whole_units([0, 1, 2, 3], units).any()
    assert np.flatnonzero(whole_units(range(9), units)).tolist() == [0, 1, 2, 3, 4]


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="'k'"):
        bind_units([1, 2, 3], k=1)
    with pytest.raises(DataError, match="k=4"):
        bind_units([1, 2, 3], k=4)
    with pytest.raises(DataError):
        whole_units([3], np.array([0, 0, 0]))
