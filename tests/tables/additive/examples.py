"""Tables for the tests of additive counts: small, sparse, noisy."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.numeric.perturbation.noise_table import noise_from_table, noise_table
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.table import Table

__all__ = ["bands", "census_table", "noisy_counts", "two_way"]


def two_way(counts: list[list[int]]) -> Table:
    """A table of two flat dimensions; cells without a record are in it."""
    rows = [(f"r{i}", f"c{j}") for i, row in enumerate(counts) for j, count in enumerate(row) for _ in range(count)]
    data = tc.Microdata.from_frame(pa.table({"row": [r for r, _ in rows], "column": [c for _, c in rows]}))
    return tc.tabulate(
        data,
        [
            Dimension.flat("row", [f"r{i}" for i in range(len(counts))]),
            Dimension.flat("column", [f"c{j}" for j in range(len(counts[0]))]),
        ],
    )


def census_table(n: int = 3000, *, regions: int = 6, seed: int = 1) -> Table:
    """Municipality by marital status by country of birth: most cells small."""
    data = tc.samples.census_register(n, seed=seed, regions=regions)
    return tc.tabulate(data, ["municipality", "marital", "birth_country"], empties=False, holding=False)


def bands() -> Dimension:
    """Ages 0 to 110 in bands of five and, across these, school age and working age."""
    ages = [str(age) for age in range(111)]
    fives = {f"{a}-{a + 4}": tuple(ages[a : a + 5]) for a in range(0, 111, 5)}
    return Dimension(
        "age",
        ("Total", *fives, *ages, "school", "work"),
        (("Total", tuple(fives)), *fives.items(), ("school", tuple(ages[6:18])), ("work", tuple(ages[15:67]))),
    )


def noisy_counts(counts: np.ndarray, *, D: int = 3, V: float = 2.0, smallest: int = 3, seed: int = 1) -> np.ndarray:
    """Counts with noise of most entropy, each cell on its own."""
    uniforms = np.random.default_rng(seed).random(len(counts))
    return np.asarray(counts + noise_from_table(noise_table(D, V, smallest=smallest), counts, uniforms))
