"""Random primes of fifty bits, and how likely one of them misleads about the rank of a 0/1 matrix."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["BITS", "is_prime", "random_prime", "unlucky_chance"]

BITS = 50
"""Primes lie between 2**49 and 2**50: the largest for which products are exact in 64 bits, see ``arithmetic.py``."""

_BASES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
"""Bases that prove or refute every number below 3.3 * 10**24 (Sorenson & Webster 2015)."""


def is_prime(number: int) -> bool:
    """Say whether a number below 3.3 * 10**24 is prime, by the Miller-Rabin test with bases that leave no doubt there.

    Examples
    --------
    >>> [number for number in range(30) if is_prime(number)]
    [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]
    """
    if number < 2:
        return False
    for small in _BASES:
        if number % small == 0:
            return number == small
    twos = ((number - 1) & (1 - number)).bit_length() - 1
    odd = (number - 1) >> twos
    return all(_passes(base, number, odd, twos) for base in _BASES)


def _passes(base: int, number: int, odd: int, twos: int) -> bool:
    power = pow(base, odd, number)
    if power in (1, number - 1):
        return True
    for _ in range(twos - 1):
        power = power * power % number
        if power == number - 1:
            return True
    return False


def random_prime(rng: np.random.Generator) -> int:
    """Return a prime, uniform among the primes between 2**49 and 2**50; some 35 numbers are tried.

    Parameters
    ----------
    rng
        Where the numbers come from; secret where an opponent may choose the matrices.

    Examples
    --------
    >>> import numpy as np
    >>> prime = random_prime(np.random.default_rng(1))
    >>> prime.bit_length(), is_prime(prime)
    (50, True)
    """
    while True:
        number = int(rng.integers(2 ** (BITS - 1), 2**BITS)) | 1
        if is_prime(number):
            return number


def unlucky_chance(rank: int) -> float:
    """Return an upper bound of the chance that a random prime lowers the rank of a given 0/1 matrix.

    A matrix of rank r has a minor of r rows that is not zero, and the rank is kept unless the prime divides it. By
    Hadamard's inequality for 0/1 matrices the minor is at most ``(r + 1)**((r + 1) / 2) / 2**r``, so at most
    ``log2(minor) / 49`` primes above 2**49 divide it, out of more than 2**49 / (50 ln 2 + 1) that there are.

    Parameters
    ----------
    rank
        Rank over the rationals.

    Examples
    --------
    >>> unlucky_chance(4000) < 3e-11
    True
    """
    bits = (rank + 1) / 2 * math.log2(rank + 1) - rank
    primes = 2.0 ** (BITS - 1) / (BITS * math.log(2) + 1)
    return min(1.0, max(0.0, math.floor(bits / (BITS - 1))) / primes)
