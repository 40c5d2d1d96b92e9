"""Fineness: bins that show values are found, and the report shows none."""

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError, TacitaWarning
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.fineness import too_fine, warn_if_too_fine
from tacita.query.cutpoints.minimum_width import MinimumWidth
from tests.query.cutpoints.examples import TABLE_3


def test_bins_with_one_value_are_found() -> None:
    found = too_fine(TABLE_3, MinimumWidth(minimum=2).cut(TABLE_3), p=0)
    assert found.single == (0, 1, 2)
    assert found.counts.tolist() == [2, 2, 2, 2]
    assert found.distinct.tolist() == [1, 1, 1, 2]
    assert found.possible.tolist() == [np.inf, 2, 1, np.inf]
    assert found


def test_age_groups() -> None:
    ages = np.random.default_rng(0).integers(0, 100, 5000).astype(float)
    fives = Bins(cuts=list(range(4, 95, 5)), whole=True)
    assert too_fine(ages, fives, p=5).bins == (16, 17, 18)  # 80 to 84: four years of eighty are five percent
    assert too_fine(ages, fives, p=4).bins == ()
    ones = Bins(cuts=list(range(1, 99)), whole=True)
    assert too_fine(ages, ones).single == tuple(range(1, 99))


def test_narrow_bins_of_continuous_values() -> None:
    values = np.random.default_rng(0).uniform(95, 1105, 4000) + 1e-11
    bins = Bins(cuts=[100, 104, 110, 1000, 1060])
    assert too_fine(values, bins, p=5).narrow == (1,)
    assert too_fine(values, bins, p=6).narrow == (1, 2, 4)
    assert too_fine(-values, Bins(cuts=[-1060, -1000, -110, -104, -100]), p=5).narrow == (4,)
    assert too_fine(values - 600, Bins(cuts=[-1e-9, 1e-9])).narrow == ()  # a bin around zero is never narrow in percent


def test_public_limits_close_the_outer_bins() -> None:
    ages = np.array([100.0, 101, 120, 118, 119, 90])
    assert too_fine(ages, Bins(cuts=[101, 117], whole=True)).narrow == ()
    assert too_fine(ages, Bins(cuts=[101, 117], whole=True, low=100, high=120)).narrow == (0, 2)


def test_sparse_bins_of_declared_cutpoints() -> None:
    found = too_fine(np.arange(10.0), Bins(cuts=[4, 20], whole=True), minimum=3)
    assert found.sparse == (2,)
    assert "1 of 3 bins have fewer than 3 records (2)" in found.words()


def test_the_warning_names_bins_and_no_value() -> None:
    values = np.repeat([987_654_321.0, 123_456_789.0, 555.0], 5)
    bins = MinimumWidth(minimum=5).cut(values)
    with pytest.warns(TacitaWarning, match="The bins of 'income' are so fine") as caught:
        found = warn_if_too_fine(values, bins, column="income")
    said = str(caught[0].message)
    assert "3 of 3 bins have one value only (0, 1, 2)" in said
    assert not any(digits in said for digits in ("987", "123", "555"))
    assert found.bins == (0, 1, 2)


def test_coarse_bins_pass_without_a_word() -> None:
    values = np.random.default_rng(0).normal(0, 1, 500)
    found = warn_if_too_fine(
        values, MinimumWidth(minimum=50).cut(values), column="x"
    )  # a warning would be an error here
    assert not found
    assert found.words() == "no bin is too fine"


def test_long_lists_are_cut() -> None:
    values = np.repeat(np.arange(40.0), 3)
    assert "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 30 more)" in too_fine(values, MinimumWidth(minimum=3).cut(values)).words()


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="'p' must be at least 0"):
        too_fine(np.ones(3), Bins(), p=-1)
    with pytest.raises(DataError, match="not missing"):
        too_fine(np.full(3, np.nan), Bins())
