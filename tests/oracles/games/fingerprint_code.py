"""Scores of a fingerprinting code and the chance of an innocent one, by loops and by going through all codewords."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence


def slow_score(received: Sequence[int], word: Sequence[int], p: Sequence[float]) -> float:
    """Sum the score of one codeword position by position; -1 is an erased position."""
    total = 0.0
    for y, x, bias in zip(received, word, p, strict=True):
        if y < 0:
            continue
        if y == 1:
            total += math.sqrt((1 - bias) / bias) if x == 1 else -math.sqrt(bias / (1 - bias))
        else:
            total += math.sqrt(bias / (1 - bias)) if x == 0 else -math.sqrt((1 - bias) / bias)
    return total


def slow_chance(score: float, received: Sequence[int], p: Sequence[float]) -> float:
    """Sum the probabilities of all codewords that reach a score."""
    total = 0.0
    for word in itertools.product((0, 1), repeat=len(p)):
        if slow_score(received, word, p) >= score - 1e-9:
            total += math.prod(bias if x else 1 - bias for x, bias in zip(word, p, strict=True))
    return total


def slow_coalition_score(strategy: Sequence[float], biases: Sequence[float], chances: Sequence[float]) -> float:
    """Expected score of a whole coalition at one position; strategy[x] is the chance of 1 where x of them have a 1."""
    c, total = len(strategy) - 1, 0.0
    for p, chance in zip(biases, chances, strict=True):
        for x in range(c + 1):
            both = x * math.sqrt((1 - p) / p) - (c - x) * math.sqrt(p / (1 - p))
            total += chance * math.comb(c, x) * p**x * (1 - p) ** (c - x) * (2 * strategy[x] - 1) * both
    return total
