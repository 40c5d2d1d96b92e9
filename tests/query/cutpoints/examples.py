"""The paper's small data set, and what every method that looks at the data must keep to."""

from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from tacita.query.cutpoints.bins import Bins

TABLE_3 = np.array([1.0, 1, 2, 2, 4, 4, 5, 6])
"""The data of Table 3 and Figure 4; the minimum there is 2."""

variables = st.one_of(
    st.lists(st.integers(-30, 30).map(float), min_size=1, max_size=40),
    st.lists(st.integers(0, 12).map(lambda k: k / 4), min_size=1, max_size=40),
    st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=30),
).map(np.array)
"""Small variables: whole numbers with many ties, quarters, anything finite."""


def members(values: np.ndarray, bins: Bins) -> list[list[float]]:
    """The values in each bin, counted without the bins' own codes."""
    edges = [-np.inf, *bins.cuts, np.inf]
    return [sorted(values[(values > a) & (values <= b)].tolist()) for a, b in pairwise(edges)]


def extents(values: np.ndarray, bins: Bins) -> list[tuple[float, float]]:
    """The smallest and the largest value in each bin, as Table 3 prints them."""
    return [(found[0], found[-1]) for found in members(values, bins)]


def check_bins(values: np.ndarray, bins: Bins, minimum: int) -> None:
    """Every value is in one bin, every bin has enough records, codes agree, ties are together."""
    found = members(values, bins)
    assert sum(len(part) for part in found) == len(values)
    assert min(len(part) for part in found) >= minimum
    assert np.bincount(bins.codes(values), minlength=bins.n_bins).tolist() == [len(part) for part in found]
    for value in set(values.tolist()):
        assert sum(value in part for part in found) == 1
