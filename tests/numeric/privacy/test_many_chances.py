"""Decisions of given chances, and the chances themselves against sums over all noises."""

from __future__ import annotations

from fractions import Fraction
from typing import cast

import numpy as np
import pytest
from scipy.stats import binomtest

from tacita.core.streams import Streams
from tacita.numeric.privacy.many_chances import happenings, passing_chance
from tests.oracles.logs.rivals import chance_to_pass


@pytest.mark.parametrize(("count", "threshold", "scale"), [(1, 5, 2), (5, 5, 2), (6, 5, 2), (40, 5, 3), (0, 30, 1)])
def test_chances_are_the_sums_of_those_of_all_noises(count: int, threshold: int, scale: int) -> None:
    assert float(passing_chance(count, threshold, scale)) == pytest.approx(
        chance_to_pass(count, threshold, scale), rel=1e-9
    )


def test_chances_are_exact_far_out() -> None:
    """Where a floating-point number would be 0 or 1, the chance still says how far from it."""
    rare = passing_chance(1, 2001, 1)
    assert 0 < rare < Fraction(1, 10**800)
    assert passing_chance(2001, 1, 1) < 1


def test_decisions_have_their_chances() -> None:
    chances = [Fraction(0), Fraction(1, 3), Fraction(999, 1000), Fraction(1)]
    which = np.repeat(np.arange(4), 20_000)
    found = happenings(chances, which, Streams(1).stream("x")).reshape(4, -1).sum(axis=1)
    assert (found[0], found[3]) == (0, 20_000)
    for place in (1, 2):
        assert binomtest(int(found[place]), 20_000, float(chances[place])).pvalue > 1e-6
    assert binomtest(int(found[1]), 20_000, 1.3 / 3).pvalue < 1e-6


class Words:
    """A generator whose first word and further bits are given."""

    def __init__(self, word: int, rest: bytes) -> None:
        self.integers = lambda *_, **__: np.array([word], np.uint64)
        self.bytes = lambda length: rest.ljust(length, b"\0")


@pytest.mark.parametrize(("rest", "happens"), [(b"\x54", True), (b"\x56", False)])
def test_further_bits_decide_where_the_first_word_does_not(rest: bytes, happens: bool) -> None:
    """A third is 0x5555... in binary: its 65th bit and those behind it say what the first 64 leave open."""
    word = 0x5555555555555555
    assert happenings([Fraction(1, 3)], np.array([0]), cast(np.random.Generator, Words(word, rest))).tolist() == [
        happens
    ]
    assert happenings(
        [Fraction(1, 3)], np.array([0]), cast(np.random.Generator, Words(word - 1, b"\xff"))
    ).tolist() == [True]
    assert happenings([Fraction(1, 3)], np.array([0]), cast(np.random.Generator, Words(word + 1, b"\0"))).tolist() == [
        False
    ]
