"""Differences of universes, within one data version and across two."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.query.audit.differences import DifferenceAudit, SmallDifference, differences_across
from tests.effort import examples

N = 12
sets_of_records = st.lists(st.sets(st.integers(0, N - 1), min_size=1), max_size=6)


@settings(max_examples=examples(25), deadline=None)
@given(sets_of_records, st.sets(st.integers(0, N - 1)), st.integers(2, 5), st.booleans())
def test_against_all_pairs(answered: list[set[int]], asked: set[int], limit: int, is_total_known: bool) -> None:
    audit = DifferenceAudit(N, limit=limit, is_total_known=is_total_known)
    everybody = set(range(N))
    for members in answered:
        audit.record(sorted(members))
    known = answered
    if is_total_known:
        known = [*answered, everybody]
        known = [*known, *(everybody - members for members in known)]
    apart = [len(asked ^ members) for members in known]
    expected = "free" if 0 in apart else "deny" if any(d < limit for d in apart) else "allow"
    assert audit.judge(sorted(asked)).outcome == expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (range(10), "free"),
        (range(12), "deny"),
        (range(8), "deny"),
        (range(13), "allow"),
        ([*range(9), 20], "deny"),
        ([*range(8), 20, 21], "allow"),
        (range(10, 40), "free"),
        (range(12, 40), "deny"),
        ([5, 6], "deny"),
        (range(2, 40), "deny"),
        (range(40), "free"),
    ],
    ids=str,
)
def test_limit_three_beside_one_answered_set(asked: object, expected: str) -> None:
    audit = DifferenceAudit(40, limit=3)
    audit.record(range(10))
    assert audit.judge(asked).outcome == expected  # type: ignore[arg-type]


def test_judging_changes_nothing() -> None:
    audit = DifferenceAudit(20, limit=3, is_total_known=False)
    assert [audit.judge(range(10)).outcome for _ in range(2)] == ["allow", "allow"]
    audit.record(range(10))
    assert audit.judge(range(10)).outcome == "free"


def test_newcomers_between_two_versions() -> None:
    old = [np.array(["ann", "bob", "cem", "dan"]), np.array(["eve", "fay"])]
    new = [
        np.array(["dan", "cem", "ann", "bob", "zoe"]),
        np.array(["eve", "fay"]),
        np.array(["ann", "bob", "cem", "gil"]),
    ]
    assert differences_across(old, new, limit=3) == (SmallDifference(0, 0, 1), SmallDifference(0, 2, 2))
    assert differences_across(old, new, limit=2) == (SmallDifference(0, 0, 1),)


@settings(max_examples=examples(25), deadline=None)
@given(sets_of_records, sets_of_records, st.integers(2, 5))
def test_across_against_all_pairs(old: list[set[int]], new: list[set[int]], limit: int) -> None:
    expected = [
        (i, j, len(first ^ second))
        for j, second in enumerate(new)
        for i, first in enumerate(old)
        if 0 < len(first ^ second) < limit
    ]
    assert list(differences_across([sorted(s) for s in old], [sorted(s) for s in new], limit=limit)) == expected


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="limit"):
        DifferenceAudit(5, limit=1)
    with pytest.raises(ParameterError, match="n_records"):
        DifferenceAudit(0)
    with pytest.raises(ParameterError, match="limit"):
        differences_across([[1]], [[2]], limit=0)
    with pytest.raises(DataError, match="twice"):
        differences_across([[1, 1]], [[2]])
