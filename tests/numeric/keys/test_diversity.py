"""Diversity, closeness and likeness of groups against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.keys import diversity
from tacita.numeric.keys.diversity import (
    beta_likeness,
    delta_disclosure,
    distinct_values,
    entropy_values,
    equal_distance,
    group_values,
    hierarchical_distance,
    ordered_distance,
    recursive_ratio,
)
from tests.effort import examples
from tests.oracles.risk.diversity import distribution, transport

VALUES = 5
ANCESTORS = np.array([[0, 0, 1, 1, 1], [0, 0, 0, 0, 0]])
HEIGHT = np.array([[0, 1, 2, 2, 2], [1, 0, 2, 2, 2], [2, 2, 0, 1, 1], [2, 2, 1, 0, 1], [2, 2, 1, 1, 0]])


@st.composite
def files(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    n = draw(st.integers(1, 30))
    values = np.array(draw(st.lists(st.integers(0, VALUES - 1), min_size=n, max_size=n)))
    labels = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    return np.unique(labels, return_inverse=True)[1].ravel(), values


@given(files(), st.integers(1, 4))
def test_counts_and_shares(file: tuple[np.ndarray, np.ndarray], least: int) -> None:
    labels, values = file
    table = group_values(labels, values, VALUES)
    q = distribution(values, VALUES)
    for group in range(labels.max() + 1):
        own = values[labels == group]
        p = distribution(own, VALUES)
        there = p[p > 0]
        ranked = np.sort(there)[::-1]
        assert distinct_values(table)[group] == len(set(own))
        assert entropy_values(table)[group] == pytest.approx(np.exp(-(there * np.log(there)).sum()))
        assert equal_distance(table)[group] == pytest.approx(0.5 * np.abs(p - q).sum(), abs=1e-12)
        tail = ranked[least - 1 :].sum()
        assert recursive_ratio(table, least)[group] == pytest.approx(ranked[0] / tail if tail else np.inf)
        known = q > 0
        delta = np.inf if (p[known] == 0).any() else np.abs(np.log(p[known] / q[known])).max()
        assert delta_disclosure(table)[group] == pytest.approx(delta)
        assert beta_likeness(table)[group] == pytest.approx(max(0, ((p - q)[known] / q[known]).max()), abs=1e-12)


@settings(max_examples=examples(40), deadline=None)
@given(files())
def test_distances_are_the_cheapest_transport(file: tuple[np.ndarray, np.ndarray]) -> None:
    labels, values = file
    table = group_values(labels, values, VALUES)
    q = distribution(values, VALUES)
    line = np.abs(np.subtract.outer(np.arange(VALUES), np.arange(VALUES))) / (VALUES - 1)
    for group in range(labels.max() + 1):
        p = distribution(values[labels == group], VALUES)
        assert ordered_distance(table)[group] == pytest.approx(transport(p, q, line), abs=1e-9)
        assert hierarchical_distance(table, ANCESTORS)[group] == pytest.approx(transport(p, q, HEIGHT / 2), abs=1e-9)


def test_hierarchical_distance_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    table = group_values(np.repeat(np.arange(50), 4), rng.integers(0, VALUES, 200), VALUES)
    whole = hierarchical_distance(table, ANCESTORS)
    monkeypatch.setattr(diversity, "_CELLS", 35)
    assert hierarchical_distance(table, ANCESTORS) == pytest.approx(whole)


def test_worked_example_of_ordered_closeness() -> None:
    """Li et al. (2007), section 4.1: nine incomes 3k..11k; the class {3k, 4k, 5k} is 0.375 away, {6k, 8k, 11k} 0.167."""
    values = np.arange(9)
    labels = np.array([0, 0, 0, 1, 2, 1, 2, 2, 1])
    found = ordered_distance(group_values(labels, values, 9))
    assert found[0] == pytest.approx(0.375)
    assert found[1] == pytest.approx(1 / 6)


def test_enhanced_likeness_caps_the_gain_by_rarity() -> None:
    table = group_values(np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1]), 2)
    assert beta_likeness(table).tolist() == pytest.approx([1 / 3, 1])
    assert beta_likeness(table, is_enhanced=True)[0] == np.inf
