"""Populations of known uniqueness, and the formulas of population uniqueness taken term by term."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Drawn:
    """A sample of a population whose classes are known: sizes in both, class by class."""

    population: np.ndarray
    sample: np.ndarray

    @property
    def sizes(self) -> np.ndarray:
        """Class sizes that the sample shows."""
        return self.sample[self.sample > 0]

    @property
    def unique_in_both(self) -> int:
        """Sample uniques that are population unique."""
        return int(((self.sample == 1) & (self.population == 1)).sum())

    @property
    def right_matches(self) -> float:
        """Expected right matches with sample uniques."""
        return float((1 / self.population[self.sample == 1]).sum())

    @property
    def population_uniques(self) -> int:
        """Classes of one person."""
        return int((self.population == 1).sum())


def draw(population: np.ndarray, fraction: float, rng: np.random.Generator) -> Drawn:
    """Draw every person with the same chance."""
    return Drawn(population, rng.binomial(population, fraction))


def pitman_population(theta: float, alpha: float, n: int, rng: np.random.Generator) -> np.ndarray:
    """Class sizes of n persons who come one by one, as the urn of Blackwell, MacQueen and Pitman has it."""
    sizes: list[int] = []
    classes = np.empty(n, dtype=np.int64)
    for i in range(n):
        if rng.random() * (theta + i) < theta + alpha * len(sizes):
            classes[i] = len(sizes)
            sizes.append(1)
            continue
        while True:  # a person taken at random joins a class in proportion to its size; thinned to size - alpha
            joined = classes[rng.integers(i)]
            if rng.random() < 1 - alpha / sizes[joined]:
                break
        sizes[joined] += 1
        classes[i] = joined
    return np.array(sizes)


def zayatz_oracle(sizes: list[int], population: int) -> float:
    """Bayes' rule with hypergeometric probabilities of whole numbers."""
    n = sum(sizes)

    def one(size: int) -> float:
        return size * math.comb(population - size, n - 1) / math.comb(population, n) if size <= population else 0.0

    uniques = sizes.count(1)
    return uniques * one(1) / sum(one(size) for size in sizes) if uniques else 0.0


def pitman_log_likelihood(sizes: list[int], alpha: float, theta: float) -> float:
    """The chance of the sample's partition, person by person."""
    found, seen = 0.0, 0
    for classes, size in enumerate(sizes):
        for already in range(size):
            chance = already - alpha if already else theta + alpha * classes
            if seen:
                found += math.log(chance / (theta + seen))
            seen += 1
    return found


def pitman_oracle(sizes: list[int], population: int, alpha: float, theta: float) -> tuple[float, float]:
    """P(F = 1 | f = 1) and expected population uniques for given parameters, factor by factor."""
    n, u = sum(sizes), len(sizes)
    stays = math.prod((theta + i - 1 + alpha) / (theta + i) for i in range(n, population))
    later = math.prod((theta + i - 1 + alpha) / (theta + i) for i in range(n + 1, population))
    appears = (theta + alpha * u) / (theta + n) * later
    return stays, sizes.count(1) * stays + (population - n) * appears


def slide_binomial_oracle(size: int, a: float, b: float, fraction: float) -> float:
    """P(f = size) by summing over the population sizes of the class."""
    found = 0.0
    for big in range(max(size, 1), 4000):
        log = (
            math.lgamma(big - 1 + a) - math.lgamma(a) - math.lgamma(big) + a * math.log(b) + (big - 1) * math.log(1 - b)
        )
        found += math.exp(log) * math.comb(big, size) * fraction**size * (1 - fraction) ** (big - size)
    return found
