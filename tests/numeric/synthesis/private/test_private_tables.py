"""The mechanism on arrays: what a record can change is what is paid for, and a large budget gives the tables back."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tacita.core.arrays import IntArray
from tacita.core.streams import Streams
from tacita.numeric.privacy.cost import rho_of_epsilon
from tacita.numeric.privacy.exact_noise import ExactNoise
from tacita.numeric.synthesis.private.budget import TablesBudget
from tacita.numeric.synthesis.private.private_tables import fit_private_tables, noisy_sum

SIZES = [4, 3, 5, 2]


def people(n: int = 3000, seed: int = 1) -> list[IntArray]:
    """A chain: the first column tells the second, this the third; the fourth has nothing to do with them."""
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 4, n)
    b = np.where(rng.random(n) < 0.8, a % 3, rng.integers(0, 3, n))
    c = np.where(rng.random(n) < 0.8, b, rng.integers(0, 5, n))
    return [a, b, c, rng.integers(0, 2, n)]


def budget(epsilon: float, members: int = 1, columns: int = 4) -> TablesBudget:
    return TablesBudget(rho_of_epsilon(epsilon, 1e-9), columns, members, False)


class Seen(ExactNoise):
    """Draws no noise, chooses the best, and keeps what it was asked for."""

    def __init__(self) -> None:
        super().__init__(np.random.default_rng(1))
        self.asked: list[Any] = []
        self.scores: list[list[int]] = []

    def gaussian(self, variance: Fraction, count: int) -> IntArray:
        self.asked.append((variance, count))
        return np.zeros(count, np.int64)

    def choose(self, scores: Sequence[int], rate: Fraction) -> int:
        self.asked.append(rate)
        self.scores.append(list(scores))
        return int(np.argmax(scores))


def test_everything_that_is_measured_is_in_the_budget() -> None:
    """The noise that was asked for, turned into costs by its definition, adds up to rho."""
    shared, seen = budget(1.0), Seen()
    fit_private_tables(people(), SIZES, shared, seen)
    spent = Fraction(0)
    for entry in seen.asked:
        spent += 1 / (2 * entry[0]) if isinstance(entry, tuple) else (2 * entry) ** 2 / 8
    assert spent <= shared.rho
    assert float(spent) == pytest.approx(float(shared.rho), rel=1e-9)
    assert [entry[1] for entry in seen.asked[:4]] == SIZES


def test_a_record_changes_a_score_by_one_at_most() -> None:
    """Scores are whole numbers beside tables made of noise; only the two-way counts are of the records."""
    shared, codes = budget(100.0), people()
    rng = np.random.default_rng(3)

    class Fixed(Seen):
        """Noise that makes one-way tables the same with and without the record, as when they come out alike."""

        def __init__(self, drawn: list[IntArray]) -> None:
            super().__init__()
            self.drawn = drawn

        def gaussian(self, variance: Fraction, count: int) -> IntArray:
            self.asked.append((variance, count))
            return self.drawn.pop(0) if self.drawn else np.zeros(count, np.int64)

    for _ in range(5):
        row = int(rng.integers(0, 3000))
        gone = [np.delete(column, row) for column in codes]
        makes_up = [np.bincount([column[row]], minlength=size) for column, size in zip(codes, SIZES, strict=True)]
        with_him, without = Fixed([np.zeros(size, np.int64) for size in SIZES]), Fixed(makes_up)
        fit_private_tables(codes, SIZES, shared, with_him)
        fit_private_tables(gone, SIZES, shared, without)
        apart = np.abs(np.array(with_him.scores[0]) - np.array(without.scores[0]))
        assert apart.max() <= 1
        assert apart.max() > 0  # it does change some


def test_the_chain_is_found() -> None:
    fit = fit_private_tables(people(), SIZES, budget(10.0), ExactNoise(Streams(1).stream("noise")))
    assert {frozenset(edge) for edge in fit.tree.edges} > {frozenset({0, 1}), frozenset({1, 2})}


def test_a_large_budget_gives_the_tables_back() -> None:
    codes = people()
    fit = fit_private_tables(codes, SIZES, budget(2000.0), ExactNoise(Streams(1).stream("noise")))
    assert round(fit.total) == 3000
    made = fit.drawn(3000, np.random.default_rng(1))
    for a, b in fit.tree.edges:
        tables = [np.bincount(x[a] * SIZES[b] + x[b], minlength=SIZES[a] * SIZES[b]) for x in (codes, made)]
        assert np.abs(tables[0] - tables[1]).sum() < 30  # 1 % of the records; rounding down the tree alone leaves some


def test_no_budget_leaves_nothing() -> None:
    """With an epsilon of a thousandth, files that differ in every record give the same with the same noise, nearly."""
    few, none = people(300), [np.zeros(300, np.int64)] * 4
    found = []
    for codes in (few, none):
        fit = fit_private_tables(codes, SIZES, budget(0.001), ExactNoise(Streams(5).stream("noise")))
        found.append(
            [
                np.bincount(x, minlength=k) / 5000
                for x, k in zip(fit.drawn(5000, np.random.default_rng(1)), SIZES, strict=True)
            ]
        )
    assert max(np.abs(a - b).max() for a, b in zip(*found, strict=True)) < 0.06


@pytest.mark.parametrize("columns", [1, 2])
def test_few_columns(columns: int) -> None:
    codes = people()[:columns]
    fit = fit_private_tables(codes, SIZES[:columns], budget(5.0, columns=columns), ExactNoise(np.random.default_rng(1)))
    assert len(fit.tree.edges) == columns - 1
    assert len(fit.drawn(100, np.random.default_rng(1))) == columns


def test_weights_are_cut_off_before_they_are_summed() -> None:
    shared = TablesBudget(rho_of_epsilon(1.0, 1e-9), 4, 1, True)
    seen = Seen()
    assert noisy_sum(np.array([2.0, 70.0, -3.0, np.nan]), 50.0, shared, seen) == pytest.approx(52.0)
    ((variance, _),) = seen.asked
    assert Fraction(1000**2) / (2 * variance) == shared.weights_rho
