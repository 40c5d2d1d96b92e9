"""Exact random decisions out of a stream of bits: no floating point comes between a proof and the numbers that are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

import numpy as np

from tacita.core.arrays import IntArray

__all__ = ["ExactNoise"]

_WORD = 64
_BLOCK = 4096
_FARTHEST = 2**62
"""Noise beyond it is cut off there, so that sums with counts fit into 64 bits; that costs nothing."""


class ExactNoise:
    """Discrete Gaussian noise and choices by the exponential mechanism, drawn with whole numbers only.

    Parameters
    ----------
    rng
        The stream that the bits come from. The same stream gives the same noise; whoever knows its seed can take the noise out.

    Notes
    -----
    Floating-point samplers have holes in what they can return, and these holes tell the number under the noise (Mironov 2012).
    Here every chance is a fraction, held against as many bits as it takes to decide: one word of 64 but once in 2^64 times.
    About 15 microseconds for a number.

    References
    ----------
    Canonne, C., Kamath, G. and Steinke, T. (2020), The discrete Gaussian for differential privacy, algorithms 1 to 3.

    Mironov, I. (2012), On significance of the least significant bits for differential privacy.

    Examples
    --------
    >>> noise = ExactNoise(np.random.default_rng(1))
    >>> noise.gaussian(Fraction(100), 5).dtype.name, noise.below(10) < 10
    ('int64', True)
    """

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        self._words: list[int] = []

    def _word(self) -> int:
        if not self._words:
            self._words = self._rng.integers(0, 2**_WORD, _BLOCK, dtype=np.uint64).tolist()
        return self._words.pop()

    # --- single decisions --------------------------------------------------------------------------------------------

    def below(self, n: int) -> int:
        """Return a whole number from 0 to n - 1, each as likely."""
        bits = (n - 1).bit_length()
        words = -(-bits // _WORD)
        while True:
            drawn = 0
            for _ in range(words):
                drawn = drawn << _WORD | self._word()
            drawn >>= words * _WORD - bits
            if drawn < n:
                return drawn

    def happens(self, part: int, whole: int) -> bool:
        """Return true with the chance part / whole, at most 1."""
        if part >= whole:
            return True
        while True:
            part, rest = divmod(part << _WORD, whole)
            word = self._word()
            if word != part:
                return word < part
            part = rest

    def fades(self, part: int, whole: int) -> bool:
        """Return true with the chance exp(-part / whole), for any fraction from 0 on (algorithm 1)."""
        while part > whole:
            if not self._fades(1, 1):
                return False
            part -= whole
        return self._fades(part, whole)

    def _fades(self, part: int, whole: int) -> bool:
        """For a fraction of at most 1: the chance that the first failure is at an odd place."""
        place = 1
        while self.happens(part, whole * place):
            place += 1
        return place % 2 == 1

    # --- noise and choices -------------------------------------------------------------------------------------------

    def laplace(self, scale: int) -> int:
        """Return v with the chance proportional to exp(-abs(v) / scale) (algorithm 2)."""
        while True:
            rest = self.below(scale)
            if not self._fades(rest, scale):
                continue
            times = 0
            while self._fades(1, 1):
                times += 1
            size, is_negative = rest + scale * times, self._word() & 1
            if size or not is_negative:
                return -size if is_negative else size

    def gaussian(self, variance: Fraction, count: int) -> IntArray:
        """Return whole numbers v with chances proportional to exp(-v^2 / (2 variance)) (algorithm 3).

        Parameters
        ----------
        variance
            Above 0.
        count
            How many.
        """
        a, b = variance.numerator, variance.denominator
        scale = isqrt(a // b) + 1
        whole = (
            2 * a * b * scale * scale
        )  # exp(-(abs(v) - variance / scale)^2 / (2 variance)), with both sides times (b scale)^2
        found = np.empty(count, dtype=np.int64)
        for place in range(count):
            while True:
                drawn = self.laplace(scale)
                if self.fades((abs(drawn) * scale * b - a) ** 2, whole):
                    break
            found[place] = min(max(drawn, -_FARTHEST), _FARTHEST)
        return found

    def choose(self, scores: Sequence[int], rate: Fraction) -> int:
        """Return the place of a score, with chances proportional to exp(rate * score): the exponential mechanism.

        Places are drawn alike and taken with the chance exp(-rate * (best - score)), until one is taken. With scores that one
        privacy unit changes by at most s, this is pure differential privacy with epsilon = 2 s rate, and costs epsilon^2 / 8 of
        rho.

        References
        ----------
        Cesar, M. and Rogers, R. (2021), Bounding, concentrating, and truncating: unifying privacy loss composition for data
        analytics (a mechanism of bounded range epsilon costs epsilon^2 / 8).
        """
        best = max(scores)
        while True:
            place = self.below(len(scores))
            if self.fades((best - scores[place]) * rate.numerator, rate.denominator):
                return place
