"""Random primes, and the bound on how often they mislead."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tacita.numeric.modular.primes import BITS, is_prime, random_prime, unlucky_chance


def test_small_primes_by_trial_division() -> None:
    for number in range(2000):
        divisors = [d for d in range(2, number) if number % d == 0]
        assert is_prime(number) == (number > 1 and not divisors)


@pytest.mark.parametrize("number", [2**31 - 1, 2**61 - 1, 2**50 - 27, 10**18 + 9])
def test_known_large_primes(number: int) -> None:
    assert is_prime(number)


@pytest.mark.parametrize(
    "number",
    [561, 3215031751, 3825123056546413051, (2**31 - 1) ** 2, (2**25 - 39) * (2**25 - 49)],
    ids=["Carmichael", "bases 2 3 5 7", "bases to 23", "square", "two of 25 bits"],
)
def test_numbers_that_fool_weaker_tests(number: int) -> None:
    assert not is_prime(number)


def test_a_random_prime_has_fifty_bits_and_follows_its_generator() -> None:
    drawn = [random_prime(np.random.default_rng(seed)) for seed in range(20)]
    assert len(set(drawn)) == 20
    assert all(is_prime(prime) and prime.bit_length() == BITS for prime in drawn)
    assert drawn[3] == random_prime(np.random.default_rng(3))


def test_hadamards_bound_holds_for_all_small_matrices() -> None:
    """The largest determinant of a 0/1 matrix of three rows is 2, which the bound meets."""
    largest = max(
        round(abs(np.linalg.det(np.array(entries).reshape(3, 3)))) for entries in itertools.product((0, 1), repeat=9)
    )
    assert largest == 2 == (3 + 1) ** ((3 + 1) / 2) / 2**3


def test_the_chance_grows_with_the_rank_and_is_zero_for_small_ones() -> None:
    assert unlucky_chance(0) == unlucky_chance(20) == 0.0  # a minor below 2**49 has no such prime in it
    chances = [unlucky_chance(rank) for rank in (100, 1000, 4000, 10**6)]
    assert chances == sorted(chances)
    assert 1e-11 < unlucky_chance(4000) < 3e-11
