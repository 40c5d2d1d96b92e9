"""Increasing width: widths that grow, bins that are full, a last bin that is open."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.query.cutpoints.increasing_width import IncreasingWidth, full_bins
from tests.effort import examples
from tests.query.cutpoints.examples import TABLE_3, check_bins, extents, variables


def test_table_3() -> None:
    """Bins 1-2 and 3-6: widths 2, then 4."""
    bins = IncreasingWidth(minimum=2, width=2).cut(TABLE_3)
    assert bins.cuts == (2.0,)
    assert extents(TABLE_3, bins) == [(1, 2), (4, 6)]
    # The second bin ends at 6 because of its width 4, not because records ran out.
    assert IncreasingWidth(minimum=2, width=2).cut(np.append(TABLE_3, [7, 7])).cuts == (2.0, 6.0)
    assert IncreasingWidth(minimum=2, width=2, growth=1).cut(TABLE_3).cuts == (2.0, 4.0)


def test_the_papers_incomes() -> None:
    """25 000 wide up to 100 000, then 150 000."""
    incomes = np.random.default_rng(0).lognormal(11, 0.8, 3000)
    bins = IncreasingWidth(minimum=20, start=0, width=25_000, steps=[(100_000, 150_000)]).cut(incomes)
    assert bins.cuts[:5] == (25_000, 50_000, 75_000, 100_000, 250_000)
    check_bins(incomes, bins, 20)
    assert np.count_nonzero(incomes > bins.cuts[-2]) >= 40  # the last bin was not opened too early


def test_a_step_begins_at_its_own_cutpoint() -> None:
    values = np.arange(1.0, 101.0)
    assert IncreasingWidth(minimum=1, start=0, width=30, steps=[(50, 25)]).cut(values).cuts == (30, 50, 75)


@settings(max_examples=examples(25), deadline=None)
@given(
    variables,
    st.integers(1, 6),
    st.sampled_from([None, 0.5, 3.0, 1000.0]),
    st.sampled_from([1.3, 2.0]),
    st.sampled_from([None, 2.0]),
)
def test_bins_are_full(
    values: np.ndarray, minimum: int, width: float | None, growth: float, grain: float | None
) -> None:
    method = IncreasingWidth(minimum=minimum, width=width, growth=growth, grain=grain)
    if len(values) < minimum:
        with pytest.raises(DataError, match="at least 'minimum'"):
            method.cut(values)
        return
    bins = method.cut(values)
    check_bins(values, bins, minimum)
    if grain is not None:
        assert all(cut % grain == 0 for cut in bins.cuts)


def test_widths_grow_and_stay_readable() -> None:
    values = np.random.default_rng(1).exponential(1000, 50_000)
    bins = IncreasingWidth(minimum=20, width=100, growth=1.5, start=0).cut(values)
    assert bins.cuts[:6] == (100, 250, 480, 830, 1360, 2160)  # widths 100, 150, 230, 350, 530, 800
    assert np.all(np.diff(np.diff((0.0, *bins.cuts))) > 0)


def test_which_cutpoints_stand() -> None:
    assert full_bins(np.array([3, 4, 6, 9]), 10, 3).tolist() == [0, 2]
    assert full_bins(np.array([3, 4, 6, 9]), 10, 6).tolist() == []
    assert full_bins(np.zeros(0, dtype=np.int64), 10, 1).tolist() == []


def test_bad_parameters() -> None:
    with pytest.raises(ParameterError, match="'steps' must ascend"):
        IncreasingWidth(minimum=1, width=1, steps=[(5, 1), (5, 2)])
    with pytest.raises(ParameterError, match="at most 100000 cutpoints"):
        IncreasingWidth(minimum=1, width=1e-9, growth=1).cut(np.array([0.0, 1.0]))
    with pytest.raises(ParameterError, match="above 0"):
        IncreasingWidth(minimum=1, width=0)
    assert IncreasingWidth(minimum=3).cut(np.full(7, 2.0)).n_bins == 1
