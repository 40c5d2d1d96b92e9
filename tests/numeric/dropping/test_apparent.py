"""Tests of apparent disclosures: correct ones, wrong ones, and what an attacker may believe."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.numeric.dropping.apparent import ApparentDisclosure, apparent_disclosure, apparent_from_counts
from tacita.numeric.dropping.probability import disclosure_probability
from tests.oracles.query.disclosure import apparent_oracle

tables = st.lists(st.integers(1, 9), min_size=1, max_size=3)


def _shares(values: list[int]) -> list[Fraction]:
    return [Fraction(value, sum(values)) for value in values]


@settings(max_examples=15, deadline=None)
@given(tables, st.integers(2, 4), st.integers(0, 2))
def test_against_all_pairs_of_drops(values: list[int], k: int, cell: int) -> None:
    p, target = _shares(values), cell % len(values)
    shown = apparent_oracle(p, p, k, target)
    found = apparent_disclosure([float(share) for share in p], k, target=target)
    assert found.correct == pytest.approx(float(shown[target]), rel=1e-12)
    assert found.wrong == pytest.approx(float(sum(shown.values()) - shown[target]), rel=1e-12, abs=1e-300)
    for seen in range(len(p)):
        part = apparent_disclosure([float(share) for share in p], k, target=target, seen=seen)
        assert part.apparent == pytest.approx(float(shown[seen]), rel=1e-12, abs=1e-300)
        assert (part.wrong if seen == target else part.correct) == 0


@settings(max_examples=10, deadline=None)
@given(tables, st.integers(2, 4))
def test_what_the_attacker_may_believe_is_bayes(values: list[int], k: int) -> None:
    p = _shares(values)
    chances = [apparent_oracle(p, p, k, target) for target in range(len(p))]
    floats = [float(share) for share in p]
    for seen in range(len(p)):
        among = sum(share * chance[seen] for share, chance in zip(p, chances, strict=True))
        found = apparent_disclosure(floats, k, seen=seen)
        assert found.confidence == pytest.approx(float(p[seen] * chances[seen][seen] / among), rel=1e-12)
    average = sum(share * sum(chance.values()) for share, chance in zip(p, chances, strict=True))
    assert apparent_disclosure(floats, k).apparent == pytest.approx(float(average), rel=1e-12)


@settings(max_examples=10, deadline=None)
@given(st.lists(st.integers(2, 9), min_size=1, max_size=3), st.integers(2, 3), st.sampled_from([None, 0, 1, 2]))
def test_tables_of_two_universes(values: list[int], k: int, own: int | None) -> None:
    """The second universe lacks the record, and the insider who takes himself out of the first by hand."""
    own = None if own is None else own % len(values)
    smaller = list(values)
    smaller[0] -= 1
    if own is not None:
        smaller[own] -= 1
    if not any(smaller):
        return
    shown = apparent_oracle(_shares(values), _shares(smaller), k, 0)
    found = apparent_from_counts(values, k, target=0, own=own)
    assert found.correct == pytest.approx(float(shown[0]), rel=1e-12)
    assert found.apparent == pytest.approx(float(sum(shown.values())), rel=1e-12)


def test_correct_ones_are_formula_5() -> None:
    p = [0.44, 0.04, 0.47, 0.05]
    for target in range(4):
        assert apparent_disclosure(p, 6, target=target).correct == pytest.approx(
            disclosure_probability(p, 6), rel=1e-12
        )


def test_the_insider_has_the_same_chances_in_large_universes() -> None:
    counts = np.array([430, 38, 462, 48]) * 10_000
    insider = apparent_from_counts(counts, 5, target=1, own=1)
    plain = apparent_disclosure(counts / counts.sum(), 5, target=1)
    assert (insider.correct, insider.wrong) == pytest.approx((plain.correct, plain.wrong), rel=1e-4)


def test_a_rare_cell_is_right_when_it_shows_and_equal_cells_once_in_three() -> None:
    assert apparent_disclosure([0.001, 0.499, 0.5], 5, target=0).confidence > 0.99
    assert apparent_disclosure(np.full(1000, 1e-3), 5).confidence == pytest.approx(1 / 3, rel=1e-3)


def test_one_cell_is_never_wrong() -> None:
    assert apparent_disclosure([1.0], 5, target=0) == ApparentDisclosure(correct=0.25, wrong=0.0)
    assert math.isnan(ApparentDisclosure(correct=0.0, wrong=0.0).confidence)


@pytest.mark.parametrize("cell", [-1, 2])
def test_cells_are_those_of_the_table(cell: int) -> None:
    with pytest.raises(ParameterError, match=r"'target' must be the number of a cell, in \[0, 1\]"):
        apparent_disclosure([0.5, 0.5], 3, target=cell)
    with pytest.raises(ParameterError, match="'seen' must be the number of a cell"):
        apparent_disclosure([0.5, 0.5], 3, seen=cell)
    with pytest.raises(ParameterError, match="'own' must be the number of a cell"):
        apparent_from_counts([50, 50], 3, target=0, own=cell)


@pytest.mark.parametrize("counts", [[], [0.5, 0.5], [-1, 5], [0, 5], [1, 0]])
def test_counts_are_those_of_a_universe_with_the_record(counts: list[float]) -> None:
    with pytest.raises(ParameterError, match="apparent_from_counts: 'counts' must"):
        apparent_from_counts(counts, 3, target=0)
