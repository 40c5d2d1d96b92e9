from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.vehicles.safe_primes import safe_prime


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


@pytest.mark.parametrize("seed", range(4))
def test_small_ones_are_prime_by_division(seed: int) -> None:
    p = safe_prime(34, np.random.default_rng(seed))
    assert p.bit_length() == 34
    assert _is_prime(p)
    assert _is_prime((p - 1) // 2)


def test_large_ones_pass_tests_of_fermat_with_other_bases() -> None:
    p = safe_prime(256, np.random.default_rng(5))
    assert p.bit_length() == 256
    assert all(pow(base, p - 1, p) == 1 and pow(base, (p - 3) // 2, (p - 1) // 2) == 1 for base in (41, 43, 1009))


def test_the_same_seed_gives_the_same_and_another_another() -> None:
    a, b, c = (safe_prime(64, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert a == b != c


@pytest.mark.parametrize("bits", [31, 0, -5, True, 64.0])
def test_too_few_bits_are_refused(bits: int) -> None:
    with pytest.raises(ParameterError, match="'bits'"):
        safe_prime(bits, np.random.default_rng(1))
