from __future__ import annotations

import numpy as np
import pytest

from tacita.query.cutpoints import FixedWidth, Given, MinimumWidth, Partitioned
from tacita.query.cutpoints.coarse import coarse_enough
from tacita.query.cutpoints.fineness import too_fine
from tacita.query.cutpoints.method import MadeFromData


@pytest.mark.parametrize("way", [Partitioned(minimum=5), MinimumWidth(minimum=5)], ids=lambda way: way.name)
def test_bins_no_longer_show_values(way: MadeFromData) -> None:
    incomes = np.random.default_rng(1).lognormal(9, 1, 4000).round(2)
    assert too_fine(incomes, way.cut(incomes))
    made = coarse_enough(way, incomes)
    assert isinstance(made, MadeFromData)
    assert made.minimum > way.minimum
    assert not too_fine(incomes, made.cut(incomes))


def test_what_is_coarse_enough_stays() -> None:
    ages = np.random.default_rng(2).integers(0, 90, 5000).astype(float)
    way = Given(edges=[15.0, 30.0, 65.0])
    assert coarse_enough(way, ages) is way
    assert coarse_enough(Partitioned(minimum=1000), ages) == Partitioned(minimum=1000)


def test_a_value_that_many_have_is_let_pass() -> None:
    rng = np.random.default_rng(3)
    incomes = np.where(rng.random(5000) < 0.3, 0.0, rng.lognormal(9, 1, 5000).round(2))
    made = coarse_enough(Partitioned(minimum=50), incomes)
    assert made is not None
    bins = made.cut(incomes)
    assert (np.bincount(bins.codes(incomes)) >= 50).all()
    assert bins.n_bins >= 4


@pytest.mark.parametrize(
    "values", [np.empty(0), np.ones(500), np.array([1.0, 2.0, 3.0])], ids=["nobody", "one value", "three records"]
)
def test_nothing_is_cut_where_nothing_can_be(values: np.ndarray) -> None:
    assert coarse_enough(FixedWidth(minimum=5), values) is None
