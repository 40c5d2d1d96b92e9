"""Overlap control, and how many queries it makes an attacker ask."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.audit.overlap import OverlapControl, queries_needed
from tests.effort import examples
from tests.query.audit.exact_solver import determines_sum


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.sets(st.integers(0, 14), min_size=1), max_size=6), st.sets(st.integers(0, 14)), st.integers(0, 5))
def test_against_all_pairs(answered: list[set[int]], asked: set[int], overlap: int) -> None:
    control = OverlapControl(15, overlap=overlap)
    for members in answered:
        control.record(sorted(members))
    most = max((len(asked & members) for members in answered), default=0)
    expected = "allow" if most <= overlap else "free" if asked in answered else "deny"
    assert control.judge(sorted(asked)).outcome == expected


@pytest.mark.parametrize(("k", "overlap"), [(3, 1), (4, 1), (4, 2), (5, 2)])
def test_fewer_queries_than_needed_determine_nobody(k: int, overlap: int) -> None:
    """Workloads that follow the rule, one query short of the bound, in exact fractions."""
    rng = np.random.default_rng(k)
    for _ in range(30):
        control, answered = OverlapControl(9, overlap=overlap), []
        for _ in range(60):
            members = np.sort(rng.permutation(9)[: rng.integers(k, 7)])
            if len(answered) < queries_needed(k, overlap) - 1 and control.judge(members).outcome == "allow":
                control.record(members)
                answered.append(members.tolist())
        assert not determines_sum(answered, 9, 2)


def test_a_generous_overlap_is_beaten_by_two_queries() -> None:
    first, second = [0, 1, 2], [0, 1, 2, 3]
    assert determines_sum([first, second], 6, 2)
    for overlap, expected in ((3, "allow"), (2, "deny")):
        control = OverlapControl(6, overlap=overlap)
        control.record(first)
        assert control.judge(second).outcome == expected


def test_many_sets_of_many_records() -> None:
    n = 100_000
    control = OverlapControl(n, overlap=1000)
    for start in range(0, n - 1000, 1000):
        control.record(np.arange(start, start + 1000))
    assert control.judge(np.arange(0, n, 90)).outcome == "allow"
    assert control.judge(np.arange(5000, 6000)).outcome == "allow"
    control.record(np.arange(5000, 6002))
    assert control.judge(np.arange(5000, 6002)).outcome == "free"
    assert control.judge(np.arange(5000, 6003)).outcome == "deny"


def test_bad_parameters() -> None:
    with pytest.raises(ParameterError, match="overlap"):
        OverlapControl(5, overlap=-1)
    with pytest.raises(ParameterError, match="n_records"):
        OverlapControl(0, overlap=1)
    for k, overlap in ((0, 1), (3, 0)):
        with pytest.raises(ParameterError, match="queries_needed"):
            queries_needed(k, overlap)
