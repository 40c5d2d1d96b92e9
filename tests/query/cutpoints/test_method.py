"""What all methods that look at the data have in common."""

import numpy as np
import pytest

from tacita.core.errors import DataError, TacitaError
from tacita.query.cutpoints.fixed_width import FixedWidth
from tacita.query.cutpoints.increasing_width import IncreasingWidth
from tacita.query.cutpoints.method import MadeFromData
from tacita.query.cutpoints.minimum_width import MinimumWidth
from tacita.query.cutpoints.partitioned import Partitioned
from tests.query.cutpoints.examples import check_bins

every_method = pytest.mark.parametrize("method", [FixedWidth, MinimumWidth, IncreasingWidth, Partitioned])


@every_method
def test_edge_sizes(method: type[MadeFromData]) -> None:
    values = np.arange(50.0)
    assert method(minimum=50).cut(values).n_bins == 1
    with pytest.raises(DataError, match="'minimum' = 51"):
        method(minimum=51).cut(values)
    for bad in (np.zeros(0), np.full(60, np.nan), np.append(values, np.inf)):
        with pytest.raises(DataError):
            method(minimum=2).cut(bad)


@every_method
def test_a_constant_is_one_bin(method: type[MadeFromData]) -> None:
    for value in (0.0, 7.0, -3.25, 1e-12, 1e200):
        bins = method(minimum=2).cut(np.full(10, value))
        assert bins.labels == ("all values",)


@every_method
def test_order_and_missing_values_do_not_matter(method: type[MadeFromData]) -> None:
    rng = np.random.default_rng(2)
    values = np.round(rng.normal(50, 20, 300), 1)
    shuffled = rng.permutation(np.append(values, np.full(20, np.nan)))
    assert method(minimum=9).cut(values) == method(minimum=9).cut(shuffled)


@every_method
@pytest.mark.parametrize("scale", [1e-12, 1e-3, 1.0, 1e9, 1e150])
def test_every_scale_is_cut(method: type[MadeFromData], scale: float) -> None:
    values = np.random.default_rng(5).normal(3, 1, 400) * scale
    bins = method(minimum=12).cut(values)
    check_bins(values, bins, 12)
    assert bins.n_bins > 2


@every_method
def test_no_message_shows_a_value(method: type[MadeFromData]) -> None:
    canary = 987_654_321.25
    for values, low in (
        (np.array([canary]), None),
        (np.array([canary, np.inf]), None),
        (np.repeat([canary, 1], 9), 1e12),
    ):
        with pytest.raises(TacitaError) as caught:
            method(minimum=3, low=low).cut(values)
        assert "987" not in str(caught.value)


@every_method
def test_the_ends_are_never_published(method: type[MadeFromData]) -> None:
    values = np.random.default_rng(6).lognormal(8, 1, 500)
    bins = method(minimum=10).cut(values)
    assert not {float(values.min()), float(values.max())} & set(bins.cuts)
    assert np.isinf(bins.edges[[0, -1]]).all()
