"""Releases that are each safe, and are not together."""

from __future__ import annotations

import numpy as np

from tacita.attack.releases.plain_table import PlainDimension, PlainTable

__all__ = ["AGE", "JOB", "SEX", "crossed", "inner", "safe_pair"]

SEX = PlainDimension.flat("sex", ["f", "m"])
AGE = PlainDimension.flat("age", ["young", "middle", "old"])
JOB = PlainDimension.flat("job", ["a", "b", "c"])


def inner(seed: int = 1) -> np.ndarray:
    """Return counts by age and job."""
    return np.random.default_rng(seed).integers(4, 20, (3, 3)).astype(float)


def crossed(
    name: str, counts: np.ndarray, hidden: list[tuple[str, str]], dimensions: tuple[PlainDimension, ...] = (AGE, JOB)
) -> PlainTable:
    """Return a table with all totals, of which some cells are hidden."""
    one, two = dimensions
    whole = np.zeros((len(one.codes), len(two.codes)))
    whole[1:, 1:] = counts
    whole[0] = whole.sum(axis=0)
    whole[:, 0] = whole.sum(axis=1)
    codes = np.stack(np.unravel_index(np.arange(whole.size), whole.shape), axis=1).astype(np.int64)
    labels = [(one.codes[i], two.codes[j]) for i, j in codes.tolist()]
    values = np.where([label in hidden for label in labels], np.nan, whole.ravel())
    return PlainTable(release=name, dimensions=dimensions, codes=codes, values=values)


def safe_pair(seed: int = 1) -> tuple[PlainTable, PlainTable, np.ndarray]:
    """Return two versions of one table, each with four hidden cells in a rectangle: they share one cell."""
    counts = inner(seed)
    one = [("young", "a"), ("young", "b"), ("middle", "a"), ("middle", "b")]
    two = [("middle", "b"), ("middle", "c"), ("old", "b"), ("old", "c")]
    return crossed("spring", counts, one), crossed("autumn", counts, two), counts
